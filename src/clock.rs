use std::fmt::Debug;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::domain::Timestamp;

/// What time it is. A parameter, so that tests can move it.
pub trait Clock: Debug + Send + Sync + 'static {
    /// Now.
    fn now(&self) -> Timestamp;

    /// Now in microseconds since the epoch, for limits on rates. By default the second of [`now`](Self::now) has just begun.
    fn now_micros(&self) -> i64 {
        self.now().seconds().saturating_mul(1_000_000)
    }
}

/// The system's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_seconds(since_the_epoch().as_secs().try_into().unwrap_or(i64::MAX))
    }

    fn now_micros(&self) -> i64 {
        since_the_epoch().as_micros().try_into().unwrap_or(i64::MAX)
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the one place that asks the system for the time")]
fn since_the_epoch() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
