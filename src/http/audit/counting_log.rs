use std::sync::Arc;

use super::wire::event_name;
use super::{AuditLog, Event, EventKind};
use crate::metrics::definitions::EVENTS;
use crate::metrics::measurement::Counters;
use crate::store::AuditStore;

/// Counts events before it passes them to a log. Refusals are counted with the requests instead,
/// for all services alike.
#[derive(Debug)]
pub(crate) struct CountingAuditLog {
    log: Arc<dyn AuditLog>,
    events: Counters<1>,
}

impl CountingAuditLog {
    pub(crate) fn new(log: Arc<dyn AuditLog>) -> Arc<Self> {
        Arc::new(Self {
            log,
            events: Counters::new(EVENTS),
        })
    }
}

impl AuditLog for CountingAuditLog {
    fn record(&self, event: &Event) {
        if !matches!(event.kind, EventKind::Refused(_)) {
            self.events.increment([event_name(&event.kind)]);
        }
        self.log.record(event);
    }

    fn store(&self) -> Option<&Arc<dyn AuditStore>> {
        self.log.store()
    }
}
