use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Bounded queue for a thread. The bound makes callers wait for a slow disk instead of filling the
/// memory.
pub(super) struct Queue<T> {
    state: Mutex<State<T>>,
    not_empty: Condvar,
    capacity: usize,
}

struct State<T> {
    /// Keyed by slot number, so that a cancelled entry is removed without a scan.
    waiting: BTreeMap<u64, T>,
    next: u64,
    closed: bool,
    /// The number of sleeping threads. If there are none, `push` saves the system call that wakes
    /// one.
    sleeping: usize,
}

/// Result of waiting for the queue.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Received<T> {
    /// The items that waited longest.
    Items(Vec<T>),
    /// No item came in time.
    Idle,
    /// The queue is closed and empty.
    Closed,
}

impl<T> Queue<T> {
    pub(super) const fn new(capacity: usize) -> Self {
        Self {
            state: Mutex::new(State {
                waiting: BTreeMap::new(),
                next: 0,
                closed: false,
                sleeping: 0,
            }),
            not_empty: Condvar::new(),
            capacity,
        }
    }

    /// Appends an item and returns its slot, unless the queue is full or closed.
    pub(super) fn push(&self, one: T) -> Option<QueueSlot<'_, T>> {
        let mut state = self.lock();
        if state.closed || state.waiting.len() >= self.capacity {
            return None;
        }
        let number = state.next;
        state.next += 1;
        state.waiting.insert(number, one);
        let is_awaited = state.sleeping > 0;
        drop(state);
        if is_awaited {
            self.not_empty.notify_one();
        }
        Some(QueueSlot {
            queue: self,
            number,
        })
    }

    /// Takes at most `max` items as soon as there is one, or none after `timeout`.
    pub(super) fn recv_many(&self, max: usize, timeout: Duration) -> Received<T> {
        let nothing = |state: &mut State<T>| state.waiting.is_empty() && !state.closed;
        let mut state = self.lock();
        if nothing(&mut state) {
            state.sleeping += 1;
            (state, _) = self
                .not_empty
                .wait_timeout_while(state, timeout, nothing)
                .unwrap_or_else(PoisonError::into_inner);
            state.sleeping -= 1;
        }
        let count = state.waiting.len().min(max);
        match (count, state.closed) {
            (0, true) => Received::Closed,
            (0, false) => Received::Idle,
            _ => Received::Items(
                (0..count)
                    .filter_map(|_| state.waiting.pop_first())
                    .map(|(_, one)| one)
                    .collect(),
            ),
        }
    }

    /// Rejects further items. Waiting items are still taken.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.not_empty.notify_all();
    }

    /// Ignores poisoning: code under the lock leaves the state consistent even if it panics.
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A slot in a queue. Dropping it before its turn removes the item and frees the slot.
#[must_use]
pub(super) struct QueueSlot<'q, T> {
    queue: &'q Queue<T>,
    number: u64,
}

impl<T> Drop for QueueSlot<'_, T> {
    fn drop(&mut self) {
        let removed = self.queue.lock().waiting.remove(&self.number);
        // Dropped after the lock is released, because dropping the item runs foreign code.
        drop(removed);
    }
}

impl<T> fmt::Debug for Queue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue")
            .field("capacity", &self.capacity)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::ZERO;

    #[test]
    fn a_full_queue_returns_the_job_that_it_refuses() {
        let queue = Queue::new(2);
        let places = [queue.push(1), queue.push(2), queue.push(3)];
        assert_eq!(places.each_ref().map(Option::is_some), [true, true, false]);
        assert_eq!(queue.recv_many(1, NOW), Received::Items(vec![1]));
        let last = queue.push(4);
        assert!(last.is_some());
        assert_eq!(queue.recv_many(64, NOW), Received::Items(vec![2, 4]));
        assert_eq!(queue.recv_many(64, NOW), Received::Idle);
    }

    /// Fails if a dropped slot's item is only removed when the queue is scanned.
    #[test]
    fn dropping_a_slot_removes_it_at_once_and_keeps_the_order_of_the_others() {
        let queue = Queue::new(3);
        let [first, second, third] = [1, 2, 3].map(|one| queue.push(one).unwrap());
        drop(second);
        assert_eq!(queue.lock().waiting.len(), 2);
        let fourth = queue.push(4).unwrap();
        assert!(queue.push(5).is_none());
        assert_eq!(queue.recv_many(64, NOW), Received::Items(vec![1, 3, 4]));
        drop((first, third, fourth));
        assert_eq!(queue.recv_many(64, NOW), Received::Idle);
    }

    #[test]
    fn a_closed_queue_still_returns_waiting_jobs() {
        let queue = Queue::new(2);
        let _first = queue.push(1).unwrap();
        queue.close();
        assert!(queue.push(2).is_none());
        assert_eq!(queue.recv_many(64, NOW), Received::Items(vec![1]));
        assert_eq!(queue.recv_many(64, NOW), Received::Closed);
    }
}
