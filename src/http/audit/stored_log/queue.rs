use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use futures_channel::oneshot;

use super::refusal_quota::{RefusalQuota, RefusalSource};
use crate::domain::{AuditRecord, Timestamp};
use crate::metrics::definitions::AUDIT_RECORDS_LOST;
use crate::metrics::measurement::Counters;

/// Bounded queue of records to write, in order.
#[derive(Debug)]
pub(super) struct Queue {
    capacity: usize,
    losses: Counters<1>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    waiting: VecDeque<QueuedRecord>,
    /// Number of queued refusals.
    refusals: usize,
    refusal_quota: RefusalQuota,
    /// Whether the last batch failed and nothing was added since.
    is_stalled: bool,
    is_closed: bool,
    /// Set when the writer has ended: whether everything was written.
    finished: Option<bool>,
    lost: u64,
    /// Value of `lost` when it was last logged.
    lost_logged: u64,
    /// Callers that wait until everything is written.
    flush_waiters: Vec<oneshot::Sender<bool>>,
    writer: Option<Waker>,
}

#[derive(Debug)]
pub(super) struct QueuedRecord {
    pub(super) record: AuditRecord,
    is_refusal: bool,
}

/// Reason why a record is not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LossReason {
    /// The queue is full.
    Full,
    /// The hourly quota of refusals is used up.
    Limited,
    /// The log is closed.
    Closed,
    /// The store rejected it permanently.
    Refused,
    /// It cannot be serialized as a record.
    Unfit,
}

impl Queue {
    pub(super) fn new(capacity: usize, refusals_per_hour: u32) -> Self {
        let state = State {
            waiting: VecDeque::new(),
            refusals: 0,
            refusal_quota: RefusalQuota::new(refusals_per_hour),
            is_stalled: false,
            is_closed: false,
            finished: None,
            lost: 0,
            lost_logged: 0,
            flush_waiters: Vec::new(),
            writer: None,
        };
        Self {
            capacity,
            losses: Counters::new(AUDIT_RECORDS_LOST),
            state: Mutex::new(state),
        }
    }

    /// Whether another record fits. A refusal comes with its source and time, and is counted
    /// against the quota.
    pub(super) fn check_capacity(
        &self,
        refusal: Option<(RefusalSource, Timestamp)>,
    ) -> Result<(), LossReason> {
        let mut state = self.state();
        if state.is_closed {
            return Err(LossReason::Closed);
        }
        if state.waiting.len() >= self.capacity
            || (refusal.is_some() && state.refusals >= self.capacity / 4)
        {
            return Err(LossReason::Full);
        }
        if let Some((source, at)) = refusal
            && !state.refusal_quota.admit(source, at)
        {
            return Err(LossReason::Limited);
        }
        Ok(())
    }

    /// Adds a record. The few records that were added since its
    /// [`check_capacity`](Self::check_capacity) may exceed the capacity.
    pub(super) fn push(&self, record: AuditRecord, is_refusal: bool) {
        let mut state = self.state();
        state.refusals += usize::from(is_refusal);
        state.waiting.push_back(QueuedRecord { record, is_refusal });
        state.is_stalled = false;
        state.wake();
    }

    /// Counts lost records. Of a series of losses the first is logged, and their number at the next
    /// [`log_losses`](Self::log_losses).
    pub(super) fn count_lost(&self, records: usize, loss: LossReason) {
        for _ in 0..records {
            self.losses.increment([loss.word()]);
        }
        let mut state = self.state();
        let is_first = state.lost == state.lost_logged;
        state.lost += u64::try_from(records).unwrap_or(u64::MAX);
        drop(state);
        if is_first {
            tracing::error!(target: "lyceum::audit", reason = loss.word(), "audit records are being lost");
        }
    }

    /// Logs the number of records lost since the last call.
    pub(super) fn log_losses(&self) {
        let mut state = self.state();
        let lost = state.lost - state.lost_logged;
        state.lost_logged = state.lost;
        drop(state);
        if lost > 0 {
            tracing::error!(target: "lyceum::audit", lost, "audit records were lost");
        }
    }

    pub(super) fn lost(&self) -> u64 {
        self.state().lost
    }

    /// Lets the writer write everything, and returns whether it succeeded.
    pub(super) async fn flush(&self, is_last: bool) -> bool {
        let (flush_waiters, answer) = oneshot::channel();
        {
            let mut state = self.state();
            if let Some(all) = state.finished {
                return all;
            }
            state.is_closed |= is_last;
            state.flush_waiters.push(flush_waiters);
            state.wake();
        }
        answer.await.unwrap_or(false)
    }

    /// Ready if there are records to write or callers waiting for a flush, which are returned.
    /// `None` when the queue is closed and done.
    pub(super) fn poll_work(
        &self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Vec<oneshot::Sender<bool>>>> {
        let mut state = self.state();
        let flush_waiters = std::mem::take(&mut state.flush_waiters);
        if !flush_waiters.is_empty() || (!state.waiting.is_empty() && !state.is_stalled) {
            return Poll::Ready(Some(flush_waiters));
        }
        if state.is_closed {
            return Poll::Ready(None);
        }
        state.writer = Some(context.waker().clone());
        Poll::Pending
    }

    pub(super) fn len(&self) -> usize {
        self.state().waiting.len()
    }

    /// Removes and returns the first records, at most `most`.
    pub(super) fn take_batch(&self, most: usize) -> Vec<QueuedRecord> {
        let mut state = self.state();
        let count = most.min(state.waiting.len());
        let first: Vec<_> = state.waiting.drain(..count).collect();
        state.refusals -= first.iter().filter(|waiting| waiting.is_refusal).count();
        first
    }

    /// Returns records to the front, for retry with the next event.
    pub(super) fn requeue(&self, records: Vec<QueuedRecord>) {
        let mut state = self.state();
        for waiting in records.into_iter().rev() {
            state.refusals += usize::from(waiting.is_refusal);
            state.waiting.push_front(waiting);
        }
        state.is_stalled = true;
    }

    /// Closes the queue when the writer ends: discards the records and wakes waiting callers.
    pub(super) fn abandon(&self) {
        let mut state = self.state();
        state.is_closed = true;
        let (left, flush_waiters) = (
            state.waiting.len(),
            std::mem::take(&mut state.flush_waiters),
        );
        state.waiting.clear();
        state.finished = Some(left == 0);
        drop(state);
        if left > 0 {
            self.count_lost(left, LossReason::Closed);
        }
        self.log_losses();
        drop(flush_waiters);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn wake(&mut self) {
        if let Some(writer) = self.writer.take() {
            writer.wake();
        }
    }
}

impl LossReason {
    const fn word(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Limited => "limited",
            Self::Closed => "closed",
            Self::Refused => "refused",
            Self::Unfit => "unfit",
        }
    }
}
