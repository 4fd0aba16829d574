//! Checks after a change that the request's grant or session has not ended meanwhile.

#[cfg(feature = "ui")]
use std::time::Duration;

use super::{Desk, NotDone};
use crate::domain::GrantId;
#[cfg(feature = "ui")]
use crate::domain::UserSessionDigest;
use crate::store::StorageError;

/// What authenticated the request.
#[derive(Debug, Clone)]
pub(crate) enum Access {
    /// An access token of this grant.
    Grant(GrantId),
    /// A session in the console, and its idle timeout.
    #[cfg(feature = "ui")]
    Session(UserSessionDigest, Duration),
}

impl Desk<'_> {
    /// Whether the request's grant or session is still live, and its user exists with the same role.
    ///
    /// A new password, the removal of an account and "sign out everywhere" revoke what a user has. They miss a record that a request creates
    /// afterwards if the request was authenticated before, so methods that create a record check afterwards and remove it if this is false. Sessions and grants end
    /// before the API keys of another store are revoked, so a key that was created before a check that passed is revoked there.
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
