use std::fmt::Debug;

use async_trait::async_trait;

use super::{Creation, StorageError};
use crate::domain::{Account, AccountId, Email};

/// Keeps the built-in accounts.
#[async_trait]
pub trait AccountStore: Debug + Send + Sync + 'static {
    /// Keeps a new account, unless its id or its folded e-mail address is taken.
    async fn create_account(&self, account: Account) -> Result<Creation, StorageError>;

    /// The account with this id.
    async fn account(&self, id: AccountId) -> Result<Option<Account>, StorageError>;

    /// The account with this e-mail address, in any case.
    async fn account_by_email(&self, email: &Email) -> Result<Option<Account>, StorageError>;
}
