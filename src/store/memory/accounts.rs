use std::collections::HashMap;

use async_trait::async_trait;

use super::MemoryStore;
use super::client_registry::paginate;
use super::lock::{read_lock, write_lock};
use crate::domain::{
    Account, AccountId, Email, PageRequest, PasswordHash, Role, SearchTerm, StudentId, Timestamp,
};
use crate::store::{
    AccountChange, AccountRemoval, AccountStore, ApiKeyAction, Creation, LeaverChange, Paged,
    PasswordChange, StorageError,
};

#[derive(Default)]
pub(super) struct Accounts {
    by_id: HashMap<AccountId, Account>,
    by_folded_email: HashMap<String, AccountId>,
}

impl Accounts {
    fn change_hash(
        &mut self,
        id: AccountId,
        expected: &PasswordHash,
        new: PasswordHash,
    ) -> PasswordChange {
        match self.by_id.get_mut(&id) {
            None => PasswordChange::NotFound,
            Some(account) if account.password_hash.as_phc() != expected.as_phc() => {
                PasswordChange::Conflict
            }
            Some(account) => {
                account.password_hash = new;
                PasswordChange::Changed
            }
        }
    }

    /// Whether this account is the only administrator.
    fn is_last_administrator(&self, id: AccountId) -> bool {
        let mut administrators = self
            .by_id
            .values()
            .filter(|account| account.role == Role::Admin);
        administrators
            .next()
            .is_some_and(|account| account.id == id)
            && administrators.next().is_none()
    }
}

#[async_trait]
impl AccountStore for MemoryStore {
    async fn create_account(&self, account: Account) -> Result<Creation, StorageError> {
        let mut accounts = write_lock(&self.accounts);
        let email = account.email.folded();
        if accounts.by_id.contains_key(&account.id) || accounts.by_folded_email.contains_key(&email)
        {
            return Ok(Creation::AlreadyExists);
        }
        accounts.by_folded_email.insert(email, account.id);
        accounts.by_id.insert(account.id, account);
        Ok(Creation::Created)
    }

    async fn account(&self, id: AccountId) -> Result<Option<Account>, StorageError> {
        Ok(read_lock(&self.accounts).by_id.get(&id).cloned())
    }

    async fn account_by_email(&self, email: &Email) -> Result<Option<Account>, StorageError> {
        let accounts = read_lock(&self.accounts);
        let id = accounts.by_folded_email.get(&email.folded());
        Ok(id.and_then(|id| accounts.by_id.get(id)).cloned())
    }

    async fn accounts(
        &self,
        search: Option<&SearchTerm>,
        page: PageRequest,
    ) -> Result<Paged<Account>, StorageError> {
        let accounts = read_lock(&self.accounts);
        let found = accounts
            .by_id
            .values()
            .filter(|account| search.is_none_or(|term| term.matches(&account.email.folded())));
        Ok(paginate(
            found.cloned().collect(),
            |account| account.email.folded(),
            page,
        ))
    }

    async fn rehash_password(
        &self,
        id: AccountId,
        expected: &PasswordHash,
        new: PasswordHash,
    ) -> Result<PasswordChange, StorageError> {
        Ok(write_lock(&self.accounts).change_hash(id, expected, new))
    }

    async fn set_password(
        &self,
        id: AccountId,
        expected: &PasswordHash,
        new: PasswordHash,
        keys: ApiKeyAction,
        at: Timestamp,
    ) -> Result<PasswordChange, StorageError> {
        let mut accounts = write_lock(&self.accounts);
        let change = accounts.change_hash(id, expected, new);
        if change == PasswordChange::Changed {
            self.end_access(&id.into(), keys, at);
        }
        Ok(change)
    }

    async fn set_role(&self, id: AccountId, role: Role) -> Result<AccountChange, StorageError> {
        let mut accounts = write_lock(&self.accounts);
        let is_last = role != Role::Admin && accounts.is_last_administrator(id);
        let Some(account) = accounts.by_id.get_mut(&id) else {
            return Ok(AccountChange::NotFound);
        };
        if is_last {
            return Ok(AccountChange::LastAdministrator);
        }
        if std::mem::replace(&mut account.role, role) != role {
            write_lock(&self.grants).end_user_sessions(&id.into());
        }
        Ok(AccountChange::Done)
    }

    async fn remove_account(
        &self,
        id: AccountId,
        at: Timestamp,
    ) -> Result<AccountRemoval, StorageError> {
        let mut accounts = write_lock(&self.accounts);
        if accounts.is_last_administrator(id) {
            return Ok(AccountRemoval::LastAdministrator);
        }
        let Some(account) = accounts.by_id.get(&id) else {
            return Ok(AccountRemoval::NotFound);
        };
        let email = account.email.folded();
        Ok(self.delete_account(&mut accounts, (id, &email), at))
    }

    async fn all_accounts(&self) -> Result<Vec<Account>, StorageError> {
        let accounts = read_lock(&self.accounts);
        let mut all: Vec<Account> = accounts.by_id.values().cloned().collect();
        all.sort_by_key(|account| account.id.to_string());
        Ok(all)
    }

    async fn link_students(
        &self,
        students: Vec<(AccountId, StudentId)>,
    ) -> Result<(), StorageError> {
        let mut accounts = write_lock(&self.accounts);
        for (account, student) in students {
            if let Some(account) = accounts.by_id.get_mut(&account) {
                account.student = Some(student);
            }
        }
        Ok(())
    }

    async fn suspend_leaver(
        &self,
        id: AccountId,
        at: Timestamp,
    ) -> Result<LeaverChange, StorageError> {
        let mut accounts = write_lock(&self.accounts);
        let Some(account) = accounts.by_id.get_mut(&id) else {
            return Ok(LeaverChange::NotFound);
        };
        if account.role == Role::Admin || account.password_hash.left_at().is_some() {
            return Ok(LeaverChange::Unchanged);
        }
        // All are locked before any of them changes, so that no caller sees a partial change.
        let (mut registry, mut grants, mut keys) = (
            write_lock(&self.registry),
            write_lock(&self.grants),
            write_lock(&self.api_keys),
        );
        account.password_hash = account.password_hash.suspended_as_left(at);
        grants.end_access(&id.into(), at);
        keys.suspend_by_owner(&id.into(), at);
        let clients = registry.suspend_clients_of(&id.into(), at);
        Ok(LeaverChange::Changed(clients))
    }

    async fn resume_leaver(&self, id: AccountId) -> Result<LeaverChange, StorageError> {
        let mut accounts = write_lock(&self.accounts);
        let Some(account) = accounts.by_id.get_mut(&id) else {
            return Ok(LeaverChange::NotFound);
        };
        let Some(left_at) = account.password_hash.left_at() else {
            return Ok(LeaverChange::Unchanged);
        };
        let (mut registry, mut keys) = (write_lock(&self.registry), write_lock(&self.api_keys));
        account.password_hash = account.password_hash.resumed();
        keys.resume_by_owner(&id.into(), left_at);
        let clients = registry.resume_clients_of(&id.into(), left_at);
        Ok(LeaverChange::Changed(clients))
    }

    async fn remove_leaver(
        &self,
        id: AccountId,
        left_at: Timestamp,
        at: Timestamp,
    ) -> Result<AccountRemoval, StorageError> {
        let mut accounts = write_lock(&self.accounts);
        match accounts.by_id.get(&id) {
            Some(account)
                if account.role != Role::Admin
                    && account.password_hash.left_at() == Some(left_at) =>
            {
                let email = account.email.folded();
                Ok(self.delete_account(&mut accounts, (id, &email), at))
            }
            _ => Ok(AccountRemoval::NotFound),
        }
    }
}

impl MemoryStore {
    /// Deletes an existing account with all of its own.
    fn delete_account(
        &self,
        accounts: &mut Accounts,
        (id, folded_email): (AccountId, &str),
        at: Timestamp,
    ) -> AccountRemoval {
        accounts.by_id.remove(&id);
        accounts.by_folded_email.remove(folded_email);
        // All are locked before any of them changes, so that no caller sees a partial change.
        let (mut registry, mut grants, mut keys) = (
            write_lock(&self.registry),
            write_lock(&self.grants),
            write_lock(&self.api_keys),
        );
        grants.remove_subject(&id.into(), at);
        keys.revoke_by_owner(&id.into(), at);
        AccountRemoval::Removed(registry.remove_owner(&id.into(), at))
    }
}
