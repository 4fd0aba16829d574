use std::fmt::Debug;
use std::net::IpAddr;
use std::time::Duration;

use async_trait::async_trait;

use super::Accounts;
use crate::domain::{Password, Subject, SubjectId};
use crate::store::StorageError;

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

    /// The built-in accounts, if they are who the users are: where people change their passwords here, and administrators their roles.
    fn accounts(&self) -> Option<&Accounts> {
        None
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
