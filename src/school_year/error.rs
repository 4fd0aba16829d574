use std::error::Error;
use std::fmt;

use crate::directory::{Directory, MAX_READ_TURNS, RejectionReason, WriteOutcome};
use crate::domain::{ClubId, StudentId, Year, YearTurnRecord};
use crate::import::Refusal;
use crate::store::{DatasetVersion, StorageError};

/// Why a plan was not made.
#[derive(Debug)]
#[non_exhaustive]
pub enum YearError {
    /// The directory keeps no history: open it with
    /// [`builder_with_history`](Directory::builder_with_history).
    NoHistory,
    /// A file as a whole is refused.
    File(Refusal),
    /// The school year is neither the current one nor the one before.
    OtherYear {
        /// The year that was to be turned.
        year: Year,
        /// The current school year.
        current: Year,
    },
    /// No turn can be undone: there was none, it was undone, or the
    /// [time](super::UNDO_PERIOD) is over.
    NothingToUndo,
    /// Other processes wrote in between, at every attempt. Try again later.
    Busy,
    /// The store does not respond.
    Storage(StorageError),
}

impl fmt::Display for YearError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHistory => f.write_str("the directory keeps no history"),
            Self::File(refusal) => refusal.fmt(f),
            Self::OtherYear { year, current } => write!(
                f,
                "the school year {year} cannot be turned, only the current one, {current}, or the one before"
            ),
            Self::NothingToUndo => f.write_str(
                "there is no turn of the school year to undo: none was made within a day that is not undone yet",
            ),
            Self::Busy => f.write_str("the school is changed by others at this moment: try again"),
            Self::Storage(error) => error.fmt(f),
        }
    }
}

impl Error for YearError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Storage(error) => error.source(),
            Self::NoHistory
            | Self::File(_)
            | Self::OtherYear { .. }
            | Self::NothingToUndo
            | Self::Busy => None,
        }
    }
}

impl From<Refusal> for YearError {
    fn from(refusal: Refusal) -> Self {
        Self::File(refusal)
    }
}

impl From<StorageError> for YearError {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}

/// What is in the way of a plan, or what an undo leaves as it is. It displays as a line without
/// names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The student whom it is about, if it is one.
    pub student: Option<StudentId>,
    /// The reason.
    pub reason: String,
    /// What pages say instead of the reason.
    pub(crate) kind: ConflictKind,
}

/// The reason of a [`Conflict`], for texts in other languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConflictKind {
    /// A line of a file, whose reason is in English only.
    OfFile,
    /// Two students would have one number.
    SameNumber { number: i32, other: StudentId },
    /// A rule of the school forbids the change.
    RuleOfSchool,
    /// The student was removed since the turn.
    RemovedSince,
    /// The student came with the turn, and the record has changed since.
    NewOneChanged,
    /// The enrollment has changed since the turn.
    EnrollmentChanged,
    /// The student was in a club that is gone or has another type now.
    ClubGone(ClubId),
    /// The student led a club, and does not lead it again.
    LeadsNoMore(ClubId),
}

impl Conflict {
    pub(super) fn of(student: StudentId, reason: impl Into<String>) -> Self {
        Self {
            student: Some(student),
            reason: reason.into(),
            kind: ConflictKind::OfFile,
        }
    }

    pub(super) fn with_kind(self, kind: ConflictKind) -> Self {
        Self { kind, ..self }
    }

    pub(super) const fn general(reason: String) -> Self {
        Self {
            student: None,
            reason,
            kind: ConflictKind::OfFile,
        }
    }
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.student {
            Some(student) => write!(f, "student {student} {}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

/// Why a plan is not applied; it displays as a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum YearObstacle {
    /// The plan has conflicts.
    Conflicts(usize),
    /// This year, or a later one, was turned already, and
    /// [`YearTurn::again`](super::YearTurn::again) is not set.
    AlreadyTurned(Year),
    /// There are more changes than one transaction has.
    TooManyChanges(usize),
    /// Nothing would change.
    NothingChanges,
    /// The time to undo the turn is over.
    TooLate,
}

impl fmt::Display for YearObstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Conflicts(conflicts) => {
                write!(
                    f,
                    "the year is not turned while there are conflicts ({conflicts})"
                )
            }
            Self::AlreadyTurned(year) => {
                write!(
                    f,
                    "the school year {year} or a later one was turned already"
                )
            }
            Self::TooManyChanges(changes) => write!(
                f,
                "the turn makes {changes} changes, and one transaction has at most {}",
                Directory::MAX_CHANGES
            ),
            Self::NothingChanges => f.write_str("nothing would change"),
            Self::TooLate => f.write_str("a turn is undone within a day, and that is over"),
        }
    }
}

/// Outcome of applying a plan; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum YearOutcome {
    /// Everything that the plan shows is stored, and the directory has this version.
    Applied(DatasetVersion),
    /// Nothing is stored, because the directory has changed since the plan was made. Make a new one.
    Outdated,
    /// Nothing is stored, because of this obstacle.
    Obstructed(YearObstacle),
    /// Nothing is stored, because the directory rejects a change, such as the first record beyond
    /// its limit.
    Rejected(RejectionReason),
}

impl From<WriteOutcome> for YearOutcome {
    fn from(outcome: WriteOutcome) -> Self {
        match outcome {
            WriteOutcome::Written(version) => Self::Applied(version),
            WriteOutcome::Contended => Self::Outdated,
            WriteOutcome::Rejected { reason, .. } => Self::Rejected(reason),
        }
    }
}

/// The last turns, newest first.
pub(super) async fn turns(directory: &Directory) -> Result<Vec<YearTurnRecord>, YearError> {
    let store = directory.history_store().ok_or(YearError::NoHistory)?;
    Ok(store.year_turns(MAX_READ_TURNS).await?)
}
