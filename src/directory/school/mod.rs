//! Definitions of the school's own lists, a file each.

mod clubs;
mod meals;
mod projects;
mod schedules;
mod settings;
mod shared_fields;
mod students;
mod timetables;

use std::sync::Arc;

use super::resource::{Resource, ResourceDefinition};
use crate::domain::{ClubProfile, Lesson, Meal, ProjectProfile, SchoolEvent, StudentProfile};

pub(super) use settings::{SchoolSettings, major_values};

/// The definitions of the school's lists under the settings of one school.
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
    pub(super) fn new(settings: &SchoolSettings) -> Self {
        Self {
            students: Arc::new(students::resource(settings)),
            clubs: Arc::new(clubs::resource(settings)),
            projects: Arc::new(projects::resource(settings)),
            meals: Arc::new(meals::resource()),
            schedules: Arc::new(schedules::resource()),
            timetables: Arc::new(timetables::resource(settings)),
        }
    }

    /// Returns the definitions with default settings, for use without a directory.
    #[cfg(feature = "auth-server")]
    pub(crate) fn standard() -> &'static Self {
        static STANDARD: std::sync::LazyLock<SchoolResources> =
            std::sync::LazyLock::new(|| SchoolResources::new(&SchoolSettings::default()));
        &STANDARD
    }

    /// Returns every definition, in the order of [`Snapshot::lists`](super::Snapshot::lists).
    pub(crate) fn definitions(&self) -> [&ResourceDefinition; 6] {
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

/// Lists the values of one of the domain's enumerations. The name of its type becomes the name of
/// its schema in OpenAPI.
macro_rules! enum_values {
    ($enumeration:ident) => {
        $crate::directory::resource::EnumValues::new(
            stringify!($enumeration),
            $enumeration::ALL.iter().map(|word| word.as_str()),
        )
    };
}

use enum_values;
