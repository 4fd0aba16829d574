use async_trait::async_trait;

use super::SqlStore;
use crate::domain::{
    Account, AccountId, Email, PageRequest, PasswordHash, Role, SearchTerm, Timestamp,
};
use crate::store::sql::accounts;
use crate::store::{
    AccountChange, AccountRemoval, AccountStore, ApiKeyAction, Creation, Paged, PasswordChange,
    StorageError,
};

#[async_trait]
impl AccountStore for SqlStore {
    async fn create_account(&self, account: Account) -> Result<Creation, StorageError> {
        self.write("create_account", move |tx| {
            Box::pin(accounts::create_account(tx, account))
        })
        .await
    }

    async fn account(&self, id: AccountId) -> Result<Option<Account>, StorageError> {
        self.read_in_one_statement("account", move |tx| Box::pin(accounts::account(tx, id)))
            .await
    }

    async fn account_by_email(&self, email: &Email) -> Result<Option<Account>, StorageError> {
        let email = email.folded();
        self.read_in_one_statement("account_by_email", move |tx| {
            Box::pin(accounts::account_by_email(tx, email))
        })
        .await
    }

    async fn accounts(
        &self,
        search: Option<&SearchTerm>,
        page: PageRequest,
    ) -> Result<Paged<Account>, StorageError> {
        let search = search.cloned();
        self.list("accounts", move |tx| {
            Box::pin(accounts::accounts(tx, search, page))
        })
        .await
    }

    async fn rehash_password(
        &self,
        id: AccountId,
        expected: &PasswordHash,
        new: PasswordHash,
    ) -> Result<PasswordChange, StorageError> {
        let expected = expected.clone();
        self.write("rehash_password", move |tx| {
            Box::pin(accounts::rehash_password(tx, id, expected, new))
        })
        .await
    }

    async fn set_password(
        &self,
        id: AccountId,
        expected: &PasswordHash,
        new: PasswordHash,
        keys: ApiKeyAction,
        at: Timestamp,
    ) -> Result<PasswordChange, StorageError> {
        let expected = expected.clone();
        self.write_api_keys("set_password", move |tx| {
            Box::pin(accounts::set_password(tx, id, expected, new, keys, at))
        })
        .await
    }

    async fn set_role(&self, id: AccountId, role: Role) -> Result<AccountChange, StorageError> {
        self.write("set_role", move |tx| {
            Box::pin(accounts::set_role(tx, id, role))
        })
        .await
    }

    async fn remove_account(
        &self,
        id: AccountId,
        at: Timestamp,
    ) -> Result<AccountRemoval, StorageError> {
        self.write_api_keys("remove_account", move |tx| {
            Box::pin(accounts::remove_account(tx, id, at))
        })
        .await
    }
}
