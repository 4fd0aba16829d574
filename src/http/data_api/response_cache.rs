use std::sync::Arc;
use std::thread;

use quick_cache::Weighter;
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, Options, OptionsBuilder};

use super::conditional::EntityTag;
use super::error::Error;
use super::representation::Representation;
use crate::http::content_encoding::AcceptEncoding;
use crate::http::service::CommonError;
use crate::metrics::CacheMetrics;
use crate::thread_pool::ThreadPool;

/// Maximum total size of the cached responses, in bytes.
const MAX_BYTES: u64 = 8 * 1024 * 1024;

/// Cache key. The tag identifies the version of the directory, the query, the format and the hidden
/// fields.
type Key = (EntityTag, AcceptEncoding);

/// Cache of rendered responses, and the threads that render expensive ones.
pub(super) struct ResponseCache {
    cache: Cache<Key, Arc<Representation>, BytesWeighter>,
    threads: ThreadPool,
    lookups: CacheMetrics,
}

impl ResponseCache {
    pub(super) fn new() -> Self {
        // At most half of the processors render, so that logins are not delayed.
        let threads = thread::available_parallelism().map_or(1, usize::from) / 2;
        Self {
            cache: Cache::with_options(
                options(),
                BytesWeighter,
                DefaultHashBuilder::default(),
                DefaultLifecycle::default(),
            ),
            threads: ThreadPool::new("lyceum-lists", threads),
            lookups: CacheMetrics::new("answers"),
        }
    }

    /// Returns the response with this tag from the cache, or renders it. Of concurrent requests for
    /// the same response, one renders it and the others wait.
    ///
    /// # Errors
    /// Those of `render`.
    pub(super) async fn get_or_render(
        &self,
        tag: &EntityTag,
        accept_encoding: AcceptEncoding,
        is_cheap: bool,
        render: impl FnOnce() -> Result<Representation, Error> + Send + 'static,
    ) -> Result<Arc<Representation>, Error> {
        let key = (tag.clone(), accept_encoding);
        let cached = self.cache.get(&key);
        self.lookups.count(cached.is_some());
        if let Some(cached) = cached {
            return Ok(cached);
        }
        // If this request is cancelled, its guard is dropped, and the next waiting request renders
        // the response.
        let placeholder = match self.cache.get_value_or_guard_async(&key).await {
            Ok(answer) => return Ok(answer),
            Err(placeholder) => placeholder,
        };
        let render = move || render().map(|answer| Arc::new(answer.encoded(accept_encoding)));
        let answer = if is_cheap && accept_encoding.coding.is_none() {
            render()?
        } else {
            self.threads
                .run(render)
                .await
                .unwrap_or_else(|| Err(CommonError::Panicked.into()))?
        };
        // The insertion fails if the entry was removed meanwhile; the response is then sent but not
        // cached.
        let _ = placeholder.insert(Arc::clone(&answer));
        Ok(answer)
    }
}

/// Fixes the number of shards. By default it grows with the number of processors, and a value
/// larger than a shard is not cached.
fn options() -> Options {
    let options = OptionsBuilder::new()
        .estimated_items_capacity(1024)
        .weight_capacity(MAX_BYTES)
        .shards(2)
        .build();
    options.expect("both capacities are given")
}

/// Weighs a response by its length plus an estimate of the entry's overhead.
#[derive(Clone)]
struct BytesWeighter;

impl Weighter<Key, Arc<Representation>> for BytesWeighter {
    fn weight(&self, _: &Key, answer: &Arc<Representation>) -> u64 {
        answer.length() as u64 + 256
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    use super::*;
    use crate::domain::HiddenFields;
    use crate::http::audit::RefusalRule;
    use crate::http::data_api::format::Format;
    use crate::http::data_api::representation::PageLinks;
    use crate::store::DatasetVersion;

    const PLAIN: AcceptEncoding = AcceptEncoding {
        coding: None,
        refuses_identity: false,
    };

    fn tag(version: u64) -> EntityTag {
        let version = DatasetVersion {
            lineage: 1,
            number: version,
            mark: 0,
        };
        EntityTag::new(version, "meals", Format::Json, HiddenFields::default())
    }

    fn answer(length: usize) -> Representation {
        Representation::new(Format::Json, vec![b'a'; length], PageLinks::None)
    }

    #[tokio::test]
    async fn an_answer_is_made_once_for_each_state_and_wish() {
        let cache = ResponseCache::new();
        let refusing = AcceptEncoding {
            refuses_identity: true,
            ..PLAIN
        };
        let made = Arc::new(AtomicUsize::new(0));
        for (version, accept_encoding, expected) in [
            (1, PLAIN, 1),
            (1, PLAIN, 1),
            (2, PLAIN, 2),
            (2, refusing, 3),
            (1, PLAIN, 3),
        ] {
            let counted = Arc::clone(&made);
            let make = move || {
                counted.fetch_add(1, Ordering::Relaxed);
                Ok(answer(10))
            };
            assert_eq!(
                cache
                    .get_or_render(&tag(version), accept_encoding, true, make)
                    .await
                    .unwrap()
                    .length(),
                10
            );
            assert_eq!(made.load(Ordering::Relaxed), expected);
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn concurrent_requests_wait_for_the_one_that_renders() {
        let cache = Arc::new(ResponseCache::new());
        let (release, held) = mpsc::channel::<()>();
        let (begun, begins) = tokio::sync::oneshot::channel();
        let first = {
            let cache = Arc::clone(&cache);
            tokio::spawn(async move {
                let make = move || {
                    begun.send(()).unwrap();
                    held.recv().unwrap();
                    Ok(answer(10))
                };
                cache
                    .get_or_render(&tag(1), PLAIN, false, make)
                    .await
                    .unwrap()
            })
        };
        begins.await.unwrap();
        let others: Vec<_> = (0..8)
            .map(|_| {
                let cache = Arc::clone(&cache);
                tokio::spawn(async move {
                    cache
                        .get_or_render(&tag(1), PLAIN, true, || panic!("rendered again"))
                        .await
                        .unwrap()
                })
            })
            .collect();
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        release.send(()).unwrap();
        let first = first.await.unwrap();
        for other in others {
            assert!(Arc::ptr_eq(&first, &other.await.unwrap()));
        }
    }

    #[tokio::test]
    async fn an_answer_that_could_not_be_made_is_made_by_the_next_one() {
        let cache = ResponseCache::new();
        for is_cheap in [true, false] {
            assert!(
                cache
                    .get_or_render(&tag(1), PLAIN, is_cheap, || Err(Error::query_malformed()))
                    .await
                    .is_err()
            );
        }
        assert!(matches!(
            cache
                .get_or_render(&tag(1), PLAIN, false, || panic!("on purpose"))
                .await,
            Err(error) if error.rule() == RefusalRule::Failed
        ));
        assert!(
            cache
                .get_or_render(&tag(1), PLAIN, false, || Ok(answer(10)))
                .await
                .is_ok()
        );
    }

    #[tokio::test]
    async fn the_cache_stays_below_its_limit() {
        let cache = ResponseCache::new();
        for version in 0..200 {
            cache
                .get_or_render(&tag(version), PLAIN, true, || Ok(answer(100_000)))
                .await
                .unwrap();
        }
        assert!(
            cache.cache.weight() <= MAX_BYTES,
            "{}",
            cache.cache.weight()
        );
        assert!(cache.cache.weight() > MAX_BYTES / 4, "nothing is cached");
    }

    /// Fails if the shards are too small, as they are by default with many processors.
    #[tokio::test]
    async fn a_long_page_is_kept_however_many_processors_there_are() {
        let cache = ResponseCache::new();
        cache
            .get_or_render(&tag(1), PLAIN, true, || Ok(answer(2_000_000)))
            .await
            .unwrap();
        assert!(
            cache
                .get_or_render(&tag(1), PLAIN, true, || panic!("it was not cached"))
                .await
                .is_ok()
        );
    }
}
