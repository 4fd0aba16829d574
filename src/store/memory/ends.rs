use std::collections::BTreeSet;

use crate::store::sweep::AT_ONCE;

/// When each of the things that are kept ends, in that order, so that those to take away are found without a search.
#[derive(Debug)]
pub(super) struct Ends<T, K>(BTreeSet<(T, K)>);

impl<T: Ord + Copy, K: Ord + Clone> Ends<T, K> {
    pub(super) fn insert(&mut self, end: T, key: K) {
        self.0.insert((end, key));
    }

    pub(super) fn remove(&mut self, end: T, key: K) {
        self.0.remove(&(end, key));
    }

    /// Takes out some of those that ended at `until` or before, the first of them first.
    pub(super) fn take(&mut self, until: T) -> Vec<K> {
        self.take_up_to(AT_ONCE, until)
    }

    /// The same, so many at most.
    pub(super) fn take_up_to(&mut self, at_once: usize, until: T) -> Vec<K> {
        let mut taken = Vec::new();
        while taken.len() < at_once
            && let Some((end, key)) = self.0.first().cloned()
            && end <= until
        {
            self.0.pop_first();
            taken.push(key);
        }
        taken
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

impl<T, K> Default for Ends<T, K> {
    fn default() -> Self {
        Self(BTreeSet::new())
    }
}
