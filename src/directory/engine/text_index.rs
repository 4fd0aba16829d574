use memchr::memmem::Finder;

use super::record_table::{PositionMap, RecordTable, narrow};
use super::selection::Selection;
use crate::domain::{SearchTerm, fold_case};

/// The folded text of every record, concatenated.
#[derive(Default)]
pub(super) struct TextIndex {
    folded: String,
    ends: Vec<u32>,
}

impl TextIndex {
    /// Builds the index; the folded texts of unchanged records are copied from `before`.
    pub(super) fn new<T: PartialEq>(
        (table, position_map): (&RecordTable<T>, &PositionMap),
        before: &Self,
        text: impl Fn(&T) -> Option<&str>,
    ) -> Self {
        let new = table
            .values()
            .zip(position_map.origins())
            .filter(|(_, origin)| origin.is_none())
            .filter_map(|(value, _)| text(value));
        let length = before.folded.len() + new.map(str::len).sum::<usize>();
        let mut index = Self {
            folded: String::with_capacity(length),
            ends: Vec::with_capacity(table.len()),
        };
        for (value, origin) in table.values().zip(position_map.origins()) {
            match (origin, text(value)) {
                (Some(origin), _) => index.folded.push_str(before.text(origin)),
                (None, Some(text)) => index.folded.push_str(&fold_case(text)),
                // A search term is never empty, so it does not match a missing text.
                (None, None) => {}
            }
            index.ends.push(narrow(index.folded.len()));
        }
        index.folded.shrink_to_fit();
        index
    }

    /// Keeps the records whose text contains the term.
    pub(super) fn keep(&self, term: &SearchTerm, selected: &mut Selection) {
        if selected.count() < self.ends.len() / 8 {
            selected.retain(|position| term.matches(self.text(position)));
        } else {
            selected.keep_only(self.positions_with(term));
        }
    }

    /// Returns the positions of the texts that contain the term, in ascending order. All texts are
    /// searched as one.
    fn positions_with(&self, term: &SearchTerm) -> impl Iterator<Item = usize> {
        let (term, finder) = (term.as_str().len(), Finder::new(term.as_str()));
        let (mut position, mut start) = (0, 0);
        std::iter::from_fn(move || {
            loop {
                let found = start + finder.find(&self.folded.as_bytes()[start..])?;
                position += self.ends[position..]
                    .iter()
                    .take_while(|end| **end as usize <= found)
                    .count();
                let end = self.ends[position] as usize;
                if found + term <= end {
                    start = end;
                    return Some(position);
                }
                // The match crosses the end of this text, and so would any later match that starts
                // in it.
                start = end;
            }
        })
    }

    /// Returns the positions sorted by their folded texts.
    pub(super) fn sorted(&self) -> Vec<u32> {
        self.sort((0..).take(self.ends.len()).collect())
    }

    /// Returns the positions sorted by their folded texts, from the order `before` the change.
    pub(super) fn resorted(&self, before: &[u32], position_map: &PositionMap) -> Vec<u32> {
        let kept = before
            .iter()
            .filter_map(|position| position_map.new_position(*position));
        self.sort(kept.chain(position_map.changed().map(narrow)).collect())
    }

    /// Sorts positions by their folded texts; fast if most are in order already.
    fn sort(&self, mut positions: Vec<u32>) -> Vec<u32> {
        positions.sort_by_key(|position| self.text(*position as usize));
        positions
    }

    /// Returns the folded text at a position.
    pub(super) fn text(&self, position: usize) -> &str {
        let start = position
            .checked_sub(1)
            .map_or(0, |previous| self.ends[previous]);
        &self.folded[start as usize..self.ends[position] as usize]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn all_texts_searched_as_one_are_found_as_each_is(texts in proptest::collection::vec("[ab가]{0,4}", 0..40), term in "[ab가]{1,3}") {
            let folded = texts.concat();
            let end = |at: usize| texts[..=at].iter().map(String::len).sum::<usize>() as u32;
            let index = TextIndex { folded, ends: (0..texts.len()).map(end).collect() };
            let found: Vec<_> = index.positions_with(&SearchTerm::new(&term).unwrap()).collect();
            let expected: Vec<_> = (0..texts.len()).filter(|at| texts[*at].contains(&term)).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
