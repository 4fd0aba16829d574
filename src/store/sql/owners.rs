//! Owners of clients and applications.

use sea_query::{Condition, Expr, ExprTrait, Iden, Order, Query};

use super::client_secrets;
use super::clients::{client, is_client};
use super::executor::{Executor, execute, fetch_all};
use super::management_lock::lock_management;
use super::tables::{Applications, Clients};
use crate::domain::{ClientId, SubjectId, Timestamp};
use crate::store::{OwnerRemoval, StorageError};

/// Transfers a client to another owner and ends its suspension. A suspended client loses its
/// secrets, because its former owner may know them. Returns whether the client exists.
pub(super) async fn set_client_owner(
    tx: &mut dyn Executor,
    id: ClientId,
    owner: SubjectId,
) -> Result<bool, StorageError> {
    lock_management(tx).await?;
    let Some(client) = client(tx, id).await? else {
        return Ok(false);
    };
    if client.is_suspended() {
        client_secrets::remove_all(tx, id).await?;
    }
    let update = Query::update()
        .table(Clients::Table)
        .value(Clients::Owner, owner.as_str())
        .value(Clients::SuspendedAt, None::<i64>)
        .and_where(is_client(id))
        .take();
    execute(tx, &update).await?;
    Ok(true)
}

/// Suspends the clients of a removed owner, and reassigns first-party clients and applications to
/// the service. Registrations take the same lock, so no client or application is added between the
/// reads and the updates.
pub(super) async fn remove_owner(
    tx: &mut dyn Executor,
    owner: SubjectId,
    at: Timestamp,
) -> Result<OwnerRemoval, StorageError> {
    if owner == SubjectId::service() {
        return Ok(OwnerRemoval::default());
    }
    lock_management(tx).await?;
    let owned_clients = |first_party: bool| {
        Condition::all()
            .add(Expr::col(Clients::Owner).eq(owner.as_str()))
            .add(Expr::col(Clients::FirstParty).eq(i64::from(first_party)))
    };
    let suspended = owned_clients(false).add(Expr::col(Clients::SuspendedAt).is_null());
    let owned_applications =
        Condition::all().add(Expr::col(Applications::Owner).eq(owner.as_str()));
    let removal = OwnerRemoval {
        suspended_clients: ids(
            tx,
            Clients::Table,
            Clients::Id,
            suspended.clone(),
            "clients.id",
        )
        .await?,
        reassigned_clients: ids(
            tx,
            Clients::Table,
            Clients::Id,
            owned_clients(true),
            "clients.id",
        )
        .await?,
        reassigned_applications: ids(
            tx,
            Applications::Table,
            Applications::Id,
            owned_applications.clone(),
            "applications.id",
        )
        .await?,
    };
    let (table, service) = (Clients::Table, SubjectId::service());
    execute(
        tx,
        &Query::update()
            .table(table)
            .value(Clients::SuspendedAt, at.seconds())
            .cond_where(suspended)
            .take(),
    )
    .await?;
    let reassigned = Query::update()
        .table(table)
        .value(Clients::Owner, service.as_str())
        .value(Clients::SuspendedAt, None::<i64>)
        .cond_where(owned_clients(true))
        .take();
    execute(tx, &reassigned).await?;
    let table = Applications::Table;
    execute(
        tx,
        &Query::update()
            .table(table)
            .value(Applications::Owner, service.as_str())
            .cond_where(owned_applications)
            .take(),
    )
    .await?;
    Ok(removal)
}

/// Returns the ids of the rows that meet the condition, in ascending order.
async fn ids<I: Iden + Copy + 'static, T: std::str::FromStr<Err = crate::domain::InvalidValue>>(
    tx: &mut dyn Executor,
    table: I,
    id: I,
    condition: Condition,
    name: &'static str,
) -> Result<Vec<T>, StorageError> {
    let select = Query::select()
        .column(id)
        .from(table)
        .cond_where(condition)
        .order_by(id, Order::Asc)
        .take();
    fetch_all(tx, &select)
        .await?
        .into_iter()
        .map(|mut row| row.parsed(name))
        .collect()
}
