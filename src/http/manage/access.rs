//! Whether a session still holds once something was made in its name.

#[cfg(feature = "ui")]
use std::time::Duration;

use super::{Desk, NotDone};
use crate::domain::GrantId;
#[cfg(feature = "ui")]
use crate::domain::UserSessionDigest;
use crate::store::StorageError;

/// What a request was let in by.
#[derive(Debug, Clone)]
pub(crate) enum Access {
    /// An access token of this grant.
    Grant(GrantId),
    /// A session in the console, and the time after which it is over when nothing is done in it.
    #[cfg(feature = "ui")]
    Session(UserSessionDigest, Duration),
}

impl Desk<'_> {
    /// Whether the grant or session that let the request in still lives, and its user is there with the same role.
    ///
    /// A new password, the removal of an account and "sign out everywhere" end what a user has. They do not reach what a request makes a moment
    /// later that was let in before, so whoever makes something asks afterwards, and takes it back if the answer is no. Sessions and grants end
    /// before the API keys of another store are revoked, so what is made after the question is found there.
    pub(super) async fn access_holds(&self) -> Result<bool, StorageError> {
        let now = self.now();
        let lives = match &self.access {
            Access::Grant(grant) => self.office.storage.grant_is_live(grant, now).await?,
            #[cfg(feature = "ui")]
            Access::Session(digest, idle) => self.office.storage.user_session(digest, *idle, now).await?.is_some(),
        };
        if !lives {
            return Ok(false);
        }
        let person = self.office.doorkeeper.authenticator.subject(&self.person.id).await?;
        Ok(person.is_some_and(|person| person.role == self.person.role))
    }

    /// Fails where [`access_holds`](Self::access_holds) is false, so that a secret that has been made is shown to nobody.
    pub(super) async fn check_access(&self) -> Result<(), NotDone> {
        if self.access_holds().await? { Ok(()) } else { Err(NotDone::AccessEnded) }
    }
}
