use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::clock::AtomicTimestamp;
use crate::domain::Timestamp;

/// Time for which an open breaker rejects calls before one caller may try again.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// The value of `opened_at` while the breaker is closed.
const CLOSED: Timestamp = Timestamp::MIN;

/// Circuit breaker for a dependency that many requests share.
///
/// While it is open, one request a second may try the dependency. The others continue without
/// waiting for it.
#[derive(Debug)]
pub(crate) struct CircuitBreaker {
    /// Time of the last failure or attempt.
    opened_at: AtomicTimestamp,
}

impl CircuitBreaker {
    /// Whether the caller should skip the call. Returns false to one caller a second.
    pub(crate) fn is_open(&self, now: Timestamp) -> bool {
        let opened_at = self.opened_at.load(Ordering::Relaxed);
        if opened_at == CLOSED {
            return false;
        }
        now.is_within(RETRY_AFTER, opened_at)
            || !self.opened_at.replace(opened_at, now, Ordering::Relaxed)
    }

    /// Opens the breaker. Returns whether it was closed.
    pub(crate) fn record_failure(&self, now: Timestamp) -> bool {
        self.opened_at.swap(now, Ordering::Relaxed) == CLOSED
    }

    /// Closes the breaker. Returns whether it was open.
    pub(crate) fn record_success(&self) -> bool {
        // The load avoids a write to the shared cache line in the common case.
        self.opened_at.load(Ordering::Relaxed) != CLOSED
            && self.opened_at.swap(CLOSED, Ordering::Relaxed) != CLOSED
    }
}

impl Default for CircuitBreaker {
    fn default() -> Self {
        Self {
            opened_at: AtomicTimestamp::new(CLOSED),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_breaker_lets_one_caller_a_second_try_and_a_closed_one_all() {
        let breaker = CircuitBreaker::default();
        let start = Timestamp::from_seconds(0);
        let (retry, next_retry) = (start.plus(RETRY_AFTER), start.plus(2 * RETRY_AFTER));
        let just_before = |at: Timestamp| at.minus(Duration::from_micros(1));
        assert!(!breaker.is_open(start) && !breaker.record_success());
        assert!(
            breaker.record_failure(start) && !breaker.record_failure(start),
            "only the first failure is new"
        );
        assert!(breaker.is_open(just_before(retry)));
        // One caller may try, however long that takes. The others do not wait.
        assert!(!breaker.is_open(retry));
        assert!(breaker.is_open(retry) && breaker.is_open(just_before(next_retry)));
        assert!(!breaker.is_open(next_retry));
        assert!(
            !breaker.is_open(start),
            "a clock that was set back does not keep the breaker open"
        );
        assert!(breaker.record_success() && !breaker.record_success() && !breaker.is_open(start));
    }
}
