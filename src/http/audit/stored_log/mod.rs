//! Audit log that stores events, for lookup by administrators.

mod queue;
mod refusal_quota;
mod writer;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::{AuditLog, Event, TracingLog, wire};
use crate::store::AuditStore;
use queue::{LossReason, Queue};
use refusal_quota::RefusalSource;
pub use writer::StoredAuditLogWriter;

/// A log that writes events to a store, for the audit pages of the console, and forwards each to
/// another log: by default [`TracingLog`], which remains authoritative where the two differ.
///
/// Recording does not wait for the store: events enter a bounded queue, and a
/// [`StoredAuditLogWriter`] writes them in batches. Events that do not fit in the queue are not
/// stored. They are counted ([`lost`](Self::lost), the metric `lyceum_audit_records_lost_total`)
/// and reported as an error. Refused requests and sign-ins, which callers can cause in any number, may use a quarter of the queue and have
/// [an hourly limit](StoredAuditLogBuilder::refusals_per_hour), so that they neither displace other
/// events nor fill a disk.
///
/// A batch that the store cannot take at the moment is retried with the next event. A record whose
/// write succeeded without confirmation is then stored twice.
///
/// ```
/// use std::sync::Arc;
///
/// use lyceum::AuthServer;
/// use lyceum::domain::{AuditFilter, SigningAlgorithm};
/// use lyceum::http::audit::StoredAuditLog;
/// use lyceum::store::AuditStore;
/// use lyceum::crypto::{MasterKey, SystemEntropy};
/// use lyceum::store::memory::MemoryStore;
/// use tower::ServiceExt;
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let store = Arc::new(MemoryStore::new());
/// let (log, writer) = StoredAuditLog::builder(store.clone()).build();
/// let writing = tokio::spawn(writer.run());
/// let master_key = MasterKey::generate(&SystemEntropy);
/// let server = AuthServer::builder(store.clone(), "https://school.example", master_key)
///     .signing_algorithm(SigningAlgorithm::Es256)
///     .audit(Arc::new(log.clone()))
///     .build()
///     .await?;
/// server.oneshot(http::Request::get("/nowhere").body(String::new())?).await?;
///
/// // After the server has stopped: writes the rest of the queue.
/// assert!(log.close().await);
/// writing.await?;
/// let kept = store.audit_records(&AuditFilter::default(), None, 10).await?;
/// assert!(kept.iter().any(|entry| entry.record.kind.as_str() == "refused"));
/// # Ok::<_, Box<dyn std::error::Error>>(()) })?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct StoredAuditLog {
    queue: Arc<Queue>,
    store: Arc<dyn AuditStore>,
    forward_to: Arc<dyn AuditLog>,
}

impl StoredAuditLog {
    /// The default [retention](StoredAuditLogBuilder::retention) of events.
    pub const DEFAULT_RETENTION: Duration = Duration::from_secs(180 * 24 * 60 * 60);

    /// Creates a builder of a log over this store.
    pub fn builder(store: Arc<dyn AuditStore>) -> StoredAuditLogBuilder {
        StoredAuditLogBuilder {
            store,
            forward_to: Arc::new(TracingLog),
            capacity: 4_096,
            refusals_per_hour: 2_000,
            retention: Self::DEFAULT_RETENTION,
        }
    }

    /// Waits until the [`StoredAuditLogWriter`] has written all events recorded so far. Returns
    /// whether it succeeded. Events that it could not write stay in the queue.
    pub async fn flush(&self) -> bool {
        self.queue.flush(false).await
    }

    /// Writes the queued events and ends the [`StoredAuditLogWriter`]. Later events, and those that
    /// could not be written, are lost. Returns whether everything was written.
    pub async fn close(&self) -> bool {
        self.queue.flush(true).await
    }

    /// Number of events that were not stored: because the queue was full, by the limit on refusals,
    /// or because the store rejected them.
    pub fn lost(&self) -> u64 {
        self.queue.lost()
    }
}

impl AuditLog for StoredAuditLog {
    fn record(&self, event: &Event) {
        self.forward_to.record(event);
        let source = RefusalSource::of(event);
        let is_refusal = source.is_some();
        // Checked first, so that dropped events are not serialized.
        if let Err(loss) = self
            .queue
            .check_capacity(source.map(|source| (source, event.at)))
        {
            return self.queue.count_lost(1, loss);
        }
        match wire::to_record(event) {
            Some(record) => self.queue.push(record, is_refusal),
            None => self.queue.count_lost(1, LossReason::Unfit),
        }
    }

    fn store(&self) -> Option<&Arc<dyn AuditStore>> {
        Some(&self.store)
    }
}

impl fmt::Debug for StoredAuditLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredAuditLog")
            .field("forward_to", &self.forward_to)
            .finish_non_exhaustive()
    }
}

/// Settings of a [`StoredAuditLog`].
#[derive(Debug)]
pub struct StoredAuditLogBuilder {
    store: Arc<dyn AuditStore>,
    forward_to: Arc<dyn AuditLog>,
    capacity: usize,
    refusals_per_hour: u32,
    retention: Duration,
}

impl StoredAuditLogBuilder {
    /// Sets the log that also receives every event; [`TracingLog`] by default.
    #[must_use]
    pub fn forward_to(mut self, log: Arc<dyn AuditLog>) -> Self {
        self.forward_to = log;
        self
    }

    /// Sets the maximum number of queued events: 4,096 by default, at least 8.
    #[must_use]
    pub fn capacity(mut self, events: usize) -> Self {
        self.capacity = events.max(8);
        self
    }

    /// Limits the stored refusals of requests and sign-ins per hour: 2,000 by default, at most half
    /// of them from one network. Those of signed-in users and of API keys that work have a limit of
    /// the same size for themselves, at most a twentieth for one user or key. Further ones are only
    /// forwarded, and cannot be looked up by their request id.
    #[must_use]
    pub fn refusals_per_hour(mut self, events: u32) -> Self {
        self.refusals_per_hour = events;
        self
    }

    /// Sets the retention period of events; 180 days by default. Older events are deleted when new
    /// ones are written.
    #[must_use]
    pub fn retention(mut self, length: Duration) -> Self {
        self.retention = Duration::from_secs(length.as_secs());
        self
    }

    /// Creates the log and its writer. The host runs the writer in a task.
    pub fn build(self) -> (StoredAuditLog, StoredAuditLogWriter) {
        let queue = Arc::new(Queue::new(self.capacity, self.refusals_per_hour));
        let writer =
            StoredAuditLogWriter::new(Arc::clone(&queue), Arc::clone(&self.store), self.retention);
        (
            StoredAuditLog {
                queue,
                store: self.store,
                forward_to: self.forward_to,
            },
            writer,
        )
    }
}

#[cfg(test)]
mod tests;
