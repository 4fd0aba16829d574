use std::fmt::Debug;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::domain::Timestamp;

/// What time it is. A parameter, so that tests can move it.
pub trait Clock: Debug + Send + Sync + 'static {
    /// Now.
    fn now(&self) -> Timestamp;
}

/// The system's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the one place that asks the system for the time")]
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_seconds(since.as_secs().try_into().unwrap_or(i64::MAX))
    }
}
