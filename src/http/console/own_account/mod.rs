//! The user's own account.

pub(super) mod end_session;
pub(super) mod password;
pub(super) mod show;
pub(super) mod sign_out_everywhere;
