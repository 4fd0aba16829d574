//! What the services say of themselves, as OpenAPI 3.1 has it. Each service describes itself in its own room; here is what they share.

mod answer;
mod description;
mod operation;
mod parameter;
mod schemas;
mod words;

pub(in crate::http) use answer::Answer;
pub use description::ApiDescription;
pub(in crate::http) use operation::Operation;
pub(in crate::http) use parameter::{Parameter, boolean, date, text, whole_number};
pub(in crate::http) use schemas::Schemas;
