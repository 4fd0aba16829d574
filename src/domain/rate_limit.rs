//! The generic cell rate algorithm (GCRA) on one number per key.

use std::fmt;
use std::num::NonZeroU32;
use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::domain::InvalidValue;

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
    emission_micros: i64,
    burst: i64,
}

/// Result of a rate limit check; [complete](crate::store#outcomes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateLimitDecision {
    /// The call is allowed.
    Allowed {
        /// The theoretical arrival time in microseconds since the epoch, to be stored for the next
        /// check.
        arrival_micros: i64,
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
        emission_micros: 600_000,
        burst: 100,
    };

    /// Creates a quota of `limit` calls per `window`, up to `burst` at once. The window has whole
    /// seconds, the precision of stores and response headers.
    ///
    /// # Errors
    /// If the limit or burst is 0, or the window is not of whole seconds, shorter than a
    /// microsecond a call, or longer than 366 days.
    pub fn new(limit: u32, window: Duration, burst: u32) -> Result<Self, InvalidValue> {
        const YEAR: Duration = Duration::from_secs(366 * 24 * 60 * 60);
        if limit == 0 || burst == 0 || window > YEAR {
            return Err(InvalidValue::new(
                "must allow at least one call in at most a year",
            ));
        }
        if window.subsec_nanos() > 0 {
            return Err(InvalidValue::new("must have a window of whole seconds"));
        }
        // A year in microseconds is below 2^45.
        let emission_micros = window.as_micros() as i64 / i64::from(limit);
        if emission_micros == 0 {
            return Err(InvalidValue::new(
                "must not allow more than a call a microsecond",
            ));
        }
        Ok(Self {
            limit,
            window,
            emission_micros,
            burst: i64::from(burst),
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
    pub fn burst(&self) -> u32 {
        u32::try_from(self.burst).unwrap_or(u32::MAX)
    }

    /// The quota with another burst, at least 1.
    #[cfg(feature = "data-api")]
    pub(crate) fn with_burst(self, burst: u32) -> Self {
        Self {
            burst: i64::from(burst.max(1)),
            ..self
        }
    }

    /// Decides whether one call is allowed at `now_micros`, given the stored arrival time.
    pub fn check(&self, arrival_micros: Option<i64>, now_micros: i64) -> RateLimitDecision {
        self.check_many(arrival_micros, NonZeroU32::MIN, now_micros)
    }

    /// Decides whether all of `calls` are allowed at `now_micros`, or none. More than the burst are
    /// never allowed.
    pub fn check_many(
        &self,
        arrival_micros: Option<i64>,
        calls: NonZeroU32,
        now_micros: i64,
    ) -> RateLimitDecision {
        let due = arrival_micros.unwrap_or(now_micros).max(now_micros);
        let early = due.saturating_sub(self.max_arrival_for(calls, now_micros));
        if early > 0 {
            return RateLimitDecision::Denied {
                retry_after: Duration::from_micros(early.unsigned_abs()),
            };
        }
        self.allowed(due.saturating_add(self.cost_micros(calls)), now_micros)
    }

    /// The latest stored arrival time at which one more call is allowed at `now_micros`.
    pub const fn max_arrival(&self, now_micros: i64) -> i64 {
        self.max_arrival_for(NonZeroU32::MIN, now_micros)
    }

    /// The latest stored arrival time at which `calls` more calls are allowed together at
    /// `now_micros`. Together with [`cost_micros`](Self::cost_micros) it lets a store decide within
    /// one statement.
    pub const fn max_arrival_for(&self, calls: NonZeroU32, now_micros: i64) -> i64 {
        now_micros.saturating_add(
            self.emission_micros
                .saturating_mul(self.burst - calls.get() as i64),
        )
    }

    /// Microseconds by which one allowed call advances the arrival time, or the current time if
    /// that is later. Saturates.
    pub const fn emission_micros(&self) -> i64 {
        self.emission_micros
    }

    /// Microseconds by which `calls` allowed calls advance the arrival time.
    pub const fn cost_micros(&self, calls: NonZeroU32) -> i64 {
        self.emission_micros.saturating_mul(calls.get() as i64)
    }

    /// The decision for calls that were allowed at `now_micros` and resulted in this arrival time.
    pub fn allowed(&self, arrival_micros: i64, now_micros: i64) -> RateLimitDecision {
        let ahead = arrival_micros.saturating_sub(now_micros);
        let used = ahead.div_euclid(self.emission_micros)
            + i64::from(ahead.rem_euclid(self.emission_micros) > 0);
        RateLimitDecision::Allowed {
            arrival_micros,
            remaining: u32::try_from(self.burst - used).unwrap_or(0),
        }
    }

    /// The arrival time without one allowed call, for calls that turn out to be free.
    pub const fn refund(&self, arrival_micros: i64) -> i64 {
        arrival_micros.saturating_sub(self.emission_micros)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000;

    fn allowed(decision: RateLimitDecision) -> (i64, u32) {
        match decision {
            RateLimitDecision::Allowed {
                arrival_micros,
                remaining,
            } => (arrival_micros, remaining),
            RateLimitDecision::Denied { .. } => panic!("denied"),
        }
    }

    #[test]
    fn a_burst_is_allowed_at_once_and_then_one_an_interval() {
        let quota = Quota::new(60, Duration::from_secs(60), 3).unwrap();
        let mut arrival = None;
        for left in [2, 1, 0] {
            let (next, remaining) = allowed(quota.check(arrival, 0));
            assert_eq!(remaining, left);
            arrival = Some(next);
        }
        assert_eq!(
            quota.check(arrival, 0),
            RateLimitDecision::Denied {
                retry_after: Duration::from_secs(1)
            }
        );
        assert_eq!(
            quota.check(arrival, SECOND / 2),
            RateLimitDecision::Denied {
                retry_after: Duration::from_millis(500)
            }
        );
        assert_eq!(allowed(quota.check(arrival, SECOND)).1, 0);
    }

    #[test]
    fn a_rested_quota_is_whole_again() {
        let quota = Quota::new(100, Duration::from_secs(60), 100).unwrap();
        let (arrival, _) = allowed(quota.check(None, 0));
        assert_eq!(allowed(quota.check(Some(arrival), 60 * SECOND)).1, 99);
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
            let mut one_by_one = arrival;
            for number in 1..=4 {
                let together = quota.check_many(arrival, calls(number), now);
                match quota.check(one_by_one, now) {
                    RateLimitDecision::Allowed {
                        arrival_micros,
                        remaining,
                    } => {
                        one_by_one = Some(arrival_micros);
                        assert_eq!(
                            together,
                            RateLimitDecision::Allowed {
                                arrival_micros,
                                remaining
                            }
                        );
                    }
                    RateLimitDecision::Denied { .. } => {
                        assert!(
                            matches!(together, RateLimitDecision::Denied { .. }),
                            "{number} at {now} after {arrival:?}"
                        )
                    }
                }
            }
        }
        assert_eq!(
            quota.check_many(Some(2 * SECOND), calls(2), 0),
            RateLimitDecision::Denied {
                retry_after: Duration::from_secs(1)
            }
        );
    }

    #[test]
    fn a_call_that_is_taken_back_costs_nothing() {
        let quota = Quota::new(60, Duration::from_secs(60), 1).unwrap();
        let (arrival, _) = allowed(quota.check(None, 0));
        assert!(matches!(
            quota.check(Some(arrival), 0),
            RateLimitDecision::Denied { .. }
        ));
        assert_eq!(allowed(quota.check(Some(quota.refund(arrival)), 0)).1, 0);
    }

    #[test]
    fn at_the_ends_of_time_nothing_overflows() {
        let year = Quota::new(1, Duration::from_secs(366 * 24 * 60 * 60), u32::MAX).unwrap();
        for now in [i64::MIN, -1, 0, i64::MAX] {
            for arrival in [None, Some(i64::MIN), Some(0), Some(i64::MAX)] {
                let _ = year.check(arrival, now);
            }
        }
        let strict = Quota::new(1, Duration::from_secs(1), 1).unwrap();
        assert!(matches!(
            strict.check(Some(i64::MAX), i64::MIN),
            RateLimitDecision::Denied { .. }
        ));
        assert_eq!(allowed(strict.check(None, i64::MAX)).0, i64::MAX);
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
