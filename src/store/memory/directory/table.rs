use std::collections::BTreeMap;

/// Rows by their keys, which can be put back to where they were when the table was last settled.
pub(super) struct Table<K, V> {
    rows: BTreeMap<K, V>,
    /// What was there before each change since then, the latest last.
    before: Vec<(K, Option<V>)>,
    revision: u64,
}

impl<K, V> Default for Table<K, V> {
    fn default() -> Self {
        Self { rows: BTreeMap::new(), before: Vec::new(), revision: 0 }
    }
}

impl<K: Clone + Ord, V: Clone> Table<K, V> {
    /// Grows whenever a change is settled.
    pub(super) const fn revision(&self) -> u64 {
        self.revision
    }

    pub(super) fn row(&self, key: &K) -> Option<&V> {
        self.rows.get(key)
    }

    /// The rows in the order of their keys.
    pub(super) fn rows(&self) -> impl Iterator<Item = &V> {
        self.rows.values()
    }

    pub(super) fn put(&mut self, key: K, row: V) {
        let old = self.rows.insert(key.clone(), row);
        self.before.push((key, old));
    }

    /// Changes a row, if it is there.
    pub(super) fn change(&mut self, key: &K, change: impl FnOnce(&mut V)) {
        if let Some(row) = self.rows.get_mut(key) {
            self.before.push((key.clone(), Some(row.clone())));
            change(row);
        }
    }

    pub(super) fn remove(&mut self, key: &K) {
        if let Some(old) = self.rows.remove(key) {
            self.before.push((key.clone(), Some(old)));
        }
    }

    /// Makes the changes lasting.
    pub(super) fn settle(&mut self) {
        if !self.before.is_empty() {
            self.before.clear();
            self.revision += 1;
        }
    }

    /// Takes the changes back.
    pub(super) fn take_back(&mut self) {
        while let Some((key, old)) = self.before.pop() {
            match old {
                Some(row) => self.rows.insert(key, row),
                None => self.rows.remove(&key),
            };
        }
    }
}
