//! What users manage as JSON: the fields of bodies, and the bodies of answers. `http::manage` has the rules.
//!
//! Each request needs an access token with `service:manage`. Whoever it is for is the owner of what is made, and no body can say otherwise.

mod api_keys;
mod applications;
mod approvals;
pub(super) mod clients;
mod fields;
mod grants;
mod page;
mod reply;
mod route;
mod scopes;
mod secrets;
pub(super) mod wire;

pub(super) use route::{Managed, answer};
