use std::fmt;

use super::error::{Conflict, YearObstacle, YearOutcome};
use crate::directory::{Directory, DirectoryChange, HistoryStep};
use crate::domain::{SubjectId, Timestamp, Year};
use crate::import::{FieldChange, code};
use crate::store::{DatasetVersion, StorageError};

/// What a turn of the school year would change, for one version of the directory.
///
/// It displays as lines for people: `-` for a student who graduates, `~` for one who goes to the next
/// grade and `=` for one who repeats the grade, with the number and all other fields that change,
/// before and after, `+` for a new one, and `!` for a conflict. It has personal data; the counts and
/// the [conflicts](Self::conflicts) have none.
#[derive(Clone)]
pub struct YearPlan {
    pub(super) year: Year,
    pub(super) version: DatasetVersion,
    pub(super) students: Vec<PlannedStudent>,
    /// Clubs whose leader leaves, by their names.
    pub(super) leaderless: Vec<String>,
    pub(super) conflicts: Vec<Conflict>,
    pub(super) changes: Vec<DirectoryChange>,
    /// Whether the year or a later one was turned, and must not be turned again.
    pub(super) is_turned: bool,
}

/// A student of a plan.
#[derive(Debug, Clone)]
pub(crate) struct PlannedStudent {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) step: Step,
    /// The student numbers before and after.
    pub(crate) numbers: [Option<i32>; 2],
    /// The other fields that change, of a new student those that have a value.
    pub(crate) fields: Vec<FieldChange>,
}

/// What becomes of a student.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    Graduates,
    MovesUp,
    /// Stays in the grade, perhaps without any change.
    Repeats,
    IsNew,
}

impl YearPlan {
    /// The school year that ends, by the calendar year in which it began.
    pub const fn year(&self) -> Year {
        self.year
    }

    /// The version of the directory that the plan is for.
    pub const fn version(&self) -> DatasetVersion {
        self.version
    }

    /// Number of students who graduate.
    pub fn graduated(&self) -> usize {
        self.count(Step::Graduates)
    }

    /// Number of students who stay, and change their grade or class.
    pub fn moved(&self) -> usize {
        // Every change puts a student.
        self.changes.len() - self.graduated() - self.added()
    }

    /// Number of students who go to the next grade.
    pub fn promoted(&self) -> usize {
        self.count(Step::MovesUp)
    }

    /// Number of students who stay in their grade, whether or not something else of them changes.
    pub fn repeated(&self) -> usize {
        self.count(Step::Repeats)
    }

    /// Number of new students.
    pub fn added(&self) -> usize {
        self.count(Step::IsNew)
    }

    fn count(&self, step: Step) -> usize {
        let students = self.students.iter();
        students.filter(|student| student.step == step).count()
    }

    /// All students who are enrolled before the turn or after it.
    #[cfg(feature = "console")]
    pub(crate) fn students(&self) -> &[PlannedStudent] {
        &self.students
    }

    /// The names of the clubs whose leader leaves.
    #[cfg(feature = "console")]
    pub(crate) fn leaderless(&self) -> &[String] {
        &self.leaderless
    }

    /// What must be corrected before the year is turned.
    pub fn conflicts(&self) -> &[Conflict] {
        &self.conflicts
    }

    /// A code of 16 characters for the year, the version and all changes. A plan with the same code
    /// shows the same.
    pub fn code(&self) -> String {
        code(self.version, &(self.year, &self.changes))
    }

    /// Why the plan is not applied.
    pub fn obstacle(&self) -> Option<YearObstacle> {
        if !self.conflicts.is_empty() {
            Some(YearObstacle::Conflicts(self.conflicts.len()))
        } else if self.is_turned {
            Some(YearObstacle::AlreadyTurned(self.year))
        } else if self.changes.is_empty() {
            Some(YearObstacle::NothingChanges)
        } else if self.changes.len() > Directory::MAX_CHANGES {
            Some(YearObstacle::TooManyChanges(self.changes.len()))
        } else {
            None
        }
    }

    /// Turns the year as the plan shows, in one transaction with its history, if the directory still
    /// has its version. `at` is the time from which the turn can be undone for a
    /// [day](super::UNDO_PERIOD).
    ///
    /// # Errors
    /// When the store does not respond. It is then unknown whether the plan was applied.
    pub async fn apply(
        &self,
        directory: &Directory,
        by: SubjectId,
        at: Timestamp,
    ) -> Result<YearOutcome, StorageError> {
        if let Some(obstacle) = self.obstacle() {
            return Ok(YearOutcome::Obstructed(obstacle));
        }
        let step = HistoryStep::Turn {
            year: self.year,
            at: at.floor_to_seconds(),
            by,
        };
        let outcome = directory.write_step(self.version, self.changes.clone(), step);
        Ok(outcome.await?.into())
    }
}

/// Omits the students, who are personal data.
impl fmt::Debug for YearPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("YearPlan")
            .field("year", &self.year)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}
