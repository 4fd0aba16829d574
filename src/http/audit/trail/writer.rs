use std::fmt;
use std::future::poll_fn;
use std::sync::Arc;
use std::time::Duration;

use super::queue::{Loss, Queue};
use crate::domain::{AuditRecord, Timestamp};
use crate::store::sweep::CLOCKS_APART;
use crate::store::{AUDIT_RECORDS_SWEPT, AuditTrail};

/// How many records are written at once: fewer than can go at once, so that more go than come.
const BATCH: usize = 128;

/// How often old records are looked for, in seconds, as long as there are few.
const SWEPT_EVERY: i64 = 60;

/// What writes the events of a [`TrailLog`](super::TrailLog) down.
pub struct TrailWriter {
    queue: Arc<Queue>,
    trail: Arc<dyn AuditTrail>,
    kept: Duration,
    /// When to look for old records again.
    sweep_at: i64,
    /// Whether the clock of this node was too far ahead of the store's when that was asked last.
    is_ahead: bool,
}

impl TrailWriter {
    pub(super) fn new(queue: Arc<Queue>, trail: Arc<dyn AuditTrail>, kept: Duration) -> Self {
        Self { queue, trail, kept, sweep_at: i64::MIN, is_ahead: false }
    }

    /// Writes events until the log is [closed](super::TrailLog::close): for a task of its own. Where the task is stopped before, what was not
    /// written is lost.
    pub async fn run(mut self) {
        let queue = Arc::clone(&self.queue);
        while let Some(asking) = poll_fn(|context| queue.poll_work(context)).await {
            let all = self.write().await;
            for who in asking {
                // Whoever has gone does not want to know.
                let _ = who.send(all);
            }
        }
    }

    /// Writes what there is now, and says whether it could.
    async fn write(&mut self) -> bool {
        let mut due = self.queue.len();
        while due > 0 {
            let batch = self.queue.first(due.min(BATCH));
            if batch.is_empty() {
                break;
            }
            due = due.saturating_sub(batch.len());
            let records: Vec<AuditRecord> = batch.iter().map(|waiting| waiting.record.clone()).collect();
            let latest = records.iter().map(|record| record.at).max();
            let on_its_way = OnItsWay { queue: &self.queue, batch: Some(batch) };
            match self.trail.append_audit_records(records).await {
                Ok(()) => {
                    on_its_way.arrived();
                    self.tidy(latest).await;
                }
                Err(error) if error.is_unavailable() => {
                    tracing::warn!(target: "lyceum::audit", %error, "audit records could not be written and are tried again");
                    return false;
                }
                Err(error) => {
                    tracing::error!(target: "lyceum::audit", %error, "audit records could not be written");
                    self.queue.lose(on_its_way.arrived(), Loss::Refused);
                }
            }
        }
        true
    }

    /// Takes old records away and tells of losses, now and then.
    async fn tidy(&mut self, now: Option<Timestamp>) {
        let Some(now) = now.filter(|now| now.seconds() >= self.sweep_at) else { return };
        self.queue.tell_losses();
        // The events may have waited for long, so that they are behind tells nothing.
        let was_ahead = self.is_ahead;
        match self.trail.now().await {
            Ok(of_the_store) => self.is_ahead = of_the_store.is_some_and(|at| at.plus(CLOCKS_APART) < now),
            Err(error) => {
                tracing::warn!(target: "lyceum::audit", %error, "the store could not be asked for its time, and old audit records stay");
                return;
            }
        }
        if self.is_ahead {
            if !was_ahead {
                tracing::error!(target: "lyceum::audit", "the clock of this node is ahead of the store's: old audit records stay");
            }
            return;
        }
        match self.trail.sweep_audit_records(now.minus(self.kept)).await {
            // There may be more.
            Ok(swept) if swept >= AUDIT_RECORDS_SWEPT => {}
            Ok(_) => self.sweep_at = now.seconds().saturating_add(SWEPT_EVERY),
            Err(error) => tracing::warn!(target: "lyceum::audit", %error, "old audit records could not be taken away"),
        }
    }
}

impl Drop for TrailWriter {
    fn drop(&mut self) {
        self.queue.abandon();
    }
}

impl fmt::Debug for TrailWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TrailWriter").field("kept", &self.kept).finish_non_exhaustive()
    }
}

/// Records that a store is being asked to keep. Whatever becomes of the call, they go back where they were unless they arrived.
struct OnItsWay<'a> {
    queue: &'a Queue,
    batch: Option<Vec<super::queue::Waiting>>,
}

impl OnItsWay<'_> {
    /// They are not to be tried again. Says how many they are.
    fn arrived(mut self) -> usize {
        self.batch.take().map_or(0, |batch| batch.len())
    }
}

impl Drop for OnItsWay<'_> {
    fn drop(&mut self) {
        if let Some(batch) = self.batch.take() {
            self.queue.put_back(batch);
        }
    }
}
