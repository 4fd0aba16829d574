//! Events on their way into the store, where people look them up.

mod queue;
mod strangers;
mod writer;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::{AuditLog, Event, EventKind, TracingLog, wire};
use crate::store::AuditTrail;
use queue::{Loss, Queue};
pub use writer::TrailWriter;

/// A log that keeps events in a store, for the audit pages of the web interface, and hands each on to another log: by
/// default [`TracingLog`], whose lines stay the ones to go by where the two differ.
///
/// Nothing waits for the store: events stand in a queue with an end, and a [`TrailWriter`] takes them from there in batches. What the queue has
/// no room for is not kept, which is counted ([`lost`](Self::lost), the metric `lyceum_audit_records_lost_total`) and told as an error.
/// Refused requests and sign-ins, of which a stranger can make any number, have a quarter of the queue and
/// [a number in an hour](TrailLogBuilder::refusals_per_hour), so that they can neither push out what happened nor fill a disk.
///
/// A batch that the store cannot take at the moment is tried again with the next event. A record that a store has written without being able
/// to say so is then there twice.
///
/// ```
/// use std::sync::Arc;
///
/// use lyceum::AuthServer;
/// use lyceum::domain::{AuditFilter, SigningAlgorithm};
/// use lyceum::http::audit::TrailLog;
/// use lyceum::store::AuditTrail;
/// use lyceum::crypto::{MasterKey, SystemEntropy};
/// use lyceum::store::memory::MemoryStore;
/// use tower::ServiceExt;
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let store = Arc::new(MemoryStore::new());
/// let (log, writer) = TrailLog::builder(store.clone()).build();
/// let writing = tokio::spawn(writer.run());
/// let server = AuthServer::builder(store.clone(), "https://school.example", MasterKey::generate(&SystemEntropy))
///     .signing_algorithm(SigningAlgorithm::Es256)
///     .audit(Arc::new(log.clone()))
///     .build()
///     .await?;
/// server.oneshot(http::Request::get("/nowhere").body(String::new())?).await?;
///
/// // When the server has stopped: what still stands in the queue is written.
/// assert!(log.close().await);
/// writing.await?;
/// let kept = store.audit_records(&AuditFilter::default(), None, 10).await?;
/// assert!(kept.iter().any(|entry| entry.record.kind.as_str() == "refused"));
/// # Ok::<_, Box<dyn std::error::Error>>(()) })?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct TrailLog {
    queue: Arc<Queue>,
    trail: Arc<dyn AuditTrail>,
    beside: Arc<dyn AuditLog>,
}

impl TrailLog {
    /// A log into this store, with settings.
    pub fn builder(trail: Arc<dyn AuditTrail>) -> TrailLogBuilder {
        TrailLogBuilder {
            trail,
            beside: Arc::new(TracingLog),
            capacity: 4_096,
            refusals_per_hour: 2_000,
            kept: Duration::from_secs(180 * 24 * 60 * 60),
        }
    }

    /// Waits until the [`TrailWriter`] has written everything that was recorded before, and says whether it could. What it could not write
    /// still stands in the queue.
    pub async fn flush(&self) -> bool {
        self.queue.flush(false).await
    }

    /// Writes what stands in the queue and lets the [`TrailWriter`] end. What is recorded afterwards, or could not be written, is lost. Says
    /// whether everything is written.
    pub async fn close(&self) -> bool {
        self.queue.flush(true).await
    }

    /// How many events were not kept, for want of room, by the limit on refusals or because the store refused them for good.
    pub fn lost(&self) -> u64 {
        self.queue.lost()
    }
}

impl AuditLog for TrailLog {
    fn record(&self, event: &Event) {
        self.beside.record(event);
        let refused = is_of_strangers(&event.kind).then_some((event.address, event.at));
        // What is not kept is not worth the work of writing it out.
        if let Err(loss) = self.queue.has_room(refused) {
            return self.queue.lose(1, loss);
        }
        match wire::record(event) {
            Some(record) => self.queue.push(record, refused.is_some()),
            None => self.queue.lose(1, Loss::Unfit),
        }
    }

    fn trail(&self) -> Option<&Arc<dyn AuditTrail>> {
        Some(&self.trail)
    }
}

impl fmt::Debug for TrailLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TrailLog").field("beside", &self.beside).finish_non_exhaustive()
    }
}

/// Settings of a [`TrailLog`].
#[derive(Debug)]
pub struct TrailLogBuilder {
    trail: Arc<dyn AuditTrail>,
    beside: Arc<dyn AuditLog>,
    capacity: usize,
    refusals_per_hour: u32,
    kept: Duration,
}

impl TrailLogBuilder {
    /// Which log gets every event as well; [`TracingLog`] by default.
    #[must_use]
    pub fn beside(mut self, log: Arc<dyn AuditLog>) -> Self {
        self.beside = log;
        self
    }

    /// How many events may wait to be written: 4,096 by default, at least 8.
    #[must_use]
    pub fn capacity(mut self, events: usize) -> Self {
        self.capacity = events.max(8);
        self
    }

    /// How many refused requests and sign-ins are kept in an hour: 2,000 by default, and of these at most half from one network. Whatever is
    /// beyond that is in the log beside, but its id explains nothing.
    #[must_use]
    pub fn refusals_per_hour(mut self, events: u32) -> Self {
        self.refusals_per_hour = events;
        self
    }

    /// How long events are kept; 180 days by default. What is older goes when new ones come.
    #[must_use]
    pub fn keep(mut self, length: Duration) -> Self {
        self.kept = length;
        self
    }

    /// The log, and what writes its events down. The writer is to be run by a task of the host's.
    pub fn build(self) -> (TrailLog, TrailWriter) {
        let queue = Arc::new(Queue::new(self.capacity, self.refusals_per_hour));
        let writer = TrailWriter::new(Arc::clone(&queue), Arc::clone(&self.trail), self.kept);
        (TrailLog { queue, trail: self.trail, beside: self.beside }, writer)
    }
}

/// Whether somebody who proves nothing can make any number of such events.
fn is_of_strangers(kind: &EventKind) -> bool {
    matches!(kind, EventKind::Refused(_) | EventKind::SignInRefused { .. } | EventKind::SignInLimited { .. })
}

#[cfg(test)]
mod tests;
