//! Which clients may list a scope that needs an approval, and which do.

use sea_query::{Asterisk, Expr, ExprTrait, Func, Order, Query, SelectStatement, UnionType};

use super::clients::is_client;
use super::executor::{Executor, all, change, first};
use super::forget::{Going, forget};
use super::insert::insert_new;
use super::registry::alone;
use super::scopes;
use super::tables::{ClientScopes, Clients, ScopeApprovals, Scopes};
use crate::domain::{ClientId, PageRequest, ScopeId, Timestamp};
use crate::store::{Registered, ScopeApproval, ScopeClient, StorageError};

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

pub(super) async fn clients_of_scope(
    tx: &mut dyn Executor,
    id: ScopeId,
    page: PageRequest,
) -> Result<Registered<ScopeClient>, StorageError> {
    let count = Query::select().expr(Func::count(Expr::col(Asterisk))).from_subquery(by_client(id), "found").take();
    let total = match first(tx, &count).await? {
        Some(mut row) => u64::try_from(row.integer("count")?).map_err(|_| StorageError::corrupt("count"))?,
        None => 0,
    };
    let wanted = by_client(id).order_by(CLIENT, Order::Asc).limit(page.size().into()).offset(page.offset()).take();
    let found = all(tx, &wanted).await?.into_iter().map(|mut row| {
        Ok(ScopeClient {
            client: row.parsed("scope_approvals.client_id")?,
            approved: row.integer("approved")? > 0,
            listed: row.integer("listed")? > 0,
        })
    });
    Ok(Registered { total, items: found.collect::<Result<_, _>>()? })
}

const CLIENT: &str = "client_id";

/// Each client that is approved for the scope or lists it, how often it is approved, and how often it lists it.
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
        .from_subquery(approved.clone().union(UnionType::All, listed).take(), "each")
        .group_by_col(CLIENT)
        .take()
}
