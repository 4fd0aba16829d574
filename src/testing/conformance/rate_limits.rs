use std::num::NonZeroU32;
use std::time::Duration;

use super::fixtures::{NOW, count};
use super::store_under_test::{CONCURRENT_CALLERS, ExpectOk, StoreUnderTest};
use crate::domain::{Quota, RateLimitDecision, RateLimitKey, Timestamp};
use crate::sample_data::rng::SeededRng;
use crate::store::retention::{CLOCK_SKEW, MAX_DELETED_PER_INSERT};

cases! { Storage, rate_limits as __conformance_rate_limits:
    a_burst_is_allowed_at_once_and_then_one_an_interval
    a_denied_call_costs_nothing
    no_key_pays_for_another
    a_new_quota_holds_at_once
    on_a_clock_that_is_behind_time_stands_still
    every_verdict_is_that_of_the_quota
    at_the_ends_of_time_nothing_overflows
    several_calls_are_taken_together_or_not_at_all
    of_many_takers_a_burst_is_allowed
    rested_keys_go_in_small_batches_when_new_ones_come
    a_key_that_has_not_rested_is_never_swept
}

const SECOND: i64 = 1_000_000;
const START: i64 = NOW.micros();

async fn a_burst_is_allowed_at_once_and_then_one_an_interval(store: &StoreUnderTest) {
    let quota = quota(60, 60, 3);
    for remaining in [2, 1, 0] {
        assert_eq!(
            remaining_calls(take(store, 1, quota, START).await),
            Some(remaining)
        );
    }
    assert_eq!(
        take(store, 1, quota, START).await,
        denied(Duration::from_secs(1))
    );
    assert_eq!(
        take(store, 1, quota, START + SECOND - 1).await,
        denied(Duration::from_micros(1)),
        "time is exact"
    );
    assert_eq!(
        remaining_calls(take(store, 1, quota, START + SECOND).await),
        Some(0)
    );
    assert_eq!(
        remaining_calls(take(store, 1, quota, START + 60 * SECOND).await),
        Some(2),
        "after its interval a key is full again"
    );
}

async fn a_denied_call_costs_nothing(store: &StoreUnderTest) {
    let quota = quota(1, 10, 1);
    assert_eq!(remaining_calls(take(store, 1, quota, START).await), Some(0));
    for (second, wait) in (0..10).zip((1..=10).rev().map(Duration::from_secs)) {
        assert_eq!(
            take(store, 1, quota, START + second * SECOND).await,
            denied(wait),
            "a denied call does not delay the next"
        );
    }
    assert_eq!(
        remaining_calls(take(store, 1, quota, START + 10 * SECOND).await),
        Some(0)
    );
}

async fn no_key_pays_for_another(store: &StoreUnderTest) {
    let quota = quota(1, 10, 1);
    for number in 0..20 {
        assert_eq!(
            remaining_calls(take(store, number, quota, START).await),
            Some(0)
        );
    }
    assert_eq!(
        take(store, 7, quota, START).await,
        denied(Duration::from_secs(10))
    );
}

async fn a_new_quota_holds_at_once(store: &StoreUnderTest) {
    let (narrow, wide) = (quota(1, 10, 1), quota(10, 10, 10));
    assert_eq!(
        remaining_calls(take(store, 1, narrow, START).await),
        Some(0)
    );
    assert_eq!(
        take(store, 1, wide, START).await,
        denied(Duration::from_secs(1)),
        "ten seconds are used, of which nine are allowed"
    );
    assert_eq!(
        remaining_calls(take(store, 1, wide, START + 5 * SECOND).await),
        Some(4),
        "earlier calls still count"
    );
    assert_eq!(
        take(store, 1, narrow, START + 5 * SECOND).await,
        denied(Duration::from_secs(6))
    );
}

async fn on_a_clock_that_is_behind_time_stands_still(store: &StoreUnderTest) {
    let quota = quota(1, 10, 2);
    assert_eq!(remaining_calls(take(store, 1, quota, START).await), Some(1));
    assert_eq!(
        take(store, 1, quota, START - 5 * SECOND).await,
        denied(Duration::from_secs(5))
    );
    assert_eq!(
        remaining_calls(take(store, 1, quota, START).await),
        Some(0),
        "the other call gained and lost nothing"
    );
}

async fn every_verdict_is_that_of_the_quota(store: &StoreUnderTest) {
    let mut rng = SeededRng::new(7);
    let mut arrivals = [None; 4];
    let mut now = START;
    for call in 0..600 {
        let key = rng.below(arrivals.len());
        now += rng.pick(&[0, 1, SECOND / 3, SECOND, -SECOND, 20 * SECOND]);
        let quota = rng.pick(&[
            quota(100, 60, 100),
            quota(1, 5, 1),
            quota(3, 1, 2),
            quota(7, 10, 3),
        ]);
        let expected = quota.check(arrivals[key], at(now));
        assert_eq!(
            take(store, key, quota, now).await,
            expected,
            "call {call}, for key {key} at {now} under {quota:?}"
        );
        if let RateLimitDecision::Allowed { arrival, .. } = expected {
            arrivals[key] = Some(arrival);
        }
    }
}

async fn at_the_ends_of_time_nothing_overflows(store: &StoreUnderTest) {
    const YEAR: u64 = 366 * 24 * 60 * 60;
    let quotas = [
        quota(1, YEAR, u32::MAX),
        quota(1, YEAR, 1),
        quota(1_000_000, 1, u32::MAX),
        quota(1_000_000, 1, 1),
    ];
    for (number, quota) in quotas.into_iter().enumerate() {
        let mut stored = None;
        for now in [
            i64::MIN,
            i64::MIN + 1,
            -1,
            0,
            START,
            i64::MAX - 1,
            i64::MAX,
            i64::MAX,
            0,
            i64::MIN,
        ] {
            let expected = quota.check(stored, at(now));
            assert_eq!(
                take(store, number, quota, now).await,
                expected,
                "at {now} under {quota:?}"
            );
            if let RateLimitDecision::Allowed { arrival, .. } = expected {
                stored = Some(arrival);
            }
        }
    }
}

async fn several_calls_are_taken_together_or_not_at_all(store: &StoreUnderTest) {
    let mut rng = SeededRng::new(11);
    let mut arrivals = [None; 3];
    let mut now = START;
    for take in 0..300 {
        let key = rng.below(arrivals.len());
        now += rng.pick(&[0, 1, SECOND, 3 * SECOND, -SECOND, 30 * SECOND]);
        let quota = rng.pick(&[quota(100, 60, 100), quota(7, 10, 3), quota(60, 60, 20)]);
        let calls = rng.pick(&[1, 2, 3, 4, 10, 60, 101, u32::MAX]);
        let calls = NonZeroU32::new(calls).unwrap_or(NonZeroU32::MIN);
        let expected = quota.check_many(arrivals[key], calls, at(now));
        let verdict = store
            .take_many(&self::key(key), quota, calls, at(now))
            .await
            .expect_ok();
        assert_eq!(
            verdict, expected,
            "take {take}, of {calls} for key {key} at {now} under {quota:?}"
        );
        if let RateLimitDecision::Allowed { arrival, .. } = expected {
            arrivals[key] = Some(arrival);
        }
    }
}

async fn of_many_takers_a_burst_is_allowed(store: &StoreUnderTest) {
    let quota = quota(10, 60, 10);
    for round in 0..5 {
        let answers = store
            .race(async |store, _| store.take(&key(round), quota, at(START)).await.expect_ok());
        assert_eq!(
            count(&answers, |answer| remaining_calls(*answer).is_some()),
            10,
            "of {CONCURRENT_CALLERS} takers of a burst of 10 exactly 10 are allowed"
        );
        let mut remaining: Vec<_> = answers
            .iter()
            .filter_map(|answer| remaining_calls(*answer))
            .collect();
        remaining.sort_unstable();
        assert_eq!(
            remaining,
            Vec::from_iter(0..10),
            "each gets the number that is left after its own call"
        );
        assert_eq!(
            count(&answers, |answer| *answer == denied(Duration::from_secs(6))),
            CONCURRENT_CALLERS - 10,
            "and the others the time to wait"
        );
        assert_eq!(
            remaining_calls(
                take(
                    store,
                    99,
                    quota,
                    START + 60 * SECOND * i64::try_from(round).unwrap_or_default()
                )
                .await
            ),
            Some(9)
        );
    }
}

async fn rested_keys_go_in_small_batches_when_new_ones_come(store: &StoreUnderTest) {
    let quota = quota(1, 1, 1);
    for number in 0..30 {
        assert_eq!(
            remaining_calls(take(store, number, quota, START).await),
            Some(0)
        );
    }
    // The keys are full again after the first second. A clock that is behind shows which are still
    // stored; a denied call changes nothing.
    let gone = at(START + SECOND).plus(CLOCK_SKEW).micros();
    assert_eq!(
        remaining_calls(take(store, 100, quota, gone - 1).await),
        Some(0)
    );
    assert_eq!(
        take(store, 0, quota, START).await,
        denied(Duration::from_secs(1)),
        "a node whose clock is behind still counts"
    );
    assert_eq!(
        remaining_calls(take(store, 101, quota, gone).await),
        Some(0)
    );
    let mut known = 0;
    for number in 0..30 {
        known += usize::from(remaining_calls(take(store, number, quota, START).await).is_none());
    }
    assert!(
        (30 - MAX_DELETED_PER_INSERT..=28).contains(&known),
        "a few are deleted, more than one and at most {MAX_DELETED_PER_INSERT}, and {known} are left"
    );
}

async fn a_key_that_has_not_rested_is_never_swept(store: &StoreUnderTest) {
    let (long, short) = (quota(1, 100_000, 1), quota(1, 1, 1));
    for number in 0..10 {
        assert_eq!(
            remaining_calls(take(store, number, long, START).await),
            Some(0)
        );
    }
    for number in 100..140 {
        assert_eq!(
            remaining_calls(take(store, number, short, START + 90_000 * SECOND).await),
            Some(0)
        );
    }
    for number in 0..10 {
        assert_eq!(
            take(store, number, long, START + 90_000 * SECOND).await,
            denied(Duration::from_secs(10_000))
        );
    }
}

fn quota(limit: u32, window_seconds: u64, burst: u32) -> Quota {
    Quota::new(limit, Duration::from_secs(window_seconds), burst).expect("a quota")
}

fn key(number: usize) -> RateLimitKey {
    RateLimitKey::new("conformance", &number.to_be_bytes())
}

async fn take(
    store: &StoreUnderTest,
    number: usize,
    quota: Quota,
    micros: i64,
) -> RateLimitDecision {
    store
        .take(&key(number), quota, at(micros))
        .await
        .expect_ok()
}

const fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros)
}

const fn denied(retry_after: Duration) -> RateLimitDecision {
    RateLimitDecision::Denied { retry_after }
}

/// Returns the number of further calls that are allowed, if this one was.
const fn remaining_calls(verdict: RateLimitDecision) -> Option<u32> {
    match verdict {
        RateLimitDecision::Allowed { remaining, .. } => Some(remaining),
        RateLimitDecision::Denied { .. } => None,
    }
}
