//! The generic cell rate algorithm (GCRA) on one number per key.

use std::fmt;
use std::num::NonZeroU32;
use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::domain::{InvalidValue, Timestamp};

/// Key of a rate limit: the digest of a kind and a name. Names have any length and may be personal
/// data, so stores see only the digest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RateLimitKey([u8; 32]);

impl RateLimitKey {
    /// Creates the key of `name` within its kind, such as an API key's id within `"api_key"`.
    /// Different kinds never share a key.
    pub fn new(kind: &str, name: &[u8]) -> Self {
        // The length prefix separates the kind from the name.
        Self(
            Sha256::new()
                .chain_update((kind.len() as u64).to_be_bytes())
                .chain_update(kind)
                .chain_update(name)
                .finalize()
                .into(),
        )
    }

    /// The 32 bytes for storage.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for RateLimitKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RateLimitKey(..)")
    }
}

/// A rate limit: `limit` calls per `window` on average, up to `burst` at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    limit: u32,
    window: Duration,
    emission: Duration,
    burst: u32,
}

/// Result of a rate limit check; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateLimitDecision {
    /// The call is allowed.
    Allowed {
        /// The theoretical arrival time, to be stored with its microseconds for the next check.
        arrival: Timestamp,
        /// The number of further calls allowed now.
        remaining: u32,
    },
    /// The call is denied; the stored state does not change.
    Denied {
        /// Time until the next call is allowed.
        retry_after: Duration,
    },
}

impl Quota {
    /// Default quota of an API key: 100 calls in 60 seconds, up to 100 at once.
    pub const DEFAULT_FOR_API_KEY: Self = Self {
        limit: 100,
        window: Duration::from_secs(60),
        emission: Duration::from_millis(600),
        burst: 100,
    };

    /// The longest window of a quota: 366 days.
    pub(crate) const MAX_WINDOW: Duration = Duration::from_secs(366 * 24 * 60 * 60);

    /// Creates a quota of `limit` calls per `window`, up to `burst` at once. The window has whole
    /// seconds, the precision of stores and response headers.
    ///
    /// # Errors
    /// If the limit or burst is 0, or the window is not of whole seconds, shorter than a
    /// microsecond a call, or longer than 366 days.
    pub fn new(limit: u32, window: Duration, burst: u32) -> Result<Self, InvalidValue> {
        if limit == 0 || burst == 0 || window > Self::MAX_WINDOW {
            return Err(InvalidValue::new(
                "must allow at least one call in at most a year",
            ));
        }
        if window.subsec_nanos() > 0 {
            return Err(InvalidValue::new("must have a window of whole seconds"));
        }
        let emission = Timestamp::micros_of(window).unsigned_abs() / u64::from(limit);
        if emission == 0 {
            return Err(InvalidValue::new(
                "must not allow more than a call a microsecond",
            ));
        }
        Ok(Self {
            limit,
            window,
            emission: Duration::from_micros(emission),
            burst,
        })
    }

    /// The average number of calls per window.
    pub const fn limit(&self) -> u32 {
        self.limit
    }

    /// The window, of whole seconds.
    pub const fn window(&self) -> Duration {
        self.window
    }

    /// The number of calls allowed at once.
    pub const fn burst(&self) -> u32 {
        self.burst
    }

    /// Whether it allows no more calls than `other`, neither on average nor at once.
    pub fn is_within(&self, other: &Self) -> bool {
        let calls_in =
            |quota: &Self, window: Duration| u128::from(quota.limit) * u128::from(window.as_secs());
        self.burst <= other.burst && calls_in(self, other.window) <= calls_in(other, self.window)
    }

    /// The quota with another burst, at least 1.
    #[cfg(feature = "data-api")]
    pub(crate) fn with_burst(self, burst: u32) -> Self {
        Self {
            burst: burst.max(1),
            ..self
        }
    }

    /// Decides whether one call is allowed at this time, given the stored arrival time.
    pub fn check(&self, arrival: Option<Timestamp>, at: Timestamp) -> RateLimitDecision {
        self.check_many(arrival, NonZeroU32::MIN, at)
    }

    /// Decides whether all of `calls` are allowed at this time, or none. More than the burst are
    /// never allowed.
    pub fn check_many(
        &self,
        arrival: Option<Timestamp>,
        calls: NonZeroU32,
        at: Timestamp,
    ) -> RateLimitDecision {
        let next_arrival = arrival.unwrap_or(at).max(at);
        let retry_after = next_arrival.since(self.max_arrival_for(calls, at));
        if retry_after > Duration::ZERO {
            return RateLimitDecision::Denied { retry_after };
        }
        self.allowed(next_arrival.plus(self.cost(calls)), at)
    }

    /// The latest stored arrival time at which one more call is allowed at this time.
    pub const fn max_arrival(&self, at: Timestamp) -> Timestamp {
        self.max_arrival_for(NonZeroU32::MIN, at)
    }

    /// The latest stored arrival time at which `calls` more calls are allowed together at this
    /// time. Together with [`cost`](Self::cost) it lets a store decide within one statement.
    pub const fn max_arrival_for(&self, calls: NonZeroU32, at: Timestamp) -> Timestamp {
        let calls_to_spare = self.burst as i64 - calls.get() as i64;
        Timestamp::from_micros(
            at.micros()
                .saturating_add(Timestamp::micros_of(self.emission).saturating_mul(calls_to_spare)),
        )
    }

    /// The duration by which one allowed call advances the arrival time, or the current time if
    /// that is later.
    pub const fn emission(&self) -> Duration {
        self.emission
    }

    /// The duration by which `calls` allowed calls advance the arrival time.
    pub const fn cost(&self, calls: NonZeroU32) -> Duration {
        self.emission.saturating_mul(calls.get())
    }

    /// The decision for calls that were allowed at this time and resulted in this arrival time.
    pub fn allowed(&self, arrival: Timestamp, at: Timestamp) -> RateLimitDecision {
        let used = Timestamp::micros_of(arrival.since(at))
            .unsigned_abs()
            .div_ceil(Timestamp::micros_of(self.emission).unsigned_abs());
        RateLimitDecision::Allowed {
            arrival,
            remaining: u64::from(self.burst)
                .saturating_sub(used)
                .try_into()
                .unwrap_or(0),
        }
    }

    /// The arrival time without one allowed call, for calls that turn out to be free.
    pub const fn refund(&self, arrival: Timestamp) -> Timestamp {
        arrival.minus(self.emission)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000;
    const START: Timestamp = at(0);

    const fn at(micros: i64) -> Timestamp {
        Timestamp::from_micros(micros)
    }

    fn allowed(decision: RateLimitDecision) -> (Timestamp, u32) {
        match decision {
            RateLimitDecision::Allowed { arrival, remaining } => (arrival, remaining),
            RateLimitDecision::Denied { .. } => panic!("denied"),
        }
    }

    #[test]
    fn a_burst_is_allowed_at_once_and_then_one_an_interval() {
        let quota = Quota::new(60, Duration::from_secs(60), 3).unwrap();
        let mut arrival = None;
        for left in [2, 1, 0] {
            let (next, remaining) = allowed(quota.check(arrival, START));
            assert_eq!(remaining, left);
            arrival = Some(next);
        }
        assert_eq!(
            quota.check(arrival, START),
            RateLimitDecision::Denied {
                retry_after: Duration::from_secs(1)
            }
        );
        assert_eq!(
            quota.check(arrival, at(SECOND / 2)),
            RateLimitDecision::Denied {
                retry_after: Duration::from_millis(500)
            }
        );
        assert_eq!(allowed(quota.check(arrival, at(SECOND))).1, 0);
    }

    #[test]
    fn a_rested_quota_is_whole_again() {
        let quota = Quota::new(100, Duration::from_secs(60), 100).unwrap();
        let (arrival, _) = allowed(quota.check(None, START));
        assert_eq!(allowed(quota.check(Some(arrival), at(60 * SECOND))).1, 99);
    }

    #[test]
    fn several_calls_together_are_allowed_as_one_after_the_other_or_not_at_all() {
        let (quota, calls) = (
            Quota::new(60, Duration::from_secs(60), 3).unwrap(),
            |calls| NonZeroU32::new(calls).unwrap(),
        );
        for (arrival, now) in [
            (None, 0),
            (Some(SECOND), 0),
            (Some(2 * SECOND), SECOND),
            (Some(3 * SECOND), 0),
            (Some(-SECOND), SECOND / 2),
        ] {
            let (arrival, now) = (arrival.map(at), at(now));
            let mut one_by_one = arrival;
            for number in 1..=4 {
                let together = quota.check_many(arrival, calls(number), now);
                match quota.check(one_by_one, now) {
                    allowed @ RateLimitDecision::Allowed { arrival, .. } => {
                        one_by_one = Some(arrival);
                        assert_eq!(together, allowed);
                    }
                    RateLimitDecision::Denied { .. } => {
                        assert!(
                            matches!(together, RateLimitDecision::Denied { .. }),
                            "{number} at {now:?} after {arrival:?}"
                        )
                    }
                }
            }
        }
        assert_eq!(
            quota.check_many(Some(at(2 * SECOND)), calls(2), START),
            RateLimitDecision::Denied {
                retry_after: Duration::from_secs(1)
            }
        );
    }

    #[test]
    fn a_call_that_is_taken_back_costs_nothing() {
        let quota = Quota::new(60, Duration::from_secs(60), 1).unwrap();
        let (arrival, _) = allowed(quota.check(None, START));
        assert!(matches!(
            quota.check(Some(arrival), START),
            RateLimitDecision::Denied { .. }
        ));
        let refunded = quota.refund(arrival);
        assert_eq!(allowed(quota.check(Some(refunded), START)).1, 0);
    }

    #[test]
    fn at_the_ends_of_time_nothing_overflows() {
        let year = Quota::new(1, Duration::from_secs(366 * 24 * 60 * 60), u32::MAX).unwrap();
        let (first, last) = (Timestamp::MIN, Timestamp::MAX);
        for now in [first, at(-1), START, last] {
            for arrival in [None, Some(first), Some(START), Some(last)] {
                let _ = year.check(arrival, now);
            }
        }
        let strict = Quota::new(1, Duration::from_secs(1), 1).unwrap();
        assert!(matches!(
            strict.check(Some(last), first),
            RateLimitDecision::Denied { .. }
        ));
        assert_eq!(allowed(strict.check(None, last)).0, last);
    }

    #[test]
    fn keys_of_two_kinds_are_never_the_same() {
        assert_eq!(
            RateLimitKey::new("key", b"1"),
            RateLimitKey::new("key", b"1")
        );
        assert_ne!(
            RateLimitKey::new("key", b"1"),
            RateLimitKey::new("ke", b"y1")
        );
        assert_ne!(
            RateLimitKey::new("key", b"1"),
            RateLimitKey::new("key", b"2")
        );
        assert_eq!(
            format!("{:?}", RateLimitKey::new("address", b"192.0.2.1")),
            "RateLimitKey(..)"
        );
    }

    // Proves: spec 2.13
    #[test]
    fn a_key_may_make_100_requests_in_60_seconds() {
        assert_eq!(
            Quota::new(100, Duration::from_secs(60), 100),
            Ok(Quota::DEFAULT_FOR_API_KEY)
        );
    }

    #[test]
    fn a_quota_of_nothing_is_refused() {
        assert!(Quota::new(0, Duration::from_secs(1), 1).is_err());
        assert!(Quota::new(1, Duration::from_secs(1), 0).is_err());
        assert!(Quota::new(u32::MAX, Duration::from_secs(1), 1).is_err());
        assert!(Quota::new(1, Duration::from_secs(0), 1).is_err());
        assert!(Quota::new(1, Duration::from_secs(367 * 24 * 60 * 60), 1).is_err());
    }

    #[test]
    fn a_window_is_of_whole_seconds() {
        assert!(Quota::new(1, Duration::from_millis(1_500), 1).is_err());
        assert_eq!(
            Quota::new(1, Duration::from_millis(2_000), 1).map(|quota| quota.window()),
            Ok(Duration::from_secs(2))
        );
    }
}
