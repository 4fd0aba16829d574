use std::future::Future;
use std::pin::Pin;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::http::gcra_limiter::GcraLimiter;

const SECOND: Duration = Duration::from_secs(1);
const START: Timestamp = Timestamp::from_seconds(0);

fn quota(limit: u32, seconds: u64, burst: u32) -> Quota {
    Quota::new(limit, Duration::from_secs(seconds), burst).unwrap()
}

fn key() -> RateLimitKey {
    RateLimitKey::new("api_key", b"1")
}

/// Shared limiter that counts its queries. If it is slow, it completes at the second poll, so that
/// calls of a node overlap.
#[derive(Debug, Default)]
struct SharedLimiter {
    counts: GcraLimiter<RateLimitKey>,
    asked: AtomicU32,
    is_slow: bool,
}

#[async_trait]
impl RateLimiter for SharedLimiter {
    async fn take_many(
        &self,
        key: &RateLimitKey,
        quota: Quota,
        calls: NonZeroU32,
        at: Timestamp,
    ) -> Result<RateLimitDecision, StorageError> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        if self.is_slow {
            tokio::task::yield_now().await;
        }
        let decision = RateLimiter::take_many(&self.counts, key, quota, calls, at).await;
        if self.is_slow {
            tokio::task::yield_now().await;
        }
        decision
    }
}

type PendingTake<'a> =
    Pin<Box<dyn Future<Output = Result<RateLimitDecision, StorageError>> + Send + 'a>>;

fn poll_once(taking: &mut PendingTake<'_>) -> Option<RateLimitDecision> {
    match taking
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()))
    {
        Poll::Ready(decision) => Some(decision.unwrap()),
        Poll::Pending => None,
    }
}

fn at_once(node: &LeasedLimiter, quota: Quota, at: Timestamp) -> RateLimitDecision {
    let key = key();
    let decision = poll_once(&mut node.take(&key, quota, at));
    decision.expect("the shared limiter completes at the first poll")
}

const fn is_allowed(decision: RateLimitDecision) -> bool {
    matches!(decision, RateLimitDecision::Allowed { .. })
}

/// Reference limiter that is queried for each call and counts the allowed ones.
#[derive(Default)]
struct SingleLimiter {
    arrival: Option<Timestamp>,
    passed: usize,
}

impl SingleLimiter {
    fn take(&mut self, quota: Quota, at: Timestamp) -> bool {
        let decision = quota.check(self.arrival, at);
        if let RateLimitDecision::Allowed { arrival, .. } = decision {
            self.arrival = Some(arrival);
            self.passed += 1;
        }
        is_allowed(decision)
    }
}

fn quotas() -> impl Strategy<Value = Quota> {
    prop_oneof![
        Just(quota(100, 60, 100)),
        Just(quota(6_000, 60, 1_000)),
        Just(quota(30, 60, 20)),
        Just(quota(5, 60, 19)),
        Just(quota(1, 3_600, 45)),
        Just(quota(7, 1, 33)),
    ]
}

/// Steps of a node index, a number of calls in hundredths of the burst (0 is one call), and a pause
/// before them in hundredths of a lease's duration. Pauses near that duration, before a burst and
/// after a rest, are where leases could be abused.
fn schedule() -> impl Strategy<Value = Vec<(usize, u32, u32)>> {
    let calls = prop_oneof![Just(0), 0..30_u32, Just(130)];
    let pause = prop_oneof![Just(0), 0..120_u32, 80..100_u32, Just(2_000)];
    prop::collection::vec((0..4_usize, calls, pause), 1..40)
}

/// Converts a step of a schedule to a number of calls and a pause.
fn step(quota: Quota, calls: u32, pause: u32) -> (u32, Duration) {
    let tenth = quota.burst() / 10 * quota.emission();
    (
        (quota.burst() * calls / 100).max(1),
        tenth.min(MAX_LEASE) / 100 * pause,
    )
}

proptest! {
    /// Fails if leased calls are allowed in addition to a whole burst, in advance, or after their
    /// time.
    #[test]
    fn nodes_that_lease_let_no_more_through_together_than_one_limiter(quota in quotas(), schedule in schedule()) {
        let shared = Arc::new(SharedLimiter::default());
        let nodes: Vec<_> = (0..4).map(|_| LeasedLimiter::new(shared.clone())).collect();
        let (mut one, mut strict, mut passed, mut now) = (SingleLimiter::default(), SingleLimiter::default(), 0, START);
        for (node, calls, pause) in schedule {
            let (calls, pause) = step(quota, calls, pause);
            now = now.plus(pause);
            for _ in 0..calls {
                one.take(quota, now);
                if is_allowed(at_once(&nodes[node], quota, now)) {
                    passed += 1;
                    prop_assert!(strict.take(quota, now), "allowed calls are within the quota, including call {} at {:?}", passed, now);
                }
                prop_assert!(passed <= one.passed, "{} instead of {} at {:?}", passed, one.passed, now);
            }
        }
    }

    /// Fails if overlapping calls share a lease, or a dropped call allows another in advance.
    #[test]
    fn calls_that_overlap_or_are_dropped_let_no_more_through(
        quota in quotas(),
        steps in prop::collection::vec((0..3_u8, 0..4_usize, 0..60_usize, 0..1_000_000_u64), 1..200)
    ) {
        let shared = Arc::new(SharedLimiter { is_slow: true, ..SharedLimiter::default() });
        let nodes: Vec<_> = (0..4).map(|_| LeasedLimiter::new(shared.clone())).collect();
        let (key, mut strict, mut now) = (key(), Mutex::new(SingleLimiter::default()), START);
        let mut waiting: Vec<PendingTake<'_>> = Vec::new();
        for (step, node, place, pause) in steps {
            match step {
                0 => {
                    now = now.plus(Duration::from_micros(pause));
                    waiting.push(nodes[node].take(&key, quota, now));
                }
                _ if waiting.is_empty() => {}
                1 => {
                    let place = place % waiting.len();
                    if let Some(decision) = poll_once(&mut waiting[place]) {
                        drop(waiting.swap_remove(place));
                        if is_allowed(decision) {
                            strict.get_mut().unwrap().passed += 1;
                        }
                    }
                }
                _ => drop(waiting.swap_remove(place % waiting.len())),
            }
        }
        let most = u32::try_from(strict.get_mut().unwrap().passed).unwrap();
        let came_back = u32::try_from(now.since(START).as_micros() / quota.emission().as_micros()).unwrap_or(u32::MAX);
        prop_assert!(most <= quota.burst().saturating_add(came_back), "{} by {:?}", most, now);
    }

    /// Fails if a client within its limit loses calls that it needs.
    #[test]
    fn a_client_that_asks_steadily_within_the_limit_is_never_refused(quota in quotas(), slower in 0..20_u32) {
        let node = LeasedLimiter::new(Arc::new(SharedLimiter::default()));
        let pause = quota.emission() + quota.emission() * slower / 8;
        for call in 0..500 {
            prop_assert!(is_allowed(at_once(&node, quota, START.plus(pause * call))), "call {}", call);
        }
    }

    /// Fails if more remaining calls are reported than are allowed.
    #[test]
    fn no_more_is_told_to_be_left_than_is_let_through_at_once(quota in quotas(), schedule in schedule()) {
        let shared = Arc::new(SharedLimiter::default());
        let node = LeasedLimiter::new(shared.clone());
        let mut now = START;
        for (_, calls, pause) in schedule {
            let (calls, pause) = step(quota, calls, pause);
            now = now.plus(pause);
            let mut told = None;
            for _ in 0..calls {
                match at_once(&node, quota, now) {
                    RateLimitDecision::Allowed { remaining, .. } => {
                        told = Some(remaining);
                    }
                    RateLimitDecision::Denied { retry_after } => {
                        prop_assert!(told.is_none_or(|told| told == 0), "refused, with {:?} left", told);
                        prop_assert!(retry_after > Duration::ZERO);
                    }
                }
            }
        }
    }
}

#[test]
fn a_burst_costs_a_few_questions_and_a_steady_client_one_in_ten() {
    let (shared, quota) = (Arc::new(SharedLimiter::default()), quota(100, 60, 100));
    let node = LeasedLimiter::new(shared.clone());
    let passed = (0..100)
        .filter(|_| is_allowed(at_once(&node, quota, START)))
        .count();
    assert_eq!(passed, 90, "a tenth is reserved");
    let asked = shared.asked.swap(0, Ordering::SeqCst);
    let refused = 10;
    assert!(
        asked <= 20 + refused,
        "{asked}: 1, 2, 4, 8, then ten at a time, fewer when few are left, and one for each that is refused"
    );
    for call in 0..1_000 {
        assert!(is_allowed(at_once(
            &node,
            quota,
            START.plus(60 * SECOND + quota.emission() * call)
        )));
    }
    let asked = shared.asked.load(Ordering::SeqCst);
    assert!(
        asked <= 105,
        "{asked} for a thousand calls at the pace of the limit"
    );
}

#[test]
fn what_is_told_of_a_lease_fits_the_quota_of_the_key() {
    let quota = quota(100, 60, 100);
    let node = LeasedLimiter::new(Arc::new(SharedLimiter::default()));
    let told: Vec<_> = (0..90)
        .map(|_| match at_once(&node, quota, START) {
            RateLimitDecision::Allowed { remaining, .. } => remaining,
            RateLimitDecision::Denied { .. } => panic!("denied"),
        })
        .collect();
    assert_eq!(told, Vec::from_iter((0..90).rev()));
    assert_eq!(
        at_once(&node, quota, START),
        RateLimitDecision::Denied {
            retry_after: Duration::from_millis(600)
        }
    );
}

/// Fails if the shared limiter uses the whole burst of the key.
#[test]
fn what_was_leased_early_is_not_let_through_beside_a_whole_burst() {
    let (shared, quota) = (Arc::new(SharedLimiter::default()), quota(100, 60, 100));
    let [one, other] = [shared.clone(), shared].map(|shared| LeasedLimiter::new(shared));
    for _ in 0..15 {
        assert!(
            is_allowed(at_once(&one, quota, START)),
            "it leases 1, 2, 4 and 8"
        );
    }
    assert!(
        is_allowed(at_once(&one, quota, START.plus(60 * SECOND))),
        "it leases 8 more, of which 7 are left"
    );
    // By now the leased calls are replenished in the shared limiter.
    let now = START.plus(65 * SECOND);
    let passed = [&other, &one].map(|node| {
        (0..200)
            .filter(|_| is_allowed(at_once(node, quota, now)))
            .count()
    });
    assert_eq!(passed, [90, 7]);
}

/// Fails if calls leased under one quota are allowed under another.
#[test]
fn a_new_quota_ends_what_was_leased_under_the_old_one() {
    let (shared, wide, narrow) = (
        Arc::new(SharedLimiter::default()),
        quota(6_000, 60, 1_000),
        quota(20, 60, 20),
    );
    let node = LeasedLimiter::new(shared.clone());
    for _ in 0..10 {
        assert!(is_allowed(at_once(&node, wide, START)));
    }
    let asked = shared.asked.load(Ordering::SeqCst);
    assert!(is_allowed(at_once(&node, narrow, START)));
    assert!(shared.asked.load(Ordering::SeqCst) > asked);
}

/// Fails if keys without a lease evict those with one, or memory grows with the number of keys.
#[test]
fn so_many_keys_have_leases_at_most() {
    let node = LeasedLimiter::new(Arc::new(SharedLimiter::default()));
    for number in 0..2 * MAX_KEYS {
        let name = RateLimitKey::new("api_key", &number.to_be_bytes());
        assert!(
            poll_once(&mut node.take(&name, Quota::DEFAULT_FOR_API_KEY, START))
                .is_some_and(is_allowed)
        );
    }
    assert!(
        node.leases
            .lock_each()
            .map(|part| part.len())
            .sum::<usize>()
            <= MAX_KEYS
    );
}
