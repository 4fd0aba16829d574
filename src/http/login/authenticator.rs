use std::fmt::Debug;
use std::net::IpAddr;
use std::time::Duration;

use async_trait::async_trait;

use super::Accounts;
use crate::domain::{Account, Password, Subject, SubjectId};
use crate::http::audit::EmailOwner;
use crate::store::{AccountStore, StorageError};

/// Source of users and their credentials. A host with its own users implements it; [`Accounts`] is
/// the built-in implementation.
///
/// The service limits the attempts per account and per address before it calls this.
#[async_trait]
pub trait Authenticator: Debug + Send + Sync + 'static {
    /// Verifies the credentials from a login page. `email` may be any text; `address` is the
    /// client's address, if known.
    ///
    /// An unknown e-mail address should take as long as a wrong password; otherwise the response
    /// time reveals which accounts exist.
    ///
    /// # Errors
    /// When the user directory could not answer.
    async fn authenticate(
        &self,
        email: &str,
        password: &Password,
        address: Option<IpAddr>,
    ) -> Result<AuthenticationOutcome, StorageError>;

    /// The current data of a user. Called again at the exchange of a code and at each refresh,
    /// before anything is consumed, so that removed users get no more tokens and the `role` claim
    /// is current.
    ///
    /// # Errors
    /// When the user directory could not answer.
    async fn subject(&self, id: &SubjectId) -> Result<Option<Subject>, StorageError>;

    /// The current data of a user whose account a storage has read before, such as together with a
    /// grant. By default calls [`subject`](Self::subject); [`Accounts`] over the same storage uses the
    /// preloaded account.
    ///
    /// # Errors
    /// As [`subject`](Self::subject).
    async fn subject_with_account(
        &self,
        id: &SubjectId,
        preloaded: PreloadedAccount<'_>,
    ) -> Result<Option<Subject>, StorageError> {
        let _ = preloaded;
        self.subject(id).await
    }

    /// The user with a typed e-mail address, for the audit event of a refused sign-in. Called after
    /// [`authenticate`](Self::authenticate) has refused the credentials; the response does not depend
    /// on the result, and an error is only logged. By default the address is not looked up.
    ///
    /// The response waits for the result, so an unknown address should take as long as a known one.
    /// It is called for every address, but of one of the built-in [`accounts`](Self::accounts) the
    /// owner is recorded whatever the result. An implementation that wraps [`Accounts`] calls their
    /// `email_owner` for addresses that none of its own users has.
    ///
    /// # Errors
    /// When the user directory could not answer.
    async fn email_owner(&self, email: &str) -> Result<EmailOwner, StorageError> {
        let _ = email;
        Ok(EmailOwner::NotLookedUp)
    }

    /// The built-in accounts, if users have them. These users change their passwords here, and
    /// administrators change their roles.
    fn accounts(&self) -> Option<&Accounts> {
        None
    }
}

/// A user's account as read by a storage.
#[derive(Debug, Clone, Copy)]
pub struct PreloadedAccount<'a> {
    storage: &'a (dyn Debug + Send + Sync),
    account: Option<&'a Account>,
}

impl<'a> PreloadedAccount<'a> {
    pub(crate) const fn new(
        storage: &'a (dyn Debug + Send + Sync),
        account: Option<&'a Account>,
    ) -> Self {
        Self { storage, account }
    }

    /// The account as read by this storage, or `None` if another storage read it.
    pub(super) fn for_store(self, storage: &dyn AccountStore) -> Option<Option<&'a Account>> {
        std::ptr::addr_eq(storage, self.storage).then_some(self.account)
    }
}

/// Result of an authentication attempt; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum AuthenticationOutcome {
    /// The credentials are correct.
    SignedIn(Subject),
    /// The account does not exist or the password is wrong. The two are not distinguished.
    InvalidCredentials,
    /// Too many attempts have failed; the password was not checked.
    TooManyAttempts {
        /// Time to wait.
        retry_after: Duration,
    },
    /// Too many attempts are queued; the password was not checked.
    Busy,
}
