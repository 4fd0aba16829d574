use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use crate::domain::Timestamp;
use crate::http::Clock;

/// Clock for tests that moves only when it is set or advanced. Clones share the same time.
///
/// ```
/// use std::time::Duration;
///
/// use lyceum::domain::Timestamp;
/// use lyceum::http::Clock;
/// use lyceum::testing::ManualClock;
///
/// let clock = ManualClock::new(Timestamp::from_seconds(1_000));
/// let handle = clock.clone();
/// handle.advance(Duration::from_secs(30));
/// assert_eq!(clock.now(), Timestamp::from_seconds(1_030));
/// ```
#[derive(Debug, Clone)]
pub struct ManualClock(Arc<AtomicI64>);

impl ManualClock {
    /// Creates a clock that shows `now`.
    pub fn new(now: Timestamp) -> Self {
        Self(Arc::new(AtomicI64::new(now.micros())))
    }

    /// Sets the time of every clone. It may be earlier than the present time.
    pub fn set(&self, now: Timestamp) {
        self.0.store(now.micros(), Ordering::SeqCst);
    }

    /// Advances the time of every clone, also by less than a second.
    pub fn advance(&self, length: Duration) {
        let later = |micros| Some(Timestamp::from_micros(micros).plus(length).micros());
        // The closure always gives a value, so the update always happens.
        let _ = self
            .0
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, later);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        self.precise_now().floor_to_seconds()
    }

    fn precise_now(&self) -> Timestamp {
        Timestamp::from_micros(self.0.load(Ordering::SeqCst))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_handle_shows_the_same_time() {
        let clock = ManualClock::new(Timestamp::from_seconds(5));
        let handle = clock.clone();
        clock.advance(Duration::from_millis(2_900));
        assert_eq!(handle.now(), Timestamp::from_seconds(7));
        assert_eq!(handle.precise_now(), Timestamp::from_micros(7_900_000));
        handle.set(Timestamp::from_seconds(3));
        assert_eq!(clock.now(), Timestamp::from_seconds(3));
        clock.advance(Duration::MAX);
        assert_eq!(clock.precise_now(), Timestamp::MAX);
    }
}
