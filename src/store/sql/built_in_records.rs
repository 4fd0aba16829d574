//! The built-in application and scopes.

use super::executor::Executor;
use super::{applications, scopes};
use crate::domain::{Application, ScopeDefinition};
use crate::store::{Creation, ScopeCreation, StorageError};

/// Inserts the built-in application and scopes, unless they exist.
pub(super) async fn insert_built_in_records(tx: &mut dyn Executor) -> Result<(), StorageError> {
    let _: Creation = applications::create_application(tx, Application::built_in()).await?;
    for definition in ScopeDefinition::built_in() {
        let _: ScopeCreation = scopes::create_scope(tx, definition).await?;
    }
    Ok(())
}
