//! The built-in accounts.

use sea_query::{Expr, ExprTrait, Query};

use super::executor::{Executor, change, first};
use super::insert::insert_new;
use super::row::Row;
use super::tables::Accounts;
use crate::domain::{Account, AccountId, PasswordHash};
use crate::store::{Creation, StorageError};

pub(super) async fn create_account(tx: &mut dyn Executor, account: Account) -> Result<Creation, StorageError> {
    let account = insert_new(
        Accounts::Table,
        [
            (Accounts::Id, account.id.to_string().into()),
            (Accounts::Email, account.email.as_str().into()),
            (Accounts::EmailFolded, account.email.folded().into()),
            (Accounts::PasswordHash, account.password_hash.as_phc().into()),
            (Accounts::Role, account.role.as_str().into()),
            (Accounts::CreatedAt, account.created_at.seconds().into()),
        ],
    );
    Ok(if change(tx, &account).await? > 0 { Creation::Created } else { Creation::Taken })
}

pub(super) async fn account(tx: &mut dyn Executor, id: AccountId) -> Result<Option<Account>, StorageError> {
    one(tx, Expr::col(Accounts::Id).eq(id.to_string())).await
}

pub(super) async fn account_by_email(tx: &mut dyn Executor, email_folded: String) -> Result<Option<Account>, StorageError> {
    one(tx, Expr::col(Accounts::EmailFolded).eq(email_folded)).await
}

async fn one(tx: &mut dyn Executor, condition: Expr) -> Result<Option<Account>, StorageError> {
    let columns = [Accounts::Id, Accounts::Email, Accounts::PasswordHash, Accounts::Role, Accounts::CreatedAt];
    let account = Query::select().columns(columns).from(Accounts::Table).and_where(condition).take();
    first(tx, &account).await?.map(read).transpose()
}

fn read(mut row: Row) -> Result<Account, StorageError> {
    Ok(Account {
        id: row.parsed("accounts.id")?,
        email: row.parsed("accounts.email")?,
        password_hash: PasswordHash::from_phc(row.text("accounts.password_hash")?),
        role: row.parsed("accounts.role")?,
        created_at: row.time("accounts.created_at")?,
    })
}
