//! The management API as JSON: request fields and response bodies. `http::management` has the
//! rules.
//!
//! Each request requires an access token with `service:manage`. New records are owned by the
//! token's user; no field can name another owner.

mod api_keys;
mod applications;
mod approvals;
pub(super) mod clients;
mod envelope;
mod fields;
mod grants;
mod page_request;
mod route;
mod scopes;
mod secrets;
pub(super) mod wire;

pub(super) use route::{ManagementRoute, handle};
