use std::collections::HashMap;
use std::hash::Hash;

use fixedbitset::FixedBitSet;

use super::selection::Selection;
use super::shelf::{Identified, Shelf};

/// For each value of something that has few of them, which records have it.
pub(super) struct Facet<K>(HashMap<K, FixedBitSet>);

/// For each value of something that may have many of them, which records have it.
pub(super) struct Postings<K>(HashMap<K, Vec<u32>>);

impl<K: Copy + Eq + Hash> Facet<K> {
    pub(super) fn new<T: Identified>(shelf: &Shelf<T>, key: impl Fn(&T) -> Option<K>) -> Self {
        let mut sets = HashMap::new();
        for (position, key) in shelf.values().map(key).enumerate() {
            if let Some(key) = key {
                sets.entry(key).or_insert_with(|| FixedBitSet::with_capacity(shelf.len())).insert(position);
            }
        }
        Self(sets)
    }

    /// Keeps those with the wanted value, if one is wanted.
    pub(super) fn keep(&self, wanted: Option<K>, selected: &mut Selection) {
        match wanted.map(|key| self.0.get(&key)) {
            Some(Some(positions)) => selected.keep(positions),
            Some(None) => selected.keep_only(std::iter::empty()),
            None => {}
        }
    }

    /// Whether any has this value.
    pub(super) fn has(&self, key: K) -> bool {
        self.0.contains_key(&key)
    }

    /// Excludes those with this value.
    pub(super) fn exclude(&self, unwanted: K, selected: &mut Selection) {
        if let Some(positions) = self.0.get(&unwanted) {
            selected.exclude(positions);
        }
    }
}

impl<K: Copy + Eq + Hash> Postings<K> {
    pub(super) fn new<T: Identified>(shelf: &Shelf<T>, key: impl Fn(&T) -> Option<K>) -> Self {
        let mut lists: HashMap<K, Vec<u32>> = HashMap::new();
        for (position, key) in (0..).zip(shelf.values().map(key)) {
            if let Some(key) = key {
                lists.entry(key).or_default().push(position);
            }
        }
        Self(lists)
    }

    /// Keeps those with the wanted value, if one is wanted.
    pub(super) fn keep(&self, wanted: Option<K>, selected: &mut Selection) {
        if let Some(key) = wanted {
            selected.keep_only(self.positions(key));
        }
    }

    /// Those with this value, in ascending order.
    pub(super) fn positions(&self, key: K) -> impl Iterator<Item = usize> {
        self.0.get(&key).into_iter().flatten().map(|position| *position as usize)
    }
}

impl<K> Default for Facet<K> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<K> Default for Postings<K> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}
