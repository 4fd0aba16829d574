use std::collections::BTreeMap;
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
    /// Keyed by place number, so that a cancelled entry is removed without a scan.
    waiting: BTreeMap<u64, T>,
    next: u64,
    closed: bool,
    /// How many threads sleep. Where all are at work nobody has to be woken, which costs a call of the system.
    sleeping: usize,
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
        Self {
            state: Mutex::new(State { waiting: BTreeMap::new(), next: 0, closed: false, sleeping: 0 }),
            arrival: Condvar::new(),
            capacity,
        }
    }

    /// Adds one at the end and gives its place, unless the queue is full or closed.
    pub(super) fn push(&self, one: T) -> Option<Place<'_, T>> {
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
            self.arrival.notify_one();
        }
        Some(Place { queue: self, number })
    }

    /// Takes at most `most` as soon as there is one, or finds that none came for a time of `patience`.
    pub(super) fn take(&self, most: usize, patience: Duration) -> Taken<T> {
        let nothing = |state: &mut State<T>| state.waiting.is_empty() && !state.closed;
        let mut state = self.lock();
        if nothing(&mut state) {
            state.sleeping += 1;
            (state, _) = self.arrival.wait_timeout_while(state, patience, nothing).unwrap_or_else(PoisonError::into_inner);
            state.sleeping -= 1;
        }
        let count = state.waiting.len().min(most);
        match (count, state.closed) {
            (0, true) => Taken::Closed,
            (0, false) => Taken::Idle,
            _ => Taken::Some((0..count).filter_map(|_| state.waiting.pop_first()).map(|(_, one)| one).collect()),
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

/// A place in a queue. Dropping it before its turn removes the entry and frees the place.
#[must_use]
pub(super) struct Place<'q, T> {
    queue: &'q Queue<T>,
    number: u64,
}

impl<T> Drop for Place<'_, T> {
    fn drop(&mut self) {
        let gone = self.queue.lock().waiting.remove(&self.number);
        // It is dropped after the lock was released: what it holds is not ours.
        drop(gone);
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
        let places = [queue.push(1), queue.push(2), queue.push(3)];
        assert_eq!(places.each_ref().map(Option::is_some), [true, true, false]);
        assert_eq!(queue.take(1, NOW), Taken::Some(vec![1]));
        let last = queue.push(4);
        assert!(last.is_some());
        assert_eq!(queue.take(64, NOW), Taken::Some(vec![2, 4]));
        assert_eq!(queue.take(64, NOW), Taken::Idle);
    }

    /// Fails if a dropped place is only removed when the queue is scanned.
    #[test]
    fn dropping_a_place_removes_it_at_once_and_keeps_the_order_of_the_others() {
        let queue = Queue::new(3);
        let [first, second, third] = [1, 2, 3].map(|one| queue.push(one).unwrap());
        drop(second);
        assert_eq!(queue.lock().waiting.len(), 2);
        let fourth = queue.push(4).unwrap();
        assert!(queue.push(5).is_none());
        assert_eq!(queue.take(64, NOW), Taken::Some(vec![1, 3, 4]));
        drop((first, third, fourth));
        assert_eq!(queue.take(64, NOW), Taken::Idle);
    }

    #[test]
    fn a_closed_queue_still_hands_out_what_waits() {
        let queue = Queue::new(2);
        let _first = queue.push(1).unwrap();
        queue.close();
        assert!(queue.push(2).is_none());
        assert_eq!(queue.take(64, NOW), Taken::Some(vec![1]));
        assert_eq!(queue.take(64, NOW), Taken::Closed);
    }
}
