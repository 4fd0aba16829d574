use std::fmt;
use std::future::poll_fn;
use std::sync::Arc;
use std::time::Duration;

use super::queue::{LossReason, Queue};
use crate::domain::{AuditRecord, Timestamp};
use crate::store::retention::CLOCK_SKEW;
use crate::store::{AuditStore, MAX_SWEPT_AUDIT_RECORDS};

/// Number of records written at once. Less than are deleted at once, so that the store does not
/// grow.
const BATCH: usize = 128;

/// Interval between searches for old records when there are few.
const SWEEP_INTERVAL: Duration = Duration::from_secs(60);

/// Writes the events of a [`StoredAuditLog`](super::StoredAuditLog) to its store.
pub struct StoredAuditLogWriter {
    queue: Arc<Queue>,
    store: Arc<dyn AuditStore>,
    retention: Duration,
    /// Time of the next search for old records.
    sweep_at: Timestamp,
    /// Whether this node's clock was too far ahead of the store's at the last check.
    is_ahead: bool,
}

impl StoredAuditLogWriter {
    pub(super) fn new(queue: Arc<Queue>, store: Arc<dyn AuditStore>, retention: Duration) -> Self {
        Self {
            queue,
            store,
            retention,
            sweep_at: Timestamp::MIN,
            is_ahead: false,
        }
    }

    /// Writes events until the log is [closed](super::StoredAuditLog::close). Run it in a separate
    /// task. If the task is aborted, unwritten events are lost.
    pub async fn run(mut self) {
        let queue = Arc::clone(&self.queue);
        while let Some(flush_waiters) = poll_fn(|context| queue.poll_work(context)).await {
            let all = self.write_queued().await;
            for waiter in flush_waiters {
                // The caller may have been cancelled.
                let _ = waiter.send(all);
            }
        }
    }

    /// Writes the currently queued events, and returns whether it succeeded.
    async fn write_queued(&mut self) -> bool {
        let mut due = self.queue.len();
        while due > 0 {
            let batch = self.queue.take_batch(due.min(BATCH));
            if batch.is_empty() {
                break;
            }
            due = due.saturating_sub(batch.len());
            let records: Vec<AuditRecord> =
                batch.iter().map(|waiting| waiting.record.clone()).collect();
            let latest = records.iter().map(|record| record.at).max();
            let in_flight = InFlightBatch {
                queue: &self.queue,
                batch: Some(batch),
            };
            match self.store.append_audit_records(records).await {
                Ok(()) => {
                    in_flight.complete();
                    self.sweep_if_due(latest).await;
                }
                Err(error) if error.is_unavailable() => {
                    tracing::warn!(target: "lyceum::audit", %error, "audit records could not be written and are tried again");
                    return false;
                }
                Err(error) => {
                    tracing::error!(target: "lyceum::audit", %error, "audit records could not be written");
                    self.queue
                        .count_lost(in_flight.complete(), LossReason::Refused);
                }
            }
        }
        true
    }

    /// Deletes old records and logs losses, at intervals.
    async fn sweep_if_due(&mut self, now: Option<Timestamp>) {
        let Some(now) = now.filter(|now| *now >= self.sweep_at) else {
            return;
        };
        self.queue.log_losses();
        // Events may have been queued for long, so a time behind the store's does not mean that the
        // clock is behind.
        let was_ahead = self.is_ahead;
        match self.store.now().await {
            Ok(store_time) => {
                self.is_ahead = store_time.is_some_and(|at| at.plus(CLOCK_SKEW) < now)
            }
            Err(error) => {
                tracing::warn!(target: "lyceum::audit", %error, "the store's clock could not be read: old audit records stay");
                return;
            }
        }
        if self.is_ahead {
            if !was_ahead {
                tracing::error!(target: "lyceum::audit", "the clock of this node is ahead of the store's: old audit records stay");
            }
            return;
        }
        match self
            .store
            .sweep_audit_records(now.minus(self.retention))
            .await
        {
            // There may be more to delete.
            Ok(swept) if swept >= MAX_SWEPT_AUDIT_RECORDS => {}
            Ok(_) => self.sweep_at = now.plus(SWEEP_INTERVAL),
            Err(error) => {
                tracing::warn!(target: "lyceum::audit", %error, "old audit records could not be deleted")
            }
        }
    }
}

impl Drop for StoredAuditLogWriter {
    fn drop(&mut self) {
        self.queue.abandon();
    }
}

impl fmt::Debug for StoredAuditLogWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredAuditLogWriter")
            .field("retention", &self.retention)
            .finish_non_exhaustive()
    }
}

/// A batch that is being written. Returns to the queue when dropped, unless it is completed.
struct InFlightBatch<'a> {
    queue: &'a Queue,
    batch: Option<Vec<super::queue::QueuedRecord>>,
}

impl InFlightBatch<'_> {
    /// Completes the batch without a retry, and returns its number of records.
    fn complete(mut self) -> usize {
        self.batch.take().map_or(0, |batch| batch.len())
    }
}

impl Drop for InFlightBatch<'_> {
    fn drop(&mut self) {
        if let Some(batch) = self.batch.take() {
            self.queue.requeue(batch);
        }
    }
}
