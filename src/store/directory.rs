use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;

use super::StorageError;
use crate::domain::{
    Club, ClubId, Lesson, Meal, Project, ProjectId, SchoolEvent, Student, StudentId,
};

/// Stores the school's records and the log of their changes.
///
/// A store checks no rules between records and answers no queries: the directory does both, over
/// any store. The store guarantees that a write is atomic and that every read sees one state.
#[async_trait]
pub trait DirectoryStore: Debug + Send + Sync + 'static {
    /// Returns the current version of the records.
    async fn directory_version(&self) -> Result<DatasetVersion, StorageError>;

    /// Returns every record, the ids of the removed ones, and the marks of all versions, in one
    /// consistent read.
    ///
    /// Rows come in ascending order of id within each kind. A SQL store reads ranges of ids in one
    /// transaction, so that its own rows and the records are not in memory at the same time.
    async fn load_directory(&self) -> Result<DirectoryRows, StorageError>;

    /// Returns every row that changed after `since`, in its current state, and the marks of the
    /// versions after `since`, in one consistent read.
    ///
    /// `None` if the store does not have the version `since`: it has another lineage, a smaller
    /// number, or another mark. The caller then loads everything.
    async fn directory_changes(
        &self,
        since: DatasetVersion,
    ) -> Result<Option<DirectoryRows>, StorageError>;

    /// Compare-and-swap: writes all rows of `change` and makes `change.version` the current
    /// version, if the current version is `expected`. Otherwise it writes nothing.
    ///
    /// Rows with a value are inserted or replaced; rows without one are removed, and removing a row
    /// that does not exist is no error. The rows are consistent with each other and with
    /// `expected`, but in any order: a club that a student names is in the store or anywhere in the
    /// change. Each row's [`changed`](DirectoryRow::changed) is stored, also that of a removed row.
    async fn write_directory(
        &self,
        expected: DatasetVersion,
        change: Arc<DirectoryRows>,
    ) -> Result<DirectoryWrite, StorageError>;
}

/// A version of the school's records. Each successful write creates the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DatasetVersion {
    /// Identifies the dataset: a random number that is created with the store. A new store, or one
    /// whose tables were changed by hand, has another lineage.
    pub lineage: u64,
    /// The number of writes so far.
    pub number: u64,
    /// A random number for each version. After a backup is restored, a version number is used a
    /// second time, with another mark.
    pub mark: u64,
}

/// Records and removed ids with the version in which each last changed.
///
/// A record also counts as changed when a record changes that its JSON includes: a student includes
/// the names of two clubs, a club its members, a project its club and participants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectoryRows {
    /// The version whose state these rows have.
    pub version: DatasetVersion,
    /// Numbers and marks of versions, in ascending order of number.
    pub marks: Vec<(u64, u64)>,
    /// Students.
    pub students: Vec<DirectoryRow<StudentId, Student>>,
    /// Clubs.
    pub clubs: Vec<DirectoryRow<ClubId, Club>>,
    /// Projects.
    pub projects: Vec<DirectoryRow<ProjectId, Project>>,
    /// Meals, by [`Meal::id`].
    pub meals: Vec<DirectoryRow<String, Meal>>,
    /// Events of the school calendar.
    pub events: Vec<DirectoryRow<String, SchoolEvent>>,
    /// Periods of timetables.
    pub lessons: Vec<DirectoryRow<String, Lesson>>,
}

impl DirectoryRows {
    /// No rows, at this version.
    pub const fn empty(version: DatasetVersion) -> Self {
        Self {
            version,
            marks: Vec::new(),
            students: Vec::new(),
            clubs: Vec::new(),
            projects: Vec::new(),
            meals: Vec::new(),
            events: Vec::new(),
            lessons: Vec::new(),
        }
    }

    /// The number of records, without the removed ones.
    pub fn record_count(&self) -> usize {
        fn count<I, T>(rows: &[DirectoryRow<I, T>]) -> usize {
            rows.iter().filter(|row| row.value.is_some()).count()
        }
        let linked = count(&self.students) + count(&self.clubs) + count(&self.projects);
        linked + count(&self.meals) + count(&self.events) + count(&self.lessons)
    }

    /// Whether there are no rows.
    pub const fn is_empty(&self) -> bool {
        self.students.is_empty()
            && self.clubs.is_empty()
            && self.projects.is_empty()
            && self.meals.is_empty()
            && self.events.is_empty()
            && self.lessons.is_empty()
    }
}

/// A record, or the id of a removed one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectoryRow<I, T> {
    /// The record's id.
    pub id: I,
    /// The number of the version in which it last changed.
    pub changed: u64,
    /// The record; `None` if it was removed.
    pub value: Option<T>,
}

/// Result of writing the directory; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum DirectoryWrite {
    /// The rows are written and the directory has the new version.
    Written,
    /// The directory is no longer at the expected version. Nothing was written.
    Conflict,
}
