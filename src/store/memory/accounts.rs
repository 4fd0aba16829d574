use std::collections::HashMap;

use async_trait::async_trait;

use super::MemoryStore;
use super::lock::{reading, writing};
use crate::domain::{Account, AccountId, Email};
use crate::store::{AccountStore, Creation, StorageError};

#[derive(Default)]
pub(super) struct Accounts {
    by_id: HashMap<AccountId, Account>,
    by_folded_email: HashMap<String, AccountId>,
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
}
