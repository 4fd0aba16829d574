use memchr::memmem::Finder;

use super::record_table::{Moves, RecordTable, narrow};
use super::selection::Selection;
use crate::domain::{Needle, fold};

/// A text of every record, folded, end to end.
#[derive(Default)]
pub(super) struct TextIndex {
    folded: String,
    ends: Vec<u32>,
}

impl TextIndex {
    /// Folds a text of every record; what `before` has of a record that was taken over is not folded again.
    pub(super) fn new<T: PartialEq>((table, moves): (&RecordTable<T>, &Moves), before: &Self, text: impl Fn(&T) -> Option<&str>) -> Self {
        let new = table.values().zip(moves.origins()).filter(|(_, origin)| origin.is_none()).filter_map(|(value, _)| text(value));
        let length = before.folded.len() + new.map(str::len).sum::<usize>();
        let mut index = Self { folded: String::with_capacity(length), ends: Vec::with_capacity(table.len()) };
        for (value, origin) in table.values().zip(moves.origins()) {
            match (origin, text(value)) {
                (Some(origin), _) => index.folded.push_str(before.at(origin)),
                (None, Some(text)) => index.folded.push_str(&fold(text)),
                // A needle is never empty, so what is missing is never found.
                (None, None) => {}
            }
            index.ends.push(narrow(index.folded.len()));
        }
        index.folded.shrink_to_fit();
        index
    }

    /// Keeps those whose text has the needle in it.
    pub(super) fn keep(&self, needle: &Needle, selected: &mut Selection) {
        if selected.count() < self.ends.len() / 8 {
            selected.retain(|position| needle.is_in(self.at(position)));
        } else {
            selected.keep_only(self.positions_with(needle));
        }
    }

    /// The positions of the texts that have the needle in them, in ascending order: all texts are searched as one.
    fn positions_with(&self, needle: &Needle) -> impl Iterator<Item = usize> {
        let (needle, finder) = (needle.as_str().len(), Finder::new(needle.as_str()));
        let (mut position, mut start) = (0, 0);
        std::iter::from_fn(move || {
            loop {
                let found = start + finder.find(&self.folded.as_bytes()[start..])?;
                position += self.ends[position..].iter().take_while(|end| **end as usize <= found).count();
                let end = self.ends[position] as usize;
                if found + needle <= end {
                    start = end;
                    return Some(position);
                }
                // It begins in this text and ends in another, and so would one that begins later in this text.
                start = end;
            }
        })
    }

    /// The positions in the order of their folded texts.
    pub(super) fn sorted(&self) -> Vec<u32> {
        self.sort((0..).take(self.ends.len()).collect())
    }

    /// The same, made of those `before` the records moved.
    pub(super) fn resorted(&self, before: &[u32], moves: &Moves) -> Vec<u32> {
        let kept = before.iter().filter_map(|position| moves.new_position(*position));
        self.sort(kept.chain(moves.changed().map(narrow)).collect())
    }

    /// Takes little time where most are in order already.
    fn sort(&self, mut positions: Vec<u32>) -> Vec<u32> {
        positions.sort_by_key(|position| self.at(*position as usize));
        positions
    }

    pub(super) fn at(&self, position: usize) -> &str {
        let start = position.checked_sub(1).map_or(0, |previous| self.ends[previous]);
        &self.folded[start as usize..self.ends[position] as usize]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn all_texts_searched_as_one_are_found_as_each_is(texts in proptest::collection::vec("[ab가]{0,4}", 0..40), needle in "[ab가]{1,3}") {
            let folded = texts.concat();
            let end = |at: usize| texts[..=at].iter().map(String::len).sum::<usize>() as u32;
            let index = TextIndex { folded, ends: (0..texts.len()).map(end).collect() };
            let found: Vec<_> = index.positions_with(&Needle::new(&needle).unwrap()).collect();
            let expected: Vec<_> = (0..texts.len()).filter(|at| texts[*at].contains(&needle)).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
