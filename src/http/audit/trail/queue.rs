use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use futures_channel::oneshot;

use super::strangers::Strangers;
use crate::domain::{AuditRecord, Timestamp};
use crate::metrics::{AUDIT_LOST, Counters};

/// Records that wait to be written, in their order.
#[derive(Debug)]
pub(super) struct Queue {
    capacity: usize,
    losses: Counters<1>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    waiting: VecDeque<Waiting>,
    /// How many of these strangers have caused.
    of_strangers: usize,
    strangers: Strangers,
    /// Whether the store could not take the last batch, and nothing has come since.
    is_stalled: bool,
    is_closed: bool,
    /// Whether nobody writes any more, and then whether everything was written.
    over: Option<bool>,
    lost: u64,
    /// How many were lost before that was last told.
    told: u64,
    /// Who waits for everything to be written.
    asking: Vec<oneshot::Sender<bool>>,
    writer: Option<Waker>,
}

#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) record: AuditRecord,
    is_of_strangers: bool,
}

/// Why a record is not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Loss {
    /// There is no room.
    Full,
    /// Strangers have caused too many.
    Limited,
    /// The log is closed.
    Closed,
    /// The store refused it for good.
    Refused,
    /// It cannot be written.
    Unfit,
}

impl Queue {
    pub(super) fn new(capacity: usize, refusals_per_hour: u32) -> Self {
        let state = State {
            waiting: VecDeque::new(),
            of_strangers: 0,
            strangers: Strangers::new(refusals_per_hour),
            is_stalled: false,
            is_closed: false,
            over: None,
            lost: 0,
            told: 0,
            asking: Vec::new(),
            writer: None,
        };
        Self { capacity, losses: Counters::new(AUDIT_LOST), state: Mutex::new(state) }
    }

    /// Whether one more would be kept. What a stranger has caused comes with where from and when, and counts.
    pub(super) fn has_room(&self, of_stranger: Option<(Option<IpAddr>, Timestamp)>) -> Result<(), Loss> {
        let mut state = self.state();
        if state.is_closed {
            return Err(Loss::Closed);
        }
        if state.waiting.len() >= self.capacity || (of_stranger.is_some() && state.of_strangers >= self.capacity / 4) {
            return Err(Loss::Full);
        }
        match of_stranger {
            Some((address, at)) if !state.strangers.admit(address, at) => Err(Loss::Limited),
            _ => Ok(()),
        }
    }

    /// Lets a record stand in line. Those that came between its [`has_room`](Self::has_room) and now are few, and stand in line too.
    pub(super) fn push(&self, record: AuditRecord, is_of_strangers: bool) {
        let mut state = self.state();
        state.of_strangers += usize::from(is_of_strangers);
        state.waiting.push_back(Waiting { record, is_of_strangers });
        state.is_stalled = false;
        state.wake();
    }

    /// Counts what is not kept. What comes in floods is told once, and again when something is written.
    pub(super) fn lose(&self, records: usize, loss: Loss) {
        for _ in 0..records {
            self.losses.count([loss.word()]);
        }
        let mut state = self.state();
        let is_first = state.lost == state.told;
        state.lost += u64::try_from(records).unwrap_or(u64::MAX);
        drop(state);
        if is_first {
            tracing::error!(target: "lyceum::audit", reason = loss.word(), "audit records are being lost");
        }
    }

    /// Tells how many were lost since that was last told.
    pub(super) fn tell_losses(&self) {
        let mut state = self.state();
        let lost = state.lost - state.told;
        state.told = state.lost;
        drop(state);
        if lost > 0 {
            tracing::error!(target: "lyceum::audit", lost, "audit records were lost");
        }
    }

    pub(super) fn lost(&self) -> u64 {
        self.state().lost
    }

    /// Has the writer write everything, and says whether it did.
    pub(super) async fn flush(&self, is_last: bool) -> bool {
        let (asking, answer) = oneshot::channel();
        {
            let mut state = self.state();
            if let Some(all) = state.over {
                return all;
            }
            state.is_closed |= is_last;
            state.asking.push(asking);
            state.wake();
        }
        answer.await.unwrap_or(false)
    }

    /// Ready when there is something to write, or somebody asks whether everything is: with those who ask. `None` when it is over.
    pub(super) fn poll_work(&self, context: &mut Context<'_>) -> Poll<Option<Vec<oneshot::Sender<bool>>>> {
        let mut state = self.state();
        let asking = std::mem::take(&mut state.asking);
        if !asking.is_empty() || (!state.waiting.is_empty() && !state.is_stalled) {
            return Poll::Ready(Some(asking));
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

    /// Takes the first records out, no more than so many.
    pub(super) fn first(&self, most: usize) -> Vec<Waiting> {
        let mut state = self.state();
        let count = most.min(state.waiting.len());
        let first: Vec<_> = state.waiting.drain(..count).collect();
        state.of_strangers -= first.iter().filter(|waiting| waiting.is_of_strangers).count();
        first
    }

    /// Puts records back to the front, to be tried again when something comes.
    pub(super) fn put_back(&self, records: Vec<Waiting>) {
        let mut state = self.state();
        for waiting in records.into_iter().rev() {
            state.of_strangers += usize::from(waiting.is_of_strangers);
            state.waiting.push_front(waiting);
        }
        state.is_stalled = true;
    }

    /// Nobody writes any more: nothing is taken, and who asks hears so.
    pub(super) fn abandon(&self) {
        let mut state = self.state();
        state.is_closed = true;
        let (left, asking) = (state.waiting.len(), std::mem::take(&mut state.asking));
        state.waiting.clear();
        state.over = Some(left == 0);
        drop(state);
        if left > 0 {
            self.lose(left, Loss::Closed);
        }
        self.tell_losses();
        drop(asking);
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

impl Loss {
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
