use std::collections::HashMap;

use async_trait::async_trait;

use super::MemoryStore;
use super::lock::{reading, writing};
use super::registry::paged;
use crate::domain::{Account, AccountId, Email, Needle, PageRequest, PasswordHash, Role, Timestamp};
use crate::store::{AccountChange, AccountRemoval, AccountStore, Creation, OwnedApiKeys, PasswordChange, Registered, StorageError};

#[derive(Default)]
pub(super) struct Accounts {
    by_id: HashMap<AccountId, Account>,
    by_folded_email: HashMap<String, AccountId>,
}

impl Accounts {
    fn change_hash(&mut self, id: AccountId, seen: &PasswordHash, new: PasswordHash) -> PasswordChange {
        match self.by_id.get_mut(&id) {
            None => PasswordChange::Unknown,
            Some(account) if account.password_hash.as_phc() != seen.as_phc() => PasswordChange::Differs,
            Some(account) => {
                account.password_hash = new;
                PasswordChange::Changed
            }
        }
    }

    /// Whether nobody else is an administrator.
    fn is_last_administrator(&self, id: AccountId) -> bool {
        let mut administrators = self.by_id.values().filter(|account| account.role == Role::Admin);
        administrators.next().is_some_and(|account| account.id == id) && administrators.next().is_none()
    }
}

#[async_trait]
impl AccountStore for MemoryStore {
    async fn create_account(&self, account: Account) -> Result<Creation, StorageError> {
        let mut accounts = writing(&self.accounts);
        let email = account.email.folded();
        if accounts.by_id.contains_key(&account.id) || accounts.by_folded_email.contains_key(&email) {
            return Ok(Creation::Taken);
        }
        accounts.by_folded_email.insert(email, account.id);
        accounts.by_id.insert(account.id, account);
        Ok(Creation::Created)
    }

    async fn account(&self, id: AccountId) -> Result<Option<Account>, StorageError> {
        Ok(reading(&self.accounts).by_id.get(&id).cloned())
    }

    async fn account_by_email(&self, email: &Email) -> Result<Option<Account>, StorageError> {
        let accounts = reading(&self.accounts);
        let id = accounts.by_folded_email.get(&email.folded());
        Ok(id.and_then(|id| accounts.by_id.get(id)).cloned())
    }

    async fn accounts(&self, search: Option<&Needle>, page: PageRequest) -> Result<Registered<Account>, StorageError> {
        let accounts = reading(&self.accounts);
        let found = accounts.by_id.values().filter(|account| search.is_none_or(|needle| needle.is_in(&account.email.folded())));
        Ok(paged(found.cloned().collect(), |account| account.email.folded(), page))
    }

    async fn rehash_password(&self, id: AccountId, seen: &PasswordHash, new: PasswordHash) -> Result<PasswordChange, StorageError> {
        Ok(writing(&self.accounts).change_hash(id, seen, new))
    }

    async fn set_password(
        &self,
        id: AccountId,
        seen: &PasswordHash,
        new: PasswordHash,
        keys: OwnedApiKeys,
        at: Timestamp,
    ) -> Result<PasswordChange, StorageError> {
        let mut accounts = writing(&self.accounts);
        let change = accounts.change_hash(id, seen, new);
        if change == PasswordChange::Changed {
            self.sign_out_everywhere(&id.into(), keys, at);
        }
        Ok(change)
    }

    async fn set_role(&self, id: AccountId, role: Role) -> Result<AccountChange, StorageError> {
        let mut accounts = writing(&self.accounts);
        let is_last = role != Role::Admin && accounts.is_last_administrator(id);
        let Some(account) = accounts.by_id.get_mut(&id) else { return Ok(AccountChange::Unknown) };
        if is_last {
            return Ok(AccountChange::LastAdministrator);
        }
        if std::mem::replace(&mut account.role, role) != role {
            writing(&self.grants).end_user_sessions(&id.into());
        }
        Ok(AccountChange::Done)
    }

    async fn remove_account(&self, id: AccountId, at: Timestamp) -> Result<AccountRemoval, StorageError> {
        let mut accounts = writing(&self.accounts);
        if accounts.is_last_administrator(id) {
            return Ok(AccountRemoval::LastAdministrator);
        }
        let Some(account) = accounts.by_id.remove(&id) else { return Ok(AccountRemoval::Unknown) };
        accounts.by_folded_email.remove(&account.email.folded());
        // All are locked before any changes, so that nobody sees one without the others.
        let (mut registry, mut grants, mut keys) = (writing(&self.registry), writing(&self.grants), writing(&self.api_keys));
        grants.end_subject(&id.into(), at);
        keys.revoke_of(&id.into(), at);
        Ok(AccountRemoval::Removed(registry.remove_owner(&id.into(), at)))
    }
}
