//! What users manage as JSON: applications, scopes, clients, API keys and grants.
//!
//! Each request needs an access token with `service:manage`. Whoever it is for is the owner of what is made, and no body can say otherwise.

mod api_keys;
mod applications;
mod approvals;
mod audit;
mod clients;
mod fields;
mod grants;
mod page;
mod permission;
mod reply;
mod route;
mod scopes;
mod secrets;
pub(super) mod wire;

pub(super) use route::{Managed, answer};
