use std::error::Error;
use std::fmt;

use crate::directory::RejectionReason;
use crate::domain::InvalidValue;
use crate::store::StorageError;

/// Where a row is in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The line of a text, from 1.
    Line(u64),
    /// The number of an element of a JSON array, from 1.
    Record(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Record(record) => write!(f, "record {record}"),
        }
    }
}

/// Why a line of a file is refused, or the whole file. It never contains a value of a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Where it is in the file.
    pub place: Option<Place>,
    /// The heading of the column, as in the file, or its position if the heading is refused.
    pub column: Option<String>,
    /// The reason.
    pub reason: String,
}

impl Refusal {
    /// Refuses the whole file.
    pub(super) fn of_file(reason: impl Into<String>) -> Self {
        Self {
            place: None,
            column: None,
            reason: reason.into(),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.place, &self.column) {
            (Some(place), Some(column)) => write!(f, "{place}, {column}: {}", self.reason),
            (Some(place), None) => write!(f, "{place}: {}", self.reason),
            (None, Some(column)) => write!(f, "{column}: {}", self.reason),
            (None, None) => f.write_str(&self.reason),
        }
    }
}

impl Error for Refusal {}

/// Why a file could not be compared with the directory.
#[derive(Debug)]
#[non_exhaustive]
pub enum ImportError {
    /// The file as a whole is refused.
    File(Refusal),
    /// The store of the directory does not respond.
    Storage(StorageError),
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(refusal) => refusal.fmt(f),
            Self::Storage(error) => error.fmt(f),
        }
    }
}

impl Error for ImportError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::File(_) => None,
            Self::Storage(error) => error.source(),
        }
    }
}

impl From<Refusal> for ImportError {
    fn from(refusal: Refusal) -> Self {
        Self::File(refusal)
    }
}

impl From<StorageError> for ImportError {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}

/// Why a row is refused: a column by its name in the data API, if one is at fault, and the reason.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) column: Option<String>,
    pub(super) reason: String,
}

impl Refused {
    pub(super) fn row(reason: impl Into<String>) -> Self {
        Self {
            column: None,
            reason: reason.into(),
        }
    }

    pub(super) fn cell(column: &str, reason: impl Into<String>) -> Self {
        Self {
            column: Some(column.to_owned()),
            reason: reason.into(),
        }
    }

    pub(super) fn value(column: &str, rule: &InvalidValue) -> Self {
        Self::cell(column, rule.reason())
    }
}

/// The refusal of the row whose change the directory rejects.
impl From<RejectionReason> for Refused {
    fn from(reason: RejectionReason) -> Self {
        match reason {
            RejectionReason::EmailTaken(student) => {
                Self::cell("email", format!("is that of student {student}"))
            }
            RejectionReason::OutOfBounds { field, rule } => Self::value(field, &rule),
            RejectionReason::ClubHasMembers(_) => {
                Self::cell("type", "cannot change while the club has members")
            }
            RejectionReason::LeaderIsNotMember(student) => Self::row(format!(
                "the leader must be a member, and student {student} is none"
            )),
            RejectionReason::UnknownClub(club) => Self::row(format!("there is no club {club}")),
            RejectionReason::UnknownStudent(student) => {
                Self::row(format!("there is no student {student}"))
            }
            RejectionReason::WrongClubType(club) => {
                Self::row(format!("club {club} is of the other type"))
            }
            RejectionReason::TooManyChanges => Self::row("there are too many changes"),
            RejectionReason::TooManyRecords(limit) => Self::row(limit.to_string()),
        }
    }
}
