//! API keys.

pub(super) mod calendars;
pub(super) mod edit;
pub(super) mod fields;
mod form_fields;
pub(super) mod list;
pub(super) mod new;
pub(super) mod renew;
pub(super) mod revoke;
pub(super) mod show;
pub(in crate::http::console) mod usage;
