use std::sync::Arc;

use super::changes::Cursor;
use crate::store::DatasetVersion;

/// The numbers of versions and their marks, in ascending order of number.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Marks(Arc<Vec<(u64, u64)>>);

impl Marks {
    /// These marks and those of later versions.
    pub(super) fn and(&self, later: impl IntoIterator<Item = (u64, u64)>) -> Self {
        let mut marks = Vec::clone(&self.0);
        let last = marks.last().map(|(number, _)| *number);
        marks.extend(later.into_iter().filter(|(number, _)| last.is_none_or(|last| *number > last)));
        Self(Arc::new(marks))
    }

    /// The marks of this version and later ones.
    pub(super) fn since(&self, oldest: u64) -> Self {
        let from = self.0.partition_point(|(number, _)| *number < oldest);
        if from == 0 { self.clone() } else { Self(Arc::new(self.0[from..].to_vec())) }
    }

    /// The mark of a version.
    pub(super) fn of(&self, number: u64) -> Option<u64> {
        self.0.binary_search_by_key(&number, |(number, _)| *number).ok().map(|at| self.0[at].1)
    }
}

/// The versions that a snapshot knows.
#[derive(Clone, Copy)]
pub(crate) struct History<'a> {
    pub(super) present: DatasetVersion,
    pub(super) marks: &'a Marks,
}

impl History<'_> {
    /// Whether the directory was once at this version.
    pub(super) fn knows(self, version: DatasetVersion) -> bool {
        version.lineage == self.present.lineage
            && version.number <= self.present.number
            && self.marks.of(version.number) == Some(version.mark)
    }

    /// After which change a reader goes on; `None` if the cursor is of no version that is known.
    pub(super) fn start(self, since: Option<Cursor>) -> Option<(u64, i64)> {
        let Some(cursor) = since else { return Some((0, 0)) };
        self.knows(cursor.version()).then(|| (cursor.version().number, cursor.id()))
    }

    /// Where a reader goes on after this change, or after everything.
    pub(super) fn cursor_after(self, last: Option<(u64, i64)>) -> Cursor {
        let Some((number, id)) = last else { return Cursor::new(self.present, i64::MAX) };
        // Rows whose version has no mark are counted as changed in version 0 when they are loaded.
        Cursor::new(DatasetVersion { number, mark: self.marks.of(number).unwrap_or_default(), ..self.present }, id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_of_another_lineage_of_the_future_or_with_another_mark_is_unknown() {
        let marks = Marks::default().and([(0, 10), (4, 14), (5, 15)]);
        let present = DatasetVersion { lineage: 7, number: 5, mark: 15 };
        let history = History { present, marks: &marks };
        assert_eq!(history.start(None), Some((0, 0)));
        for (lineage, number, mark, known) in [
            (7, 5, 15, true),
            (7, 0, 10, true),
            (7, 4, 14, true),
            (7, 4, 15, false),
            (7, 3, 0, false),
            (7, 6, 15, false),
            (8, 5, 15, false),
        ] {
            let version = DatasetVersion { lineage, number, mark };
            assert_eq!(history.start(Some(Cursor::new(version, 3))), known.then_some((number, 3)), "{version:?}");
        }
    }

    #[test]
    fn marks_of_versions_that_are_known_stay_as_they_are() {
        let marks = Marks::default().and([(1, 11)]).and([(1, 99), (2, 12)]);
        assert_eq!((marks.of(1), marks.of(2), marks.of(3)), (Some(11), Some(12), None));
    }
}
