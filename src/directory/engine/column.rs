use super::selection::Selection;
use super::shelf::{Identified, Moves, Shelf};
use crate::domain::{Needle, fold};

/// One text of every record, folded, end to end.
#[derive(Default)]
pub(super) struct Column {
    folded: String,
    ends: Vec<usize>,
}

impl Column {
    /// Folds a text of every record; what `before` has of a record that was taken over is not folded again.
    pub(super) fn new<T: Identified>((shelf, moves): (&Shelf<T>, &Moves), before: &Self, text: impl Fn(&T) -> Option<&str>) -> Self {
        let mut column = Self { folded: String::with_capacity(before.folded.len()), ends: Vec::with_capacity(shelf.len()) };
        for (value, origin) in shelf.values().zip(moves.origins()) {
            match (origin, text(value)) {
                (Some(origin), _) => column.folded.push_str(before.at(origin)),
                (None, Some(text)) => column.folded.push_str(&fold(text)),
                // A needle is never empty, so what is missing is never found.
                (None, None) => {}
            }
            column.ends.push(column.folded.len());
        }
        column
    }

    /// Keeps those whose text has the needle in it, if one is wanted.
    pub(super) fn keep(&self, wanted: Option<&Needle>, selected: &mut Selection) {
        if let Some(needle) = wanted {
            selected.retain(|position| needle.is_in(self.at(position)));
        }
    }

    /// The positions in the order of their folded texts.
    pub(super) fn sorted(&self) -> Vec<u32> {
        let mut positions: Vec<u32> = (0..).take(self.ends.len()).collect();
        positions.sort_by_key(|position| self.at(*position as usize));
        positions
    }

    pub(super) fn at(&self, position: usize) -> &str {
        let start = position.checked_sub(1).map_or(0, |previous| self.ends[previous]);
        &self.folded[start..self.ends[position]]
    }
}
