use std::sync::Arc;

use async_trait::async_trait;

use super::{DatasetVersion, DirectoryRows, DirectoryStore, DirectoryWrite, Paged, StorageError};
use crate::domain::{
    ClassNum, ClubId, EnrollmentStatus, Grade, HistoryEntry, PageRequest, StudentId, SubjectId,
    Timestamp, Year, YearTurnRecord, YearTurnUndo,
};

/// Stores the enrollments that have ended, and the turns of the school year with what undoes them.
///
/// The history is for administrators: no list of the data API has it. It is written in the
/// transition of the directory that ends the enrollments, so that neither is stored without the
/// other.
#[async_trait]
pub trait SchoolHistoryStore: DirectoryStore {
    /// As [`write_directory`](DirectoryStore::write_directory), and in the same transition stores
    /// the history of the write.
    ///
    /// It also conflicts if the history [undoes](HistoryChange::undone) a turn that does not exist
    /// or was undone before. An undo deletes the entries that the turn has written, apart from those
    /// of the students who [keep](HistoryChange::kept) them.
    async fn write_directory_with_history(
        &self,
        expected: DatasetVersion,
        change: Arc<DirectoryRows>,
        history: Arc<HistoryChange>,
    ) -> Result<DirectoryWrite, StorageError>;

    /// Returns the turns of the school year, newest first; at most `limit`.
    async fn year_turns(&self, limit: u32) -> Result<Vec<YearTurnRecord>, StorageError>;

    /// Returns what a turn has changed, in ascending order of ids; empty if there is no such turn or
    /// this was deleted.
    async fn turned_records(&self, turn: u64) -> Result<TurnedRecords, StorageError>;

    /// Returns the entries that match the filter: the latest year first, then by grade, class,
    /// number, student and version.
    async fn school_history(
        &self,
        filter: HistoryFilter,
        page: PageRequest,
    ) -> Result<Paged<HistoryEntry>, StorageError>;

    /// Deletes the entries of the oldest year before `before`, and what the oldest turn until
    /// `turned_until` has changed. Repeat the call until nothing was deleted. The records of the turns stay: they have no personal data.
    async fn delete_old_history(
        &self,
        before: Year,
        turned_until: Timestamp,
    ) -> Result<DeletedHistory, StorageError>;

    /// Deletes the entries of a student and what turns have changed of them, and stores and returns
    /// the record of it, with the number of entries that this call deleted. Repeating it deletes
    /// what is there then. Of the records of a student with the same time, only the first is stored.
    async fn erase_history(&self, erasure: Erasure) -> Result<Erasure, StorageError>;

    /// Returns the records of erasures, newest first.
    async fn erasures(&self, page: PageRequest) -> Result<Paged<Erasure>, StorageError>;
}

/// What a call has deleted because it was old.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DeletedHistory {
    /// Number of entries of the history.
    pub entries: u64,
    /// Number of rows of what turns have changed.
    pub turned: u64,
}

impl DeletedHistory {
    /// Whether nothing was deleted.
    pub const fn is_empty(&self) -> bool {
        self.entries == 0 && self.turned == 0
    }
}

/// The history that a write of the directory makes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HistoryChange {
    /// The enrollments that the write ends.
    pub entries: Vec<HistoryEntry>,
    /// The turn of the school year that the write is, with what undoes it.
    pub turn: Option<(YearTurnRecord, TurnedRecords)>,
    /// The number of the turn that the write undoes.
    pub undone: Option<(u64, YearTurnUndo)>,
    /// The students whom the undo does not restore: their entries of that turn stay.
    pub kept: Vec<StudentId>,
}

/// What a turn of the school year has changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TurnedRecords {
    /// Students who are new or have another enrollment status.
    pub students: Vec<TurnedStudent>,
    /// Clubs that have lost their leader, with the leader.
    pub leaders: Vec<(ClubId, StudentId)>,
}

/// A student before and after a turn of the school year.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnedStudent {
    /// The id.
    pub student: StudentId,
    /// The enrollment status before; `None` of a new student.
    pub before: Option<EnrollmentStatus>,
    /// The enrollment status after.
    pub after: EnrollmentStatus,
}

/// Selects entries of the history; all of them by default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HistoryFilter {
    /// Only entries of this student.
    pub student: Option<StudentId>,
    /// Only entries of this school year.
    pub year: Option<Year>,
    /// Only entries of this grade.
    pub grade: Option<Grade>,
    /// Only entries of this class of each grade.
    pub class_num: Option<ClassNum>,
}

impl HistoryFilter {
    /// Whether the filter selects the entry.
    pub fn matches(&self, entry: &HistoryEntry) -> bool {
        self.student.is_none_or(|student| student == entry.student)
            && self.year.is_none_or(|year| year == entry.year)
            && self.grade.is_none_or(|grade| grade == entry.grade)
            && self.class_num.is_none_or(|class| class == entry.class_num)
    }
}

/// The record that one person's data were erased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erasure {
    /// The student.
    pub student: StudentId,
    /// When.
    pub at: Timestamp,
    /// Who erased the data.
    pub by: SubjectId,
    /// Number of deleted entries of the history.
    pub entries: u64,
}
