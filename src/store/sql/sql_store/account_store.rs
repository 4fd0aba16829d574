use async_trait::async_trait;

use super::SqlStore;
use crate::domain::{
    Account, AccountId, Email, PageRequest, PasswordHash, Role, SearchTerm, StudentId, Timestamp,
};
use crate::store::sql::{accounts, leavers};
use crate::store::{
    AccountChange, AccountRemoval, AccountStore, ApiKeyAction, Creation, LeaverChange, Paged,
    PasswordChange, StorageError,
};

#[async_trait]
impl AccountStore for SqlStore {
    async fn create_account(&self, account: Account) -> Result<Creation, StorageError> {
        self.write("create_account", move |tx| {
            Box::pin(accounts::create_account(tx, account))
        })
        .await
    }

    async fn create_accounts(&self, accounts: Vec<Account>) -> Result<Vec<Creation>, StorageError> {
        self.write("create_accounts", move |tx| {
            Box::pin(accounts::create_accounts(tx, accounts))
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

    async fn accounts_by_id(&self, ids: &[AccountId]) -> Result<Vec<Account>, StorageError> {
        let ids = ids.to_vec();
        self.read("accounts_by_id", move |tx| {
            Box::pin(accounts::accounts_by_id(tx, ids))
        })
        .await
    }

    async fn all_accounts(&self) -> Result<Vec<Account>, StorageError> {
        self.list("all_accounts", |tx| Box::pin(accounts::all_accounts(tx)))
            .await
    }

    async fn link_students(
        &self,
        students: Vec<(AccountId, StudentId)>,
    ) -> Result<(), StorageError> {
        self.write("link_students", move |tx| {
            Box::pin(leavers::link_students(tx, students))
        })
        .await
    }

    async fn suspend_leaver(
        &self,
        id: AccountId,
        at: Timestamp,
    ) -> Result<LeaverChange, StorageError> {
        self.write_api_keys("suspend_leaver", move |tx| {
            Box::pin(leavers::suspend_leaver(tx, id, at))
        })
        .await
    }

    async fn resume_leaver(&self, id: AccountId) -> Result<LeaverChange, StorageError> {
        self.write_api_keys("resume_leaver", move |tx| {
            Box::pin(leavers::resume_leaver(tx, id))
        })
        .await
    }

    async fn remove_leaver(
        &self,
        id: AccountId,
        left_at: Timestamp,
        at: Timestamp,
    ) -> Result<AccountRemoval, StorageError> {
        self.write_api_keys("remove_leaver", move |tx| {
            Box::pin(leavers::remove_leaver(tx, id, left_at, at))
        })
        .await
    }
}
