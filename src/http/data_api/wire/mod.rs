//! What goes over the wire, under the names and in the order of service.md.

mod neis;
mod school;

pub(super) use neis::{event, lesson, meal};
pub(super) use school::{club, project, student};
