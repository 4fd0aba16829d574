use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;

use super::StorageError;
use crate::domain::{Club, ClubId, Lesson, Meal, Project, ProjectId, SchoolEvent, Student, StudentId};

/// Keeps the records of the school and the log of their changes.
///
/// A store knows no rule between records and answers no list: the directory does both, over any store. What a
/// store owes is that a write is atomic, and that every read sees one state.
#[async_trait]
pub trait DirectoryStore: Debug + Send + Sync + 'static {
    /// The state that the records are in.
    async fn directory_version(&self) -> Result<DatasetVersion, StorageError>;

    /// Every record, the ids of the removed ones, and the marks of all versions, in one consistent read.
    ///
    /// Rows come in ascending order of id within each kind. A SQL store reads parts by ranges of ids in one transaction, so that its own rows and
    /// the records are not held in memory at the same time.
    async fn load_directory(&self) -> Result<DirectoryRows, StorageError>;

    /// Every row that changed after `since`, at its present state, and the marks of the versions after `since`, in one consistent read.
    ///
    /// `None` if the store does not have the version `since`: another lineage, a later number, or another mark. The caller then has to load
    /// everything.
    async fn directory_changes(&self, since: DatasetVersion) -> Result<Option<DirectoryRows>, StorageError>;

    /// Writes all the rows of `change` and makes `change.version` the present version, if the present version is `expected`. Otherwise it writes
    /// nothing.
    ///
    /// Rows with a value are inserted or replaced, rows without are removed; removing what is not there is no error. The rows of a change are
    /// consistent with each other and with `expected`: a club that a student names is in the store or in the change, whatever the order of the
    /// rows. Each row's [`changed`](DirectoryRow::changed) is kept, also that of a removed row.
    async fn write_directory(&self, expected: DatasetVersion, change: Arc<DirectoryRows>) -> Result<Advance, StorageError>;
}

/// One version of the school's records. Each successful write makes the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DatasetVersion {
    /// Identifies the directory: a random number, made with the store. A new store, or one whose tables were changed by hand, has another one.
    pub lineage: u64,
    /// How many writes there were.
    pub number: u64,
    /// A random number, made with each version. After a backup is restored, version 7 is written a second time and has another mark.
    pub mark: u64,
}

/// Records and removed ids with the version in which each last changed.
///
/// What a record shows of other records counts as its own change: a student shows the names of two clubs, a club its members, a project its club
/// and participants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectoryRows {
    /// The version in which the rows are as they are here.
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
    /// No rows, in this version.
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

    /// How many records there are, without those that were removed.
    pub fn records(&self) -> usize {
        fn count<I, T>(rows: &[DirectoryRow<I, T>]) -> usize {
            rows.iter().filter(|row| row.value.is_some()).count()
        }
        let people = count(&self.students) + count(&self.clubs) + count(&self.projects);
        people + count(&self.meals) + count(&self.events) + count(&self.lessons)
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

/// Whether a write of the directory was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Advance {
    /// It was; the directory has the new version.
    Written,
    /// The directory is not at the expected version any more; nothing was written.
    Outdated,
}
