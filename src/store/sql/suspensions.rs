//! Suspension of accounts, API keys and clients after a restoration, and their confirmation.
//!
//! A suspended account has a hash that no password matches, and a suspended API key has ended when
//! it was suspended. Services and lists therefore need no further state: a new password confirms an
//! account, a renewal an API key, and a transfer a client.

use sea_query::{Expr, ExprTrait, Query};

use super::accounts::{self, all_accounts};
use super::api_keys;
use super::clients::is_client;
use super::executor::{Executor, execute};
use super::tables::{Accounts, ApiKeys, Clients};
use crate::domain::{
    Account, AccountId, ApiKey, ApiKeyId, ClientId, PasswordHash, PreviousValue, SubjectId,
    Timestamp,
};
use crate::store::StorageError;

/// Ends the values of a key that was suspended at a time.
pub(super) fn end_values(key: &mut ApiKey, previous: Option<&mut PreviousValue>, at: Timestamp) {
    key.expires_at = key.expires_at.min(at);
    if let Some(value) = previous {
        value.works_until = value.works_until.min(at);
    }
}

pub(super) async fn suspend_account(
    tx: &mut dyn Executor,
    account: &Account,
    at: Timestamp,
) -> Result<(), StorageError> {
    let suspended = account.password_hash.suspended(at);
    replace_hash(tx, account, &suspended).await?;
    match account.password_hash.left_at() {
        Some(left_at) => keep_suspended(tx, account.id.into(), left_at, at).await,
        None => Ok(()),
    }
}

/// Suspends what a leaver's account would bring back as if the restoration had: an API key that was
/// revoked after the backup must not work again with the account.
async fn keep_suspended(
    tx: &mut dyn Executor,
    owner: SubjectId,
    left_at: Timestamp,
    at: Timestamp,
) -> Result<(), StorageError> {
    let keys = Query::update()
        .table(ApiKeys::Table)
        .value(ApiKeys::SuspendedAt, at.seconds())
        .and_where(Expr::col(ApiKeys::Owner).eq(owner.as_str()))
        .and_where(Expr::col(ApiKeys::SuspendedAt).eq(left_at.seconds()))
        .take();
    execute(tx, &keys).await?;
    let clients = Query::update()
        .table(Clients::Table)
        .value(Clients::SuspendedAt, at.seconds())
        .and_where(Expr::col(Clients::Owner).eq(owner.as_str()))
        .and_where(Expr::col(Clients::SuspendedAt).eq(left_at.seconds()))
        .and_where(Expr::col(Clients::ClientCredentialsAllowed).eq(1))
        .take();
    execute(tx, &clients).await.map(drop)
}

/// Confirms one account, or all. Returns the number that were suspended.
pub(super) async fn confirm_accounts(
    tx: &mut dyn Executor,
    only: Option<AccountId>,
) -> Result<u64, StorageError> {
    let accounts = match only {
        Some(id) => accounts::account(tx, id).await?.into_iter().collect(),
        None => all_accounts(tx).await?,
    };
    let mut confirmed = 0;
    for account in accounts {
        let hash = &account.password_hash;
        if hash.is_suspended() && hash.left_at().is_none() {
            let hash = account.password_hash.confirmed();
            confirmed += replace_hash(tx, &account, &hash).await?;
        }
    }
    Ok(confirmed)
}

async fn replace_hash(
    tx: &mut dyn Executor,
    account: &Account,
    hash: &PasswordHash,
) -> Result<u64, StorageError> {
    let replaced = Query::update()
        .table(Accounts::Table)
        .value(Accounts::PasswordHash, hash.as_phc())
        .and_where(accounts::has_id(account.id))
        .and_where(Expr::col(Accounts::PasswordHash).eq(account.password_hash.as_phc()))
        .take();
    execute(tx, &replaced).await
}

pub(super) async fn suspend_api_key(
    tx: &mut dyn Executor,
    id: ApiKeyId,
    at: Timestamp,
) -> Result<(), StorageError> {
    let suspended = Query::update()
        .table(ApiKeys::Table)
        .value(ApiKeys::SuspendedAt, at.seconds())
        .and_where(api_keys::has_id(id))
        .take();
    execute(tx, &suspended).await.map(drop)
}

/// Confirms one API key, or all. Returns the number that were suspended.
pub(super) async fn confirm_api_keys(
    tx: &mut dyn Executor,
    only: Option<ApiKeyId>,
) -> Result<u64, StorageError> {
    let mut confirmed = Query::update()
        .table(ApiKeys::Table)
        .value(ApiKeys::SuspendedAt, None::<i64>)
        .and_where(is_suspended())
        .take();
    if let Some(id) = only {
        confirmed.and_where(api_keys::has_id(id));
    }
    execute(tx, &confirmed).await
}

/// The suspended API keys that are not revoked, in the order of their ids.
pub(super) async fn suspended_api_keys(tx: &mut dyn Executor) -> Result<Vec<ApiKey>, StorageError> {
    api_keys::read_all(tx, &api_keys::keys(is_suspended())).await
}

/// Whether a key waits for a confirmation: not those of students who have left, which are resumed
/// with their accounts.
fn is_suspended() -> Expr {
    let is_suspended = Expr::col((ApiKeys::Table, ApiKeys::SuspendedAt)).is_not_null();
    let of_leavers = Query::select()
        .column(Accounts::Id)
        .from(Accounts::Table)
        .and_where(Expr::col(Accounts::PasswordHash).like(PasswordHash::LEAVERS))
        .take();
    let has_other_owner = Expr::col((ApiKeys::Table, ApiKeys::Owner))
        .is_null()
        .or(Expr::col((ApiKeys::Table, ApiKeys::Owner)).not_in_subquery(of_leavers));
    is_suspended
        .and(Expr::col((ApiKeys::Table, ApiKeys::RevokedAt)).is_null())
        .and(has_other_owner)
}

pub(super) async fn suspend_client(
    tx: &mut dyn Executor,
    id: ClientId,
    at: Timestamp,
) -> Result<(), StorageError> {
    set_client_suspension(tx, id, Some(at)).await.map(drop)
}

/// Ends the suspension of a client, which keeps its secrets. Returns whether it was suspended.
pub(super) async fn confirm_client(
    tx: &mut dyn Executor,
    id: ClientId,
) -> Result<bool, StorageError> {
    Ok(set_client_suspension(tx, id, None).await? > 0)
}

/// Suspends a client that is not suspended, or ends the suspension of one that is.
async fn set_client_suspension(
    tx: &mut dyn Executor,
    id: ClientId,
    suspended_at: Option<Timestamp>,
) -> Result<u64, StorageError> {
    let changes = match suspended_at {
        Some(_) => Expr::col(Clients::SuspendedAt).is_null(),
        None => Expr::col(Clients::SuspendedAt).is_not_null(),
    };
    let update = Query::update()
        .table(Clients::Table)
        .value(Clients::SuspendedAt, suspended_at.map(Timestamp::seconds))
        .and_where(is_client(id))
        .and_where(changes)
        .take();
    execute(tx, &update).await
}
