use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;

use super::{BoxError, Caller};
use crate::domain::{ScopeSet, Timestamp};
use crate::http::existing_scopes::existing_scopes;
use crate::store::ProtocolStorage;

/// Checks whether a token with a valid signature is still active: by the authorization service's
/// storage, its introspection endpoint (RFC 7662), or a revocation list.
#[async_trait]
pub trait RevocationCheck: Debug + Send + Sync + 'static {
    /// Whether the token is active at `at`. `token` is the presented token, for implementations
    /// that forward it.
    ///
    /// # Errors
    /// When the state of the token is unknown. The request then gets 503.
    async fn is_active(
        &self,
        token: &str,
        caller: &Caller,
        at: Timestamp,
    ) -> Result<bool, BoxError>;

    /// Returns the token's scopes that are still granted at `at`; none if the token is inactive. By
    /// default all of them while the token is active. The guard calls only this method, and the
    /// [`Caller`] has these scopes.
    ///
    /// # Errors
    /// As [`is_active`](Self::is_active).
    async fn active_scopes(
        &self,
        token: &str,
        caller: &Caller,
        at: Timestamp,
    ) -> Result<ScopeSet, BoxError> {
        Ok(if self.is_active(token, caller, at).await? {
            caller.scopes.clone()
        } else {
            ScopeSet::default()
        })
    }
}

/// Checks tokens against the authorization service's storage, for hosts that have access to it:
/// three reads per request for a user's token, one for a client's own, and one more if the token
/// has scopes of applications.
///
/// A user's token is active while its grant is live, and a client's own token while the client may
/// use the client credentials grant. Neither is active while the client is suspended. Scopes that
/// were deleted or withdrawn after the token was issued are removed; a token without any left is
/// inactive.
#[derive(Debug, Clone)]
pub struct StoreRevocationCheck(Arc<dyn ProtocolStorage>);

impl StoreRevocationCheck {
    /// Creates a check against this storage.
    pub fn new(storage: Arc<dyn ProtocolStorage>) -> Self {
        Self(storage)
    }
}

#[async_trait]
impl RevocationCheck for StoreRevocationCheck {
    async fn is_active(
        &self,
        token: &str,
        caller: &Caller,
        at: Timestamp,
    ) -> Result<bool, BoxError> {
        Ok(!self.active_scopes(token, caller, at).await?.is_empty())
    }

    async fn active_scopes(
        &self,
        _: &str,
        caller: &Caller,
        at: Timestamp,
    ) -> Result<ScopeSet, BoxError> {
        let granted = match caller.grant {
            Some(grant) if !self.0.grant_is_live(&grant, at).await? => None,
            Some(grant) => match self.0.refresh_binding(&grant).await? {
                Some(binding) => {
                    let client = self.0.client(binding.client).await?;
                    client
                        .filter(|client| !client.is_suspended())
                        .map(|_| binding.scopes)
                }
                None => None,
            },
            None => self
                .0
                .client(caller.client)
                .await?
                .map(|client| client.scopes_without_user()),
        };
        let granted = granted
            .map(|granted| granted.intersection(&caller.scopes))
            .unwrap_or_default();
        Ok(existing_scopes(&*self.0, granted).await?)
    }
}
