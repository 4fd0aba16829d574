use std::sync::Arc;
use std::thread;

use quick_cache::Weighter;
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, Options, OptionsBuilder};

use super::answer::Answer;
use super::coding::Wish;
use super::conditional::EntityTag;
use super::failure::Failure;
use crate::metrics::Lookups;
use crate::threads::Threads;

/// How many bytes of answers are kept.
const KEPT: u64 = 8 * 1024 * 1024;

/// What an answer is kept by. The tag names the version of the directory, the question, the format and the fields that are hidden.
type Key = (EntityTag, Wish);

/// The answers that were given last, and the threads that make those that take long.
pub(super) struct KeptAnswers {
    kept: Cache<Key, Arc<Answer>, Length>,
    threads: Threads,
    lookups: Lookups,
}

impl KeptAnswers {
    pub(super) fn new() -> Self {
        // Searches may take half of the processors: who signs in meanwhile has the others.
        let threads = thread::available_parallelism().map_or(1, usize::from) / 2;
        Self {
            kept: Cache::with_options(options(), Length, DefaultHashBuilder::default(), DefaultLifecycle::default()),
            threads: Threads::new("lyceum-lists", threads),
            lookups: Lookups::of("answers"),
        }
    }

    /// The answer with this tag as the client wants it, kept or made. Of those who ask at once for an answer that is not kept, one makes it and
    /// the others wait for it.
    ///
    /// # Errors
    /// What `make` comes to.
    pub(super) async fn answer(
        &self,
        tag: &EntityTag,
        wish: Wish,
        is_quick: bool,
        make: impl FnOnce() -> Result<Answer, Failure> + Send + 'static,
    ) -> Result<Arc<Answer>, Failure> {
        let key = (tag.clone(), wish);
        let kept = self.kept.get(&key);
        self.lookups.count(kept.is_some());
        if let Some(kept) = kept {
            return Ok(kept);
        }
        // If this request is cancelled, its guard is dropped, and the next waiting request makes the answer.
        let place = match self.kept.get_value_or_guard_async(&key).await {
            Ok(answer) => return Ok(answer),
            Err(place) => place,
        };
        let make = move || make().map(|answer| Arc::new(answer.coded(wish)));
        let answer =
            if is_quick && wish.coding.is_none() { make()? } else { self.threads.run(make).await.unwrap_or(Err(Failure::Panicked))? };
        // The insertion fails if the entry was removed meanwhile; then the answer is sent and not kept.
        let _ = place.insert(Arc::clone(&answer));
        Ok(answer)
    }
}

/// By default a cache has as many shards as fit the processors, and keeps nothing that is larger than a shard.
fn options() -> Options {
    let options = OptionsBuilder::new().estimated_items_capacity(1024).weight_capacity(KEPT).shards(2).build();
    options.expect("both capacities are given")
}

/// An answer weighs what it takes, with its place.
#[derive(Clone)]
struct Length;

impl Weighter<Key, Arc<Answer>> for Length {
    fn weight(&self, _: &Key, answer: &Arc<Answer>) -> u64 {
        answer.length() as u64 + 256
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    use super::*;
    use crate::domain::HiddenFields;
    use crate::http::data_api::answer::Rest;
    use crate::http::data_api::format::Format;
    use crate::store::DatasetVersion;

    const PLAIN: Wish = Wish { coding: None, refuses_identity: false };

    fn tag(version: u64) -> EntityTag {
        let version = DatasetVersion { lineage: 1, number: version, mark: 0 };
        EntityTag::of(version, "meals", Format::Json, HiddenFields::default())
    }

    fn answer(length: usize) -> Answer {
        Answer::new(Format::Json, vec![b'a'; length], Rest::None)
    }

    #[tokio::test]
    async fn an_answer_is_made_once_for_each_state_and_wish() {
        let answers = KeptAnswers::new();
        let refusing = Wish { refuses_identity: true, ..PLAIN };
        let made = Arc::new(AtomicUsize::new(0));
        for (version, wish, expected) in [(1, PLAIN, 1), (1, PLAIN, 1), (2, PLAIN, 2), (2, refusing, 3), (1, PLAIN, 3)] {
            let counted = Arc::clone(&made);
            let make = move || {
                counted.fetch_add(1, Ordering::Relaxed);
                Ok(answer(10))
            };
            assert_eq!(answers.answer(&tag(version), wish, true, make).await.unwrap().length(), 10);
            assert_eq!(made.load(Ordering::Relaxed), expected);
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn those_who_ask_meanwhile_wait_for_the_one_who_makes_it() {
        let answers = Arc::new(KeptAnswers::new());
        let (release, held) = mpsc::channel::<()>();
        let (begun, begins) = tokio::sync::oneshot::channel();
        let first = {
            let answers = Arc::clone(&answers);
            tokio::spawn(async move {
                let make = move || {
                    begun.send(()).unwrap();
                    held.recv().unwrap();
                    Ok(answer(10))
                };
                answers.answer(&tag(1), PLAIN, false, make).await.unwrap()
            })
        };
        begins.await.unwrap();
        let others: Vec<_> = (0..8)
            .map(|_| {
                let answers = Arc::clone(&answers);
                tokio::spawn(async move { answers.answer(&tag(1), PLAIN, true, || panic!("it was made again")).await.unwrap() })
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
        let answers = KeptAnswers::new();
        for is_quick in [true, false] {
            assert!(answers.answer(&tag(1), PLAIN, is_quick, || Err(Failure::QueryMalformed)).await.is_err());
        }
        assert!(matches!(answers.answer(&tag(1), PLAIN, false, || panic!("as told")).await, Err(Failure::Panicked)));
        assert!(answers.answer(&tag(1), PLAIN, false, || Ok(answer(10))).await.is_ok());
    }

    #[tokio::test]
    async fn what_is_kept_stays_below_its_limit() {
        let answers = KeptAnswers::new();
        for version in 0..200 {
            answers.answer(&tag(version), PLAIN, true, || Ok(answer(100_000))).await.unwrap();
        }
        assert!(answers.kept.weight() <= KEPT, "{}", answers.kept.weight());
        assert!(answers.kept.weight() > KEPT / 4, "nothing is kept");
    }

    /// Fails if the cache is cut into parts that are too small, as it is by default where there are many processors.
    #[tokio::test]
    async fn a_long_page_is_kept_however_many_processors_there_are() {
        let answers = KeptAnswers::new();
        answers.answer(&tag(1), PLAIN, true, || Ok(answer(2_000_000))).await.unwrap();
        assert!(answers.answer(&tag(1), PLAIN, true, || panic!("it was not kept")).await.is_ok());
    }
}
