//! What the services say of themselves, as OpenAPI 3.1 has it. Each service describes itself in its own room; here is what they share.

mod answer;
mod description;
mod envelope;
mod headers;
mod operation;
mod parameter;
mod records;
mod schemas;
mod words;

pub(in crate::http) use answer::Answer;
pub use description::ApiDescription;
pub(in crate::http) use envelope::{enveloped, page_of};
pub(in crate::http) use headers::{header, shared_headers};
pub(in crate::http) use operation::Operation;
pub(in crate::http) use parameter::{Parameter, boolean, date, filled, line, text, uuid, whole_number};
pub(in crate::http) use records::StudentRecord;
pub(in crate::http) use schemas::Schemas;
