//! The changes of a directory and the outcomes of writing them.

use std::error::Error;
use std::fmt;

use super::Directory;
use super::record_limit::TooManyRecords;
use crate::domain::{
    Club, ClubId, InvalidValue, Lesson, Meal, Project, ProjectId, SchoolEvent, Student, StudentId,
};
use crate::store::DatasetVersion;

/// A change of one record. To put a record is to insert it, or to replace the one with the same id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DirectoryChange {
    /// Puts a student.
    PutStudent(Student),
    /// Removes a student.
    RemoveStudent(StudentId),
    /// Puts a club.
    PutClub(Club),
    /// Removes a club.
    RemoveClub(ClubId),
    /// Puts a project.
    PutProject(Project),
    /// Removes a project.
    RemoveProject(ProjectId),
    /// Puts a meal; its id is [`Meal::id`].
    PutMeal(Meal),
    /// Removes the meal with this id.
    RemoveMeal(String),
    /// Puts an event.
    PutEvent(SchoolEvent),
    /// Removes the event with this id.
    RemoveEvent(String),
    /// Puts a lesson.
    PutLesson(Lesson),
    /// Removes the lesson with this id.
    RemoveLesson(String),
}

/// Outcome of a batch of changes; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum WriteOutcome {
    /// All changes are stored, and the directory has this version. It is the previous version if
    /// they had no effect.
    Written(DatasetVersion),
    /// No change is stored, because the one at `index` was rejected.
    Rejected {
        /// Index of the rejected change, from 0.
        index: usize,
        /// The reason.
        reason: RejectionReason,
    },
    /// No change is stored, because other processes wrote in between: at every attempt of
    /// [`write`](super::Directory::write), so try again later, or since the expected version of
    /// [`write_if`](super::Directory::write_if).
    Contended,
}

/// The reason why a batch of changes was rejected; it displays as a clause without a full stop.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RejectionReason {
    /// The change names a club that does not exist.
    UnknownClub(ClubId),
    /// The change names a student who does not exist.
    UnknownStudent(StudentId),
    /// A student's major club must be a `MAJOR_CLUB`, the autonomous club an `AUTONOMOUS_CLUB`.
    WrongClubType(ClubId),
    /// A club's leader must be a member of the club.
    LeaderIsNotMember(StudentId),
    /// A club's type cannot change while it has members.
    ClubHasMembers(ClubId),
    /// This other student has the e-mail address.
    EmailTaken(StudentId),
    /// A value is outside the school's bounds.
    OutOfBounds {
        /// The field's name in responses.
        field: &'static str,
        /// The rule that the value breaks.
        rule: InvalidValue,
    },
    /// The batch has more than [`Directory::MAX_CHANGES`](super::Directory::MAX_CHANGES) changes;
    /// the index is that of the first one too many.
    TooManyChanges,
    /// The directory would grow past its [limit](super::DirectoryBuilder::max_records); the index
    /// is that of the last change.
    TooManyRecords(TooManyRecords),
}

impl fmt::Display for RejectionReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownClub(club) => write!(f, "there is no club {club}"),
            Self::UnknownStudent(student) => write!(f, "there is no student {student}"),
            Self::WrongClubType(club) => write!(f, "club {club} is of the other type"),
            Self::LeaderIsNotMember(student) => write!(
                f,
                "the leader must be a member, and student {student} is none"
            ),
            Self::ClubHasMembers(club) => write!(
                f,
                "the type of club {club} cannot change while the club has members"
            ),
            Self::EmailTaken(student) => {
                write!(f, "the e-mail address is that of student {student}")
            }
            Self::OutOfBounds { field, rule } => write!(f, "{field} {rule}"),
            Self::TooManyChanges => write!(
                f,
                "there are too many changes: one transaction has at most {}",
                Directory::MAX_CHANGES
            ),
            Self::TooManyRecords(limit) => limit.fmt(f),
        }
    }
}

impl Error for RejectionReason {}

macro_rules! puts {
    ($($record:ident => $change:ident),+) => {$(
        impl From<$record> for DirectoryChange {
            fn from(record: $record) -> Self {
                Self::$change(record)
            }
        }
    )+};
}

puts!(
    Student => PutStudent, Club => PutClub, Project => PutProject,
    Meal => PutMeal, SchoolEvent => PutEvent, Lesson => PutLesson
);

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails if people see how the reason is written in Rust.
    #[test]
    fn reasons_are_clauses_for_people() {
        let student = StudentId::new(5).unwrap();
        let club = ClubId::new(2).unwrap();
        let rule = InvalidValue::new("must be a whole number from 1 to 3");
        let limit = TooManyRecords { records: 2, max: 1 };
        for (reason, text) in [
            (RejectionReason::UnknownClub(club), "there is no club 2"),
            (
                RejectionReason::UnknownStudent(student),
                "there is no student 5",
            ),
            (
                RejectionReason::WrongClubType(club),
                "club 2 is of the other type",
            ),
            (
                RejectionReason::LeaderIsNotMember(student),
                "the leader must be a member, and student 5 is none",
            ),
            (
                RejectionReason::ClubHasMembers(club),
                "the type of club 2 cannot change while the club has members",
            ),
            (
                RejectionReason::EmailTaken(student),
                "the e-mail address is that of student 5",
            ),
            (
                RejectionReason::OutOfBounds {
                    field: "grade",
                    rule,
                },
                "grade must be a whole number from 1 to 3",
            ),
            (
                RejectionReason::TooManyChanges,
                "there are too many changes: one transaction has at most 10000",
            ),
            (RejectionReason::TooManyRecords(limit), &limit.to_string()),
        ] {
            assert_eq!(reason.to_string(), text);
        }
    }
}
