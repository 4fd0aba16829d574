//! What becomes of accounts that are there.

use std::net::IpAddr;
use std::time::Duration;

use super::{Accounts, PasswordFault, Proof, TRIES};
use crate::domain::{AccountId, Password, PasswordHash, Role, SubjectId};
use crate::http::audit::{Change, Event, EventKind, Object, RequestId};
use crate::http::sign_in::attempts::Attempts;
use crate::http::sign_in::owned_api_keys::revoke_owned_api_keys;
use crate::http::sign_in::owner_removal::owner_removal_changes;
use crate::http::sign_in::workers::{Busy, Place};
use crate::store::{AccountChange, AccountRemoval, OwnedApiKeys, PasswordChange, StorageError};

impl Accounts {
    /// Gives an account a new password, if whoever asks knows the old one. Everything that the account had signed in to ends, and all of its
    /// grants are revoked, as are its API keys unless `keys` says otherwise: whoever else knew the old password keeps nothing, and the owner
    /// signs in again everywhere. `address` is the
    /// client's, where it is known; wrong passwords are limited per account and per address, and counted for themselves.
    /// [`Office::change_password`](crate::http::Office::change_password) counts them with failed sign-ins.
    ///
    /// # Errors
    /// When the storage could not answer.
    pub async fn change_password(
        &self,
        id: AccountId,
        old: &Password,
        new: &Password,
        keys: OwnedApiKeys,
        address: Option<IpAddr>,
    ) -> Result<PasswordVerdict, StorageError> {
        let verdict = self.change_password_within(&self.attempts, &id.to_string(), (id, old, new, keys), address).await?;
        if verdict == PasswordVerdict::Changed {
            self.record(&id.into(), Object::Password(id), Change::Changed, password_fields(keys));
            self.end_api_keys(id, keys).await?;
        }
        Ok(verdict)
    }

    /// The same within other attempts, which count those of `name`. Nothing is recorded.
    pub(in crate::http::sign_in) async fn change_password_within(
        &self,
        attempts: &Attempts,
        name: &str,
        (id, old, new, keys): (AccountId, &Password, &Password, OwnedApiKeys),
        address: Option<IpAddr>,
    ) -> Result<PasswordVerdict, StorageError> {
        let paid = match attempts.pay(name, address, self.clock.now()) {
            Ok(paid) => paid,
            Err(retry_after) => return Ok(PasswordVerdict::TooManyAttempts { retry_after }),
        };
        let verdict = self.change_proven((id, old, new), keys).await;
        match verdict {
            Ok(PasswordVerdict::Refused) => {}
            Ok(PasswordVerdict::Changed) => attempts.succeeded(&paid),
            _ => attempts.pay_back(&paid),
        }
        verdict
    }

    /// Gives an account a new password in place of one that was lost or stolen. `by` is the administrator. What ends is the same as with
    /// [`change_password`](Self::change_password).
    ///
    /// # Errors
    /// When the storage could not answer.
    pub async fn set_password(
        &self,
        by: &SubjectId,
        id: AccountId,
        new: &Password,
        keys: OwnedApiKeys,
    ) -> Result<PasswordReset, StorageError> {
        let reset = self.reset_password(id, new, keys).await?;
        if reset == PasswordReset::Done {
            self.record(by, Object::Password(id), Change::Changed, password_fields(keys));
            self.end_api_keys(id, keys).await?;
        }
        Ok(reset)
    }

    /// The same in the accounts' own storage. Nothing is recorded.
    pub(in crate::http) async fn reset_password(
        &self,
        id: AccountId,
        new: &Password,
        keys: OwnedApiKeys,
    ) -> Result<PasswordReset, StorageError> {
        let Some(account) = self.storage.account(id).await? else { return Ok(PasswordReset::Unknown) };
        match self.check_new(new, &account.email).await {
            Ok(None) => {}
            Ok(Some(fault)) => return Ok(PasswordReset::PasswordRefused(fault)),
            Err(Busy) => return Ok(PasswordReset::Busy),
        }
        let Ok(hash) = self.hashing.hash(new, self.entropy.bytes()).await else { return Ok(PasswordReset::Busy) };
        let hash = hash?;
        for _ in 0..TRIES {
            let Some(account) = self.storage.account(id).await? else { return Ok(PasswordReset::Unknown) };
            if self.replace(id, &account.password_hash, &hash, keys).await? == PasswordChange::Changed {
                return Ok(PasswordReset::Done);
            }
        }
        Ok(PasswordReset::Busy)
    }

    /// Gives an account another role, unless it is the last administrator's. `by` is the administrator. Tokens say the new role from the next
    /// refresh on; this service asks for it each time.
    ///
    /// # Errors
    /// When the storage could not answer.
    pub async fn set_role(&self, by: &SubjectId, id: AccountId, role: Role) -> Result<AccountChange, StorageError> {
        let change = self.storage.set_role(id, role).await?;
        if change == AccountChange::Done {
            self.record(by, Object::Account(id), Change::Changed, vec!["role"]);
        }
        Ok(change)
    }

    /// Removes the account of somebody who has left, unless it is the last administrator's. `by` is the administrator. Sessions, grants and API keys
    /// end with it, and what was consented to is forgotten. Applications go on and belong to the service, for administrators to manage; clients are
    /// suspended until an administrator gives them to another user. API keys in another store are revoked also where the account is gone
    /// already, so that a call that failed there can be repeated.
    ///
    /// # Errors
    /// When the storage could not answer.
    pub async fn remove(&self, by: &SubjectId, id: AccountId) -> Result<AccountChange, StorageError> {
        let removal = self.storage.remove_account(id, self.clock.now()).await?;
        if let AccountRemoval::Removed(removal) = &removal {
            self.record(by, Object::Account(id), Change::Deleted, Vec::new());
            for (object, change, fields) in owner_removal_changes(removal) {
                self.record(by, object, change, fields);
            }
        }
        if removal != AccountRemoval::LastAdministrator {
            self.end_api_keys(id, OwnedApiKeys::Revoke).await?;
        }
        Ok(removal.change())
    }

    async fn change_proven(
        &self,
        (id, old, new): (AccountId, &Password, &Password),
        keys: OwnedApiKeys,
    ) -> Result<PasswordVerdict, StorageError> {
        // The new password is checked first: the result says nothing about the old one.
        if let Some(account) = self.storage.account(id).await? {
            match self.check_new(new, &account.email).await {
                Ok(None) => {}
                Ok(Some(fault)) => return Ok(PasswordVerdict::NewRefused(fault)),
                Err(Busy) => return Ok(PasswordVerdict::Busy),
            }
        }
        for _ in 0..TRIES {
            let account = match self.prove(self.storage.account(id).await?, old, Place::Kept).await? {
                Proof::Right(account) => account,
                Proof::Wrong => return Ok(PasswordVerdict::Refused),
                Proof::Busy => return Ok(PasswordVerdict::Busy),
            };
            let hash = match self.hashing.hash(new, self.entropy.bytes()).await {
                Ok(hash) => hash?,
                Err(Busy) => return Ok(PasswordVerdict::Busy),
            };
            if self.replace(id, &account.password_hash, &hash, keys).await? == PasswordChange::Changed {
                return Ok(PasswordVerdict::Changed);
            }
        }
        Ok(PasswordVerdict::Busy)
    }

    async fn replace(
        &self,
        id: AccountId,
        seen: &PasswordHash,
        new: &PasswordHash,
        keys: OwnedApiKeys,
    ) -> Result<PasswordChange, StorageError> {
        self.storage.set_password(id, seen, new.clone(), keys, self.clock.now()).await
    }

    /// Revokes the account's API keys where they are in another store.
    async fn end_api_keys(&self, id: AccountId, keys: OwnedApiKeys) -> Result<(), StorageError> {
        match keys {
            OwnedApiKeys::Revoke => revoke_owned_api_keys(self.api_keys.as_deref(), &id.into(), self.clock.now()).await,
            OwnedApiKeys::Keep => Ok(()),
        }
    }

    fn record(&self, by: &SubjectId, object: Object, change: Change, fields: Vec<&'static str>) {
        let kind = EventKind::Managed { by: by.clone(), object, change, fields };
        self.audit.record(&Event { request_id: RequestId::new(&*self.entropy), at: self.clock.now(), address: None, kind });
    }
}

/// What the event of a new password says of the account's API keys.
pub(in crate::http) fn password_fields(keys: OwnedApiKeys) -> Vec<&'static str> {
    match keys {
        OwnedApiKeys::Revoke => vec!["apiKeys"],
        OwnedApiKeys::Keep => Vec::new(),
    }
}

/// What became of somebody's wish for a new password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum PasswordVerdict {
    /// The new one holds from now on.
    Changed,
    /// The old one was wrong, or there is no such account.
    Refused,
    /// The policy is against the new one; the old one was not checked, and nothing changed.
    NewRefused(PasswordFault),
    /// There were too many failures; nothing was checked.
    TooManyAttempts {
        /// How long to wait.
        retry_after: Duration,
    },
    /// More passwords are waiting than can be worked on, or the account does not stand still; nothing changed.
    Busy,
}

/// What became of a password that an administrator gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum PasswordReset {
    /// It holds from now on.
    Done,
    /// There is no such account.
    Unknown,
    /// The policy is against it; nothing changed.
    PasswordRefused(PasswordFault),
    /// More passwords are waiting than can be worked on, or the account does not stand still; nothing changed.
    Busy,
}
