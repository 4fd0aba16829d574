//! What goes over the wire, under the names and in the order of service.md.

pub(super) mod columns;
mod neis;
mod problem;
mod school;

#[cfg(feature = "openapi")]
pub(super) use neis::{MealDto, ScheduleDto, TimetableDto};
pub(super) use neis::{write_event, write_lesson, write_meal};
pub(super) use problem::Problem;
#[cfg(feature = "openapi")]
pub(super) use school::{ClubResDto, ProjectResDto};
pub(super) use school::{write_club, write_project, write_student};
