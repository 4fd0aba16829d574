//! Accounts of students who have left.
//!
//! The mark in the password hash is the state of the account, as after a restoration. API keys and
//! clients that are suspended with the account have its time, so that those suspended for another
//! reason stay so when the student is enrolled again.

use sea_query::{Condition, Expr, ExprTrait, LockType, Query};

use super::accounts::{self, has_id};
use super::executor::{Executor, execute, fetch_optional};
use super::management_lock::lock_management;
use super::row_locks::{lock_and_select, lock_rows};
use super::tables::{Accounts, ApiKeys, Clients};
use super::{consents, in_list_padding};
use crate::domain::{
    Account, AccountId, ClientId, PasswordHash, Role, StudentId, SubjectId, Timestamp,
};
use crate::store::{AccountRemoval, ApiKeyAction, LeaverChange, StorageError};

/// Links accounts to students, in the order of the ids of the accounts, so that concurrent batches
/// cannot deadlock.
pub(super) async fn link_students(
    tx: &mut dyn Executor,
    mut students: Vec<(AccountId, StudentId)>,
) -> Result<(), StorageError> {
    students.sort_by_key(|(account, _)| account.to_string());
    let ids = students.iter().map(|(account, _)| account.to_string());
    let ids = in_list_padding::pad_to_power_of_two(ids);
    if ids.is_empty() {
        return Ok(());
    }
    let theirs = Condition::all().add(Expr::col(Accounts::Id).is_in(ids));
    lock_rows(tx, Accounts::Table, Accounts::Id, theirs).await?;
    for (account, student) in students {
        let link = Query::update()
            .table(Accounts::Table)
            .value(Accounts::StudentId, student.get())
            .and_where(has_id(account))
            .take();
        execute(tx, &link).await?;
    }
    Ok(())
}

pub(super) async fn suspend_leaver(
    tx: &mut dyn Executor,
    id: AccountId,
    at: Timestamp,
) -> Result<LeaverChange, StorageError> {
    // Before the account, as where an account is removed: its clients change too.
    lock_management(tx).await?;
    let Some(account) = locked_account(tx, id).await? else {
        return Ok(LeaverChange::NotFound);
    };
    if account.role == Role::Admin || account.password_hash.left_at().is_some() {
        return Ok(LeaverChange::Unchanged);
    }
    replace_hash(tx, id, &account.password_hash.suspended_as_left(at)).await?;
    consents::sign_out_everywhere(tx, id.into(), ApiKeyAction::Keep, at).await?;
    let is_not_suspended = Expr::col(ApiKeys::SuspendedAt).is_null();
    suspend_keys(tx, &id.into(), is_not_suspended, Some(at)).await?;
    let of_others = Expr::col(Clients::FirstParty)
        .eq(0)
        .and(Expr::col(Clients::SuspendedAt).is_null());
    suspend_clients(tx, &id.into(), of_others, Some(at))
        .await
        .map(LeaverChange::Changed)
}

pub(super) async fn resume_leaver(
    tx: &mut dyn Executor,
    id: AccountId,
) -> Result<LeaverChange, StorageError> {
    lock_management(tx).await?;
    let Some(account) = locked_account(tx, id).await? else {
        return Ok(LeaverChange::NotFound);
    };
    let Some(left_at) = account.password_hash.left_at() else {
        return Ok(LeaverChange::Unchanged);
    };
    replace_hash(tx, id, &account.password_hash.resumed()).await?;
    let with_it = Expr::col(ApiKeys::SuspendedAt).eq(left_at.seconds());
    suspend_keys(tx, &id.into(), with_it, None).await?;
    let with_it = Expr::col(Clients::SuspendedAt).eq(left_at.seconds());
    suspend_clients(tx, &id.into(), with_it, None)
        .await
        .map(LeaverChange::Changed)
}

pub(super) async fn remove_leaver(
    tx: &mut dyn Executor,
    id: AccountId,
    left_at: Timestamp,
    at: Timestamp,
) -> Result<AccountRemoval, StorageError> {
    lock_management(tx).await?;
    match locked_account(tx, id).await? {
        Some(account)
            if account.role != Role::Admin && account.password_hash.left_at() == Some(left_at) =>
        {
            accounts::remove_account(tx, id, at).await
        }
        _ => Ok(AccountRemoval::NotFound),
    }
}

/// The account, which stays the same until the transaction ends.
async fn locked_account(
    tx: &mut dyn Executor,
    id: AccountId,
) -> Result<Option<Account>, StorageError> {
    let account = Query::select()
        .columns(accounts::COLUMNS)
        .from(Accounts::Table)
        .and_where(has_id(id))
        .lock(LockType::Update)
        .take();
    let row = fetch_optional(tx, &account).await?;
    row.map(|mut row| accounts::read_columns(&mut row))
        .transpose()
}

async fn replace_hash(
    tx: &mut dyn Executor,
    id: AccountId,
    hash: &PasswordHash,
) -> Result<(), StorageError> {
    let replaced = Query::update()
        .table(Accounts::Table)
        .value(Accounts::PasswordHash, hash.as_phc())
        .and_where(has_id(id))
        .take();
    execute(tx, &replaced).await.map(drop)
}

/// Sets the suspension of an owner's keys that are not revoked and meet the condition.
async fn suspend_keys(
    tx: &mut dyn Executor,
    owner: &SubjectId,
    condition: Expr,
    at: Option<Timestamp>,
) -> Result<(), StorageError> {
    let theirs = Expr::col(ApiKeys::Owner)
        .eq(owner.as_str())
        .and(Expr::col(ApiKeys::RevokedAt).is_null())
        .and(condition);
    lock_rows(tx, ApiKeys::Table, ApiKeys::Id, theirs.clone().into()).await?;
    let update = Query::update()
        .table(ApiKeys::Table)
        .value(ApiKeys::SuspendedAt, at.map(Timestamp::seconds))
        .and_where(theirs)
        .take();
    execute(tx, &update).await.map(drop)
}

/// Sets the suspension of an owner's clients that meet the condition, and returns their ids.
async fn suspend_clients(
    tx: &mut dyn Executor,
    owner: &SubjectId,
    condition: Expr,
    at: Option<Timestamp>,
) -> Result<Vec<ClientId>, StorageError> {
    let theirs = Expr::col(Clients::Owner).eq(owner.as_str()).and(condition);
    let (table, id) = (Clients::Table, Clients::Id);
    let clients = lock_and_select(tx, table, id, id, theirs.clone().into()).await?;
    let update = Query::update()
        .table(table)
        .value(Clients::SuspendedAt, at.map(Timestamp::seconds))
        .and_where(theirs)
        .take();
    execute(tx, &update).await?;
    let ids = clients.into_iter().map(|mut row| row.parsed("clients.id"));
    ids.collect()
}
