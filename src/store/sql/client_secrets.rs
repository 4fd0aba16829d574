//! Client secrets: the newest one and, during a rotation, the one before.

use sea_query::{Expr, ExprTrait, Func, Query};

use super::clients::is_client;
use super::executor::{Executor, execute, fetch_optional};
use super::insert::insert;
use super::management_lock::lock_management;
use super::tables::{ClientSecrets, Clients};
use crate::domain::{ClientId, ClientPolicy, RegisteredSecret};
use crate::store::{SecretAddition, SecretRemoval, StorageError};

pub(super) async fn add_client_secret(
    tx: &mut dyn Executor,
    id: ClientId,
    secret: RegisteredSecret,
) -> Result<SecretAddition, StorageError> {
    lock_management(tx).await?;
    match policy(tx, id).await? {
        None => return Ok(SecretAddition::NotFound),
        Some(ClientPolicy::Public) => return Ok(SecretAddition::Public),
        Some(ClientPolicy::Secret | ClientPolicy::SecretOrPkce) => {}
    }
    let newest = newest(tx, id).await?;
    if let Some(newest) = newest {
        remove_before(tx, id, newest).await?;
    }
    insert_secret(tx, id, newest.map_or(0, |newest| newest + 1), &secret).await?;
    Ok(SecretAddition::Added)
}

pub(super) async fn remove_older_secret(
    tx: &mut dyn Executor,
    id: ClientId,
) -> Result<SecretRemoval, StorageError> {
    lock_management(tx).await?;
    if policy(tx, id).await?.is_none() {
        return Ok(SecretRemoval::NotFound);
    }
    let removed = match newest(tx, id).await? {
        Some(newest) => remove_before(tx, id, newest).await?,
        None => 0,
    };
    Ok(if removed > 0 {
        SecretRemoval::Removed
    } else {
        SecretRemoval::NoOlder
    })
}

/// Stores a secret at an unused position.
pub(super) async fn insert_secret(
    tx: &mut dyn Executor,
    id: ClientId,
    position: i64,
    secret: &RegisteredSecret,
) -> Result<(), StorageError> {
    let secret = insert(
        ClientSecrets::Table,
        [
            (ClientSecrets::ClientId, id.to_string().into()),
            (ClientSecrets::Position, position.into()),
            (
                ClientSecrets::Digest,
                secret.digest.as_bytes().to_vec().into(),
            ),
            (ClientSecrets::CreatedAt, secret.created_at.seconds().into()),
            (ClientSecrets::LastFour, secret.last_four.clone().into()),
        ],
    );
    execute(tx, &secret).await.map(drop)
}

pub(super) async fn remove_all(tx: &mut dyn Executor, id: ClientId) -> Result<(), StorageError> {
    execute(
        tx,
        &Query::delete()
            .from_table(ClientSecrets::Table)
            .and_where(has_client(id))
            .take(),
    )
    .await
    .map(drop)
}

async fn policy(tx: &mut dyn Executor, id: ClientId) -> Result<Option<ClientPolicy>, StorageError> {
    let policy = Query::select()
        .column(Clients::Policy)
        .from(Clients::Table)
        .and_where(is_client(id))
        .take();
    fetch_optional(tx, &policy)
        .await?
        .map(|mut row| row.parsed("clients.policy"))
        .transpose()
}

/// The position of the newest secret.
async fn newest(tx: &mut dyn Executor, id: ClientId) -> Result<Option<i64>, StorageError> {
    let newest = Query::select()
        .expr(Func::max(Expr::col(ClientSecrets::Position)))
        .from(ClientSecrets::Table)
        .and_where(has_client(id))
        .take();
    let Some(mut row) = fetch_optional(tx, &newest).await? else {
        return Ok(None);
    };
    row.optional(|row| row.integer("client_secrets.position"))
}

async fn remove_before(
    tx: &mut dyn Executor,
    id: ClientId,
    position: i64,
) -> Result<u64, StorageError> {
    let older = Query::delete()
        .from_table(ClientSecrets::Table)
        .and_where(has_client(id))
        .and_where(Expr::col(ClientSecrets::Position).lt(position))
        .take();
    execute(tx, &older).await
}

fn has_client(id: ClientId) -> Expr {
    Expr::col(ClientSecrets::ClientId).eq(id.to_string())
}
