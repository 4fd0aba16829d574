use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;

/// Index of rows by a value.
pub(super) struct SecondaryIndex<K, R>(HashMap<K, BTreeSet<R>>);

impl<K: Eq + Hash + Clone, R: Ord + Clone> SecondaryIndex<K, R> {
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

    /// The rows with the value, in order.
    pub(super) fn rows_with<'i>(
        &'i self,
        value: &K,
    ) -> impl Iterator<Item = &'i R> + use<'i, K, R> {
        self.0.get(value).into_iter().flatten()
    }

    /// The values that some row has, in no order.
    pub(super) fn values(&self) -> impl Iterator<Item = &K> {
        self.0.keys()
    }

    /// The number of pairs of a value and a row.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.values().map(BTreeSet::len).sum()
    }
}

impl<K, R> Default for SecondaryIndex<K, R> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}
