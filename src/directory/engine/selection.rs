use std::ops::Range;

use fixedbitset::FixedBitSet;

/// The positions of a table that a query has not excluded. No set is allocated until one is
/// excluded.
pub(super) struct Selection {
    len: usize,
    chosen: Option<FixedBitSet>,
}

impl Selection {
    /// Selects every position of a table with `len` records.
    pub(super) const fn all(len: usize) -> Self {
        Self { len, chosen: None }
    }

    pub(super) fn keep(&mut self, positions: &FixedBitSet) {
        match &mut self.chosen {
            Some(chosen) => chosen.intersect_with(positions),
            None => self.chosen = Some(positions.clone()),
        }
    }

    pub(super) fn keep_only(&mut self, positions: impl Iterator<Item = usize>) {
        let mut kept = FixedBitSet::with_capacity(self.len);
        positions
            .filter(|position| self.contains(*position))
            .for_each(|position| kept.insert(position));
        self.chosen = Some(kept);
    }

    pub(super) fn exclude(&mut self, positions: &FixedBitSet) {
        self.materialised().difference_with(positions);
    }

    /// Excludes the positions for which `holds` returns false.
    pub(super) fn retain(&mut self, holds: impl Fn(usize) -> bool) {
        let mut kept = FixedBitSet::with_capacity(self.len);
        match &self.chosen {
            Some(chosen) => chosen
                .ones()
                .filter(|position| holds(*position))
                .for_each(|position| kept.insert(position)),
            None => (0..self.len)
                .filter(|position| holds(*position))
                .for_each(|position| kept.insert(position)),
        }
        self.chosen = Some(kept);
    }

    pub(super) fn count(&self) -> usize {
        self.chosen
            .as_ref()
            .map_or(self.len, |chosen| chosen.count_ones(..))
    }

    /// Returns the positions with these ranks, in ascending order. The ranks must exist.
    pub(super) fn ranked(&self, ranks: Range<usize>) -> impl Iterator<Item = usize> {
        let (from, skipped) = self
            .chosen
            .as_ref()
            .map_or((ranks.start, 0), |chosen| seek_rank(chosen, ranks.start));
        (from..self.len)
            .filter(|position| self.contains(*position))
            .skip(skipped)
            .take(ranks.len())
    }

    /// Returns the selected positions of `order`, from the `range.start`th to the `range.end`th.
    pub(super) fn page_in_order(
        &self,
        order: impl Iterator<Item = usize>,
        range: Range<usize>,
    ) -> impl Iterator<Item = usize> {
        // Without a selection the order is skipped in one step instead of position by position.
        let (start, skip) = if self.chosen.is_none() {
            (range.start, 0)
        } else {
            (0, range.start)
        };
        order
            .skip(start)
            .filter(|position| self.contains(*position))
            .skip(skip)
            .take(range.len())
    }

    pub(super) fn contains(&self, position: usize) -> bool {
        self.chosen
            .as_ref()
            .is_none_or(|chosen| chosen.contains(position))
    }

    fn materialised(&mut self) -> &mut FixedBitSet {
        self.chosen.get_or_insert_with(|| {
            let mut all = FixedBitSet::with_capacity(self.len);
            all.insert_range(..);
            all
        })
    }
}

/// Returns a position shortly before the one with this rank, and the number of chosen positions
/// between them. Binary search that counts each part of the set at most once.
fn seek_rank(chosen: &FixedBitSet, rank: usize) -> (usize, usize) {
    let (mut low, mut high, mut left) = (0, chosen.len(), rank);
    while high - low > 64 {
        let middle = low + (high - low) / 2;
        let before = chosen.count_ones(low..middle);
        if left < before {
            high = middle;
        } else {
            low = middle;
            left -= before;
        }
    }
    (low, left)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn everything_is_selected_at_first() {
        let mut selected = Selection::all(3);
        assert_eq!(
            (selected.count(), selected.ranked(1..3).collect::<Vec<_>>()),
            (3, vec![1, 2])
        );
        selected.keep_only([2].into_iter());
        assert_eq!(
            (selected.count(), selected.ranked(0..1).collect::<Vec<_>>()),
            (1, vec![2])
        );
    }

    #[test]
    fn excluded_positions_stay_excluded() {
        let mut selected = Selection::all(10);
        selected.retain(|position| position % 2 == 0);
        selected.keep_only([1, 2, 3, 4].into_iter());
        selected.exclude(&[4].into_iter().collect());
        assert_eq!(selected.ranked(0..1).collect::<Vec<_>>(), [2]);
        assert_eq!(selected.count(), 1);
    }

    proptest! {
        #[test]
        fn ranks_are_found_in_sets_of_any_density(len in 1..2000_usize, every in 1..300_usize, start in 0..2000_usize, size in 0..50_usize) {
            let mut selected = Selection::all(len);
            selected.retain(|position| position % every == 0);
            let expected: Vec<_> = (0..len).step_by(every).collect();
            let start = start.min(expected.len());
            let end = (start + size).min(expected.len());
            prop_assert_eq!(selected.count(), expected.len());
            prop_assert_eq!(selected.ranked(start..end).collect::<Vec<_>>(), &expected[start..end]);
            let backwards: Vec<_> = expected.iter().rev().copied().collect();
            prop_assert_eq!(selected.page_in_order((0..len).rev(), start..end).collect::<Vec<_>>(), &backwards[start..end]);
        }
    }
}
