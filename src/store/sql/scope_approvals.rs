//! Approvals of clients for scopes.

use sea_query::{Asterisk, Expr, ExprTrait, Func, Order, Query, SelectStatement, UnionType};

use super::clients::is_client;
use super::executor::{Executor, execute, fetch_all, fetch_optional};
use super::insert::insert_or_ignore;
use super::management_lock::lock_management;
use super::scope_removal::{ScopeSelection, remove_scopes};
use super::scope_requests;
use super::scopes;
use super::tables::{ClientScopes, Clients, ScopeApprovals, Scopes};
use crate::domain::{ClientId, PageRequest, ScopeId, Timestamp};
use crate::store::{Paged, ScopeApproval, ScopeClient, StorageError};

pub(super) async fn approve_scope(
    tx: &mut dyn Executor,
    id: ScopeId,
    client: ClientId,
    at: Timestamp,
) -> Result<ScopeApproval, StorageError> {
    lock_management(tx).await?;
    if !scope_exists(tx, id).await? {
        return Ok(ScopeApproval::UnknownScope);
    }
    if !client_exists(tx, client).await? {
        return Ok(ScopeApproval::UnknownClient);
    }
    let approval = insert_or_ignore(
        ScopeApprovals::Table,
        [
            (ScopeApprovals::ScopeId, id.to_string().into()),
            (ScopeApprovals::ClientId, client.to_string().into()),
            (ScopeApprovals::ApprovedAt, at.seconds().into()),
        ],
    );
    execute(tx, &approval).await?;
    Ok(ScopeApproval::Approved)
}

pub(super) async fn scope_exists(tx: &mut dyn Executor, id: ScopeId) -> Result<bool, StorageError> {
    let scope = Query::select()
        .column(Scopes::Id)
        .from(Scopes::Table)
        .and_where(scopes::is_scope(id))
        .take();
    Ok(fetch_optional(tx, &scope).await?.is_some())
}

pub(super) async fn client_exists(
    tx: &mut dyn Executor,
    id: ClientId,
) -> Result<bool, StorageError> {
    let client = Query::select()
        .column(Clients::Id)
        .from(Clients::Table)
        .and_where(is_client(id))
        .take();
    Ok(fetch_optional(tx, &client).await?.is_some())
}

pub(super) async fn revoke_scope_approval(
    tx: &mut dyn Executor,
    id: ScopeId,
    client: ClientId,
) -> Result<bool, StorageError> {
    lock_management(tx).await?;
    let scope = Query::select()
        .columns([Scopes::ApplicationId, Scopes::Name])
        .from(Scopes::Table)
        .and_where(scopes::is_scope(id))
        .take();
    let Some(row) = fetch_optional(tx, &scope).await? else {
        return Ok(false);
    };
    let approval = Query::delete()
        .from_table(ScopeApprovals::Table)
        .and_where(Expr::col(ScopeApprovals::ScopeId).eq(id.to_string()))
        .and_where(Expr::col(ScopeApprovals::ClientId).eq(client.to_string()))
        .take();
    let listed = Query::delete()
        .from_table(ClientScopes::Table)
        .and_where(Expr::col(ClientScopes::ScopeId).eq(id.to_string()))
        .and_where(Expr::col(ClientScopes::ClientId).eq(client.to_string()))
        .take();
    let deleted = execute(tx, &approval).await? + execute(tx, &listed).await?;
    scope_requests::withdraw(tx, id, client).await?;
    remove_scopes(tx, &ScopeSelection::One(scopes::name(row)?), Some(client)).await?;
    Ok(deleted > 0)
}

pub(super) async fn clients_of_scope(
    tx: &mut dyn Executor,
    id: ScopeId,
    page: PageRequest,
) -> Result<Paged<ScopeClient>, StorageError> {
    let count = Query::select()
        .expr(Func::count(Expr::col(Asterisk)))
        .from_subquery(by_client(id), "found")
        .take();
    let total = match fetch_optional(tx, &count).await? {
        Some(mut row) => {
            u64::try_from(row.integer("count")?).map_err(|_| StorageError::corrupt("count"))?
        }
        None => 0,
    };
    let select = by_client(id)
        .order_by(CLIENT, Order::Asc)
        .limit(page.size().into())
        .offset(page.offset())
        .take();
    let found = fetch_all(tx, &select).await?.into_iter().map(|mut row| {
        Ok(ScopeClient {
            client: row.parsed("scope_approvals.client_id")?,
            approved: row.integer("approved")? > 0,
            listed: row.integer("listed")? > 0,
        })
    });
    Ok(Paged {
        total,
        items: found.collect::<Result<_, _>>()?,
    })
}

const CLIENT: &str = "client_id";

/// Selects each client that is approved for the scope or lists it, with the number of its approvals
/// and of its list entries.
fn by_client(id: ScopeId) -> SelectStatement {
    let number = |number: i32| Expr::Constant(number.into());
    let approved = Query::select()
        .expr_as(Expr::col(ScopeApprovals::ClientId), CLIENT)
        .expr_as(number(1), "approved")
        .expr_as(number(0), "listed")
        .from(ScopeApprovals::Table)
        .and_where(Expr::col(ScopeApprovals::ScopeId).eq(id.to_string()))
        .take();
    let listed = Query::select()
        .column(ClientScopes::ClientId)
        .exprs([number(0), number(1)])
        .from(ClientScopes::Table)
        .and_where(Expr::col(ClientScopes::ScopeId).eq(id.to_string()))
        .take();
    Query::select()
        .column(CLIENT)
        .exprs(["approved", "listed"].map(|times| Func::sum(Expr::col(times))))
        .from_subquery(
            approved.clone().union(UnionType::All, listed).take(),
            "each",
        )
        .group_by_col(CLIENT)
        .take()
}
