use std::collections::BTreeSet;

use crate::store::retention::MAX_DELETED_PER_INSERT;

/// Index of keys by time, to find expired entries without a scan.
#[derive(Debug)]
pub(super) struct TimeIndex<T, K>(BTreeSet<(T, K)>);

impl<T: Ord + Copy, K: Ord + Clone> TimeIndex<T, K> {
    pub(super) fn insert(&mut self, time: T, key: K) {
        self.0.insert((time, key));
    }

    pub(super) fn remove(&mut self, time: T, key: K) {
        self.0.remove(&(time, key));
    }

    /// Removes at most [`MAX_DELETED_PER_INSERT`] entries at `until` or before, oldest first.
    pub(super) fn pop_until(&mut self, until: T) -> Vec<K> {
        self.pop_up_to(MAX_DELETED_PER_INSERT, until)
    }

    /// Removes at most `limit` entries at `until` or before, oldest first.
    pub(super) fn pop_up_to(&mut self, limit: usize, until: T) -> Vec<K> {
        let mut popped = Vec::new();
        while popped.len() < limit
            && let Some((time, key)) = self.0.first().cloned()
            && time <= until
        {
            self.0.pop_first();
            popped.push(key);
        }
        popped
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

impl<T, K> Default for TimeIndex<T, K> {
    fn default() -> Self {
        Self(BTreeSet::new())
    }
}
