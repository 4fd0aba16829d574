use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;

use super::{BoxError, Caller};
use crate::domain::{ScopeSet, Timestamp};
use crate::store::AuthStorage;

/// Who knows whether a token whose signature is good still holds: the storage of the authorization service, its introspection endpoint
/// (RFC 7662), or a list of what was revoked.
#[async_trait]
pub trait Liveness: Debug + Send + Sync + 'static {
    /// Whether the token holds at `at`. `token` is what was presented, for those who pass it on.
    ///
    /// # Errors
    /// When nobody can say. The request is then answered with 503: what is unknown is not let through.
    async fn is_live(&self, token: &str, caller: &Caller, at: Timestamp) -> Result<bool, BoxError>;

    /// The scopes of the token that still hold at `at`; none when the token does not hold at all. By default all of them, while the token
    /// is live. The guard asks this alone, and the caller that it lets through has these scopes.
    ///
    /// # Errors
    /// As [`is_live`](Self::is_live).
    async fn scopes_left(&self, token: &str, caller: &Caller, at: Timestamp) -> Result<ScopeSet, BoxError> {
        Ok(if self.is_live(token, caller, at).await? { caller.scopes.clone() } else { ScopeSet::default() })
    }
}

/// Asks the storage of the authorization service, for hosts that have it at hand: three reads a request for a user's token, one for a
/// client's own.
///
/// A user's token lives as long as its grant, a client's own as long as its client may have such, and neither while the client is suspended. Scopes that were deleted or withdrawn
/// since the token was issued do not hold any more; a token without any left is dead.
#[derive(Debug, Clone)]
pub struct StoreLiveness(Arc<dyn AuthStorage>);

impl StoreLiveness {
    /// Asks this storage.
    pub fn new(storage: Arc<dyn AuthStorage>) -> Self {
        Self(storage)
    }
}

#[async_trait]
impl Liveness for StoreLiveness {
    async fn is_live(&self, token: &str, caller: &Caller, at: Timestamp) -> Result<bool, BoxError> {
        Ok(!self.scopes_left(token, caller, at).await?.is_empty())
    }

    async fn scopes_left(&self, _: &str, caller: &Caller, at: Timestamp) -> Result<ScopeSet, BoxError> {
        let left = match caller.grant {
            Some(grant) if !self.0.grant_is_live(&grant, at).await? => None,
            Some(grant) => match self.0.refresh_binding(&grant).await? {
                Some(binding) => {
                    let client = self.0.client(binding.client).await?;
                    client.filter(|client| !client.is_suspended()).map(|_| binding.scopes)
                }
                None => None,
            },
            None => self.0.client(caller.client).await?.map(|client| client.own_token_scopes()),
        };
        Ok(left.map(|left| left.intersection(&caller.scopes)).unwrap_or_default())
    }
}
