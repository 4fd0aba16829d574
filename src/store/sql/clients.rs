//! OAuth clients.

use std::sync::Arc;

use sea_query::{Expr, ExprTrait, Order, Query};

use super::executor::{Executor, all, change, first};
use super::insert::{insert, insert_new};
use super::registry;
use super::row::json_list;
use super::tables::{ClientScopes, ClientSecrets, Clients, Scopes};
use crate::domain::{Client, ClientId, ClientSecretDigest, RedirectUri, RegisteredSecret, Scope, ScopeSet};
use crate::store::{ClientCreation, StorageError};

pub(super) async fn create_client(tx: &mut dyn Executor, client: Client) -> Result<ClientCreation, StorageError> {
    if let Err(fault) = client.check() {
        return Ok(ClientCreation::Refused(fault));
    }
    let id = client.id.to_string();
    let row = insert_new(
        Clients::Table,
        [
            (Clients::Id, id.as_str().into()),
            (Clients::Name, client.name.as_str().into()),
            (Clients::Owner, client.owner.as_str().into()),
            (Clients::Policy, client.policy.as_str().into()),
            (Clients::RedirectUris, json_list(client.redirect_uris.iter().map(RedirectUri::as_str)).into()),
            (Clients::PlainPkceAllowed, i64::from(client.plain_pkce_allowed).into()),
            (Clients::FirstParty, i64::from(client.first_party).into()),
            (Clients::ClientCredentialsAllowed, i64::from(client.client_credentials_allowed).into()),
            (Clients::CreatedAt, client.created_at.seconds().into()),
        ],
    );
    if change(tx, &row).await? == 0 {
        return Ok(ClientCreation::Taken);
    }
    for (position, scope) in (0_i64..).zip(&client.allowed_scopes) {
        if !allow(tx, &id, position, scope).await? {
            tx.undo();
            return Ok(ClientCreation::UnknownScope(scope.clone()));
        }
    }
    for (position, secret) in (0_i64..).zip(&client.secrets) {
        let secret = insert(
            ClientSecrets::Table,
            [
                (ClientSecrets::ClientId, id.as_str().into()),
                (ClientSecrets::Position, position.into()),
                (ClientSecrets::Digest, secret.digest.as_bytes().to_vec().into()),
                (ClientSecrets::CreatedAt, secret.created_at.seconds().into()),
            ],
        );
        change(tx, &secret).await?;
    }
    Ok(ClientCreation::Created)
}

/// Lets a client ask for a scope. Says whether there is such a scope.
async fn allow(tx: &mut dyn Executor, client: &str, position: i64, scope: &Scope) -> Result<bool, StorageError> {
    let existing = Query::select()
        .expr(Expr::value(client))
        .expr(Expr::value(position))
        .column(Scopes::Id)
        .from(Scopes::Table)
        .and_where(registry::is(scope))
        .take();
    let allowed = Query::insert()
        .into_table(ClientScopes::Table)
        .columns([ClientScopes::ClientId, ClientScopes::Position, ClientScopes::ScopeId])
        .select_from(existing)
        .map_err(|error| StorageError::failed("an allowed scope's columns and values differ", error))?
        .take();
    Ok(change(tx, &allowed).await? > 0)
}

pub(super) async fn client(tx: &mut dyn Executor, id: ClientId) -> Result<Option<Arc<Client>>, StorageError> {
    let client = Query::select()
        .columns([
            Clients::Id,
            Clients::Name,
            Clients::Owner,
            Clients::Policy,
            Clients::RedirectUris,
            Clients::PlainPkceAllowed,
            Clients::FirstParty,
            Clients::ClientCredentialsAllowed,
            Clients::CreatedAt,
        ])
        .from(Clients::Table)
        .and_where(Expr::col(Clients::Id).eq(id.to_string()))
        .take();
    let Some(mut row) = first(tx, &client).await? else { return Ok(None) };
    Ok(Some(Arc::new(Client {
        id: row.parsed("clients.id")?,
        name: row.parsed("clients.name")?,
        owner: row.parsed("clients.owner")?,
        policy: row.parsed("clients.policy")?,
        redirect_uris: row.list("clients.redirect_uris")?,
        plain_pkce_allowed: row.flag("clients.plain_pkce_allowed")?,
        first_party: row.flag("clients.first_party")?,
        client_credentials_allowed: row.flag("clients.client_credentials_allowed")?,
        created_at: row.time("clients.created_at")?,
        allowed_scopes: allowed_scopes(tx, id).await?,
        secrets: secrets(tx, id).await?,
    })))
}

async fn allowed_scopes(tx: &mut dyn Executor, id: ClientId) -> Result<ScopeSet, StorageError> {
    let scopes = Query::select()
        .columns([(Scopes::Table, Scopes::ApplicationId), (Scopes::Table, Scopes::Name)])
        .from(ClientScopes::Table)
        .inner_join(Scopes::Table, Expr::col((Scopes::Table, Scopes::Id)).equals((ClientScopes::Table, ClientScopes::ScopeId)))
        .and_where(Expr::col(ClientScopes::ClientId).eq(id.to_string()))
        .order_by(ClientScopes::Position, Order::Asc)
        .take();
    let scopes = all(tx, &scopes).await?.into_iter();
    scopes.map(|mut row| Ok(Scope { application: row.parsed("scopes.application_id")?, name: row.parsed("scopes.name")? })).collect()
}

async fn secrets(tx: &mut dyn Executor, id: ClientId) -> Result<Vec<RegisteredSecret>, StorageError> {
    let secrets = Query::select()
        .columns([ClientSecrets::Digest, ClientSecrets::CreatedAt])
        .from(ClientSecrets::Table)
        .and_where(Expr::col(ClientSecrets::ClientId).eq(id.to_string()))
        .order_by(ClientSecrets::Position, Order::Asc)
        .take();
    let secrets = all(tx, &secrets).await?.into_iter();
    secrets
        .map(|mut row| {
            let digest = ClientSecretDigest::from_bytes(row.digest("client_secrets.digest")?);
            Ok(RegisteredSecret { digest, created_at: row.time("client_secrets.created_at")? })
        })
        .collect()
}
