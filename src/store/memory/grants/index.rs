use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;

/// Which rows have a value, so that they are found without a search.
pub(super) struct Index<K, R>(HashMap<K, BTreeSet<R>>);

impl<K: Eq + Hash + Clone, R: Ord + Clone> Index<K, R> {
    pub(super) fn insert(&mut self, value: &K, row: R) {
        match self.0.get_mut(value) {
            Some(rows) => rows.insert(row),
            None => self.0.entry(value.clone()).or_default().insert(row),
        };
    }

    pub(super) fn remove(&mut self, value: &K, row: &R) {
        if let Entry::Occupied(mut rows) = self.0.entry(value.clone()) {
            rows.get_mut().remove(row);
            if rows.get().is_empty() {
                rows.remove();
            }
        }
    }

    /// The rows that have the value, in their order.
    pub(super) fn of<'i>(&'i self, value: &K) -> impl Iterator<Item = &'i R> + use<'i, K, R> {
        self.0.get(value).into_iter().flatten()
    }

    /// The values that some row has, in no order.
    pub(super) fn values(&self) -> impl Iterator<Item = &K> {
        self.0.keys()
    }

    /// How many pairs of a value and a row there are.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.values().map(BTreeSet::len).sum()
    }
}

impl<K, R> Default for Index<K, R> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}
