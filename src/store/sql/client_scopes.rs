//! Scopes that clients list, with the required approvals.

use std::collections::{HashMap, HashSet};

use sea_query::{Condition, Expr, ExprTrait, Query};

use super::executor::{Executor, execute, fetch_all};
use super::in_list_padding::pad_to_power_of_two;
use super::insert::insert;
use super::scopes;
use super::tables::{Applications, ClientScopes, ScopeApprovals, Scopes};
use crate::domain::{Client, ClientId, Scope, ScopeSet, SubjectId};
use crate::store::StorageError;

/// Reason why a client may not list a scope.
pub(super) enum ForbiddenScope {
    Unknown(Scope),
    NeedsApproval(Scope),
}

/// Inserts a client's allowed scopes, up to the first one that it may not list. Scopes in `before`
/// need no new approval.
pub(super) async fn insert_allowed_scopes(
    tx: &mut dyn Executor,
    client: &Client,
    before: &ScopeSet,
) -> Result<Option<ForbiddenScope>, StorageError> {
    let (defined, approved) = (
        defined(tx, &client.allowed_scopes).await?,
        approved(tx, client.id).await?,
    );
    for (position, scope) in (0_i64..).zip(&client.allowed_scopes) {
        let Some(definition) = defined.get(scope) else {
            return Ok(Some(ForbiddenScope::Unknown(scope.clone())));
        };
        let is_allowed = !definition.approval_required
            || definition.owner == client.owner
            || approved.contains(&definition.id);
        if !is_allowed && !before.contains(scope) {
            return Ok(Some(ForbiddenScope::NeedsApproval(scope.clone())));
        }
        let allowed = insert(
            ClientScopes::Table,
            [
                (ClientScopes::ClientId, client.id.to_string().into()),
                (ClientScopes::Position, position.into()),
                (ClientScopes::ScopeId, definition.id.as_str().into()),
            ],
        );
        execute(tx, &allowed).await?;
    }
    Ok(None)
}

/// Properties of a scope that decide whether a client may list it.
struct ScopeRow {
    id: String,
    approval_required: bool,
    owner: SubjectId,
}

async fn defined(
    tx: &mut dyn Executor,
    wanted: &ScopeSet,
) -> Result<HashMap<Scope, ScopeRow>, StorageError> {
    let any = pad_to_power_of_two(wanted)
        .into_iter()
        .fold(Condition::any(), |any, scope| {
            any.add(scopes::is_named(scope))
        });
    if any.is_empty() {
        return Ok(HashMap::new());
    }
    let defined = Query::select()
        .columns([Scopes::Id, Scopes::ApprovalRequired].map(|column| (Scopes::Table, column)))
        .column((Applications::Table, Applications::Owner))
        .columns([Scopes::ApplicationId, Scopes::Name].map(|column| (Scopes::Table, column)))
        .from(Scopes::Table)
        .inner_join(
            Applications::Table,
            Expr::col((Applications::Table, Applications::Id))
                .equals((Scopes::Table, Scopes::ApplicationId)),
        )
        .cond_where(any)
        .take();
    let rows = fetch_all(tx, &defined).await?.into_iter();
    rows.map(|mut row| {
        let (id, approval_required) = (
            row.text("scopes.id")?,
            row.boolean("scopes.approval_required")?,
        );
        let defined = ScopeRow {
            id,
            approval_required,
            owner: row.parsed("applications.owner")?,
        };
        Ok((scopes::name(row)?, defined))
    })
    .collect()
}

/// The ids of the scopes for which the client is approved.
async fn approved(
    tx: &mut dyn Executor,
    client: ClientId,
) -> Result<HashSet<String>, StorageError> {
    let approved = Query::select()
        .column(ScopeApprovals::ScopeId)
        .from(ScopeApprovals::Table)
        .and_where(Expr::col(ScopeApprovals::ClientId).eq(client.to_string()))
        .take();
    fetch_all(tx, &approved)
        .await?
        .into_iter()
        .map(|mut row| row.text("scope_approvals.scope_id"))
        .collect()
}
