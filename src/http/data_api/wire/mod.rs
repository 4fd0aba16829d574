//! What goes over the wire, under the names and in the order of service.md.

mod error;
mod neis;
mod school;

pub(super) use error::ErrorBody;
pub(super) use neis::{event, lesson, meal};
pub(super) use school::{club, project, student};
