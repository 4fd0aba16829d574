use std::collections::VecDeque;
use std::fmt;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What waits for a thread: bounded, so that a slow disk is felt by callers instead of filling the memory.
pub(super) struct Queue<T> {
    state: Mutex<State<T>>,
    arrival: Condvar,
    capacity: usize,
}

struct State<T> {
    waiting: VecDeque<T>,
    closed: bool,
}

/// What a thread finds at the queue.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Taken<T> {
    /// The ones that waited longest.
    Some(Vec<T>),
    /// None came in time.
    Idle,
    /// None will come any more.
    Closed,
}

impl<T> Queue<T> {
    pub(super) const fn new(capacity: usize) -> Self {
        Self { state: Mutex::new(State { waiting: VecDeque::new(), closed: false }), arrival: Condvar::new(), capacity }
    }

    /// Adds one at the end, or gives it back when the queue is full or closed.
    pub(super) fn push(&self, one: T) -> Result<(), T> {
        let mut state = self.lock();
        if state.closed || state.waiting.len() >= self.capacity {
            return Err(one);
        }
        state.waiting.push_back(one);
        drop(state);
        self.arrival.notify_one();
        Ok(())
    }

    /// Keeps only some of those that wait.
    pub(super) fn retain(&self, is_kept: impl FnMut(&T) -> bool) {
        self.lock().waiting.retain(is_kept);
    }

    /// Takes at most `most` as soon as there is one, or finds that none came for a time of `patience`.
    pub(super) fn take(&self, most: usize, patience: Duration) -> Taken<T> {
        let nothing = |state: &mut State<T>| state.waiting.is_empty() && !state.closed;
        let (mut state, _) = self.arrival.wait_timeout_while(self.lock(), patience, nothing).unwrap_or_else(PoisonError::into_inner);
        let count = state.waiting.len().min(most);
        match (count, state.closed) {
            (0, true) => Taken::Closed,
            (0, false) => Taken::Idle,
            _ => Taken::Some(state.waiting.drain(..count).collect()),
        }
    }

    /// Lets nothing more in. What waits is still taken.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.arrival.notify_all();
    }

    /// What runs under the lock leaves it in order even where it panics, so a poisoned one is as good as any.
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> fmt::Debug for Queue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue").field("capacity", &self.capacity).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::ZERO;

    #[test]
    fn a_full_queue_gives_back_what_it_cannot_take() {
        let queue = Queue::new(2);
        assert_eq!((queue.push(1), queue.push(2), queue.push(3)), (Ok(()), Ok(()), Err(3)));
        assert_eq!(queue.take(1, NOW), Taken::Some(vec![1]));
        assert_eq!(queue.push(4), Ok(()));
        assert_eq!(queue.take(64, NOW), Taken::Some(vec![2, 4]));
        assert_eq!(queue.take(64, NOW), Taken::Idle);
    }

    #[test]
    fn a_closed_queue_still_hands_out_what_waits() {
        let queue = Queue::new(2);
        assert_eq!(queue.push(1), Ok(()));
        queue.close();
        assert_eq!(queue.push(2), Err(2));
        assert_eq!(queue.take(64, NOW), Taken::Some(vec![1]));
        assert_eq!(queue.take(64, NOW), Taken::Closed);
    }
}
