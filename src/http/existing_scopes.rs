use crate::domain::{ApplicationId, Scope, ScopeSet};
use crate::store::{ClientLookup, StorageError};

/// Leaves out the scopes that no longer exist. Built-in scopes always exist.
pub(super) async fn existing_scopes(
    lookup: &dyn ClientLookup,
    granted: ScopeSet,
) -> Result<ScopeSet, StorageError> {
    let is_built_in = |scope: &Scope| scope.application == ApplicationId::Service;
    if granted.iter().all(is_built_in) {
        return Ok(granted);
    }
    let found = lookup.scope_definitions(&granted).await?;
    let is_found = |scope: &Scope| found.iter().any(|definition| definition.scope == *scope);
    let exists = |scope: &&Scope| is_built_in(scope) || is_found(scope);
    Ok(granted.iter().filter(exists).cloned().collect())
}
