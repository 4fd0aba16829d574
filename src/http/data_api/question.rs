use super::answer::Answer;
use super::builder::Settings;
use super::days::take_days;
use super::failure::Failure;
use super::format::Format;
use super::parameters::{Parameters, Taken};
use super::route::Resource;
use super::{clubs, delta, neis, projects, students};
use crate::directory::{ChangesQuery, Cursor, Snapshot};
use crate::domain::{
    ClubFilter, ClubQuery, Date, DateRange, HiddenFields, LessonFilter, ProjectFilter, ProjectQuery, StudentFilter, StudentQuery,
};

/// What a request asks of the school, understood and checked. Requests that mean the same are the same question, however they spell it.
#[derive(Hash)]
pub(super) enum Question {
    Students(StudentQuery),
    /// With or without their leaders among the participants.
    Clubs(ClubQuery, bool),
    Projects(ProjectQuery),
    StudentChanges(ChangesQuery<StudentFilter>),
    ClubChanges(ChangesQuery<ClubFilter>, bool),
    ProjectChanges(ChangesQuery<ProjectFilter>),
    Meals(DateRange),
    Schedules(DateRange),
    Timetables(DateRange, LessonFilter),
}

/// How a question is to be answered.
#[derive(Clone, Copy)]
pub(super) struct Manner {
    pub(super) format: Format,
    /// What the key does without.
    pub(super) hidden: HiddenFields,
}

impl Question {
    pub(super) fn read<'a>(resource: Resource, query: &'a str, today: Date, settings: &Settings) -> Result<(Self, Taken<'a>), Failure> {
        let mut parameters = Parameters::read(query)?;
        let question = match resource {
            Resource::Students => students::read(&mut parameters, settings)?,
            Resource::Clubs => clubs::read(&mut parameters)?,
            Resource::Projects => projects::read(&mut parameters)?,
            Resource::Meals => Self::Meals(take_days(&mut parameters, today)?),
            Resource::Schedules => Self::Schedules(take_days(&mut parameters, today)?),
            Resource::Timetables => Self::Timetables(take_days(&mut parameters, today)?, neis::read_lessons(&mut parameters, settings)?),
        };
        Ok((question, parameters.finish(settings.ignores_unknown_parameters)?))
    }

    /// What an answer can be written in, the default first. A row is a record, so rows cannot tell of what is gone.
    pub(super) const fn formats(&self) -> &'static [Format] {
        match self {
            Self::Students(_) | Self::Clubs(..) | Self::Projects(_) => &[Format::Json, Format::Csv, Format::Lines],
            Self::StudentChanges(_) | Self::ClubChanges(..) | Self::ProjectChanges(_) => &[Format::Json],
            Self::Meals(_) | Self::Schedules(_) | Self::Timetables(..) => &[Format::Json],
        }
    }

    /// In which parameter the links to the other parts of the answer differ.
    pub(super) const fn parameter_of_links(&self) -> &'static str {
        match self {
            Self::StudentChanges(_) | Self::ClubChanges(..) | Self::ProjectChanges(_) => delta::SINCE,
            Self::Students(_) | Self::Clubs(..) | Self::Projects(_) | Self::Meals(_) | Self::Schedules(_) | Self::Timetables(..) => "page",
        }
    }

    /// Where the reader goes on, if that is what it asks.
    pub(super) fn cursor(&self) -> Option<Cursor> {
        match self {
            Self::StudentChanges(query) => query.since,
            Self::ClubChanges(query, _) => query.since,
            Self::ProjectChanges(query) => query.since,
            Self::Students(_) | Self::Clubs(..) | Self::Projects(_) | Self::Meals(_) | Self::Schedules(_) | Self::Timetables(..) => None,
        }
    }

    /// Whether it is answered in less time than the way to another thread and back takes, or not much more: few records are looked at.
    pub(super) fn is_quick(&self, school: &Snapshot, format: Format) -> bool {
        const FEW: usize = 5_000;
        const FEW_DAYS: i32 = 31;
        let is_quick = match self {
            Self::Students(query) => school.students_looked_at(query) <= FEW,
            // They list their members.
            Self::Clubs(..) | Self::ClubChanges(..) => school.club_count() + school.student_count() <= FEW,
            Self::Projects(_) | Self::ProjectChanges(_) => school.project_count() <= FEW,
            Self::StudentChanges(_) => school.student_count() <= FEW,
            Self::Meals(days) | Self::Schedules(days) | Self::Timetables(days, _) => days.from().days_until(days.to()) < FEW_DAYS,
        };
        is_quick && format == Format::Json
    }

    pub(super) fn answer(&self, school: &Snapshot, manner: Manner) -> Result<Answer, Failure> {
        match self {
            Self::Students(query) => Ok(students::answer(school, query, manner)),
            Self::Clubs(query, with_leader) => Ok(clubs::answer(school, (query, *with_leader), manner)),
            Self::Projects(query) => Ok(projects::answer(school, query, manner)),
            Self::StudentChanges(query) => students::changes(school, query, manner),
            Self::ClubChanges(query, with_leader) => clubs::changes(school, (query, *with_leader), manner),
            Self::ProjectChanges(query) => projects::changes(school, query, manner),
            Self::Meals(days) => Ok(neis::meals(school, *days)),
            Self::Schedules(days) => Ok(neis::schedules(school, *days)),
            Self::Timetables(days, filter) => Ok(neis::timetables(school, *days, filter)),
        }
    }
}
