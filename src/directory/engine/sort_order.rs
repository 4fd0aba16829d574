use super::record_table::{PositionMap, RecordTable, narrow};

/// The positions of a table, sorted by a key. Ties are in id order, and records without a key come
/// last.
pub(super) struct SortOrder {
    sorted: Vec<u32>,
    without_value: Vec<u32>,
}

impl SortOrder {
    pub(super) fn new<'a, T: PartialEq, K: Ord>(
        table: &'a RecordTable<T>,
        key: impl Fn(&'a T) -> Option<K>,
    ) -> Self {
        let (keyed, without_value) = keyed(
            (0..table.len()).map(|position| (position, table.value(position))),
            key,
        );
        Self {
            sorted: keyed.into_iter().map(|(_, position)| position).collect(),
            without_value,
        }
    }

    /// Returns the order for a new table: sorts the changed records and merges them with the
    /// unchanged ones, which are still in order.
    pub(super) fn with_changes<'a, T: PartialEq, K: Ord>(
        &self,
        table: &'a RecordTable<T>,
        position_map: &PositionMap,
        key: impl Fn(&'a T) -> Option<K> + Copy,
    ) -> Self {
        let changed = position_map
            .changed()
            .map(|position| (position, table.value(position)));
        let (changed, changed_without_value) = keyed(changed, key);
        let kept = |positions: &[u32]| {
            positions
                .iter()
                .filter_map(|position| position_map.new_position(*position))
                .collect::<Vec<u32>>()
        };
        let mut sorted = Vec::with_capacity(self.sorted.len() + changed.len());
        let mut changed = changed.into_iter().peekable();
        for position in kept(&self.sorted) {
            if changed.peek().is_some() {
                let next_kept = (key(table.value(position as usize)), position);
                while let Some((_, position)) = changed.next_if(|(key, position)| {
                    (Some(key), *position) < (next_kept.0.as_ref(), next_kept.1)
                }) {
                    sorted.push(position);
                }
            }
            sorted.push(position);
        }
        sorted.extend(changed.map(|(_, position)| position));
        let mut without_value = kept(&self.without_value);
        without_value.extend(changed_without_value);
        without_value.sort();
        Self {
            sorted,
            without_value,
        }
    }

    pub(super) fn ascending(&self) -> impl Iterator<Item = usize> {
        self.sorted
            .iter()
            .chain(&self.without_value)
            .map(|position| *position as usize)
    }

    /// The positions in descending order. Ties are reversed too; records without a key stay last.
    pub(super) fn descending(&self) -> impl Iterator<Item = usize> {
        self.sorted
            .iter()
            .rev()
            .chain(self.without_value.iter().rev())
            .map(|position| *position as usize)
    }
}

/// Returns the positions with a key, sorted by it, and those without one.
fn keyed<'a, T: 'a, K: Ord>(
    values: impl Iterator<Item = (usize, &'a T)>,
    key: impl Fn(&'a T) -> Option<K>,
) -> (Vec<(K, u32)>, Vec<u32>) {
    let mut keyed = Vec::with_capacity(values.size_hint().0);
    let mut without_value = Vec::new();
    for (position, value) in values {
        match key(value) {
            Some(key) => keyed.push((key, narrow(position))),
            None => without_value.push(narrow(position)),
        }
    }
    keyed.sort_unstable();
    (keyed, without_value)
}
