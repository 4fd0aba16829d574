//! The current and earlier versions of a snapshot, and cursors at them.

use std::sync::Arc;

use super::delta::Cursor;
use crate::store::DatasetVersion;

/// Numbers of versions and their [marks](DatasetVersion::mark), in ascending order of number.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct KnownVersions(Arc<Vec<(u64, u64)>>);

impl KnownVersions {
    /// Adds the marks of later versions.
    pub(super) fn with_later(&self, later: impl IntoIterator<Item = (u64, u64)>) -> Self {
        let mut versions = Vec::clone(&self.0);
        let last = versions.last().map(|(number, _)| *number);
        versions.extend(
            later
                .into_iter()
                .filter(|(number, _)| last.is_none_or(|last| *number > last)),
        );
        Self(Arc::new(versions))
    }

    /// Keeps the marks of this version and later ones.
    pub(super) fn starting_at(&self, oldest: u64) -> Self {
        let from = self.0.partition_point(|(number, _)| *number < oldest);
        if from == 0 {
            self.clone()
        } else {
            Self(Arc::new(self.0[from..].to_vec()))
        }
    }

    /// Returns the mark of a version.
    pub(super) fn mark(&self, number: u64) -> Option<u64> {
        self.0
            .binary_search_by_key(&number, |(number, _)| *number)
            .ok()
            .map(|index| self.0[index].1)
    }
}

/// The current version of a snapshot and the earlier ones, for checking and creating cursors.
#[derive(Clone, Copy)]
pub(crate) struct History<'a> {
    pub(super) current: DatasetVersion,
    pub(super) versions: &'a KnownVersions,
}

impl History<'_> {
    /// Whether the directory is or was at this version.
    pub(super) fn knows(self, version: DatasetVersion) -> bool {
        version.lineage == self.current.lineage
            && version.number <= self.current.number
            && self.versions.mark(version.number) == Some(version.mark)
    }

    /// Returns the version and id after which the changes of a cursor continue; `None` if its
    /// version is unknown.
    pub(super) fn resume_after(self, since: Option<Cursor>) -> Option<(u64, i64)> {
        let Some(cursor) = since else {
            return Some((0, 0));
        };
        self.knows(cursor.version())
            .then(|| (cursor.version().number, cursor.id()))
    }

    /// Returns the cursor after this change, or after all changes.
    pub(super) fn cursor_after(self, last: Option<(u64, i64)>) -> Cursor {
        let Some((number, id)) = last else {
            return Cursor::new(self.current, i64::MAX);
        };
        // Rows of a version without a mark count as changed in version 0 when they are loaded.
        Cursor::new(
            DatasetVersion {
                number,
                mark: self.versions.mark(number).unwrap_or_default(),
                ..self.current
            },
            id,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_of_another_lineage_of_the_future_or_with_another_mark_is_unknown() {
        let known = KnownVersions::default().with_later([(0, 10), (4, 14), (5, 15)]);
        let current = DatasetVersion {
            lineage: 7,
            number: 5,
            mark: 15,
        };
        let history = History {
            current,
            versions: &known,
        };
        assert_eq!(history.resume_after(None), Some((0, 0)));
        for (lineage, number, mark, known) in [
            (7, 5, 15, true),
            (7, 0, 10, true),
            (7, 4, 14, true),
            (7, 4, 15, false),
            (7, 3, 0, false),
            (7, 6, 15, false),
            (8, 5, 15, false),
        ] {
            let version = DatasetVersion {
                lineage,
                number,
                mark,
            };
            assert_eq!(
                history.resume_after(Some(Cursor::new(version, 3))),
                known.then_some((number, 3)),
                "{version:?}"
            );
        }
    }

    #[test]
    fn marks_of_versions_that_are_known_stay_as_they_are() {
        let known = KnownVersions::default()
            .with_later([(1, 11)])
            .with_later([(1, 99), (2, 12)]);
        assert_eq!(
            (known.mark(1), known.mark(2), known.mark(3)),
            (Some(11), Some(12), None)
        );
    }
}
