use std::fmt::{self, Debug};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use crate::crypto::TokenVerifier;
use crate::domain::{KeyId, Timestamp};

/// Where a guard has the keys from.
#[async_trait]
pub trait KeySource: Debug + Send + Sync + 'static {
    /// The keys, as they are known at `at`. `wanted` is the key that a token names: one that is missing may be worth a look, but whoever
    /// sends tokens must not decide how often.
    ///
    /// # Errors
    /// When there are no keys to check anything with.
    async fn verifier(&self, wanted: &KeyId, at: Timestamp) -> Result<Arc<TokenVerifier>, KeysUnavailable>;
}

/// Keys that never change, for tests and for services that are started anew when keys are.
#[derive(Debug, Clone)]
pub struct FixedKeys(Arc<TokenVerifier>);

impl FixedKeys {
    /// These keys.
    pub fn new(keys: TokenVerifier) -> Self {
        Self(Arc::new(keys))
    }
}

#[async_trait]
impl KeySource for FixedKeys {
    async fn verifier(&self, _: &KeyId, _: Timestamp) -> Result<Arc<TokenVerifier>, KeysUnavailable> {
        Ok(Arc::clone(&self.0))
    }
}

/// No keys can be had, so no token can be checked: 503 with `Retry-After`. It is for the log.
#[derive(Debug, Clone)]
pub struct KeysUnavailable {
    retry_after: Duration,
    source: Arc<dyn std::error::Error + Send + Sync>,
}

impl KeysUnavailable {
    /// Why, and how long to wait before it is worth trying again.
    pub fn new(retry_after: Duration, source: impl Into<super::BoxError>) -> Self {
        Self { retry_after, source: source.into().into() }
    }

    /// How long to wait.
    pub fn retry_after(&self) -> Duration {
        self.retry_after
    }
}

impl fmt::Display for KeysUnavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the keys of the authorization service cannot be had")
    }
}

impl std::error::Error for KeysUnavailable {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&*self.source)
    }
}
