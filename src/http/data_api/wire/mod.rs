//! What goes over the wire beside records, whose fields are those of their definitions.

mod problem;

pub(super) use problem::Problem;
