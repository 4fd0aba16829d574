use super::columns::{self, Column};
use super::filters::{self, Filter};
use crate::domain::ApiScope;
use crate::http::pages::texts::Texts;

/// A kind of record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::http::console) enum Kind {
    Students,
    Clubs,
    Projects,
    Meals,
    Schedules,
    Timetables,
}

impl Kind {
    pub(in crate::http::console) const ALL: [Self; 6] =
        [Self::Students, Self::Clubs, Self::Projects, Self::Meals, Self::Schedules, Self::Timetables];

    /// The kind with this word.
    pub(super) fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// Its word in addresses, here and in the `data` of the data API.
    pub(in crate::http::console) const fn word(self) -> &'static str {
        match self {
            Self::Students => "students",
            Self::Clubs => "clubs",
            Self::Projects => "projects",
            Self::Meals => "meals",
            Self::Schedules => "schedules",
            Self::Timetables => "timetables",
        }
    }

    /// Where the data API has it.
    pub(in crate::http::console) const fn path(self) -> &'static str {
        match self {
            Self::Students => "/v1/students",
            Self::Clubs => "/v1/clubs",
            Self::Projects => "/v1/projects",
            Self::Meals => "/v1/neis/meals",
            Self::Schedules => "/v1/neis/schedules",
            Self::Timetables => "/v1/neis/timetables",
        }
    }

    /// Whether the data API has it by the page, and as a table.
    pub(super) const fn is_paged(self) -> bool {
        matches!(self, Self::Students | Self::Clubs | Self::Projects)
    }

    /// The scope that a key needs.
    pub(in crate::http::console) const fn scope(self) -> ApiScope {
        match self {
            Self::Students => ApiScope::StudentRead,
            Self::Clubs => ApiScope::ClubRead,
            Self::Projects => ApiScope::ProjectRead,
            Self::Meals | Self::Schedules | Self::Timetables => ApiScope::NeisRead,
        }
    }

    pub(super) const fn title(self, text: &Texts) -> &'static str {
        match self {
            Self::Students => text.data_students,
            Self::Clubs => text.data_clubs,
            Self::Projects => text.data_projects,
            Self::Meals => text.data_meals,
            Self::Schedules => text.data_schedules,
            Self::Timetables => text.data_timetables,
        }
    }

    pub(super) const fn columns(self) -> &'static [Column] {
        match self {
            Self::Students => columns::STUDENTS,
            Self::Clubs => columns::CLUBS,
            Self::Projects => columns::PROJECTS,
            Self::Meals => columns::MEALS,
            Self::Schedules => columns::SCHEDULES,
            Self::Timetables => columns::TIMETABLES,
        }
    }

    /// What can be looked for.
    pub(super) const fn filters(self) -> &'static [Filter] {
        match self {
            Self::Students => filters::STUDENTS,
            Self::Clubs => filters::CLUBS,
            Self::Projects => filters::PROJECTS,
            Self::Meals | Self::Schedules => filters::DAYS,
            Self::Timetables => filters::LESSONS,
        }
    }
}
