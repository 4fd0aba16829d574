use std::sync::atomic::{AtomicI64, Ordering};

/// Time for which an open breaker rejects calls before one caller may try again, in microseconds.
const RETRY_MICROS: i64 = 1_000_000;

/// The value of `opened_at` while the breaker is closed.
const CLOSED: i64 = i64::MIN;

/// Circuit breaker for a dependency that many requests share.
///
/// While it is open, one request a second may try the dependency. The others continue without
/// waiting for it.
#[derive(Debug)]
pub(crate) struct CircuitBreaker {
    /// Time of the last failure or attempt, in microseconds since the epoch.
    opened_at: AtomicI64,
}

impl CircuitBreaker {
    /// Whether the caller should skip the call. Returns false to one caller a second.
    pub(crate) fn is_open(&self, now_micros: i64) -> bool {
        let opened_at = self.opened_at.load(Ordering::Relaxed);
        if opened_at == CLOSED {
            return false;
        }
        (0..RETRY_MICROS).contains(&now_micros.saturating_sub(opened_at))
            || self
                .opened_at
                .compare_exchange(opened_at, now_micros, Ordering::Relaxed, Ordering::Relaxed)
                .is_err()
    }

    /// Opens the breaker. Returns whether it was closed.
    pub(crate) fn record_failure(&self, now_micros: i64) -> bool {
        self.opened_at.swap(now_micros, Ordering::Relaxed) == CLOSED
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
            opened_at: AtomicI64::new(CLOSED),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_breaker_lets_one_caller_a_second_try_and_a_closed_one_all() {
        let breaker = CircuitBreaker::default();
        assert!(!breaker.is_open(0) && !breaker.record_success());
        assert!(
            breaker.record_failure(0) && !breaker.record_failure(0),
            "only the first failure is new"
        );
        assert!(breaker.is_open(RETRY_MICROS - 1));
        // One caller may try, however long that takes. The others do not wait.
        assert!(!breaker.is_open(RETRY_MICROS));
        assert!(breaker.is_open(RETRY_MICROS) && breaker.is_open(2 * RETRY_MICROS - 1));
        assert!(!breaker.is_open(2 * RETRY_MICROS));
        assert!(
            !breaker.is_open(0),
            "a clock that was set back does not keep the breaker open"
        );
        assert!(breaker.record_success() && !breaker.record_success() && !breaker.is_open(0));
    }
}
