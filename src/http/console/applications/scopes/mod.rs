//! Scopes of an application, for users who may change it.

pub(crate) mod delete;
pub(crate) mod form;
pub(crate) mod show;
pub(crate) mod withdraw;

use crate::domain::ScopeDefinition;

/// Path of a scope's page.
fn address(definition: &ScopeDefinition) -> String {
    format!(
        "{}/scopes/{}",
        super::address(definition.scope.application),
        definition.id
    )
}
