//! Applications and their scopes.

pub(super) mod delete;
pub(super) mod form;
pub(super) mod list;
mod removal_preview;
pub(super) mod requests;
pub(super) mod scopes;
pub(super) mod show;

/// Path of an application's page.
fn address(application: impl std::fmt::Display) -> String {
    format!("/applications/{application}")
}
