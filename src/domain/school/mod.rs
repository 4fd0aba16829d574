//! Students, clubs and projects.

mod club;
mod limits;
mod project;
mod student;

pub use club::{Club, ClubProfile, ClubStatus, ClubSummary, ClubType, Participant};
pub use limits::{ClassNum, DormitoryRoom, Grade, Lifespan, SeatNumber, Year};
pub use project::{Project, ProjectProfile, ProjectStatus, Repositories, TechStacks};
pub use student::{EnrolledRole, Enrolment, GithubId, Major, Sex, Standing, Student, StudentProfile, StudentRole};
