use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

use fixedbitset::FixedBitSet;

use super::selection::Selection;

/// The positions of the records with each value.
pub(super) struct BitmapIndex<K>(HashMap<K, PostingList>);

/// Positions of records, in the form that takes less memory.
enum PostingList {
    Sparse(Vec<u32>),
    Dense(FixedBitSet),
}

impl<K: Hash + Eq> BitmapIndex<K> {
    /// Builds the index of `len` records from their values.
    pub(super) fn new<Q, V>(len: usize, values: impl Iterator<Item = Option<V>>) -> Self
    where
        Q: Hash + Eq + ?Sized,
        K: Borrow<Q>,
        V: Borrow<Q> + Into<K>,
    {
        let mut lists: HashMap<K, Vec<u32>> = HashMap::new();
        for (position, value) in (0..).zip(values) {
            let Some(value) = value else { continue };
            match lists.get_mut(value.borrow()) {
                Some(list) => list.push(position),
                None => _ = lists.insert(value.into(), vec![position]),
            }
        }
        Self(
            lists
                .into_iter()
                .map(|(value, list)| (value, PostingList::new(len, list)))
                .collect(),
        )
    }

    /// Keeps the records with this value.
    pub(super) fn keep<Q: Hash + Eq + ?Sized>(&self, value: &Q, selected: &mut Selection)
    where
        K: Borrow<Q>,
    {
        match self.0.get(value) {
            Some(PostingList::Dense(positions)) => selected.keep(positions),
            Some(PostingList::Sparse(positions)) => {
                selected.keep_only(positions.iter().map(|position| *position as usize))
            }
            None => selected.keep_only(std::iter::empty()),
        }
    }

    /// Excludes the records with this value.
    pub(super) fn exclude<Q: Hash + Eq + ?Sized>(&self, value: &Q, selected: &mut Selection)
    where
        K: Borrow<Q>,
    {
        match self.0.get(value) {
            Some(PostingList::Dense(positions)) => selected.exclude(positions),
            Some(PostingList::Sparse(positions)) => selected.exclude(
                &positions
                    .iter()
                    .map(|position| *position as usize)
                    .collect(),
            ),
            None => {}
        }
    }

    /// Whether any record has this value.
    pub(super) fn contains<Q: Hash + Eq + ?Sized>(&self, value: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.contains_key(value)
    }
}

impl BitmapIndex<i64> {
    /// Returns the positions of the records with this value, in ascending order.
    pub(super) fn positions(&self, value: i64) -> Vec<usize> {
        match self.0.get(&value) {
            Some(PostingList::Sparse(positions)) => positions
                .iter()
                .map(|position| *position as usize)
                .collect(),
            Some(PostingList::Dense(positions)) => positions.ones().collect(),
            None => Vec::new(),
        }
    }
}

impl<K> Default for BitmapIndex<K> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl PostingList {
    fn new(len: usize, list: Vec<u32>) -> Self {
        if list.len() * 32 < len {
            Self::Sparse(list)
        } else {
            Self::Dense(list.iter().map(|position| *position as usize).collect())
        }
    }
}
