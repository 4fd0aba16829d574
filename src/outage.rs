use std::sync::atomic::{AtomicI64, Ordering};

/// For how many microseconds what did not answer is left alone.
const LEFT_ALONE: i64 = 1_000_000;

/// The moment at which nothing failed.
const NEVER: i64 = i64::MIN;

/// Whether something that many requests ask has stopped to answer: a circuit breaker. While it is away one request a second asks it, so that
/// the others need not wait for it, however long it takes to fail.
#[derive(Debug)]
pub(crate) struct Outage {
    /// When it was last asked and found away, in microseconds since the epoch.
    since: AtomicI64,
}

impl Outage {
    /// Whether the caller should do without. After a second one caller is told to ask again.
    pub(crate) fn is_left_alone(&self, now_micros: i64) -> bool {
        let since = self.since.load(Ordering::Relaxed);
        if since == NEVER {
            return false;
        }
        (0..LEFT_ALONE).contains(&now_micros.saturating_sub(since))
            || self.since.compare_exchange(since, now_micros, Ordering::Relaxed, Ordering::Relaxed).is_err()
    }

    /// It did not answer. Returns whether that is new.
    pub(crate) fn begin(&self, now_micros: i64) -> bool {
        self.since.swap(now_micros, Ordering::Relaxed) == NEVER
    }

    /// It answered. Returns whether that is new.
    pub(crate) fn end(&self) -> bool {
        // Most requests only look, and so keep what they share in every processor's cache.
        self.since.load(Ordering::Relaxed) != NEVER && self.since.swap(NEVER, Ordering::Relaxed) != NEVER
    }
}

impl Default for Outage {
    fn default() -> Self {
        Self { since: AtomicI64::new(NEVER) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_caller_a_second_asks_what_is_away_and_all_ask_what_is_back() {
        let outage = Outage::default();
        assert!(!outage.is_left_alone(0) && !outage.end());
        assert!(outage.begin(0) && !outage.begin(0), "it is new once");
        assert!(outage.is_left_alone(LEFT_ALONE - 1));
        // The one that asks may wait for long, and the others do not.
        assert!(!outage.is_left_alone(LEFT_ALONE));
        assert!(outage.is_left_alone(LEFT_ALONE) && outage.is_left_alone(2 * LEFT_ALONE - 1));
        assert!(!outage.is_left_alone(2 * LEFT_ALONE));
        assert!(!outage.is_left_alone(0), "a clock that was set back does not make it wait");
        assert!(outage.end() && !outage.end() && !outage.is_left_alone(0));
    }
}
