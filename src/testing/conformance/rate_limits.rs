use std::num::NonZeroU32;
use std::time::Duration;

use super::candidate::{Answered, Candidate, RACERS};
use super::given::{NOW, count};
use crate::domain::{Quota, RateKey, RateVerdict};
use crate::store::sweep::{AT_ONCE, CLOCKS_APART};
use crate::testing::school::dice::Dice;

const SECOND: i64 = 1_000_000;
const START: i64 = NOW.seconds() * SECOND;

pub(super) async fn a_burst_is_allowed_at_once_and_then_one_an_interval(store: &Candidate) {
    let quota = quota(60, 60, 3);
    for remaining in [2, 1, 0] {
        assert_eq!(left(take(store, 1, quota, START).await), Some(remaining));
    }
    assert_eq!(take(store, 1, quota, START).await, denied(Duration::from_secs(1)));
    assert_eq!(take(store, 1, quota, START + SECOND - 1).await, denied(Duration::from_micros(1)), "time is exact");
    assert_eq!(left(take(store, 1, quota, START + SECOND).await), Some(0));
    assert_eq!(left(take(store, 1, quota, START + 60 * SECOND).await), Some(2), "a rested key is whole again");
}

pub(super) async fn a_denied_call_costs_nothing(store: &Candidate) {
    let quota = quota(1, 10, 1);
    assert_eq!(left(take(store, 1, quota, START).await), Some(0));
    for (second, wait) in (0..10).zip((1..=10).rev().map(Duration::from_secs)) {
        assert_eq!(take(store, 1, quota, START + second * SECOND).await, denied(wait), "asking does not put it off");
    }
    assert_eq!(left(take(store, 1, quota, START + 10 * SECOND).await), Some(0));
}

pub(super) async fn no_key_pays_for_another(store: &Candidate) {
    let quota = quota(1, 10, 1);
    for number in 0..20 {
        assert_eq!(left(take(store, number, quota, START).await), Some(0));
    }
    assert_eq!(take(store, 7, quota, START).await, denied(Duration::from_secs(10)));
}

pub(super) async fn a_new_quota_holds_at_once(store: &Candidate) {
    let (narrow, wide) = (quota(1, 10, 1), quota(10, 10, 10));
    assert_eq!(left(take(store, 1, narrow, START).await), Some(0));
    assert_eq!(take(store, 1, wide, START).await, denied(Duration::from_secs(1)), "ten seconds are ahead, of which nine may be");
    assert_eq!(left(take(store, 1, wide, START + 5 * SECOND).await), Some(4), "what was taken before still counts");
    assert_eq!(take(store, 1, narrow, START + 5 * SECOND).await, denied(Duration::from_secs(6)));
}

pub(super) async fn on_a_clock_that_is_behind_time_stands_still(store: &Candidate) {
    let quota = quota(1, 10, 2);
    assert_eq!(left(take(store, 1, quota, START).await), Some(1));
    assert_eq!(take(store, 1, quota, START - 5 * SECOND).await, denied(Duration::from_secs(5)));
    assert_eq!(left(take(store, 1, quota, START).await), Some(0), "nothing was gained or lost by that");
}

pub(super) async fn every_verdict_is_that_of_the_quota(store: &Candidate) {
    let mut dice = Dice::new(7);
    let mut arrivals = [None; 4];
    let mut now = START;
    for call in 0..600 {
        let key = dice.below(arrivals.len());
        now += dice.pick(&[0, 1, SECOND / 3, SECOND, -SECOND, 20 * SECOND]);
        let quota = dice.pick(&[quota(100, 60, 100), quota(1, 5, 1), quota(3, 1, 2), quota(7, 10, 3)]);
        let expected = quota.check(arrivals[key], now);
        assert_eq!(take(store, key, quota, now).await, expected, "call {call}, for key {key} at {now} under {quota:?}");
        if let RateVerdict::Allowed { arrival_micros, .. } = expected {
            arrivals[key] = Some(arrival_micros);
        }
    }
}

pub(super) async fn at_the_ends_of_time_nothing_overflows(store: &Candidate) {
    const YEAR: u64 = 366 * 24 * 60 * 60;
    let quotas = [quota(1, YEAR, u32::MAX), quota(1, YEAR, 1), quota(1_000_000, 1, u32::MAX), quota(1_000_000, 1, 1)];
    for (number, quota) in quotas.into_iter().enumerate() {
        let mut arrival = None;
        for now in [i64::MIN, i64::MIN + 1, -1, 0, START, i64::MAX - 1, i64::MAX, i64::MAX, 0, i64::MIN] {
            let expected = quota.check(arrival, now);
            assert_eq!(take(store, number, quota, now).await, expected, "at {now} under {quota:?}");
            if let RateVerdict::Allowed { arrival_micros, .. } = expected {
                arrival = Some(arrival_micros);
            }
        }
    }
}

pub(super) async fn several_calls_are_taken_together_or_not_at_all(store: &Candidate) {
    let mut dice = Dice::new(11);
    let mut arrivals = [None; 3];
    let mut now = START;
    for take in 0..300 {
        let key = dice.below(arrivals.len());
        now += dice.pick(&[0, 1, SECOND, 3 * SECOND, -SECOND, 30 * SECOND]);
        let quota = dice.pick(&[quota(100, 60, 100), quota(7, 10, 3), quota(60, 60, 20)]);
        let calls = dice.pick(&[1, 2, 3, 4, 10, 60, 101, u32::MAX]);
        let calls = NonZeroU32::new(calls).unwrap_or(NonZeroU32::MIN);
        let expected = quota.check_many(arrivals[key], calls, now);
        let verdict = store.take_many(&self::key(key), quota, calls, now).await.answered();
        assert_eq!(verdict, expected, "take {take}, of {calls} for key {key} at {now} under {quota:?}");
        if let RateVerdict::Allowed { arrival_micros, .. } = expected {
            arrivals[key] = Some(arrival_micros);
        }
    }
}

pub(super) async fn of_many_takers_a_burst_is_allowed(store: &Candidate) {
    let quota = quota(10, 60, 10);
    for round in 0..5 {
        let answers = store.race(async |store, _| store.take(&key(round), quota, START).await.answered());
        assert_eq!(count(&answers, |answer| left(*answer).is_some()), 10, "of {RACERS} takers of a burst of 10 exactly 10 are allowed");
        let mut remaining: Vec<_> = answers.iter().filter_map(|answer| left(*answer)).collect();
        remaining.sort_unstable();
        assert_eq!(remaining, Vec::from_iter(0..10), "each is told how many are left after its own");
        assert_eq!(count(&answers, |answer| *answer == denied(Duration::from_secs(6))), RACERS - 10, "and the others how long to wait");
        assert_eq!(left(take(store, 99, quota, START + 60 * SECOND * i64::try_from(round).unwrap_or_default()).await), Some(9));
    }
}

pub(super) async fn rested_keys_go_in_small_batches_when_new_ones_come(store: &Candidate) {
    let quota = quota(1, 1, 1);
    for number in 0..30 {
        assert_eq!(left(take(store, number, quota, START).await), Some(0));
    }
    // They rest at the first second. A clock that is behind tells who is still known, and asking changes nothing while it is denied.
    let gone = START + SECOND + i64::try_from(CLOCKS_APART.as_micros()).unwrap_or_default();
    assert_eq!(left(take(store, 100, quota, gone - 1).await), Some(0));
    assert_eq!(take(store, 0, quota, START).await, denied(Duration::from_secs(1)), "a node whose clock is behind still counts");
    assert_eq!(left(take(store, 101, quota, gone).await), Some(0));
    let mut known = 0;
    for number in 0..30 {
        known += usize::from(left(take(store, number, quota, START).await).is_none());
    }
    assert!((30 - AT_ONCE..=28).contains(&known), "a few are gone, more than one and at most {AT_ONCE}, and {known} are left");
}

pub(super) async fn a_key_that_has_not_rested_is_never_swept(store: &Candidate) {
    let (long, short) = (quota(1, 100_000, 1), quota(1, 1, 1));
    for number in 0..10 {
        assert_eq!(left(take(store, number, long, START).await), Some(0));
    }
    for number in 100..140 {
        assert_eq!(left(take(store, number, short, START + 90_000 * SECOND).await), Some(0));
    }
    for number in 0..10 {
        assert_eq!(take(store, number, long, START + 90_000 * SECOND).await, denied(Duration::from_secs(10_000)));
    }
}

fn quota(limit: u32, window_seconds: u64, burst: u32) -> Quota {
    Quota::new(limit, Duration::from_secs(window_seconds), burst).expect("a quota")
}

fn key(number: usize) -> RateKey {
    RateKey::new("conformance", &number.to_be_bytes())
}

async fn take(store: &Candidate, number: usize, quota: Quota, now_micros: i64) -> RateVerdict {
    store.take(&key(number), quota, now_micros).await.answered()
}

const fn denied(retry_after: Duration) -> RateVerdict {
    RateVerdict::Denied { retry_after }
}

/// How many more are allowed, if this one was.
const fn left(verdict: RateVerdict) -> Option<u32> {
    match verdict {
        RateVerdict::Allowed { remaining, .. } => Some(remaining),
        RateVerdict::Denied { .. } => None,
    }
}
