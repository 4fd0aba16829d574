//! What becomes of OAuth clients.

use sea_query::{Condition, Expr, ExprTrait, Query};

use super::client_scopes::{Forbidden, list};
use super::client_secrets;
use super::clients::{client, is_client, verification_columns};
use super::executor::{Executor, change, first};
use super::insert::insert_new;
use super::listing::count;
use super::lock::lock;
use super::registry::alone;
use super::row::json_list;
use super::scopes;
use super::tables::{ClientScopes, Clients, Consents, Grants, Scopes, Sessions};
use crate::domain::{Client, ClientId, ClientPolicy, ClientSettings, RedirectUri, Scope, ScopeSet, Timestamp};
use crate::store::{ClientCreation, ClientDeletion, ClientUpdate, StorageError};

/// Registrations hold the management lock, so the count cannot change before the insert.
pub(super) async fn create_client(tx: &mut dyn Executor, client: Client, at_most: u32) -> Result<ClientCreation, StorageError> {
    if let Err(fault) = client.check() {
        return Ok(ClientCreation::Refused(fault));
    }
    alone(tx).await?;
    let owned = Condition::all().add(Expr::col(Clients::Owner).eq(client.owner.as_str()));
    if at_most < u32::MAX && count(tx, (Clients::Table, Clients::Id), owned).await? >= u64::from(at_most) {
        return Ok(ClientCreation::OwnerHasEnough);
    }
    let [verified, verified_by, verified_at] = verification_columns(&client.verification);
    let row = insert_new(
        Clients::Table,
        [
            (Clients::Id, client.id.to_string().into()),
            (Clients::Name, client.name.as_str().into()),
            (Clients::Owner, client.owner.as_str().into()),
            (Clients::Policy, client.policy.as_str().into()),
            (Clients::RedirectUris, redirect_uris(&client).into()),
            (Clients::PlainPkceAllowed, i64::from(client.plain_pkce_allowed).into()),
            (Clients::PkceRequired, i64::from(client.pkce_required).into()),
            (Clients::FirstParty, i64::from(client.first_party).into()),
            (Clients::ClientCredentialsAllowed, i64::from(client.client_credentials_allowed).into()),
            (Clients::IssOmitted, i64::from(client.iss_omitted).into()),
            verified,
            verified_by,
            verified_at,
            (Clients::CreatedAt, client.created_at.seconds().into()),
            (Clients::SuspendedAt, client.suspended_at.map(Timestamp::seconds).into()),
        ],
    );
    if change(tx, &row).await? == 0 {
        return Ok(ClientCreation::Taken);
    }
    if let Some(forbidden) = list(tx, &client, &ScopeSet::default()).await? {
        tx.undo();
        return Ok(match forbidden {
            Forbidden::Unknown(scope) => ClientCreation::UnknownScope(scope),
            Forbidden::NeedsApproval(scope) => ClientCreation::NeedsApproval(scope),
        });
    }
    for (position, secret) in (0_i64..).zip(&client.secrets) {
        client_secrets::keep(tx, client.id, position, secret).await?;
    }
    Ok(ClientCreation::Created)
}

pub(super) async fn update_client(
    tx: &mut dyn Executor,
    id: ClientId,
    seen: ClientSettings,
    new: ClientSettings,
) -> Result<ClientUpdate, StorageError> {
    alone(tx).await?;
    let Some(before) = client(tx, id).await? else { return Ok(ClientUpdate::Unknown) };
    if before.settings() != seen {
        return Ok(ClientUpdate::Changed);
    }
    let client = before.with(new);
    if let Err(fault) = client.check() {
        return Ok(ClientUpdate::Refused(fault));
    }
    let row = Query::update()
        .table(Clients::Table)
        .value(Clients::Name, client.name.as_str())
        .value(Clients::Policy, client.policy.as_str())
        .value(Clients::RedirectUris, redirect_uris(&client))
        .value(Clients::PlainPkceAllowed, i64::from(client.plain_pkce_allowed))
        .value(Clients::PkceRequired, i64::from(client.pkce_required))
        .value(Clients::FirstParty, i64::from(client.first_party))
        .value(Clients::ClientCredentialsAllowed, i64::from(client.client_credentials_allowed))
        .value(Clients::IssOmitted, i64::from(client.iss_omitted))
        .values(verification_columns(&client.verification))
        .and_where(is_client(id))
        .take();
    change(tx, &row).await?;
    let listed = Query::delete().from_table(ClientScopes::Table).and_where(Expr::col(ClientScopes::ClientId).eq(id.to_string())).take();
    change(tx, &listed).await?;
    if let Some(forbidden) = list(tx, &client, &seen.allowed_scopes).await? {
        tx.undo();
        return Ok(match forbidden {
            Forbidden::Unknown(scope) => ClientUpdate::UnknownScope(scope),
            Forbidden::NeedsApproval(scope) => ClientUpdate::NeedsApproval(scope),
        });
    }
    if client.policy == ClientPolicy::Public {
        client_secrets::remove_all(tx, id).await?;
    }
    Ok(ClientUpdate::Updated)
}

pub(super) async fn delete_client(tx: &mut dyn Executor, id: ClientId, at: Timestamp) -> Result<ClientDeletion, StorageError> {
    alone(tx).await?;
    let Some(found) = client(tx, id).await? else { return Ok(ClientDeletion::Unknown) };
    if found.first_party && !has_another(tx, &found).await? {
        return Ok(ClientDeletion::LastFirstParty);
    }
    change(tx, &Query::delete().from_table(Clients::Table).and_where(is_client(id)).take()).await?;
    // Sessions first: an approval turns one into a grant, and that is found here then.
    let (of_session, of_grant) = (Expr::col(Sessions::ClientId).eq(id.to_string()), Expr::col(Grants::ClientId).eq(id.to_string()));
    lock(tx, Sessions::Table, Sessions::Digest, of_session.clone().into()).await?;
    change(tx, &Query::delete().from_table(Sessions::Table).and_where(of_session).take()).await?;
    let of_grant = of_grant.and(Expr::col(Grants::RevokedAt).is_null());
    lock(tx, Grants::Table, Grants::Id, of_grant.clone().into()).await?;
    let revoked = Query::update().table(Grants::Table).value(Grants::RevokedAt, at.seconds()).and_where(of_grant).take();
    change(tx, &revoked).await?;
    let of_consent = Expr::col(Consents::ClientId).eq(id.to_string());
    lock(tx, Consents::Table, Consents::SubjectId, of_consent.clone().into()).await?;
    change(tx, &Query::delete().from_table(Consents::Table).and_where(of_consent).take()).await?;
    Ok(ClientDeletion::Deleted)
}

/// Whether another of the service's own clients could take this one's place: one that may manage, if this one may.
async fn has_another(tx: &mut dyn Executor, client: &Client) -> Result<bool, StorageError> {
    let managing = Query::select()
        .column(ClientScopes::ClientId)
        .from(ClientScopes::Table)
        .inner_join(Scopes::Table, Expr::col((Scopes::Table, Scopes::Id)).equals((ClientScopes::Table, ClientScopes::ScopeId)))
        .and_where(scopes::is(&Scope::manage()))
        .take();
    let others = Query::select()
        .column(Clients::Id)
        .from(Clients::Table)
        .and_where(Expr::col(Clients::FirstParty).eq(1))
        .and_where(Expr::col(Clients::SuspendedAt).is_null())
        .and_where(Expr::col(Clients::Id).ne(client.id.to_string()))
        .cond_where(Condition::all().add_option(client.may_manage().then(|| Expr::col(Clients::Id).in_subquery(managing))))
        .limit(1)
        .take();
    Ok(first(tx, &others).await?.is_some())
}

fn redirect_uris(client: &Client) -> String {
    json_list(client.redirect_uris.iter().map(RedirectUri::as_str))
}
