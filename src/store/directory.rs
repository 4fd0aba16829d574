use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;

use super::{ChangesQuery, Delta, StorageError};
use crate::domain::{
    Club, ClubFilter, ClubId, ClubProfile, ClubQuery, DateRange, Lesson, LessonFilter, Meal, Page, Project, ProjectFilter, ProjectId,
    ProjectProfile, ProjectQuery, Record, SchoolEvent, Student, StudentFilter, StudentId, StudentProfile, StudentQuery,
};

/// Keeps the school: students, clubs, projects, meals, events and lessons.
///
/// Filters, sorting and paging mean the same in every implementation, down to the byte: see [`Needle`](crate::domain::Needle),
/// [`Direction`](crate::domain::Direction) and [`StudentSort`](crate::domain::StudentSort).
#[async_trait]
pub trait SchoolDirectory: Debug + Send + Sync + 'static {
    /// A page of students.
    async fn students(&self, query: &StudentQuery) -> Result<Page<StudentProfile>, StorageError>;

    /// A page of clubs.
    async fn clubs(&self, query: &ClubQuery) -> Result<Page<ClubProfile>, StorageError>;

    /// A page of projects.
    async fn projects(&self, query: &ProjectQuery) -> Result<Page<ProjectProfile>, StorageError>;

    /// The students that changed since a reader last looked, in one consistent read.
    ///
    /// Whoever goes on from each [`Changes::next`](super::Changes::next) until nothing more is to be told, puts what is among the records and
    /// drops what is gone, has then all that the filter finds, whatever is written meanwhile. A record has changed when anything that its
    /// profile shows has, also of the records that it shows. That it is told although nothing has changed does no harm.
    async fn student_changes(&self, query: &ChangesQuery<StudentFilter>) -> Result<Delta<StudentProfile>, StorageError>;

    /// The clubs that changed, as by [`student_changes`](Self::student_changes).
    async fn club_changes(&self, query: &ChangesQuery<ClubFilter>) -> Result<Delta<ClubProfile>, StorageError>;

    /// The projects that changed, as by [`student_changes`](Self::student_changes).
    async fn project_changes(&self, query: &ChangesQuery<ProjectFilter>) -> Result<Delta<ProjectProfile>, StorageError>;

    /// The meals of these days, by day, meal of the day and [`Meal::id`].
    async fn meals(&self, days: DateRange) -> Result<Vec<Arc<Record<Meal>>>, StorageError>;

    /// The events of these days, by day, name and id.
    async fn events(&self, days: DateRange) -> Result<Vec<Arc<Record<SchoolEvent>>>, StorageError>;

    /// The lessons of these days, by day, grade, class, period and id.
    async fn lessons(&self, days: DateRange, filter: &LessonFilter) -> Result<Vec<Arc<Record<Lesson>>>, StorageError>;

    /// Which state of the school this is. Its number grows with every [`SchoolDirectory::write`] that is [`Writing::Written`]; its lineage
    /// stays.
    async fn version(&self) -> Result<DatasetVersion, StorageError>;

    /// Makes all the changes in their order, or none of them.
    ///
    /// * A student's clubs must exist and be of the right kind, or the batch is refused.
    /// * A club's leader must be a member of it. Whoever stops being a member, also by leaving the school, stops being its leader.
    /// * A club's kind cannot change while it has members. A removed club leaves its members and projects without it.
    /// * A project's club and participants must exist. A removed student leaves their projects.
    /// * Removing what is not there changes nothing and is no fault.
    ///
    /// Send at most 10,000 changes at once. In SQL no other write, such as a sign-in's or a token's, gets through while a batch is
    /// written: so many students take about 0.15 s in SQLite (release build, local disk).
    async fn write(&self, changes: Vec<DirectoryChange>) -> Result<Writing, StorageError>;
}

/// One version of the school's records. Each successful write makes the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DatasetVersion {
    /// Identifies the directory: a random number, made with the store. A new store, or one whose tables were changed by hand, has another one.
    pub lineage: u64,
    /// How many writes there were.
    pub number: u64,
    /// A random number, made with each version. After a backup is restored, version 7 is written a second time and has another mark.
    pub mark: u64,
}

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
    /// All of them were made; the directory now has this version.
    Written(DatasetVersion),
    /// None was made, because the one at `index` cannot be.
    Refused {
        /// Which change, from 0.
        index: usize,
        /// Why.
        refusal: Refusal,
    },
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
}
