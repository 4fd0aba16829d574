use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;

use super::{Creation, StorageError};
use crate::domain::{ApiKey, ApiKeyDigest, ApiKeyId, Timestamp};

/// Keeps the API keys of the data API.
#[async_trait]
pub trait ApiKeyStore: Debug + Send + Sync + 'static {
    /// Keeps a new key, unless its id or digest is taken. A key that is kept takes a few away that had died long before it was created:
    /// see [`sweep`](super::sweep).
    async fn create_api_key(&self, key: ApiKey) -> Result<Creation, StorageError>;

    /// The key with this digest, whether it works or not.
    async fn api_key(&self, digest: &ApiKeyDigest) -> Result<Option<Arc<ApiKey>>, StorageError>;

    /// Makes a key stop working. Says whether there is such a key; the first revocation's time stays.
    async fn revoke_api_key(&self, id: ApiKeyId, at: Timestamp) -> Result<bool, StorageError>;
}
