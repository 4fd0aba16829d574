//! Accounts, for administrators.

pub(super) mod invite;
pub(super) mod list;
pub(super) mod new;
pub(super) mod remove;
pub(super) mod sessions;
pub(super) mod show;
pub(super) mod update;
