use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;

use super::MemoryStore;
use super::lock::{reading, writing};
use crate::domain::{ApiKey, ApiKeyDigest, ApiKeyId, Timestamp};
use crate::store::{ApiKeyStore, Creation, StorageError};

#[derive(Default)]
pub(super) struct ApiKeys {
    by_digest: HashMap<ApiKeyDigest, Arc<ApiKey>>,
    digest_of: HashMap<ApiKeyId, ApiKeyDigest>,
}

#[async_trait]
impl ApiKeyStore for MemoryStore {
    async fn create_api_key(&self, key: ApiKey) -> Result<Creation, StorageError> {
        let mut keys = writing(&self.api_keys);
        if keys.digest_of.contains_key(&key.id) || keys.by_digest.contains_key(&key.digest) {
            return Ok(Creation::Taken);
        }
        keys.digest_of.insert(key.id, key.digest);
        keys.by_digest.insert(key.digest, Arc::new(key));
        Ok(Creation::Created)
    }

    async fn api_key(&self, digest: &ApiKeyDigest) -> Result<Option<Arc<ApiKey>>, StorageError> {
        Ok(reading(&self.api_keys).by_digest.get(digest).cloned())
    }

    async fn revoke_api_key(&self, id: ApiKeyId, at: Timestamp) -> Result<bool, StorageError> {
        let mut keys = writing(&self.api_keys);
        let ApiKeys { by_digest, digest_of } = &mut *keys;
        let Some(key) = digest_of.get(&id).and_then(|digest| by_digest.get_mut(digest)) else {
            return Ok(false);
        };
        Arc::make_mut(key).revoked_at.get_or_insert(at);
        Ok(true)
    }
}
