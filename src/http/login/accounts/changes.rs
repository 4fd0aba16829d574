//! Password changes, roles and removal of existing accounts.

use std::net::IpAddr;
use std::time::Duration;

use super::{Accounts, MAX_TRIES, PasswordPolicyError, PasswordVerification};
#[cfg(feature = "console")]
use crate::domain::Account;
use crate::domain::{AccountId, Email, Password, PasswordHash, Role, SubjectId};
use crate::http::audit::{Change, Event, EventKind, ManagedObject, RequestId};
use crate::http::login::attempts::LoginAttemptLimiter;
use crate::http::login::owned_api_keys::revoke_owned_api_keys;
use crate::http::login::owner_removal::owner_removal_changes;
use crate::http::login::worker_pool::{QueueFull, QueuePriority};
use crate::store::{AccountChange, AccountRemoval, ApiKeyAction, PasswordChange, StorageError};

impl Accounts {
    /// Changes the password of an account, given the old one. Ends the account's sessions and
    /// revokes all of its grants, and its API keys unless `keys` says otherwise, so that anyone
    /// else who knew the old password loses access. The owner signs in again everywhere.
    ///
    /// `address` is the client's address, if known. Wrong passwords are limited per account and per
    /// address, and counted separately;
    /// [`Management::change_password`](crate::http::Management::change_password) counts them with
    /// failed logins.
    ///
    /// # Errors
    /// When the storage could not answer.
    pub async fn change_password(
        &self,
        id: AccountId,
        old: &Password,
        new: &Password,
        keys: ApiKeyAction,
        address: Option<IpAddr>,
    ) -> Result<PasswordChangeOutcome, StorageError> {
        let outcome = self
            .change_password_within(
                &self.attempts,
                &id.to_string(),
                (id, old, new, keys),
                address,
            )
            .await?;
        if outcome == PasswordChangeOutcome::Changed {
            self.record(
                &id.into(),
                ManagedObject::Password(id),
                Change::Changed,
                password_change_fields(keys),
            );
            self.end_api_keys(id, keys).await?;
        }
        Ok(outcome)
    }

    /// Changes the password, counting the attempt in `attempts` for `name`. Records no event.
    pub(in crate::http::login) async fn change_password_within(
        &self,
        attempts: &LoginAttemptLimiter,
        name: &str,
        (id, old, new, keys): (AccountId, &Password, &Password, ApiKeyAction),
        address: Option<IpAddr>,
    ) -> Result<PasswordChangeOutcome, StorageError> {
        let permit = match attempts.acquire(name, address, self.clock.now()) {
            Ok(permit) => permit,
            Err(retry_after) => return Ok(PasswordChangeOutcome::TooManyAttempts { retry_after }),
        };
        let outcome = self.verify_and_change((id, old, new), keys).await;
        match outcome {
            Ok(PasswordChangeOutcome::WrongPassword) => {}
            Ok(PasswordChangeOutcome::Changed) => attempts.succeeded(&permit),
            _ => attempts.refund(&permit),
        }
        outcome
    }

    /// Sets a new password in place of one that was lost or stolen. `by` is the administrator. Ends
    /// the same sessions, grants and keys as [`change_password`](Self::change_password).
    ///
    /// # Errors
    /// When the storage could not answer.
    pub async fn set_password(
        &self,
        by: &SubjectId,
        id: AccountId,
        new: &Password,
        keys: ApiKeyAction,
    ) -> Result<PasswordResetOutcome, StorageError> {
        let reset = self.reset_password(id, new, keys).await?;
        if reset == PasswordResetOutcome::Changed {
            self.record(
                by,
                ManagedObject::Password(id),
                Change::Changed,
                password_change_fields(keys),
            );
            self.end_api_keys(id, keys).await?;
        }
        Ok(reset)
    }

    /// Sets a new password in the accounts' own storage. Records no event.
    pub(in crate::http) async fn reset_password(
        &self,
        id: AccountId,
        new: &Password,
        keys: ApiKeyAction,
    ) -> Result<PasswordResetOutcome, StorageError> {
        let Some(account) = self.storage.account(id).await? else {
            return Ok(PasswordResetOutcome::UnknownAccount);
        };
        let hash = match self.hash_new(new, &account.email).await? {
            Ok(hash) => hash,
            Err(refused) => return Ok(refused),
        };
        for _ in 0..MAX_TRIES {
            let Some(account) = self.storage.account(id).await? else {
                return Ok(PasswordResetOutcome::UnknownAccount);
            };
            if self
                .replace(id, &account.password_hash, &hash, keys)
                .await?
                == PasswordChange::Changed
            {
                return Ok(PasswordResetOutcome::Changed);
            }
        }
        Ok(PasswordResetOutcome::Busy)
    }

    /// Sets a new password if the account still has the password that it was read with; otherwise
    /// the account counts as unknown. Records no event.
    #[cfg(feature = "console")]
    pub(in crate::http::login) async fn reset_unchanged_password(
        &self,
        account: &Account,
        new: &Password,
        keys: ApiKeyAction,
    ) -> Result<PasswordResetOutcome, StorageError> {
        let hash = match self.hash_new(new, &account.email).await? {
            Ok(hash) => hash,
            Err(refused) => return Ok(refused),
        };
        let change = self
            .replace(account.id, &account.password_hash, &hash, keys)
            .await?;
        Ok(match change {
            PasswordChange::Changed => PasswordResetOutcome::Changed,
            PasswordChange::Conflict | PasswordChange::NotFound => {
                PasswordResetOutcome::UnknownAccount
            }
        })
    }

    /// Checks a new password against the policy and hashes it, or returns the outcome of a reset
    /// that is refused.
    async fn hash_new(
        &self,
        new: &Password,
        email: &Email,
    ) -> Result<Result<PasswordHash, PasswordResetOutcome>, StorageError> {
        match self.check_new(new, email).await {
            Ok(None) => {}
            Ok(Some(fault)) => return Ok(Err(PasswordResetOutcome::PasswordRejected(fault))),
            Err(QueueFull) => return Ok(Err(PasswordResetOutcome::Busy)),
        }
        match self.hashing.hash(new, self.entropy.bytes()).await {
            Ok(hash) => Ok(Ok(hash?)),
            Err(QueueFull) => Ok(Err(PasswordResetOutcome::Busy)),
        }
    }

    /// Sets the role of an account, unless it is the last administrator. `by` is the administrator.
    /// Tokens contain the new role from the next refresh; this service reads the current role at
    /// each request. API keys stay as they are: where fields are
    /// [protected](crate::http::auth_server::AuthServerBuilder::protected_fields), hide them
    /// with [`hide_fields_of`](crate::store::ApiKeyStore::hide_fields_of).
    ///
    /// # Errors
    /// When the storage could not answer.
    pub async fn set_role(
        &self,
        by: &SubjectId,
        id: AccountId,
        role: Role,
    ) -> Result<AccountChange, StorageError> {
        let change = self.storage.set_role(id, role).await?;
        if change == AccountChange::Done {
            self.record(
                by,
                ManagedObject::Account(id),
                Change::Changed,
                vec!["role"],
            );
        }
        Ok(change)
    }

    /// Removes the account of a user, unless it is the last administrator. `by` is the
    /// administrator. Sessions, grants, API keys and consents end with it. Applications pass to the
    /// service, managed by administrators; clients are suspended until an administrator assigns
    /// them to another user. API keys in another store are revoked even if the account is already
    /// gone, so that a failed call can be repeated.
    ///
    /// # Errors
    /// When the storage could not answer.
    pub async fn remove(
        &self,
        by: &SubjectId,
        id: AccountId,
    ) -> Result<AccountChange, StorageError> {
        let removal = self.storage.remove_account(id, self.clock.now()).await?;
        if let AccountRemoval::Removed(removal) = &removal {
            self.record(by, ManagedObject::Account(id), Change::Deleted, Vec::new());
            for (object, change, fields) in owner_removal_changes(removal) {
                self.record(by, object, change, fields);
            }
        }
        if removal != AccountRemoval::LastAdministrator {
            self.end_api_keys(id, ApiKeyAction::Revoke).await?;
        }
        Ok(removal.without_owner_removal())
    }

    async fn verify_and_change(
        &self,
        (id, old, new): (AccountId, &Password, &Password),
        keys: ApiKeyAction,
    ) -> Result<PasswordChangeOutcome, StorageError> {
        // The new password is checked first: its result reveals nothing about the old one.
        if let Some(account) = self.storage.account(id).await? {
            match self.check_new(new, &account.email).await {
                Ok(None) => {}
                Ok(Some(fault)) => return Ok(PasswordChangeOutcome::NewPasswordRejected(fault)),
                Err(QueueFull) => return Ok(PasswordChangeOutcome::Busy),
            }
        }
        for _ in 0..MAX_TRIES {
            let account = match self
                .verify_password(
                    self.storage.account(id).await?,
                    old,
                    QueuePriority::Reserved,
                )
                .await?
            {
                PasswordVerification::Correct(account) => account,
                PasswordVerification::Wrong => return Ok(PasswordChangeOutcome::WrongPassword),
                PasswordVerification::Busy => return Ok(PasswordChangeOutcome::Busy),
            };
            let hash = match self.hashing.hash(new, self.entropy.bytes()).await {
                Ok(hash) => hash?,
                Err(QueueFull) => return Ok(PasswordChangeOutcome::Busy),
            };
            if self
                .replace(id, &account.password_hash, &hash, keys)
                .await?
                == PasswordChange::Changed
            {
                return Ok(PasswordChangeOutcome::Changed);
            }
        }
        Ok(PasswordChangeOutcome::Busy)
    }

    async fn replace(
        &self,
        id: AccountId,
        seen: &PasswordHash,
        new: &PasswordHash,
        keys: ApiKeyAction,
    ) -> Result<PasswordChange, StorageError> {
        let new = match seen.left_at() {
            // A new password lets no leaver in.
            Some(left_at) => new.suspended_as_left(left_at),
            None => new.clone(),
        };
        self.storage
            .set_password(id, seen, new, keys, self.clock.now())
            .await
    }

    /// Revokes the account's API keys in another store.
    pub(super) async fn end_api_keys(
        &self,
        id: AccountId,
        keys: ApiKeyAction,
    ) -> Result<(), StorageError> {
        match keys {
            ApiKeyAction::Revoke => {
                revoke_owned_api_keys(self.api_keys.as_deref(), &id.into(), self.clock.now()).await
            }
            ApiKeyAction::Keep => Ok(()),
        }
    }

    pub(super) fn record(
        &self,
        by: &SubjectId,
        object: ManagedObject,
        change: Change,
        fields: Vec<&'static str>,
    ) {
        let kind = EventKind::Managed {
            by: by.clone(),
            object,
            change,
            fields,
        };
        self.audit.record(&Event {
            request_id: RequestId::new(&*self.entropy),
            at: self.clock.now(),
            address: None,
            kind,
        });
    }
}

/// Fields of a password event: whether API keys were revoked.
pub(in crate::http) fn password_change_fields(keys: ApiKeyAction) -> Vec<&'static str> {
    match keys {
        ApiKeyAction::Revoke => vec!["apiKeys"],
        ApiKeyAction::Keep => Vec::new(),
    }
}

/// Result of changing a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub enum PasswordChangeOutcome {
    /// The new password is valid from now on.
    Changed,
    /// The old password is wrong, or the account does not exist.
    WrongPassword,
    /// The new password violates the policy; the old one was not checked, and nothing changed.
    NewPasswordRejected(PasswordPolicyError),
    /// Too many attempts have failed; nothing was checked.
    TooManyAttempts {
        /// Time to wait.
        retry_after: Duration,
    },
    /// The queue is full, or the account keeps changing concurrently; nothing changed.
    Busy,
}

/// Result of setting a password as an administrator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub enum PasswordResetOutcome {
    /// The new password is valid from now on.
    Changed,
    /// The account does not exist.
    UnknownAccount,
    /// The password violates the policy; nothing changed.
    PasswordRejected(PasswordPolicyError),
    /// The queue is full, or the account keeps changing concurrently; nothing changed.
    Busy,
}
