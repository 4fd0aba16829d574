//! OAuth clients.

mod code_samples;
pub(super) mod delete;
pub(super) mod edit;
pub(super) mod form;
pub(super) mod form_version;
pub(super) mod list;
pub(super) mod new;
pub(super) mod owner;
pub(super) mod scope_options;
pub(super) mod scope_requests;
pub(super) mod secrets;
pub(super) mod show;
pub(super) mod verify;
