use std::fmt::{self, Debug};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use crate::crypto::TokenVerifier;
use crate::domain::{KeyId, Timestamp};

/// Source of a guard's verification keys.
#[async_trait]
pub trait KeySource: Debug + Send + Sync + 'static {
    /// Returns the keys at the time `at`. `key_id` is the key that a token names. If it is unknown,
    /// the source may refetch, but must limit how often, since callers can invent key ids.
    ///
    /// # Errors
    /// When there are no keys to verify tokens with.
    async fn verifier(
        &self,
        key_id: &KeyId,
        at: Timestamp,
    ) -> Result<Arc<TokenVerifier>, KeysUnavailable>;
}

/// Keys that never change, for tests and for services that restart when keys change.
#[derive(Debug, Clone)]
pub struct FixedKeys(Arc<TokenVerifier>);

impl FixedKeys {
    /// Creates a source of these keys.
    pub fn new(keys: TokenVerifier) -> Self {
        Self(Arc::new(keys))
    }
}

#[async_trait]
impl KeySource for FixedKeys {
    async fn verifier(
        &self,
        _: &KeyId,
        _: Timestamp,
    ) -> Result<Arc<TokenVerifier>, KeysUnavailable> {
        Ok(Arc::clone(&self.0))
    }
}

/// No keys are available, so no token can be verified: 503 with `Retry-After`. The source is for
/// the log.
#[derive(Debug, Clone)]
pub struct KeysUnavailable {
    retry_after: Duration,
    source: Arc<dyn std::error::Error + Send + Sync>,
}

impl KeysUnavailable {
    /// Creates the error from its cause and the time to wait before another attempt.
    pub fn new(retry_after: Duration, source: impl Into<super::BoxError>) -> Self {
        Self {
            retry_after,
            source: source.into().into(),
        }
    }

    /// Time to wait before another attempt.
    pub fn retry_after(&self) -> Duration {
        self.retry_after
    }
}

impl fmt::Display for KeysUnavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the keys of the authorization service are unavailable")
    }
}

impl std::error::Error for KeysUnavailable {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&*self.source)
    }
}
