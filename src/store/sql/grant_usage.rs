//! Usage of applications, scopes and clients.

use std::collections::BTreeMap;

use sea_query::{Condition, Expr, ExprTrait, Func, Order, Query, SelectStatement};

use super::executor::{Executor, fetch_all, fetch_optional};
use super::grants::is_live;
use super::in_list_padding::pad_to_power_of_two;
use super::management_lock::is_application;
use super::page_query::count;
use super::row::Row;
use super::scope_removal::{ScopeSelection, grants_with};
use super::scopes;
use super::tables::{Applications, ClientScopes, Clients, Grants, Scopes};
use crate::domain::{ApplicationId, ClientId, ScopeId, Timestamp};
use crate::store::{ClientSummary, GrantUsage, MAX_USAGE_CLIENTS, Paged, ScopeUsage, StorageError};

pub(super) async fn application_usage(
    tx: &mut dyn Executor,
    id: ApplicationId,
    at: Timestamp,
) -> Result<Option<ScopeUsage>, StorageError> {
    let known = Query::select()
        .column(Applications::Id)
        .from(Applications::Table)
        .and_where(is_application(id))
        .take();
    if fetch_optional(tx, &known).await?.is_none() {
        return Ok(None);
    }
    let its_scopes = Query::select()
        .column(Scopes::Id)
        .from(Scopes::Table)
        .and_where(Expr::col(Scopes::ApplicationId).eq(id.to_string()))
        .take();
    usage(
        tx,
        Expr::col(ClientScopes::ScopeId).in_subquery(its_scopes),
        &ScopeSelection::OfApplication(id),
        at,
    )
    .await
    .map(Some)
}

pub(super) async fn scope_usage(
    tx: &mut dyn Executor,
    id: ScopeId,
    at: Timestamp,
) -> Result<Option<ScopeUsage>, StorageError> {
    let known = Query::select()
        .columns([Scopes::ApplicationId, Scopes::Name])
        .from(Scopes::Table)
        .and_where(scopes::is_scope(id))
        .take();
    let Some(row) = fetch_optional(tx, &known).await? else {
        return Ok(None);
    };
    let scope = scopes::name(row)?;
    usage(
        tx,
        Expr::col(ClientScopes::ScopeId).eq(id.to_string()),
        &ScopeSelection::One(scope),
        at,
    )
    .await
    .map(Some)
}

pub(super) async fn usage_of_clients(
    tx: &mut dyn Executor,
    ids: Vec<ClientId>,
    at: Timestamp,
) -> Result<BTreeMap<ClientId, GrantUsage>, StorageError> {
    if ids.is_empty() {
        return Ok(BTreeMap::new());
    }
    let of_clients =
        Expr::col(Grants::ClientId).is_in(pad_to_power_of_two(ids.iter().map(ToString::to_string)));
    by_client(tx, of_clients, at).await
}

/// The clients that list a scope for which `listed` is true, and the live grants that have one of
/// the scopes.
async fn usage(
    tx: &mut dyn Executor,
    listed: Expr,
    scopes: &ScopeSelection,
    at: Timestamp,
) -> Result<ScopeUsage, StorageError> {
    let listing = Query::select()
        .column(ClientScopes::ClientId)
        .from(ClientScopes::Table)
        .and_where(listed)
        .take();
    let clients = clients(tx, listing).await?;
    let has_it = Expr::col(Grants::Id).in_subquery(grants_with(scopes));
    Ok(ScopeUsage::new(clients, by_client(tx, has_it, at).await?))
}

async fn clients(
    tx: &mut dyn Executor,
    listing: SelectStatement,
) -> Result<Paged<ClientSummary>, StorageError> {
    let condition = Condition::all().add(Expr::col(Clients::Id).in_subquery(listing));
    let total = count(tx, (Clients::Table, Clients::Id), condition.clone()).await?;
    let named = Query::select()
        .columns([Clients::Id, Clients::Name, Clients::Owner])
        .from(Clients::Table)
        .cond_where(condition)
        .order_by(Clients::CreatedAt, Order::Asc)
        .order_by(Clients::Id, Order::Asc)
        .limit(MAX_USAGE_CLIENTS as u64)
        .take();
    Ok(Paged {
        total,
        items: fetch_all(tx, &named)
            .await?
            .into_iter()
            .map(read)
            .collect::<Result<_, _>>()?,
    })
}

/// The live grants that meet the condition, by client.
async fn by_client(
    tx: &mut dyn Executor,
    condition: Expr,
    at: Timestamp,
) -> Result<BTreeMap<ClientId, GrantUsage>, StorageError> {
    let live = Query::select()
        .column(Grants::ClientId)
        .exprs([
            Func::count(Expr::col(Grants::Id)),
            Func::max(Expr::col(Grants::RedeemedAt)),
        ])
        .from(Grants::Table)
        .and_where(condition)
        .and_where(is_live(at))
        .group_by_col(Grants::ClientId)
        .take();
    let usages = fetch_all(tx, &live).await?.into_iter().map(|mut row| {
        let client = row.parsed("grants.client_id")?;
        Ok((
            client,
            GrantUsage {
                live: row.unsigned("count")?,
                last_granted_at: row.optional(|row| row.timestamp("grants.redeemed_at"))?,
            },
        ))
    });
    usages.collect()
}

fn read(mut row: Row) -> Result<ClientSummary, StorageError> {
    Ok(ClientSummary {
        id: row.parsed("clients.id")?,
        name: row.parsed("clients.name")?,
        owner: row.parsed("clients.owner")?,
    })
}
