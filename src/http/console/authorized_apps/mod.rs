//! Clients with access to the user's account.

pub(super) mod list;
pub(super) mod withdraw;
