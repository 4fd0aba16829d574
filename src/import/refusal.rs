use std::error::Error;
use std::fmt;

use crate::directory::RejectionReason;
use crate::domain::{InvalidValue, string_enum};
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

string_enum! {
    /// The kind of a refusal, for programs that have texts of their own.
    #[non_exhaustive]
    RefusalKind {
        /// The file cannot be read as a table, or is too large.
        File = "file",
        /// A heading names no column, or one that another heading names too.
        Column = "column",
        /// The row has other columns than the headings, or is no object.
        Row = "row",
        /// A value that every record has is missing.
        Missing = "missing",
        /// The value breaks the rule of its column.
        Invalid = "invalid",
        /// The number or the word is not one that the school has.
        OutOfBounds = "out_of_bounds",
        /// The id is not that of a record.
        UnknownRecord = "unknown_record",
        /// Several records have the value, or another row is the same record.
        AmbiguousRecord = "ambiguous_record",
        /// Another student has the e-mail address.
        EmailTaken = "email_taken",
        /// Only enrolled students have a value here.
        EnrolledOnly = "enrolled_only",
        /// There is no such club, or several.
        Club = "club",
        /// The club is of the other type.
        ClubType = "club_type",
        /// The type of a club cannot change while it has members.
        ClubHasMembers = "club_has_members",
        /// There is no such student, or several.
        Student = "student",
        /// The student is not enrolled.
        NotEnrolled = "not_enrolled",
        /// The student is a member of another club in the file.
        OtherClub = "other_club",
        /// The leader of a club is not a member of it.
        LeaderIsNotMember = "leader_is_not_member",
        /// The value does not fit the other columns.
        Contradiction = "contradiction",
        /// There would be too many records or changes.
        TooMany = "too_many",
    }
}

/// Why a line of a file is refused, or the whole file. It never contains a value of a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Where it is in the file.
    pub place: Option<Place>,
    /// The heading of the column, as in the file, or its position if the heading is refused.
    pub column: Option<String>,
    /// The kind of the reason.
    pub kind: RefusalKind,
    /// The reason.
    pub reason: String,
}

impl Refusal {
    /// Refuses the whole file.
    pub(super) fn of_file(reason: impl Into<String>) -> Self {
        Self {
            place: None,
            column: None,
            kind: RefusalKind::File,
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
pub(super) struct RowError {
    pub(super) column: Option<String>,
    pub(super) kind: RefusalKind,
    pub(super) reason: String,
}

impl RowError {
    pub(super) fn row(reason: impl Into<String>) -> Self {
        Self {
            column: None,
            kind: RefusalKind::Row,
            reason: reason.into(),
        }
    }

    pub(super) fn cell(column: &str, reason: impl Into<String>) -> Self {
        Self {
            column: Some(column.to_owned()),
            kind: RefusalKind::Invalid,
            reason: reason.into(),
        }
    }

    pub(super) fn with_kind(self, kind: RefusalKind) -> Self {
        Self { kind, ..self }
    }

    pub(super) fn value(column: &str, rule: &InvalidValue) -> Self {
        Self::cell(column, rule.reason())
    }
}

impl From<&RejectionReason> for RefusalKind {
    fn from(reason: &RejectionReason) -> Self {
        match reason {
            RejectionReason::EmailTaken(_) => Self::EmailTaken,
            RejectionReason::OutOfBounds { .. } => Self::OutOfBounds,
            RejectionReason::ClubHasMembers(_) => Self::ClubHasMembers,
            RejectionReason::LeaderIsNotMember(_) => Self::LeaderIsNotMember,
            RejectionReason::UnknownClub(_) => Self::Club,
            RejectionReason::UnknownStudent(_) => Self::Student,
            RejectionReason::WrongClubType(_) => Self::ClubType,
            RejectionReason::TooManyChanges | RejectionReason::TooManyRecords(_) => Self::TooMany,
        }
    }
}

/// The refusal of the row whose change the directory rejects.
impl From<RejectionReason> for RowError {
    fn from(reason: RejectionReason) -> Self {
        let refused = match &reason {
            // The column says which field it is.
            RejectionReason::OutOfBounds { field, rule } => Self::value(field, rule),
            RejectionReason::EmailTaken(_) => Self::cell("email", reason.to_string()),
            RejectionReason::ClubHasMembers(_) => Self::cell("type", reason.to_string()),
            _ => Self::row(reason.to_string()),
        };
        refused.with_kind(RefusalKind::from(&reason))
    }
}
