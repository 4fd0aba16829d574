use std::future::poll_fn;
use std::task::Poll;

use bytes::Bytes;
use http::header::CONTENT_ENCODING;
use http::{HeaderMap, HeaderValue, Response, StatusCode};
use http_body::Body as _;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::coding::{Coding, Encoded, wish};
use super::conditional::EntityTag;
use crate::http::Body;
use crate::metrics::Lookups;

/// A shorter body is sent as it is: it fits into a packet either way.
const SMALL: u64 = 1024;

/// A longer body is compressed as it is sent, and not kept.
const LARGE: usize = 512 * 1024;

/// What is compressed in one go, in a few milliseconds at most; then others have their turn on the thread.
const SLICE: usize = 64 * 1024;

/// What compressed bodies may take in memory, in bytes.
const KEPT: u64 = 8 * 1024 * 1024;

/// Compresses answers, and keeps what it compressed.
pub(super) struct Compressor {
    kept: Cache<(EntityTag, Coding), Bytes, Length>,
    lookups: Lookups,
}

impl Compressor {
    pub(super) fn new() -> Self {
        Self { kept: Cache::with_weighter(1024, KEPT, Length), lookups: Lookups::of("compressed") }
    }

    /// The answer in the coding that the client wants most, if it wants one and that is worth it. Answers with the same tag have the same body.
    pub(super) async fn apply(&self, response: Response<Body>, tag: &EntityTag, headers: &HeaderMap) -> Response<Body> {
        let wish = wish(headers);
        let is_small = response.body().size_hint().exact().is_some_and(|length| length < SMALL);
        let Some(coding) = wish.coding.filter(|_| response.status() == StatusCode::OK && (!is_small || wish.refuses_identity)) else {
            return response;
        };
        let (mut head, body) = response.into_parts();
        head.headers.insert(CONTENT_ENCODING, HeaderValue::from_static(coding.name()));
        let body = match body.into_parts() {
            Ok(bytes) if bytes.len() <= LARGE => self.whole(bytes, tag, coding).await.into(),
            Ok(bytes) => Body::rendered(Encoded::new(coding, slices(bytes))),
            Err(chunks) => Body::rendered(Encoded::new(coding, chunks)),
        };
        Response::from_parts(head, body)
    }

    /// Two that ask at once may both compress, and neither waits for the other.
    async fn whole(&self, bytes: Bytes, tag: &EntityTag, coding: Coding) -> Bytes {
        let key = (tag.clone(), coding);
        let kept = self.kept.get(&key);
        self.lookups.count(kept.is_some());
        if let Some(kept) = kept {
            return kept;
        }
        let mut compressed = Vec::new();
        for chunk in Encoded::new(coding, slices(bytes)) {
            compressed.extend_from_slice(&chunk);
            let_others().await;
        }
        let compressed = Bytes::from(compressed);
        self.kept.insert(key, compressed.clone());
        compressed
    }
}

fn slices(mut bytes: Bytes) -> impl Iterator<Item = Bytes> + Send + Sync + 'static {
    std::iter::from_fn(move || Some(bytes.split_to(bytes.len().min(SLICE))).filter(|slice| !slice.is_empty()))
}

/// Comes back after the others that wait for the thread.
async fn let_others() {
    let mut is_back = false;
    let turn = poll_fn(|context| {
        if std::mem::replace(&mut is_back, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    });
    turn.await;
}

/// A body weighs what it takes, with its place in the cache.
#[derive(Clone)]
struct Length;

impl Weighter<(EntityTag, Coding), Bytes> for Length {
    fn weight(&self, _: &(EntityTag, Coding), body: &Bytes) -> u64 {
        body.len() as u64 + 128
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{DateRange, HiddenFields};
    use crate::http::data_api::format::Format;
    use crate::http::data_api::question::Question;
    use crate::store::DatasetVersion;

    fn tag(version: u64) -> EntityTag {
        let day = "2026-11-21".parse().unwrap();
        EntityTag::of(
            DatasetVersion { lineage: 1, number: version, mark: 0 },
            &Question::Meals(DateRange::new(day, day).unwrap()),
            Format::Json,
            HiddenFields::default(),
        )
    }

    #[tokio::test]
    async fn a_body_is_compressed_once_for_each_state_and_coding() {
        let compressor = Compressor::new();
        let body = Bytes::from(vec![b'a'; 10_000]);
        let first = compressor.whole(body.clone(), &tag(1), Coding::Gzip).await;
        assert_eq!(compressor.whole(body.clone(), &tag(1), Coding::Gzip).await.as_ptr(), first.as_ptr());
        assert_ne!(compressor.whole(body.clone(), &tag(1), Coding::Brotli).await, first);
        assert_ne!(compressor.whole(body, &tag(2), Coding::Gzip).await.as_ptr(), first.as_ptr());
    }

    #[tokio::test]
    async fn what_is_kept_stays_below_its_limit() {
        let compressor = Compressor::new();
        let mut noise = 1_u32;
        for version in 0..200 {
            let body: Vec<u8> = std::iter::repeat_with(|| {
                noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                noise.to_be_bytes()[0]
            })
            .take(100_000)
            .collect();
            let _ = compressor.whole(body.into(), &tag(version), Coding::Gzip).await;
        }
        assert!(compressor.kept.weight() <= KEPT, "{}", compressor.kept.weight());
        assert!(compressor.kept.weight() > KEPT / 4, "nothing is kept");
    }
}
