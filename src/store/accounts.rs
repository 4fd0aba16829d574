use std::collections::HashSet;
use std::fmt::Debug;

use async_trait::async_trait;

use super::{ApiKeyAction, Creation, OwnerRemoval, Paged, StorageError};
use crate::domain::{
    Account, AccountId, ClientId, Email, PageRequest, PasswordHash, Role, SearchTerm, StudentId,
    Timestamp,
};

/// Stores the built-in accounts.
///
/// In the sessions, grants, consents and API keys of the same storage, an account is the
/// [`SubjectId`](crate::domain::SubjectId) of its id. Where a host stores API keys elsewhere, the
/// services revoke them there with [`revoke_api_keys_of`](super::ApiKeyStore::revoke_api_keys_of)
/// right after the transition here.
#[async_trait]
pub trait AccountStore: Debug + Send + Sync + 'static {
    /// Stores a new account, unless its id or its folded e-mail address is taken.
    async fn create_account(&self, account: Account) -> Result<Creation, StorageError>;

    /// Stores new accounts, each as [`create_account`](Self::create_account) does, and returns the
    /// results in the order of the accounts. The default makes a call for each; a backend may store
    /// all of them in one transition.
    async fn create_accounts(&self, accounts: Vec<Account>) -> Result<Vec<Creation>, StorageError> {
        let mut creations = Vec::with_capacity(accounts.len());
        for account in accounts {
            creations.push(self.create_account(account).await?);
        }
        Ok(creations)
    }

    /// Returns the account with this id.
    async fn account(&self, id: AccountId) -> Result<Option<Account>, StorageError>;

    /// Returns the accounts with these ids, each once, in the order of the ids; ids without an account
    /// are left out. The default makes a call for each; a backend may read all of them at once.
    async fn accounts_by_id(&self, ids: &[AccountId]) -> Result<Vec<Account>, StorageError> {
        let (mut seen, mut found) = (HashSet::new(), Vec::new());
        for id in ids {
            if seen.insert(*id) {
                found.extend(self.account(*id).await?);
            }
        }
        Ok(found)
    }

    /// Returns the account with this e-mail address, ignoring case.
    async fn account_by_email(&self, email: &Email) -> Result<Option<Account>, StorageError>;

    /// Returns the accounts whose folded e-mail address contains the term, or all, ordered by
    /// folded address (by code point).
    async fn accounts(
        &self,
        search: Option<&SearchTerm>,
        page: PageRequest,
    ) -> Result<Paged<Account>, StorageError>;

    /// Compare-and-swap: replaces the hash of an unchanged password if it still equals `expected`,
    /// so that a concurrent password change is never undone. Nothing else changes.
    async fn rehash_password(
        &self,
        id: AccountId,
        expected: &PasswordHash,
        new: PasswordHash,
    ) -> Result<PasswordChange, StorageError>;

    /// Compare-and-swap: sets a new password if the hash still equals `expected`. The same
    /// transition ends everything obtained with the old password, as
    /// [`sign_out_everywhere`](super::ConsentStore::sign_out_everywhere) does: authorization
    /// sessions, console sessions, grants, and, with [`ApiKeyAction::Revoke`], API keys. Consents
    /// stay.
    async fn set_password(
        &self,
        id: AccountId,
        expected: &PasswordHash,
        new: PasswordHash,
        keys: ApiKeyAction,
        at: Timestamp,
    ) -> Result<PasswordChange, StorageError>;

    /// Changes the account's role, unless it is the last administrator's. If the role changes, the
    /// account's console sessions end, so that the permissions of a session never change.
    async fn set_role(&self, id: AccountId, role: Role) -> Result<AccountChange, StorageError>;

    /// Deletes an account, unless it is the last administrator's. Its sessions and consents are
    /// deleted, and its grants and API keys are revoked. Its clients and applications change as in
    /// [`remove_owner`](super::ClientRegistry::remove_owner). Its e-mail address can be used again.
    async fn remove_account(
        &self,
        id: AccountId,
        at: Timestamp,
    ) -> Result<AccountRemoval, StorageError>;

    /// Returns every account, ordered by id.
    async fn all_accounts(&self) -> Result<Vec<Account>, StorageError>;

    /// Remembers the students that accounts belong to, in place of earlier ones. Accounts that do
    /// not exist are ignored. The student is forgotten with the account.
    async fn link_students(
        &self,
        students: Vec<(AccountId, StudentId)>,
    ) -> Result<(), StorageError>;

    /// Suspends the account of a student who has left, unless it is an administrator's or such a
    /// suspension has begun already. The hash becomes
    /// [`suspended_as_left`](PasswordHash::suspended_as_left), so that no password is right. In the
    /// same transition the account's sessions end, its grants are revoked, and its API keys and its
    /// clients that are not first-party are suspended: the keys have expired at `at`.
    async fn suspend_leaver(
        &self,
        id: AccountId,
        at: Timestamp,
    ) -> Result<LeaverChange, StorageError>;

    /// Ends the suspension of a student who is enrolled again. The hash becomes
    /// [`resumed`](PasswordHash::resumed), and the API keys and clients that were suspended with the
    /// account work again. Sessions and grants stay ended.
    async fn resume_leaver(&self, id: AccountId) -> Result<LeaverChange, StorageError>;

    /// Deletes an account as [`remove_account`](Self::remove_account) does, if it is no
    /// administrator's and is suspended since `left_at` because its owner has left; otherwise it
    /// counts as not found.
    async fn remove_leaver(
        &self,
        id: AccountId,
        left_at: Timestamp,
        at: Timestamp,
    ) -> Result<AccountRemoval, StorageError>;
}

/// Result of suspending or resuming the account of a leaver; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum LeaverChange {
    /// The account has the requested state, and so do these of its clients, in the order of their
    /// ids.
    Changed(Vec<ClientId>),
    /// The account had the requested state, or may not be suspended. Nothing changed.
    Unchanged,
    /// There is no such account.
    NotFound,
}

/// Result of deleting an account; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum AccountRemoval {
    /// The account is deleted, with these changes to its clients and applications.
    Removed(OwnerRemoval),
    /// It is the only administrator's account. Nothing changed.
    LastAdministrator,
    /// There is no such account.
    NotFound,
}

impl AccountRemoval {
    /// Returns the outcome as an [`AccountChange`], without the [`OwnerRemoval`].
    pub fn without_owner_removal(&self) -> AccountChange {
        match self {
            Self::Removed(_) => AccountChange::Done,
            Self::LastAdministrator => AccountChange::LastAdministrator,
            Self::NotFound => AccountChange::NotFound,
        }
    }
}

/// Result of changing an account; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum AccountChange {
    /// The account has the requested state.
    Done,
    /// It is the only administrator's account. Nothing changed.
    LastAdministrator,
    /// There is no such account.
    NotFound,
}

/// Result of replacing a password hash; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum PasswordChange {
    /// The account has the new hash.
    Changed,
    /// The account's hash is not the expected one. Nothing changed.
    Conflict,
    /// There is no such account.
    NotFound,
}
