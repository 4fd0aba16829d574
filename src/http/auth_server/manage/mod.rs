//! What users manage as JSON: applications, scopes, clients and grants.
//!
//! Each request needs an access token with `service:manage`. Whoever it is for is the owner of what is made, and no body can say otherwise.

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
mod wire;

pub(super) use route::{Managed, answer};
