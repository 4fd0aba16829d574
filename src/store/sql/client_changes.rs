//! Changes to OAuth clients.

use sea_query::{Condition, Expr, ExprTrait, Query};

use super::client_scopes::{ForbiddenScope, insert_allowed_scopes};
use super::client_secrets;
use super::clients::{client, is_client, verification_columns};
use super::executor::{Executor, execute, fetch_optional};
use super::insert::insert_or_ignore;
use super::management_lock::lock_management;
use super::page_query::count;
use super::row::json_list;
use super::row_locks::lock_rows;
use super::scopes;
use super::tables::{ClientScopes, Clients, Consents, Grants, Scopes, Sessions};
use crate::domain::{
    Client, ClientId, ClientPolicy, ClientSettings, PolicyUri, RedirectUri, Scope, ScopeSet,
    Timestamp,
};
use crate::store::{ClientCreation, ClientDeletion, ClientUpdate, StorageError};

/// Registrations hold the management lock, so the count cannot change before the insert.
pub(super) async fn create_client(
    tx: &mut dyn Executor,
    client: Client,
    limit: u32,
) -> Result<ClientCreation, StorageError> {
    if let Err(error) = client.check() {
        return Ok(ClientCreation::Invalid(error));
    }
    lock_management(tx).await?;
    let owned = Condition::all().add(Expr::col(Clients::Owner).eq(client.owner.as_str()));
    if limit < u32::MAX
        && count(tx, (Clients::Table, Clients::Id), owned).await? >= u64::from(limit)
    {
        return Ok(ClientCreation::LimitReached);
    }
    let [verified, verified_by, verified_at] = verification_columns(&client.verification);
    let row = insert_or_ignore(
        Clients::Table,
        [
            (Clients::Id, client.id.to_string().into()),
            (Clients::Name, client.name.as_str().into()),
            (Clients::Owner, client.owner.as_str().into()),
            (Clients::Policy, client.policy.as_str().into()),
            (Clients::RedirectUris, redirect_uris(&client).into()),
            (
                Clients::PlainPkceAllowed,
                i64::from(client.plain_pkce_allowed).into(),
            ),
            (
                Clients::PkceRequired,
                i64::from(client.pkce_required).into(),
            ),
            (Clients::FirstParty, i64::from(client.first_party).into()),
            (
                Clients::ClientCredentialsAllowed,
                i64::from(client.client_credentials_allowed).into(),
            ),
            (Clients::IssOmitted, i64::from(client.iss_omitted).into()),
            (Clients::PolicyUri, policy_uri(&client).into()),
            verified,
            verified_by,
            verified_at,
            (Clients::CreatedAt, client.created_at.seconds().into()),
            (
                Clients::SuspendedAt,
                client.suspended_at.map(Timestamp::seconds).into(),
            ),
        ],
    );
    if execute(tx, &row).await? == 0 {
        return Ok(ClientCreation::AlreadyExists);
    }
    if let Some(forbidden) = insert_allowed_scopes(tx, &client, &ScopeSet::default()).await? {
        tx.set_rollback_only();
        return Ok(match forbidden {
            ForbiddenScope::Unknown(scope) => ClientCreation::UnknownScope(scope),
            ForbiddenScope::NeedsApproval(scope) => ClientCreation::NeedsApproval(scope),
        });
    }
    for (position, secret) in (0_i64..).zip(&client.secrets) {
        client_secrets::insert_secret(tx, client.id, position, secret).await?;
    }
    Ok(ClientCreation::Created)
}

pub(super) async fn update_client(
    tx: &mut dyn Executor,
    id: ClientId,
    expected: ClientSettings,
    new: ClientSettings,
) -> Result<ClientUpdate, StorageError> {
    lock_management(tx).await?;
    let Some(before) = client(tx, id).await? else {
        return Ok(ClientUpdate::NotFound);
    };
    if before.settings() != expected {
        return Ok(ClientUpdate::Conflict);
    }
    let client = before.with_settings(new);
    if let Err(error) = client.check() {
        return Ok(ClientUpdate::Invalid(error));
    }
    let row = Query::update()
        .table(Clients::Table)
        .value(Clients::Name, client.name.as_str())
        .value(Clients::Policy, client.policy.as_str())
        .value(Clients::RedirectUris, redirect_uris(&client))
        .value(
            Clients::PlainPkceAllowed,
            i64::from(client.plain_pkce_allowed),
        )
        .value(Clients::PkceRequired, i64::from(client.pkce_required))
        .value(Clients::FirstParty, i64::from(client.first_party))
        .value(
            Clients::ClientCredentialsAllowed,
            i64::from(client.client_credentials_allowed),
        )
        .value(Clients::IssOmitted, i64::from(client.iss_omitted))
        .value(Clients::PolicyUri, policy_uri(&client))
        .values(verification_columns(&client.verification))
        .and_where(is_client(id))
        .take();
    execute(tx, &row).await?;
    let listed = Query::delete()
        .from_table(ClientScopes::Table)
        .and_where(Expr::col(ClientScopes::ClientId).eq(id.to_string()))
        .take();
    execute(tx, &listed).await?;
    if let Some(forbidden) = insert_allowed_scopes(tx, &client, &expected.allowed_scopes).await? {
        tx.set_rollback_only();
        return Ok(match forbidden {
            ForbiddenScope::Unknown(scope) => ClientUpdate::UnknownScope(scope),
            ForbiddenScope::NeedsApproval(scope) => ClientUpdate::NeedsApproval(scope),
        });
    }
    if client.policy == ClientPolicy::Public {
        client_secrets::remove_all(tx, id).await?;
    }
    Ok(ClientUpdate::Updated)
}

pub(super) async fn delete_client(
    tx: &mut dyn Executor,
    id: ClientId,
    at: Timestamp,
) -> Result<ClientDeletion, StorageError> {
    lock_management(tx).await?;
    let Some(found) = client(tx, id).await? else {
        return Ok(ClientDeletion::NotFound);
    };
    if found.first_party && !has_another(tx, &found).await? {
        return Ok(ClientDeletion::LastFirstParty);
    }
    execute(
        tx,
        &Query::delete()
            .from_table(Clients::Table)
            .and_where(is_client(id))
            .take(),
    )
    .await?;
    // Sessions come before grants, because an approval turns a session into a grant, which is then
    // found here.
    let (of_session, of_grant) = (
        Expr::col(Sessions::ClientId).eq(id.to_string()),
        Expr::col(Grants::ClientId).eq(id.to_string()),
    );
    lock_rows(
        tx,
        Sessions::Table,
        Sessions::Digest,
        of_session.clone().into(),
    )
    .await?;
    execute(
        tx,
        &Query::delete()
            .from_table(Sessions::Table)
            .and_where(of_session)
            .take(),
    )
    .await?;
    let of_grant = of_grant.and(Expr::col(Grants::RevokedAt).is_null());
    lock_rows(tx, Grants::Table, Grants::Id, of_grant.clone().into()).await?;
    let revoked = Query::update()
        .table(Grants::Table)
        .value(Grants::RevokedAt, at.seconds())
        .and_where(of_grant)
        .take();
    execute(tx, &revoked).await?;
    let of_consent = Expr::col(Consents::ClientId).eq(id.to_string());
    lock_rows(
        tx,
        Consents::Table,
        Consents::SubjectId,
        of_consent.clone().into(),
    )
    .await?;
    execute(
        tx,
        &Query::delete()
            .from_table(Consents::Table)
            .and_where(of_consent)
            .take(),
    )
    .await?;
    Ok(ClientDeletion::Deleted)
}

/// Whether another first-party client can replace this one: one that may manage, if this one may.
async fn has_another(tx: &mut dyn Executor, client: &Client) -> Result<bool, StorageError> {
    let managing = Query::select()
        .column(ClientScopes::ClientId)
        .from(ClientScopes::Table)
        .inner_join(
            Scopes::Table,
            Expr::col((Scopes::Table, Scopes::Id))
                .equals((ClientScopes::Table, ClientScopes::ScopeId)),
        )
        .and_where(scopes::is_named(&Scope::manage()))
        .take();
    let others = Query::select()
        .column(Clients::Id)
        .from(Clients::Table)
        .and_where(Expr::col(Clients::FirstParty).eq(1))
        .and_where(Expr::col(Clients::SuspendedAt).is_null())
        .and_where(Expr::col(Clients::Id).ne(client.id.to_string()))
        .cond_where(
            Condition::all().add_option(
                client
                    .may_manage()
                    .then(|| Expr::col(Clients::Id).in_subquery(managing)),
            ),
        )
        .limit(1)
        .take();
    Ok(fetch_optional(tx, &others).await?.is_some())
}

fn policy_uri(client: &Client) -> Option<&str> {
    client.policy_uri.as_ref().map(PolicyUri::as_str)
}

fn redirect_uris(client: &Client) -> String {
    json_list(client.redirect_uris.iter().map(RedirectUri::as_str))
}
