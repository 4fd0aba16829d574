//! What goes over the wire, under the names and in the order of service.md.

pub(super) mod columns;
mod neis;
mod problem;
mod school;

pub(super) use neis::{event, lesson, meal};
pub(super) use problem::Problem;
pub(super) use school::{club, project, student};
