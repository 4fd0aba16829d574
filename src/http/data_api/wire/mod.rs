//! What goes over the wire, under the names and in the order of service.md.

pub(super) mod columns;
mod neis;
mod problem;
mod school;

#[cfg(feature = "openapi")]
pub(super) use neis::{MealDto, ScheduleDto, TimetableDto};
pub(super) use neis::{event, lesson, meal};
pub(super) use problem::Problem;
#[cfg(feature = "openapi")]
pub(super) use school::{ClubResDto, ProjectResDto};
pub(super) use school::{club, project, student};
