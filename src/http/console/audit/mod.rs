//! Audit events, for administrators.

mod filter;
pub(super) mod list;
pub(super) mod request_lookup;
mod rows;
