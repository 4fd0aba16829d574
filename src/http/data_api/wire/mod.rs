//! Wire types other than records, whose fields are in their definitions.

mod problem;

pub(super) use problem::Problem;
