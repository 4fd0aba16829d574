use super::limit::TooManyRecords;
use crate::domain::{Club, ClubId, Invalid, Lesson, Meal, Project, ProjectId, SchoolEvent, Student, StudentId};
use crate::store::DatasetVersion;

/// One change of the directory. To put is to insert, or to replace what has the same id.
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
    /// Puts a meal, known by [`Meal::id`].
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

/// What became of a batch of changes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum Writing {
    /// All of them were made; the directory now has this version. It is the version from before if they changed nothing.
    Written(DatasetVersion),
    /// None was made, because the one at `index` cannot be.
    Refused {
        /// Which change, from 0.
        index: usize,
        /// Why.
        refusal: Refusal,
    },
    /// None was made, because other processes wrote again and again in between. Try again when they are done.
    Contended,
}

/// Why a change of the directory was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The change names a club that does not exist.
    UnknownClub(ClubId),
    /// The change names a student who does not exist.
    UnknownStudent(StudentId),
    /// A student's major club must be a `MAJOR_CLUB`, the autonomous club an `AUTONOMOUS_CLUB`.
    WrongClubType(ClubId),
    /// A club's leader must be a member of the club.
    LeaderIsNoMember(StudentId),
    /// A club's kind cannot change while it has members.
    ClubHasMembers(ClubId),
    /// A value is not one that the school has.
    OutOfBounds {
        /// The field, as records show it.
        field: &'static str,
        /// What it must be.
        rule: Invalid,
    },
    /// The batch has more than [`Directory::MOST_CHANGES`](super::Directory::MOST_CHANGES) changes; the index is that of the first one too many.
    TooManyChanges,
    /// The directory would grow past its [limit](super::DirectoryBuilder::most_records); the index is that of the last change.
    TooManyRecords(TooManyRecords),
}
