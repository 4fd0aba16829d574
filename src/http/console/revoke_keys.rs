//! Switch that decides whether the user's API keys are revoked too.

use super::form::Form;
use super::server::Server;
use super::views::Switch;
use crate::store::ApiKeyAction;

/// The name of the field.
pub(super) const FIELD: &str = "revoke_keys";

/// The switch, on by default; `None` if API keys are not managed here.
pub(super) fn switch(server: &Server) -> Option<Switch> {
    switch_with(server, ApiKeyAction::Revoke)
}

/// The switch with the submitted choice.
pub(super) fn switch_with(server: &Server, chosen: ApiKeyAction) -> Option<Switch> {
    let text = &server.texts().removal;
    let switch = Switch {
        name: FIELD,
        label: text.revoke_keys,
        hint: text.revoke_keys_hint,
        is_on: chosen == ApiKeyAction::Revoke,
    };
    server.api_keys().is_some().then_some(switch)
}

/// Reads the choice; `Revoke` if API keys are not managed here.
pub(super) fn from_form(server: &Server, form: &Form<'_>) -> ApiKeyAction {
    if server.api_keys().is_none() || form.is_checked(FIELD) {
        ApiKeyAction::Revoke
    } else {
        ApiKeyAction::Keep
    }
}
