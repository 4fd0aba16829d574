//! Accounts without a password, whose owners set one by a link.

use std::collections::HashMap;
#[cfg(feature = "console")]
use std::collections::{HashSet, hash_map::Entry};

use super::Accounts;
use crate::domain::{Account, Email, InvitationState};
#[cfg(feature = "console")]
use crate::domain::{AccountId, PasswordHash, Role};
#[cfg(feature = "console")]
use crate::store::Creation;
use crate::store::StorageError;

/// Accounts that are created in one call of the store.
#[cfg(feature = "console")]
const CREATED_AT_ONCE: usize = 100;

impl Accounts {
    /// Returns what an invitation of each address would find, in the order of the addresses.
    ///
    /// # Errors
    /// When the storage could not answer.
    pub async fn invitation_states(
        &self,
        addresses: &[Email],
    ) -> Result<Vec<InvitationState>, StorageError> {
        let accounts = self.by_address().await?;
        let state = |address: &Email| accounts.get(&address.folded()).map_or(NEW, state);
        Ok(addresses.iter().map(state).collect())
    }

    /// Creates the accounts that are missing, with the role `USER` and no password, and returns the
    /// account of each address and what was found there. `on_created` learns of each account right
    /// after its transaction. No password is hashed, and few transactions are needed.
    #[cfg(feature = "console")]
    pub(in crate::http) async fn create_invited(
        &self,
        addresses: &[Email],
        on_created: &(dyn Fn(AccountId) + Sync),
    ) -> Result<Vec<(InvitationState, Account)>, StorageError> {
        let mut known = self.by_address().await?;
        let mut missing = Vec::new();
        for address in addresses {
            if let Entry::Vacant(place) = known.entry(address.folded()) {
                let account = Account {
                    id: AccountId::from_random(self.entropy.bytes()),
                    email: address.clone(),
                    password_hash: PasswordHash::none(),
                    role: Role::User,
                    created_at: self.clock.now(),
                    student: None,
                };
                missing.push(place.insert(account).clone());
            }
        }
        let mut created = HashSet::new();
        for accounts in missing.chunks(CREATED_AT_ONCE) {
            let creations = self.storage.create_accounts(accounts.to_vec()).await?;
            let mut taken = Vec::new();
            for (account, creation) in accounts.iter().zip(creations) {
                if creation == Creation::Created {
                    created.insert(account.id);
                    on_created(account.id);
                } else {
                    taken.push(&account.email);
                }
            }
            for address in taken {
                if let Some(other) = self.storage.account_by_email(address).await? {
                    // Somebody else has created it meanwhile.
                    known.insert(address.folded(), other);
                }
            }
        }
        let found = addresses.iter().filter_map(|address| {
            let account = known.get(&address.folded())?;
            let state = match created.remove(&account.id) {
                true => NEW,
                false => state(account),
            };
            Some((state, account.clone()))
        });
        Ok(found.collect())
    }

    /// Every account by its folded address.
    async fn by_address(&self) -> Result<HashMap<String, Account>, StorageError> {
        let accounts = self.storage.all_accounts().await?;
        Ok(accounts
            .into_iter()
            .map(|account| (account.email.folded(), account))
            .collect())
    }
}

const NEW: InvitationState = InvitationState::New;

fn state(account: &Account) -> InvitationState {
    let hash = &account.password_hash;
    if hash.is_suspended() {
        InvitationState::Suspended
    } else if hash.is_none() {
        InvitationState::Invited
    } else {
        InvitationState::HasPassword
    }
}
