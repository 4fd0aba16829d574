use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::domain::Timestamp;
use crate::metrics::Gauges;
use crate::metrics::definitions::CLOCK_OFFSET;
use crate::store::retention::CLOCK_SKEW;

/// Compares this node's clock with the store's, where the store has one, and logs when the two
/// differ too much.
#[derive(Debug)]
pub(crate) struct ClockCheck {
    offset: Gauges<0>,
    is_off: AtomicBool,
}

/// Difference of this node's clock from the store's; none where the store has no clock.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ClockOffset {
    ahead: Duration,
    behind: Duration,
}

impl ClockCheck {
    pub(crate) fn new() -> Self {
        Self {
            offset: Gauges::new(CLOCK_OFFSET),
            is_off: AtomicBool::new(false),
        }
    }

    /// Returns the offset of this node's `now` from the store's clock, and records it as a metric.
    /// Logs when the offset exceeds the tolerance and when it is back within it.
    pub(crate) fn compare(&self, now: Timestamp, store_time: Option<Timestamp>) -> ClockOffset {
        let Some(store_time) = store_time else {
            return ClockOffset::default();
        };
        let offset = ClockOffset {
            ahead: now.since(store_time),
            behind: store_time.since(now),
        };
        let seconds = now.seconds().saturating_sub(store_time.seconds());
        self.offset.set([], seconds as f64);
        let is_off = !offset.is_tolerable();
        match (self.is_off.swap(is_off, Ordering::Relaxed), is_off) {
            (false, true) => tracing::error!(
                seconds,
                "the clock of this node differs from the store's: no signing key is removed, and none is made while one signs"
            ),
            (true, false) => tracing::info!(
                seconds,
                "the clock of this node agrees with the store's again"
            ),
            _ => {}
        }
        offset
    }
}

impl ClockOffset {
    /// Whether the offset is within `CLOCK_SKEW`, so that other nodes can use this node's
    /// timestamps.
    pub(crate) fn is_tolerable(self) -> bool {
        self.ahead.max(self.behind) <= CLOCK_SKEW
    }

    /// Converts a timestamp of this node to the store's clock if this node is too far ahead. A
    /// timestamp in the future would block all nodes.
    pub(crate) fn clamped_to_store(self, at: Timestamp) -> Timestamp {
        if self.is_tolerable() {
            at
        } else {
            at.minus(self.ahead)
        }
    }
}
