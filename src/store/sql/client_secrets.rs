//! Client secrets: the newest one and, during a rotation, the one before.

use std::collections::BTreeMap;

use sea_query::{CaseStatement, Condition, Expr, ExprTrait, Func, Query};

use super::clients::is_client;
use super::executor::{Executor, execute, fetch_optional};
use super::in_list_padding::pad_to_power_of_two;
use super::insert::insert;
use super::management_lock::lock_management;
use super::row_locks::lock_rows;
use super::tables::{ClientSecrets, Clients};
use crate::domain::{ClientId, ClientPolicy, ClientSecretUse, RegisteredSecret, Timestamp};
use crate::store::{SecretAddition, SecretRemoval, StorageError};

/// Maximum number of secrets whose use a statement writes.
const MAX_USES: usize = 256;

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

/// Locks the rows in the order of their digests, so that concurrent batches cannot deadlock.
pub(super) async fn record_client_secret_usage(
    tx: &mut dyn Executor,
    uses: Vec<ClientSecretUse>,
) -> Result<(), StorageError> {
    let mut last = BTreeMap::new();
    for used in uses {
        let digest = used.secret.as_bytes().to_vec();
        let at = last
            .entry((used.client.to_string(), digest))
            .or_insert(used.last_used_at);
        *at = used.last_used_at.max(*at);
    }
    let last: Vec<_> = last.into_iter().collect();
    for uses in last.chunks(MAX_USES) {
        let uses = pad_to_power_of_two(uses.iter().cloned());
        let is_used = |(client, digest): &(String, Vec<u8>)| {
            Expr::col(ClientSecrets::ClientId)
                .eq(client.as_str())
                .and(Expr::col(ClientSecrets::Digest).eq(digest.clone()))
        };
        let (mut are_used, mut at) = (Condition::any(), CaseStatement::new());
        for (secret, last_used_at) in &uses {
            are_used = are_used.add(is_used(secret));
            at = at.case(is_used(secret), Expr::value(last_used_at.seconds()));
        }
        lock_rows(
            tx,
            ClientSecrets::Table,
            ClientSecrets::Digest,
            are_used.clone(),
        )
        .await?;
        // Never reached, but it tells PostgreSQL the type of the other cases.
        let at = at.finally(Expr::col(ClientSecrets::LastUsedAt));
        // Earlier than any time, for a secret that was never used: in SQLite a comparison with NULL
        // is NULL.
        let never = Expr::value(i64::MIN);
        let before = Func::coalesce([Expr::col(ClientSecrets::LastUsedAt), never]);
        let latest = Query::update()
            .table(ClientSecrets::Table)
            .value(
                ClientSecrets::LastUsedAt,
                Func::greatest([before.into(), at.into()]),
            )
            .cond_where(are_used)
            .take();
        execute(tx, &latest).await?;
    }
    Ok(())
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
            (
                ClientSecrets::LastUsedAt,
                secret.last_used_at.map(Timestamp::seconds).into(),
            ),
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
