use proptest::prelude::*;

use crate::directory::engine::bitmap_index::BitmapIndex;
use crate::directory::engine::selection::Selection;

proptest! {
    /// Covers both forms of a posting list: of up to 300 records, values of fewer than 10 records
    /// are sparse.
    #[test]
    fn a_value_finds_its_records_whether_they_are_few_or_many(
        values in proptest::collection::vec(prop_oneof![4 => Just(Some(0)), 4 => Just(None), 1 => (1..40_i64).prop_map(Some)], 0..300),
    ) {
        let index = BitmapIndex::<i64>::new::<i64, _>(values.len(), values.iter().copied());
        let chosen = |change: &dyn Fn(&mut Selection)| {
            let mut selected = Selection::all(values.len());
            change(&mut selected);
            selected.ranked(0..selected.count()).collect::<Vec<_>>()
        };
        for value in 0..41 {
            let (found, others): (Vec<_>, Vec<_>) = (0..values.len()).partition(|at| values[*at] == Some(value));
            let third = |at: &usize| at.is_multiple_of(3);
            prop_assert_eq!(index.contains(&value), !found.is_empty());
            prop_assert_eq!(index.positions(value), &found[..]);
            prop_assert_eq!(chosen(&|selected| index.keep(&value, selected)), &found[..]);
            prop_assert_eq!(chosen(&|selected| index.exclude(&value, selected)), &others[..]);
            let kept = chosen(&|selected| { selected.retain(|at| third(&at)); index.keep(&value, selected) });
            prop_assert_eq!(kept, found.iter().copied().filter(third).collect::<Vec<_>>());
            let left = chosen(&|selected| { selected.retain(|at| third(&at)); index.exclude(&value, selected) });
            prop_assert_eq!(left, others.iter().copied().filter(third).collect::<Vec<_>>());
        }
    }
}
