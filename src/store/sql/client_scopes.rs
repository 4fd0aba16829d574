//! Which scopes clients list, and whether they may.

use std::collections::{HashMap, HashSet};

use sea_query::{Condition, Expr, ExprTrait, Query};

use super::executor::{Executor, all, change};
use super::insert::insert;
use super::padded::padded;
use super::scopes;
use super::tables::{Applications, ClientScopes, ScopeApprovals, Scopes};
use crate::domain::{Client, ClientId, Scope, ScopeSet, SubjectId};
use crate::store::StorageError;

/// Why a client may not list a scope.
pub(super) enum Forbidden {
    Unknown(Scope),
    NeedsApproval(Scope),
}

/// Lists a client's scopes anew, all of them or as far as the first one that it may not list. What it has listed before, it may.
pub(super) async fn list(tx: &mut dyn Executor, client: &Client, before: &ScopeSet) -> Result<Option<Forbidden>, StorageError> {
    let (defined, approved) = (defined(tx, &client.allowed_scopes).await?, approved(tx, client.id).await?);
    for (position, scope) in (0_i64..).zip(&client.allowed_scopes) {
        let Some(definition) = defined.get(scope) else { return Ok(Some(Forbidden::Unknown(scope.clone()))) };
        let is_free = !definition.approval_required || definition.owner == client.owner || approved.contains(&definition.id);
        if !is_free && !before.contains(scope) {
            return Ok(Some(Forbidden::NeedsApproval(scope.clone())));
        }
        let allowed = insert(
            ClientScopes::Table,
            [
                (ClientScopes::ClientId, client.id.to_string().into()),
                (ClientScopes::Position, position.into()),
                (ClientScopes::ScopeId, definition.id.as_str().into()),
            ],
        );
        change(tx, &allowed).await?;
    }
    Ok(None)
}

/// What decides whether a client may list a scope.
struct Defined {
    id: String,
    approval_required: bool,
    owner: SubjectId,
}

async fn defined(tx: &mut dyn Executor, wanted: &ScopeSet) -> Result<HashMap<Scope, Defined>, StorageError> {
    let any = padded(wanted).into_iter().fold(Condition::any(), |any, scope| any.add(scopes::is(scope)));
    if any.is_empty() {
        return Ok(HashMap::new());
    }
    let defined = Query::select()
        .columns([Scopes::Id, Scopes::ApprovalRequired].map(|column| (Scopes::Table, column)))
        .column((Applications::Table, Applications::Owner))
        .columns([Scopes::ApplicationId, Scopes::Name].map(|column| (Scopes::Table, column)))
        .from(Scopes::Table)
        .inner_join(Applications::Table, Expr::col((Applications::Table, Applications::Id)).equals((Scopes::Table, Scopes::ApplicationId)))
        .cond_where(any)
        .take();
    let rows = all(tx, &defined).await?.into_iter();
    rows.map(|mut row| {
        let (id, approval_required) = (row.text("scopes.id")?, row.flag("scopes.approval_required")?);
        let defined = Defined { id, approval_required, owner: row.parsed("applications.owner")? };
        Ok((scopes::name(row)?, defined))
    })
    .collect()
}

/// The ids of the scopes that the client was approved for.
async fn approved(tx: &mut dyn Executor, client: ClientId) -> Result<HashSet<String>, StorageError> {
    let approved = Query::select()
        .column(ScopeApprovals::ScopeId)
        .from(ScopeApprovals::Table)
        .and_where(Expr::col(ScopeApprovals::ClientId).eq(client.to_string()))
        .take();
    all(tx, &approved).await?.into_iter().map(|mut row| row.text("scope_approvals.scope_id")).collect()
}
