use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

use fixedbitset::FixedBitSet;

use super::selection::Selection;

/// For each value which records have it.
pub(super) struct ValueIndex<K>(HashMap<K, Positions>);

/// The positions of records, in the form that takes less memory.
enum Positions {
    Few(Vec<u32>),
    Many(FixedBitSet),
}

impl<K: Hash + Eq> ValueIndex<K> {
    /// The index of `len` records by their values.
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
        Self(lists.into_iter().map(|(value, list)| (value, Positions::new(len, list))).collect())
    }

    /// Keeps the records with this value.
    pub(super) fn keep<Q: Hash + Eq + ?Sized>(&self, value: &Q, selected: &mut Selection)
    where
        K: Borrow<Q>,
    {
        match self.0.get(value) {
            Some(Positions::Many(positions)) => selected.keep(positions),
            Some(Positions::Few(positions)) => selected.keep_only(positions.iter().map(|position| *position as usize)),
            None => selected.keep_only(std::iter::empty()),
        }
    }

    /// Rules out the records with this value.
    pub(super) fn exclude<Q: Hash + Eq + ?Sized>(&self, value: &Q, selected: &mut Selection)
    where
        K: Borrow<Q>,
    {
        match self.0.get(value) {
            Some(Positions::Many(positions)) => selected.exclude(positions),
            Some(Positions::Few(positions)) => selected.exclude(&positions.iter().map(|position| *position as usize).collect()),
            None => {}
        }
    }

    /// Whether any record has this value.
    pub(super) fn has<Q: Hash + Eq + ?Sized>(&self, value: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.contains_key(value)
    }
}

impl ValueIndex<i64> {
    /// The records with this value, in ascending order.
    pub(super) fn positions(&self, value: i64) -> Vec<usize> {
        match self.0.get(&value) {
            Some(Positions::Few(positions)) => positions.iter().map(|position| *position as usize).collect(),
            Some(Positions::Many(positions)) => positions.ones().collect(),
            None => Vec::new(),
        }
    }
}

impl<K> Default for ValueIndex<K> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl Positions {
    fn new(len: usize, list: Vec<u32>) -> Self {
        if list.len() * 32 < len { Self::Few(list) } else { Self::Many(list.iter().map(|position| *position as usize).collect()) }
    }
}
