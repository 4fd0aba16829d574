//! The school's own lists, each declared in a file of its own.

mod clubs;
mod meals;
mod parts;
mod projects;
mod rules;
mod schedules;
mod students;
mod timetables;

use std::sync::{Arc, LazyLock};

use super::resource::{Definition, Resource};
use crate::domain::{ClubProfile, Lesson, Meal, ProjectProfile, SchoolEvent, StudentProfile};

pub(super) use rules::{SchoolRules, majors};

/// The definitions of the school's lists, by the rules of one school.
#[derive(Debug)]
pub(crate) struct SchoolResources {
    pub(crate) students: Arc<Resource<StudentProfile>>,
    pub(crate) clubs: Arc<Resource<ClubProfile>>,
    pub(crate) projects: Arc<Resource<ProjectProfile>>,
    pub(crate) meals: Arc<Resource<Meal>>,
    pub(crate) schedules: Arc<Resource<SchoolEvent>>,
    pub(crate) timetables: Arc<Resource<Lesson>>,
}

impl SchoolResources {
    pub(super) fn new(rules: &SchoolRules) -> Self {
        Self {
            students: Arc::new(students::resource(rules)),
            clubs: Arc::new(clubs::resource(rules)),
            projects: Arc::new(projects::resource(rules)),
            meals: Arc::new(meals::resource()),
            schedules: Arc::new(schedules::resource()),
            timetables: Arc::new(timetables::resource(rules)),
        }
    }

    /// The definitions with the default rules, for use without a directory.
    pub(crate) fn standard() -> &'static Self {
        static STANDARD: LazyLock<SchoolResources> = LazyLock::new(|| SchoolResources::new(&SchoolRules::default()));
        &STANDARD
    }

    /// Every list, in the order of [`Snapshot::lists`](super::Snapshot::lists).
    pub(crate) fn definitions(&self) -> [&Definition; 6] {
        [
            self.students.definition(),
            self.clubs.definition(),
            self.projects.definition(),
            self.meals.definition(),
            self.schedules.definition(),
            self.timetables.definition(),
        ]
    }
}

/// The words of one of the domain's enumerations. The name of its type becomes that of the schema in OpenAPI.
macro_rules! words_of {
    ($vocabulary:ident) => {
        $crate::directory::resource::Words::new(stringify!($vocabulary), $vocabulary::ALL.iter().map(|word| word.as_str()))
    };
}

use words_of;
