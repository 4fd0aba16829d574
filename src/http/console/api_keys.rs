//! The switch that says whether API keys are revoked with what else ends.

use super::form::Form;
use super::server::Server;
use super::views::Switch;
use crate::store::OwnedApiKeys;

/// The name of the field.
pub(super) const FIELD: &str = "revoke_keys";

/// The switch, on by default, where API keys are managed here.
pub(super) fn switch(server: &Server) -> Option<Switch> {
    switch_of(server, OwnedApiKeys::Revoke)
}

/// The switch as it was set.
pub(super) fn switch_of(server: &Server, chosen: OwnedApiKeys) -> Option<Switch> {
    let text = &server.texts().endings;
    let switch = Switch { name: FIELD, label: text.revoke_keys, hint: text.revoke_keys_hint, is_on: chosen == OwnedApiKeys::Revoke };
    server.api_keys.is_some().then_some(switch)
}

/// What the form says. Where it has no switch, keys end.
pub(super) fn choice(server: &Server, form: &Form<'_>) -> OwnedApiKeys {
    if server.api_keys.is_none() || form.is_on(FIELD) { OwnedApiKeys::Revoke } else { OwnedApiKeys::Keep }
}
