//! Students, clubs and projects; meals, school events and lessons.

mod academic_year;
mod calendar;
mod class_periods;
mod club;
mod data_kind;
mod history;
mod numbers;
mod project;
mod record_kind;
mod student;

pub use academic_year::AcademicYear;
pub use calendar::{
    Allergen, Dish, Lesson, Meal, MealType, Period, SchoolEvent, SchoolIdentity, ServeCount,
};
pub use class_periods::ClassPeriods;
#[cfg(feature = "data-api")]
pub(crate) use class_periods::PeriodTimes;
pub use club::{Club, ClubProfile, ClubStatus, ClubSummary, ClubType, Participant};
pub use data_kind::DataKind;
pub use history::{EnrollmentEnd, HistoryEntry, YearTurnRecord, YearTurnUndo};
pub use numbers::{ClassNum, DormitoryRoom, Grade, SeatNumber, Year, YearRange};
pub use project::{Project, ProjectProfile, ProjectStatus, Repositories, TechStacks};
pub use record_kind::RecordKind;
pub use student::{
    EnrolledRole, Enrollment, EnrollmentStatus, GithubId, Major, Sex, Student, StudentProfile,
    StudentRole,
};
