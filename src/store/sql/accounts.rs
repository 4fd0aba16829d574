//! The built-in accounts.

use sea_query::{Alias, Condition, Expr, ExprTrait, LockType, Order, Query};

use super::executor::{Executor, MAX_TRIES, execute, fetch_all, fetch_optional, inconsistent_read};
use super::in_list_padding::pad_to_power_of_two;
use super::insert::insert_or_ignore;
use super::management_lock::lock_management;
use super::page_query::{PageQuery, contains, sort_by_ids};
use super::row::Row;
use super::tables::Accounts;
use super::{consents, owners, user_sessions};
use crate::domain::{
    Account, AccountId, PageRequest, PasswordHash, Role, SearchTerm, SortDirection, StudentId,
    Timestamp,
};
use crate::store::{
    AccountChange, AccountRemoval, ApiKeyAction, Creation, Paged, PasswordChange, StorageError,
};

pub(super) async fn create_account(
    tx: &mut dyn Executor,
    account: Account,
) -> Result<Creation, StorageError> {
    let account = insert_or_ignore(
        Accounts::Table,
        [
            (Accounts::Id, account.id.to_string().into()),
            (Accounts::Email, account.email.as_str().into()),
            (Accounts::EmailFolded, account.email.folded().into()),
            (
                Accounts::PasswordHash,
                account.password_hash.as_phc().into(),
            ),
            (Accounts::Role, account.role.as_str().into()),
            (Accounts::CreatedAt, account.created_at.seconds().into()),
            (
                Accounts::StudentId,
                account.student.map(StudentId::get).into(),
            ),
        ],
    );
    Ok(if execute(tx, &account).await? > 0 {
        Creation::Created
    } else {
        Creation::AlreadyExists
    })
}

/// Inserts accounts in the order of their folded addresses, so that concurrent calls with the same
/// addresses cannot deadlock.
pub(super) async fn create_accounts(
    tx: &mut dyn Executor,
    accounts: Vec<Account>,
) -> Result<Vec<Creation>, StorageError> {
    let mut creations = vec![Creation::AlreadyExists; accounts.len()];
    let mut sorted: Vec<(usize, Account)> = accounts.into_iter().enumerate().collect();
    sorted.sort_by_cached_key(|(_, account)| account.email.folded());
    for (place, account) in sorted {
        creations[place] = create_account(tx, account).await?;
    }
    Ok(creations)
}

pub(super) async fn rehash_password(
    tx: &mut dyn Executor,
    id: AccountId,
    expected: PasswordHash,
    new: PasswordHash,
) -> Result<PasswordChange, StorageError> {
    let rehashed = Query::update()
        .table(Accounts::Table)
        .value(Accounts::PasswordHash, new.as_phc())
        .and_where(has_id(id))
        .and_where(Expr::col(Accounts::PasswordHash).eq(expected.as_phc()))
        .take();
    for _ in 0..MAX_TRIES {
        if execute(tx, &rehashed).await? > 0 {
            return Ok(PasswordChange::Changed);
        }
        let stored = Query::select()
            .column(Accounts::PasswordHash)
            .from(Accounts::Table)
            .and_where(has_id(id))
            .lock(LockType::Update)
            .take();
        let Some(mut stored) = fetch_optional(tx, &stored).await? else {
            return Ok(PasswordChange::NotFound);
        };
        if stored.text("accounts.password_hash")? != expected.as_phc() {
            return Ok(PasswordChange::Conflict);
        }
    }
    Err(inconsistent_read())
}

pub(super) async fn set_password(
    tx: &mut dyn Executor,
    id: AccountId,
    expected: PasswordHash,
    new: PasswordHash,
    keys: ApiKeyAction,
    at: Timestamp,
) -> Result<PasswordChange, StorageError> {
    let change = rehash_password(tx, id, expected, new).await?;
    if change == PasswordChange::Changed {
        consents::sign_out_everywhere(tx, id.into(), keys, at).await?;
    }
    Ok(change)
}

pub(super) async fn set_role(
    tx: &mut dyn Executor,
    id: AccountId,
    role: Role,
) -> Result<AccountChange, StorageError> {
    // Serializes two administrators who remove each other's role.
    lock_management(tx).await?;
    let has_another = Expr::col(Accounts::Role).ne(role.as_str());
    let update = Query::update()
        .table(Accounts::Table)
        .value(Accounts::Role, role.as_str())
        .and_where(has_id(id))
        .and_where(has_another)
        .cond_where(
            Condition::all()
                .add_option((role != Role::Admin).then(|| another_administrator_exists(id))),
        )
        .take();
    if execute(tx, &update).await? > 0 {
        user_sessions::end_user_sessions_of(tx, id.into(), None).await?;
        return Ok(AccountChange::Done);
    }
    Ok(match account(tx, id).await? {
        None => AccountChange::NotFound,
        Some(account) if account.role == role => AccountChange::Done,
        Some(_) => AccountChange::LastAdministrator,
    })
}

pub(super) async fn remove_account(
    tx: &mut dyn Executor,
    id: AccountId,
    at: Timestamp,
) -> Result<AccountRemoval, StorageError> {
    // Consents of many clients are deleted, which deleting a scope also does. The lock also
    // serializes two administrators who remove each other.
    lock_management(tx).await?;
    let is_user = Expr::col(Accounts::Role).ne(Role::Admin.as_str());
    let can_go = Condition::any()
        .add(is_user)
        .add(another_administrator_exists(id));
    if execute(
        tx,
        &Query::delete()
            .from_table(Accounts::Table)
            .and_where(has_id(id))
            .cond_where(can_go)
            .take(),
    )
    .await?
        == 0
    {
        return Ok(if account(tx, id).await?.is_some() {
            AccountRemoval::LastAdministrator
        } else {
            AccountRemoval::NotFound
        });
    }
    consents::sign_out_everywhere(tx, id.into(), ApiKeyAction::Revoke, at).await?;
    consents::delete_consents_of(tx, id.into()).await?;
    owners::remove_owner(tx, id.into(), at)
        .await
        .map(AccountRemoval::Removed)
}

pub(super) async fn account(
    tx: &mut dyn Executor,
    id: AccountId,
) -> Result<Option<Account>, StorageError> {
    find(tx, has_id(id)).await
}

/// The accounts with these ids, in the order of the ids.
pub(super) async fn accounts_by_id(
    tx: &mut dyn Executor,
    ids: Vec<AccountId>,
) -> Result<Vec<Account>, StorageError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let any =
        Expr::col(Accounts::Id).is_in(pad_to_power_of_two(ids.iter().map(ToString::to_string)));
    let found = Query::select()
        .columns(COLUMNS)
        .from(Accounts::Table)
        .and_where(any)
        .take();
    let found = fetch_all(tx, &found).await?.into_iter().map(read);
    let found = found.collect::<Result<_, _>>()?;
    Ok(sort_by_ids(&ids, found, |account: &Account| account.id))
}

pub(super) async fn account_by_email(
    tx: &mut dyn Executor,
    email_folded: String,
) -> Result<Option<Account>, StorageError> {
    find(tx, Expr::col(Accounts::EmailFolded).eq(email_folded)).await
}

pub(super) async fn accounts(
    tx: &mut dyn Executor,
    search: Option<SearchTerm>,
    page: PageRequest,
) -> Result<Paged<Account>, StorageError> {
    let dialect = tx.dialect();
    let page_query = PageQuery {
        table: Accounts::Table,
        columns: COLUMNS.into(),
        condition: Condition::all()
            .add_option(search.map(|term| contains(dialect, Accounts::EmailFolded, &term))),
        sort: Accounts::EmailFolded,
        sort_is_nullable: false,
        id: Accounts::Id,
        direction: SortDirection::Ascending,
        page,
    };
    let (total, rows) = page_query.load(tx).await?;
    Ok(Paged {
        total,
        items: rows.into_iter().map(read).collect::<Result<_, _>>()?,
    })
}

/// Every account, in the order of the ids.
pub(super) async fn all_accounts(tx: &mut dyn Executor) -> Result<Vec<Account>, StorageError> {
    let all = Query::select()
        .columns(COLUMNS)
        .from(Accounts::Table)
        .order_by(Accounts::Id, Order::Asc)
        .take();
    fetch_all(tx, &all).await?.into_iter().map(read).collect()
}

pub(super) fn has_id(id: AccountId) -> Expr {
    Expr::col(Accounts::Id).eq(id.to_string())
}

fn another_administrator_exists(id: AccountId) -> Expr {
    let others = Alias::new("others");
    let others = Query::select()
        .column((others.clone(), Accounts::Id))
        .from_as(Accounts::Table, others.clone())
        .and_where(Expr::col((others.clone(), Accounts::Role)).eq(Role::Admin.as_str()))
        .and_where(Expr::col((others, Accounts::Id)).ne(id.to_string()))
        .take();
    Expr::exists(others)
}

async fn find(tx: &mut dyn Executor, condition: Expr) -> Result<Option<Account>, StorageError> {
    let account = Query::select()
        .columns(COLUMNS)
        .from(Accounts::Table)
        .and_where(condition)
        .take();
    fetch_optional(tx, &account).await?.map(read).transpose()
}

pub(super) const COLUMNS: [Accounts; 6] = [
    Accounts::Id,
    Accounts::Email,
    Accounts::PasswordHash,
    Accounts::Role,
    Accounts::CreatedAt,
    Accounts::StudentId,
];

/// Reads [`COLUMNS`].
fn read(mut row: Row) -> Result<Account, StorageError> {
    read_columns(&mut row)
}

/// Reads [`COLUMNS`] from the start of a row.
pub(super) fn read_columns(row: &mut Row) -> Result<Account, StorageError> {
    Ok(Account {
        id: row.parsed("accounts.id")?,
        email: row.parsed("accounts.email")?,
        password_hash: PasswordHash::from_phc(row.text("accounts.password_hash")?),
        role: row.parsed("accounts.role")?,
        created_at: row.timestamp("accounts.created_at")?,
        student: row.optional(|row| row.number("accounts.student_id", StudentId::new))?,
    })
}
