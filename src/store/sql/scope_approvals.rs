//! Which clients may list a scope that needs an approval.

use sea_query::{Condition, Expr, ExprTrait, Query};

use super::clients::is_client;
use super::executor::{Executor, change, first};
use super::forget::{Going, forget};
use super::insert::insert_new;
use super::listing::Listing;
use super::registry::alone;
use super::scopes;
use super::tables::{ClientScopes, Clients, ScopeApprovals, Scopes};
use crate::domain::{ClientId, Direction, PageRequest, ScopeId, Timestamp};
use crate::store::{Registered, ScopeApproval, StorageError};

pub(super) async fn approve_scope(
    tx: &mut dyn Executor,
    id: ScopeId,
    client: ClientId,
    at: Timestamp,
) -> Result<ScopeApproval, StorageError> {
    alone(tx).await?;
    let scope = Query::select().column(Scopes::Id).from(Scopes::Table).and_where(scopes::is_scope(id)).take();
    if first(tx, &scope).await?.is_none() {
        return Ok(ScopeApproval::UnknownScope);
    }
    let known = Query::select().column(Clients::Id).from(Clients::Table).and_where(is_client(client)).take();
    if first(tx, &known).await?.is_none() {
        return Ok(ScopeApproval::UnknownClient);
    }
    let approval = insert_new(
        ScopeApprovals::Table,
        [
            (ScopeApprovals::ScopeId, id.to_string().into()),
            (ScopeApprovals::ClientId, client.to_string().into()),
            (ScopeApprovals::ApprovedAt, at.seconds().into()),
        ],
    );
    change(tx, &approval).await?;
    Ok(ScopeApproval::Approved)
}

pub(super) async fn withdraw_scope(tx: &mut dyn Executor, id: ScopeId, client: ClientId) -> Result<bool, StorageError> {
    alone(tx).await?;
    let scope = Query::select().columns([Scopes::ApplicationId, Scopes::Name]).from(Scopes::Table).and_where(scopes::is_scope(id)).take();
    let Some(row) = first(tx, &scope).await? else { return Ok(false) };
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
    let taken = change(tx, &approval).await? + change(tx, &listed).await?;
    forget(tx, &Going::One(scopes::name(row)?), Some(client)).await?;
    Ok(taken > 0)
}

pub(super) async fn approved_clients(tx: &mut dyn Executor, id: ScopeId, page: PageRequest) -> Result<Registered<ClientId>, StorageError> {
    let listing = Listing {
        table: ScopeApprovals::Table,
        columns: vec![ScopeApprovals::ClientId],
        wanted: Condition::all().add(Expr::col(ScopeApprovals::ScopeId).eq(id.to_string())),
        sort: ScopeApprovals::ScopeId,
        sort_is_optional: false,
        id: ScopeApprovals::ClientId,
        direction: Direction::Ascending,
        page,
    };
    let (total, rows) = listing.load(tx).await?;
    let client = |mut row: super::row::Row| row.parsed("scope_approvals.client_id");
    Ok(Registered { total, items: rows.into_iter().map(client).collect::<Result<_, _>>()? })
}
