use super::RecordKind;
use crate::domain::string_enum;

string_enum! {
    /// The kinds of records of a school, by the names of their lists.
    DataKind {
        /// Students.
        Students = "students",
        /// Clubs.
        Clubs = "clubs",
        /// Projects.
        Projects = "projects",
        /// Meals.
        Meals = "meals",
        /// Events of the school calendar.
        Schedules = "schedules",
        /// Lessons of the classes.
        Timetables = "timetables",
    }
}

impl From<RecordKind> for DataKind {
    fn from(kind: RecordKind) -> Self {
        match kind {
            RecordKind::Students => Self::Students,
            RecordKind::Clubs => Self::Clubs,
            RecordKind::Projects => Self::Projects,
        }
    }
}
