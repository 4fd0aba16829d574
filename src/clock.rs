use std::fmt::Debug;
#[cfg(any(feature = "data-api", feature = "auth-server"))]
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::domain::Timestamp;

/// Source of the current time. Tests replace it with a clock that they set.
pub trait Clock: Debug + Send + Sync + 'static {
    /// Returns the current time in whole seconds, as records, tokens and stores have it.
    fn now(&self) -> Timestamp;

    /// Returns the current time with microseconds, for the rate limits and caches of the data API
    /// and the directory. The default has the precision of [`now`](Self::now).
    fn precise_now(&self) -> Timestamp {
        self.now()
    }
}

/// The system clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        self.precise_now().floor_to_seconds()
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the only place that reads the system time"
    )]
    fn precise_now(&self) -> Timestamp {
        let since_epoch = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Timestamp::from_seconds(0).plus(since_epoch)
    }
}

/// A [`Timestamp`] that threads share.
#[cfg(any(feature = "data-api", feature = "auth-server"))]
#[derive(Debug)]
pub(crate) struct AtomicTimestamp(AtomicI64);

#[cfg(any(feature = "data-api", feature = "auth-server"))]
impl AtomicTimestamp {
    pub(crate) const fn new(at: Timestamp) -> Self {
        Self(AtomicI64::new(at.micros()))
    }

    pub(crate) fn load(&self, order: Ordering) -> Timestamp {
        Timestamp::from_micros(self.0.load(order))
    }

    pub(crate) fn store(&self, at: Timestamp, order: Ordering) {
        self.0.store(at.micros(), order);
    }

    #[cfg(feature = "data-api")]
    pub(crate) fn swap(&self, at: Timestamp, order: Ordering) -> Timestamp {
        Timestamp::from_micros(self.0.swap(at.micros(), order))
    }

    /// Sets the time to `new` if it still equals `current`. Returns whether it did.
    #[cfg(feature = "data-api")]
    pub(crate) fn replace(&self, current: Timestamp, new: Timestamp, order: Ordering) -> bool {
        self.0
            .compare_exchange(current.micros(), new.micros(), order, Ordering::Relaxed)
            .is_ok()
    }

    pub(crate) fn fetch_min(&self, at: Timestamp, order: Ordering) {
        self.0.fetch_min(at.micros(), order);
    }
}
