//! Students, clubs and projects; meals, school events and lessons.

mod club;
mod neis;
mod numbers;
mod project;
mod student;

pub use club::{Club, ClubProfile, ClubStatus, ClubSummary, ClubType, Participant};
pub use neis::{
    Allergen, Dish, Lesson, Meal, MealType, Period, SchoolEvent, SchoolIdentity, ServeCount,
};
pub use numbers::{ClassNum, DormitoryRoom, Grade, SeatNumber, Year, YearRange};
pub use project::{Project, ProjectProfile, ProjectStatus, Repositories, TechStacks};
pub use student::{
    EnrolledRole, Enrollment, EnrollmentStatus, GithubId, Major, Sex, Student, StudentProfile,
    StudentRole,
};
