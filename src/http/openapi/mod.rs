//! Building blocks of OpenAPI 3.1 descriptions. Each service describes itself in its own module.

#[cfg(feature = "auth-server")]
mod auth_server;
mod description;
mod enumerations;
mod envelope;
mod headers;
mod operation;
mod parameter;
mod records;
mod response;
mod schemas;

#[cfg(feature = "auth-server")]
pub(in crate::http) use auth_server::{StudentRecord, non_empty_text, short_text, uuid};
pub use description::ApiDescription;
pub(in crate::http) use envelope::{envelope, page_envelope};
pub(in crate::http) use headers::{header, shared_headers};
pub(in crate::http) use operation::Operation;
pub(in crate::http) use parameter::{Parameter, boolean, date, integer, text};
pub(in crate::http) use response::Response;
pub(in crate::http) use schemas::Schemas;
