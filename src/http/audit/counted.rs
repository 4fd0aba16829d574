use std::sync::Arc;

use super::wire::word;
use super::{AuditLog, Event, EventKind};
use crate::metrics::{Counters, EVENTS};
use crate::store::AuditTrail;

/// Counts events on their way to a log. Refusals are counted with the requests, for other services have them too.
#[derive(Debug)]
pub(crate) struct Counted {
    log: Arc<dyn AuditLog>,
    events: Counters<1>,
}

impl Counted {
    pub(crate) fn over(log: Arc<dyn AuditLog>) -> Arc<Self> {
        Arc::new(Self { log, events: Counters::new(EVENTS) })
    }
}

impl AuditLog for Counted {
    fn record(&self, event: &Event) {
        if !matches!(event.kind, EventKind::Refused(_)) {
            self.events.count([word(&event.kind)]);
        }
        self.log.record(event);
    }

    fn trail(&self) -> Option<&Arc<dyn AuditTrail>> {
        self.log.trail()
    }
}
