use std::fmt::Debug;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use super::Accounts;
use crate::domain::{Account, Password, Subject, SubjectId};
use crate::store::{AccountStore, AuthStorage, StorageError};

/// Who the users are. A host with users of its own implements it; [`Accounts`] is the built-in one.
///
/// The service itself limits the attempts per account and per address before it asks.
#[async_trait]
pub trait Authenticator: Debug + Send + Sync + 'static {
    /// Checks what somebody typed into a login page. `email` may be any text; `address` is the client's, where it is known.
    ///
    /// An unknown e-mail address should take as long as a wrong password, or the time tells who has an account.
    ///
    /// # Errors
    /// When whatever keeps the users could not answer.
    async fn authenticate(&self, email: &str, password: &Password, address: Option<IpAddr>) -> Result<SignInVerdict, StorageError>;

    /// Who this is today: asked again at the exchange of a code and at each refresh, before anything is spent, so that users who have left get
    /// nothing more and the `role` claim is the current one.
    ///
    /// # Errors
    /// When whatever keeps the users could not answer.
    async fn subject(&self, id: &SubjectId) -> Result<Option<Subject>, StorageError>;

    /// Who this is today, where a storage has read the user's account together with the grant. By default that is passed over and
    /// [`subject`](Self::subject) is asked; [`Accounts`] over the same storage need not read it a second time.
    ///
    /// # Errors
    /// As [`subject`](Self::subject).
    async fn subject_with(&self, id: &SubjectId, read: AccountRead<'_>) -> Result<Option<Subject>, StorageError> {
        let _ = read;
        self.subject(id).await
    }

    /// The built-in accounts, if they are who the users are: where people change their passwords here, and administrators their roles.
    fn accounts(&self) -> Option<&Accounts> {
        None
    }
}

/// What a storage holds as a user's account.
#[derive(Debug, Clone, Copy)]
pub struct AccountRead<'a> {
    storage: &'a Arc<dyn AuthStorage>,
    account: Option<&'a Account>,
}

impl<'a> AccountRead<'a> {
    pub(crate) const fn new(storage: &'a Arc<dyn AuthStorage>, account: Option<&'a Account>) -> Self {
        Self { storage, account }
    }

    /// The account that this storage holds, or `None` where another one was read.
    pub(super) fn of(self, storage: &Arc<dyn AccountStore>) -> Option<Option<&'a Account>> {
        std::ptr::addr_eq(Arc::as_ptr(storage), Arc::as_ptr(self.storage)).then_some(self.account)
    }
}

/// What became of an attempt to sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum SignInVerdict {
    /// The password was right.
    SignedIn(Subject),
    /// There is no such account, or the password was wrong. Which of the two is nobody's business.
    Refused,
    /// There were too many failures; nothing was checked.
    TooManyAttempts {
        /// How long to wait.
        retry_after: Duration,
    },
    /// More attempts are waiting than can be worked on; nothing was checked.
    Busy,
}
