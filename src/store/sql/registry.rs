//! What applications, scopes and clients have in common.

use sea_query::{Expr, ExprTrait, LockType, Query};

use super::executor::{Executor, first};
use super::tables::Applications;
use super::{applications, scopes};
use crate::domain::{Application, ApplicationId, ScopeDefinition};
use crate::store::{Creation, ScopeCreation, StorageError};

/// Inserts what every store holds from the start, unless it is there.
pub(super) async fn create_defaults(tx: &mut dyn Executor) -> Result<(), StorageError> {
    let _: Creation = applications::create_application(tx, Application::of_the_service()).await?;
    for definition in ScopeDefinition::of_the_service() {
        let _: ScopeCreation = scopes::create_scope(tx, definition).await?;
    }
    Ok(())
}

/// Lets nobody else change what spans applications, scopes and clients until the transaction ends.
///
/// Such changes are rare and touch many rows, so they stand in one line instead of taking locks in an order that each would have to keep.
/// The line is the service's own application, which is always there.
pub(super) async fn alone(tx: &mut dyn Executor) -> Result<(), StorageError> {
    let line = Query::select()
        .column(Applications::Id)
        .from(Applications::Table)
        .and_where(is_application(ApplicationId::Service))
        .lock(LockType::NoKeyUpdate)
        .take();
    first(tx, &line).await.map(drop)
}

pub(super) fn is_application(id: ApplicationId) -> Expr {
    Expr::col(Applications::Id).eq(id.to_string())
}
