//! Checks after a change that the request's grant or session is still live.

#[cfg(feature = "console")]
use std::time::Duration;

use super::{ManagementError, ManagementSession};
use crate::domain::GrantId;
#[cfg(feature = "console")]
use crate::domain::UserSessionDigest;
use crate::store::StorageError;

/// The credential that authenticated the request.
#[derive(Debug, Clone)]
pub(crate) enum AuthenticatedBy {
    /// An access token's grant.
    Grant(GrantId),
    /// A session in the console, and its idle timeout.
    #[cfg(feature = "console")]
    Session(UserSessionDigest, Duration),
}

impl ManagementSession<'_> {
    /// Whether the request's grant or session is still live, and its user exists with the same
    /// role.
    ///
    /// A password change, the removal of an account and "sign out everywhere" revoke a user's
    /// records. They miss a record that an already authenticated request creates afterwards, so
    /// methods that create a record check afterwards and remove it if this is false. API keys in
    /// another store are revoked only after the sessions and grants have ended. If the check still
    /// passes, the new key therefore exists before that revocation, which includes it.
    pub(super) async fn is_still_authenticated(&self) -> Result<bool, StorageError> {
        let now = self.now();
        let is_live = match &self.authenticated_by {
            AuthenticatedBy::Grant(grant) => {
                self.management.storage.grant_is_live(grant, now).await?
            }
            #[cfg(feature = "console")]
            AuthenticatedBy::Session(digest, idle) => match &self.management.user_sessions {
                Some(sessions) => sessions.user_session(digest, *idle, now).await?.is_some(),
                None => false,
            },
        };
        if !is_live {
            return Ok(false);
        }
        let user = self
            .management
            .login_service
            .authenticator
            .subject(&self.user.id)
            .await?;
        Ok(user.is_some_and(|user| user.role == self.user.role))
    }

    /// Fails if [`is_still_authenticated`](Self::is_still_authenticated) is false, so that a new
    /// secret is not shown.
    pub(super) async fn check_still_authenticated(&self) -> Result<(), ManagementError> {
        if self.is_still_authenticated().await? {
            Ok(())
        } else {
            Err(ManagementError::AccessEnded)
        }
    }
}
