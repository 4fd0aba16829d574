//! Number of key fetches: threats 31.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use lyceum::crypto::{Signer, jwk_set};
use lyceum::domain::Timestamp;
use lyceum::http::guard::{BoxError, CachedKeys, Guard, KeySource};
use lyceum::testing::ManualClock;
use tokio::sync::Semaphore;

use crate::fixtures::{
    self, NOW, builder, claims, es256, header, invalid_token, present, token, with,
};

/// An authorization service that publishes keys, and counts and controls the fetches.
#[derive(Clone)]
struct Publisher(Arc<Inner>);

struct Inner {
    answer: Mutex<Result<Vec<u8>, String>>,
    fetches: AtomicUsize,
    panics: AtomicBool,
    /// A fetch takes one permit before it completes.
    turns: Semaphore,
}

impl Publisher {
    fn new(signers: &[&dyn Signer]) -> Self {
        let inner = Inner {
            answer: Mutex::new(Ok(Vec::new())),
            fetches: AtomicUsize::new(0),
            panics: AtomicBool::new(false),
            turns: Semaphore::new(Semaphore::MAX_PERMITS),
        };
        let publisher = Self(Arc::new(inner));
        publisher.publish(signers);
        publisher
    }

    fn publish(&self, signers: &[&dyn Signer]) {
        self.answer(Ok(
            serde_json::to_vec(&jwk_set(signers.iter().copied())).unwrap()
        ));
    }

    fn answer(&self, answer: Result<Vec<u8>, String>) {
        *self.0.answer.lock().unwrap() = answer;
    }

    fn fetches(&self) -> usize {
        self.0.fetches.load(Ordering::SeqCst)
    }

    fn keys(&self) -> CachedKeys {
        let publisher = self.clone();
        CachedKeys::new(move || {
            let Publisher(inner) = publisher.clone();
            async move {
                inner.fetches.fetch_add(1, Ordering::SeqCst);
                assert!(!inner.panics.load(Ordering::SeqCst), "planted");
                inner.turns.acquire().await?.forget();
                let answer = inner.answer.lock().unwrap().clone();
                answer.map(Bytes::from).map_err(BoxError::from)
            }
        })
    }

    fn guard(&self, clock: &ManualClock) -> Guard {
        self.guard_with(clock, self.keys())
    }

    fn guard_with(&self, clock: &ManualClock, keys: CachedKeys) -> Guard {
        builder(Arc::new(keys))
            .clock(Arc::new(clock.clone()))
            .build()
            .unwrap()
    }
}

/// Signs a token that is valid for years, so that only the keys matter.
fn lasting(signer: &dyn Signer) -> String {
    fixtures::signed(
        signer,
        &header(signer),
        &with(claims(), "exp", (NOW.seconds() + 100_000_000).into()),
    )
}

fn with_random_key(signer: &dyn Signer, number: u32) -> String {
    fixtures::signed(
        signer,
        &with(header(signer), "kid", format!("{number:043}").into()),
        &claims(),
    )
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

// Proves: threats 31
/// Never ends if the cool-down is ignored.
#[tokio::test]
async fn ten_thousand_random_keys_cost_one_fetch_a_cool_down() {
    let (signer, clock) = (es256(), ManualClock::new(NOW));
    let publisher = Publisher::new(&[&*signer]);
    let guard = publisher.guard(&clock);
    assert_eq!(present(&guard, &token(&*signer)).await.status, 200);
    let template = with_random_key(&*signer, 0);
    let rest = template.split_once('.').unwrap().1;
    for number in 0..10_000_u32 {
        let head = with(header(&*signer), "kid", format!("{number:043}").into()).to_string();
        let forged = format!("{}.{rest}", fixtures::encoded(head.as_bytes()));
        assert_eq!(present(&guard, &forged).await.verdict(), invalid_token());
        // 200 seconds altogether.
        if number % 50 == 49 {
            clock.advance(seconds(1));
        }
    }
    assert!(
        (3..=4).contains(&publisher.fetches()),
        "{} fetches in 200 seconds",
        publisher.fetches()
    );
    assert_eq!(present(&guard, &token(&*signer)).await.status, 200);
}

#[tokio::test]
async fn an_unknown_key_id_triggers_a_fetch() {
    let (old, new, clock) = (es256(), es256(), ManualClock::new(NOW));
    let publisher = Publisher::new(&[&*old]);
    let guard = publisher.guard(&clock);
    assert_eq!(present(&guard, &token(&*old)).await.status, 200);
    publisher.publish(&[&*old, &*new]);
    clock.advance(seconds(59));
    assert_eq!(
        present(&guard, &token(&*new)).await.verdict(),
        invalid_token()
    );
    clock.advance(seconds(1));
    assert_eq!(present(&guard, &token(&*new)).await.status, 200);
    assert_eq!(publisher.fetches(), 2);
}

// Proves: threats 31
/// Fails if a fetched key set is used for ever.
#[tokio::test]
async fn a_set_is_used_for_its_age_and_a_key_that_is_gone_is_refused_then() {
    let (old, new, clock) = (es256(), es256(), ManualClock::new(NOW));
    let publisher = Publisher::new(&[&*old]);
    let guard = publisher.guard(&clock);
    assert_eq!(present(&guard, &lasting(&*old)).await.status, 200);
    publisher.publish(&[&*new]);
    clock.advance(seconds(299));
    assert_eq!(
        (
            present(&guard, &lasting(&*old)).await.status.as_u16(),
            publisher.fetches()
        ),
        (200, 1)
    );
    clock.advance(seconds(1));
    assert_eq!(
        (
            present(&guard, &lasting(&*old)).await.verdict(),
            publisher.fetches()
        ),
        (invalid_token(), 2)
    );
    assert_eq!(present(&guard, &lasting(&*new)).await.status, 200);
}

// Proves: threats 31
/// Fails if a failed fetch drops the key set, or if the set is used for ever.
#[tokio::test]
async fn a_failed_fetch_keeps_the_last_good_set_for_a_day() {
    let (signer, clock) = (es256(), ManualClock::new(NOW));
    let publisher = Publisher::new(&[&*signer]);
    let guard = publisher.guard(&clock);
    assert_eq!(present(&guard, &lasting(&*signer)).await.status, 200);
    for answer in [
        Err("no route".to_owned()),
        Ok(b"<html>".to_vec()),
        Ok(b"{\"keys\":[]}".to_vec()),
        Ok(vec![b' '; 70_000]),
    ] {
        publisher.answer(answer);
        let before = publisher.fetches();
        clock.advance(seconds(301));
        for _ in 0..10 {
            assert_eq!(present(&guard, &lasting(&*signer)).await.status, 200);
        }
        assert_eq!(
            publisher.fetches(),
            before + 1,
            "a failing service was queried repeatedly"
        );
    }
    clock.set(NOW.plus(seconds(24 * 60 * 60)));
    assert_eq!(
        present(&guard, &lasting(&*signer)).await.verdict(),
        (503, "temporarily_unavailable".to_owned())
    );
    publisher.publish(&[&*signer]);
    clock.advance(seconds(5));
    assert_eq!(present(&guard, &lasting(&*signer)).await.status, 200);
}

#[tokio::test]
async fn without_a_first_set_it_is_tried_again_soon_and_not_at_once() {
    let (signer, clock) = (es256(), ManualClock::new(NOW));
    let publisher = Publisher::new(&[&*signer]);
    publisher.answer(Err("starting".to_owned()));
    let guard = publisher.guard(&clock);
    for (waited, retry_after) in [(0, "5"), (2, "3"), (2, "1")] {
        clock.advance(seconds(waited));
        let answer = present(&guard, &token(&*signer)).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("retry-after")),
            (503, retry_after)
        );
    }
    assert_eq!(publisher.fetches(), 1);
    publisher.publish(&[&*signer]);
    clock.advance(seconds(1));
    assert_eq!(present(&guard, &token(&*signer)).await.status, 200);
}

#[tokio::test]
async fn a_fetch_that_panics_is_a_fetch_that_failed() {
    let (signer, clock) = (es256(), ManualClock::new(NOW));
    let publisher = Publisher::new(&[&*signer]);
    publisher.0.panics.store(true, Ordering::SeqCst);
    let guard = publisher.guard(&clock);
    assert_eq!(present(&guard, &token(&*signer)).await.status, 503);
    publisher.0.panics.store(false, Ordering::SeqCst);
    clock.advance(seconds(5));
    assert_eq!(present(&guard, &token(&*signer)).await.status, 200);
}

// Proves: threats 31
/// Never ends if a waiting request starts its own fetch.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn waiting_requests_share_one_fetch_and_a_cancelled_one_does_not_end_it() {
    let (signer, clock) = (es256(), ManualClock::new(NOW));
    let mut publisher = Publisher::new(&[&*signer]);
    Arc::get_mut(&mut publisher.0).unwrap().turns = Semaphore::new(0);
    let guard = publisher.guard(&clock);
    let ask = || {
        let (guard, token) = (guard.clone(), token(&*signer));
        tokio::spawn(async move { present(&guard, &token).await.status.as_u16() })
    };
    let waiting: Vec<_> = (0..64).map(|_| ask()).collect();
    while publisher.fetches() == 0 {
        tokio::task::yield_now().await;
    }
    // Cancels half of the requests, perhaps including the one that started the fetch.
    for request in waiting.iter().take(32) {
        request.abort();
    }
    publisher.0.turns.add_permits(1);
    for request in waiting.into_iter().skip(32) {
        assert_eq!(request.await.unwrap(), 200);
    }
    assert_eq!(publisher.fetches(), 1);
}

// Proves: threats 31
/// Fails if a waiting request starts its own fetch.
#[tokio::test]
async fn repeated_cancellation_starts_no_other_fetch() {
    let (signer, clock) = (es256(), ManualClock::new(NOW));
    let mut publisher = Publisher::new(&[&*signer]);
    Arc::get_mut(&mut publisher.0).unwrap().turns = Semaphore::new(0);
    let guard = publisher.guard(&clock);
    for _ in 0..1000 {
        let token = token(&*signer);
        let request = present(&guard, &token);
        let hung_up =
            tokio::select! { biased; _ = request => false, () = tokio::task::yield_now() => true };
        assert!(hung_up);
    }
    assert_eq!(publisher.fetches(), 1);
    publisher.0.turns.add_permits(1);
    assert_eq!(present(&guard, &token(&*signer)).await.status, 200);
    assert_eq!(publisher.fetches(), 1);
}

#[tokio::test]
async fn a_fetch_that_never_ends_is_given_up_by_a_later_request() {
    let (signer, clock) = (es256(), ManualClock::new(NOW));
    let mut publisher = Publisher::new(&[&*signer]);
    Arc::get_mut(&mut publisher.0).unwrap().turns = Semaphore::new(0);
    let guard = publisher.guard(&clock);
    let stuck = {
        let (guard, token) = (guard.clone(), token(&*signer));
        tokio::spawn(async move { present(&guard, &token).await.status.as_u16() })
    };
    while publisher.fetches() == 0 {
        tokio::task::yield_now().await;
    }
    clock.advance(seconds(60));
    let later = {
        let (guard, token) = (guard.clone(), token(&*signer));
        tokio::spawn(async move { present(&guard, &token).await.status.as_u16() })
    };
    while publisher.fetches() < 2 {
        tokio::task::yield_now().await;
    }
    publisher.0.turns.add_permits(8);
    assert_eq!((later.await.unwrap(), stuck.await.unwrap()), (200, 200));
}

#[tokio::test]
async fn a_clock_that_is_set_back_does_not_freeze_the_keys() {
    let (old, new, clock) = (es256(), es256(), ManualClock::new(NOW.plus(seconds(3000))));
    let publisher = Publisher::new(&[&*old]);
    let guard = publisher.guard(&clock);
    assert_eq!(present(&guard, &lasting(&*old)).await.status, 200);
    publisher.publish(&[&*new]);
    clock.set(NOW);
    assert_eq!(present(&guard, &lasting(&*new)).await.status, 200);
}

#[tokio::test]
async fn the_two_lengths_can_be_chosen_and_the_cool_down_is_never_longer_than_the_age() {
    let (signer, clock) = (es256(), ManualClock::new(NOW));
    let publisher = Publisher::new(&[&*signer]);
    let guard = publisher.guard_with(
        &clock,
        publisher
            .keys()
            .max_age(seconds(10))
            .cool_down(seconds(1000)),
    );
    for _ in 0..3 {
        assert_eq!(present(&guard, &token(&*signer)).await.status, 200);
        clock.advance(seconds(10));
    }
    assert_eq!(publisher.fetches(), 3);
}

/// Fails if `Retry-After` is rounded down: the next request would be refused again.
#[tokio::test]
async fn the_wait_until_the_next_try_is_rounded_up() {
    let (signer, clock) = (es256(), ManualClock::new(NOW));
    let publisher = Publisher::new(&[&*signer]);
    publisher.answer(Err("starting".to_owned()));
    let length = Duration::from_millis(2500);
    let guard = publisher.guard_with(&clock, publisher.keys().cool_down(length));
    for retry_after in ["3", "2"] {
        let answer = present(&guard, &token(&*signer)).await;
        assert_eq!(answer.header("retry-after"), retry_after);
        clock.advance(seconds(1));
    }
}

#[tokio::test]
async fn a_source_of_keys_can_be_shared_by_guards() {
    let (signer, at) = (es256(), Timestamp::from_seconds(NOW.seconds()));
    let publisher = Publisher::new(&[&*signer]);
    let keys: Arc<dyn KeySource> = Arc::new(publisher.keys());
    for _ in 0..3 {
        assert_eq!(
            present(
                &builder(Arc::clone(&keys)).build().unwrap(),
                &token(&*signer)
            )
            .await
            .status,
            200
        );
    }
    assert!(
        keys.verifier(signer.key_id(), at)
            .await
            .unwrap()
            .contains_key(signer.key_id())
    );
    assert_eq!(publisher.fetches(), 1);
}
