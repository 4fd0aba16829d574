use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;

use super::{BoxError, Caller};
use crate::domain::Timestamp;
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
}

/// Asks the storage of the authorization service, for hosts that have it at hand: one read a request.
///
/// A user's token lives as long as its grant, a client's own as long as its client may have such.
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
    async fn is_live(&self, _: &str, caller: &Caller, at: Timestamp) -> Result<bool, BoxError> {
        match caller.grant {
            Some(grant) => Ok(self.0.grant_is_live(&grant, at).await?),
            None => Ok(self.0.client(caller.client).await?.is_some_and(|client| client.may_have_own_tokens())),
        }
    }
}
