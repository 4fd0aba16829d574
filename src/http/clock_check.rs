use std::sync::atomic::{AtomicBool, Ordering};

use crate::domain::Timestamp;
use crate::metrics::{CLOCK_OFFSET, Gauges};
use crate::store::sweep::CLOCKS_APART;

/// Compares the clock of this node with the store's, where the store has one, and tells the operator when the two are far apart.
#[derive(Debug)]
pub(crate) struct ClockCheck {
    offset: Gauges<0>,
    is_off: AtomicBool,
}

/// How far the clock of this node is ahead of the store's, in seconds; 0 where the store has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClockOffset(i64);

impl ClockCheck {
    pub(crate) fn new() -> Self {
        Self { offset: Gauges::new(CLOCK_OFFSET), is_off: AtomicBool::new(false) }
    }

    /// The offset of this node's `now` from the store's, measured and, when it becomes too large or small enough again, logged.
    pub(crate) fn compare(&self, now: Timestamp, of_the_store: Option<Timestamp>) -> ClockOffset {
        let Some(of_the_store) = of_the_store else { return ClockOffset(0) };
        let offset = ClockOffset(now.seconds().saturating_sub(of_the_store.seconds()));
        self.offset.set([], offset.0 as f64);
        let (ClockOffset(seconds), is_off) = (offset, !offset.is_small());
        match (self.is_off.swap(is_off, Ordering::Relaxed), is_off) {
            (false, true) => tracing::error!(
                seconds,
                "the clock of this node differs from the store's: no signing key is removed, and none is made while one signs"
            ),
            (true, false) => tracing::info!(seconds, "the clock of this node is right again"),
            _ => {}
        }
        offset
    }
}

impl ClockOffset {
    /// Whether what is done by the clock of this node is right on others too.
    pub(crate) const fn is_small(self) -> bool {
        self.0.unsigned_abs() <= CLOCKS_APART.as_secs()
    }

    /// A moment of this node's clock, by the store's if this one is too far ahead: a moment to come would hold up all nodes.
    pub(crate) fn not_ahead(self, at: Timestamp) -> Timestamp {
        if self.is_small() { at } else { Timestamp::from_seconds(at.seconds().saturating_sub(self.0.max(0))) }
    }
}
