//! The lock of transitions that change applications, scopes and clients.

use sea_query::{Expr, ExprTrait, LockType, Query};

use super::executor::{Executor, fetch_optional};
use super::tables::Applications;
use crate::domain::ApplicationId;
use crate::store::StorageError;

/// Serializes changes that span applications, scopes and clients: others wait until the transaction
/// ends.
///
/// Such changes are rare and touch many rows. One lock replaces a lock order that each of them
/// would have to follow. The locked row is the service's own application, which always exists.
pub(super) async fn lock_management(tx: &mut dyn Executor) -> Result<(), StorageError> {
    let locked = Query::select()
        .column(Applications::Id)
        .from(Applications::Table)
        .and_where(is_application(ApplicationId::Service))
        .lock(LockType::NoKeyUpdate)
        .take();
    fetch_optional(tx, &locked).await.map(drop)
}

pub(super) fn is_application(id: ApplicationId) -> Expr {
    Expr::col(Applications::Id).eq(id.to_string())
}
