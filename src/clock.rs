use std::fmt::Debug;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::domain::Timestamp;

/// Source of the current time. Tests replace it with a clock that they set.
pub trait Clock: Debug + Send + Sync + 'static {
    /// Returns the current time.
    fn now(&self) -> Timestamp;

    /// Returns the current time in microseconds since the epoch, for rate limits. The default has
    /// the precision of [`now`](Self::now), whole seconds.
    fn now_micros(&self) -> i64 {
        self.now().seconds().saturating_mul(1_000_000)
    }
}

/// The system clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_seconds(since_unix_epoch().as_secs().try_into().unwrap_or(i64::MAX))
    }

    fn now_micros(&self) -> i64 {
        since_unix_epoch()
            .as_micros()
            .try_into()
            .unwrap_or(i64::MAX)
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the only place that reads the system time"
)]
fn since_unix_epoch() -> Duration {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
}
