use std::fmt;

use super::UNDO_PERIOD;
use super::error::{Conflict, YearError, YearObstacle, YearOutcome, turns};
use super::undo_planner::UndoPlanner;
use crate::directory::{Directory, DirectoryChange, HistoryStep};
use crate::domain::{StudentId, SubjectId, Timestamp, Year, YearTurnRecord};
use crate::import::{PlannedRecord, code};
use crate::store::{DatasetVersion, StorageError};

/// The undo of the last turn of the school year that is not undone.
#[derive(Debug)]
pub struct YearUndo;

/// What the undo of a turn would change, for one version of the directory.
///
/// Every student gets back the enrollment from before the turn, and every club its leader; new
/// students are removed. Records that have changed since the turn are conflicts: they are shown and
/// stay as they are, with the history of these students. So are students whose number somebody else
/// has now, and records for which a rule of the school is in the way.
///
/// It displays as lines for people: `~` for a record that changes, with its fields before and after,
/// `-` for a new student who is removed, `!` for what stays as it is, and the counts. It has personal
/// data; the counts and the [conflicts](Self::conflicts) have none.
#[derive(Clone)]
pub struct YearUndoPlan {
    pub(super) turn: YearTurnRecord,
    pub(super) version: DatasetVersion,
    pub(super) restored: usize,
    pub(super) removed: usize,
    pub(super) conflicts: Vec<Conflict>,
    /// The students and others that change.
    pub(super) records: Vec<PlannedRecord>,
    /// Students who keep what the turn gave them, and their history.
    pub(super) kept: Vec<StudentId>,
    pub(super) changes: Vec<DirectoryChange>,
}

impl YearUndo {
    /// Shows what the undo of the last turn that is not undone would change. Nothing is written.
    ///
    /// # Errors
    /// [`YearError::NothingToUndo`] if there is no such turn within [`UNDO_PERIOD`] before `at`. Also when the directory keeps no history, or the store does not respond.
    pub async fn plan(directory: &Directory, at: Timestamp) -> Result<YearUndoPlan, YearError> {
        directory.check().await?;
        let base = directory.snapshot().await?;
        // After the snapshot: an undo in between is a later version, to which the plan is not applied.
        let mut turns = turns(directory).await?.into_iter();
        let turn = turns
            .find(|turn| turn.undone.is_none())
            .filter(|turn| is_in_time(turn, at))
            .ok_or(YearError::NothingToUndo)?;
        let store = directory.history_store().ok_or(YearError::NoHistory)?;
        let turned = store.turned_records(turn.version).await?;
        let context = directory.clone();
        let work = move || UndoPlanner::new(&base, turn.version).plan(&context, turn, &turned);
        Ok(directory.run_blocking(work).await?)
    }
}

pub(super) fn is_in_time(turn: &YearTurnRecord, at: Timestamp) -> bool {
    at < turn.at.plus(UNDO_PERIOD)
}

impl YearUndoPlan {
    /// The turn.
    pub const fn turn(&self) -> &YearTurnRecord {
        &self.turn
    }

    /// The school year that the turn had ended.
    pub const fn year(&self) -> Year {
        self.turn.year
    }

    /// The version of the directory that the plan is for.
    pub const fn version(&self) -> DatasetVersion {
        self.version
    }

    /// Number of students who get back their enrollment from before the turn.
    pub const fn restored(&self) -> usize {
        self.restored
    }

    /// Number of new students who are removed.
    pub const fn removed(&self) -> usize {
        self.removed
    }

    /// What has changed since the turn and stays as it is.
    pub fn conflicts(&self) -> &[Conflict] {
        &self.conflicts
    }

    /// The students and others that change, with their fields.
    #[cfg(feature = "console")]
    pub(crate) fn records(&self) -> &[PlannedRecord] {
        &self.records
    }

    /// What the undo changes.
    #[cfg(feature = "console")]
    pub(crate) fn changes(&self) -> &[DirectoryChange] {
        &self.changes
    }

    /// A code of 16 characters for the turn, the version and all changes. A plan with the same code
    /// shows the same.
    pub fn code(&self) -> String {
        code(self.version, &("undo", self.turn.version, &self.changes))
    }

    /// Undoes the turn as the plan shows, in one transaction with its history, if the directory
    /// still has its version.
    ///
    /// # Errors
    /// When the store does not respond. It is then unknown whether the plan was applied.
    pub async fn apply(
        &self,
        directory: &Directory,
        by: SubjectId,
        at: Timestamp,
    ) -> Result<YearOutcome, StorageError> {
        if !is_in_time(&self.turn, at) {
            return Ok(YearOutcome::Obstructed(YearObstacle::TooLate));
        }
        if self.changes.is_empty() {
            return Ok(YearOutcome::Obstructed(YearObstacle::NothingChanges));
        }
        let step = HistoryStep::Undo {
            turn: self.turn.version,
            kept: self.kept.clone(),
            at: at.floor_to_seconds(),
            by,
        };
        let outcome = directory.write_step(self.version, self.changes.clone(), step);
        Ok(outcome.await?.into())
    }
}

/// Omits the students, who are personal data.
impl fmt::Debug for YearUndoPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("YearUndoPlan")
            .field("turn", &self.turn)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}
