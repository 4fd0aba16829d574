use std::fmt::Debug;

use async_trait::async_trait;

use super::{Creation, OwnedApiKeys, OwnerRemoval, Registered, StorageError};
use crate::domain::{Account, AccountId, Email, Needle, PageRequest, PasswordHash, Role, Timestamp};

/// Keeps the built-in accounts.
///
/// An account is the [`SubjectId`](crate::domain::SubjectId) of its id in the sessions, grants, consents and API keys of the same storage. Where a
/// host keeps API keys in another store, that store revokes them by [`revoke_api_keys_of`](super::ApiKeyStore::revoke_api_keys_of) right after
/// the transition here; the services call it.
#[async_trait]
pub trait AccountStore: Debug + Send + Sync + 'static {
    /// Keeps a new account, unless its id or its folded e-mail address is taken.
    async fn create_account(&self, account: Account) -> Result<Creation, StorageError>;

    /// The account with this id.
    async fn account(&self, id: AccountId) -> Result<Option<Account>, StorageError>;

    /// The account with this e-mail address, in any case.
    async fn account_by_email(&self, email: &Email) -> Result<Option<Account>, StorageError>;

    /// The accounts whose folded e-mail address has the needle somewhere, or all, in the order of their folded addresses by code point.
    async fn accounts(&self, search: Option<&Needle>, page: PageRequest) -> Result<Registered<Account>, StorageError>;

    /// Gives an account another hash of the same password, if it still has the one that was seen, so that a new password is never undone.
    /// Nothing else changes.
    async fn rehash_password(&self, id: AccountId, seen: &PasswordHash, new: PasswordHash) -> Result<PasswordChange, StorageError>;

    /// Gives an account a new password, if it still has the hash that was seen. Whoever had the old one keeps nothing: the sessions that the
    /// account has signed in to end, those in the console too, and its grants are revoked, as by
    /// [`revoke_grants_of`](super::GrantStore::revoke_grants_of), and the account's API keys are revoked unless `keys` says otherwise. What was
    /// consented to is still remembered.
    async fn set_password(
        &self,
        id: AccountId,
        seen: &PasswordHash,
        new: PasswordHash,
        keys: OwnedApiKeys,
        at: Timestamp,
    ) -> Result<PasswordChange, StorageError>;

    /// Gives an account another role, unless it is the last administrator's. Where the role is another one than before, the account's
    /// sessions in the console end: whoever has the token of one gets no other rights with it, and the person signs in anew.
    async fn set_role(&self, id: AccountId, role: Role) -> Result<AccountChange, StorageError>;

    /// Removes an account, unless it is the last administrator's, with the sessions that it has signed in to, anywhere, and its consents, and
    /// revokes its grants and its API keys. Its clients are suspended and its applications belong to the service, as by
    /// [`remove_owner`](super::ClientRegistry::remove_owner). Its address is free again.
    async fn remove_account(&self, id: AccountId, at: Timestamp) -> Result<AccountRemoval, StorageError>;
}

/// The result of removing an account.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum AccountRemoval {
    /// The account is removed, with these changes to its clients and applications.
    Removed(OwnerRemoval),
    /// Nobody else is an administrator, and somebody has to be. Nothing changed.
    LastAdministrator,
    /// There is no such account.
    Unknown,
}

impl AccountRemoval {
    /// The outcome as an [`AccountChange`], without the [`OwnerRemoval`].
    pub fn change(&self) -> AccountChange {
        match self {
            Self::Removed(_) => AccountChange::Done,
            Self::LastAdministrator => AccountChange::LastAdministrator,
            Self::Unknown => AccountChange::Unknown,
        }
    }
}

/// What became of an account that was to have another role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum AccountChange {
    /// It is so from now on.
    Done,
    /// Nobody else is an administrator, and somebody has to be. Nothing changed.
    LastAdministrator,
    /// There is no such account.
    Unknown,
}

/// What became of another hash for an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum PasswordChange {
    /// The account has it from now on.
    Changed,
    /// The account has another hash than the one that was seen; nothing changed.
    Differs,
    /// There is no such account.
    Unknown,
}
