use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;

use super::MemoryStore;
use super::ends::Ends;
use super::lock::{reading, writing};
use crate::domain::{ApiKey, ApiKeyDigest, ApiKeyId, Timestamp};
use crate::store::sweep::API_KEY_KEPT;
use crate::store::{ApiKeyStore, Creation, StorageError};

/// The keys by digest and by id, also in the order in which they end.
#[derive(Default)]
pub(super) struct ApiKeys {
    by_digest: HashMap<ApiKeyDigest, Arc<ApiKey>>,
    digest_of: HashMap<ApiKeyId, ApiKeyDigest>,
    ends: Ends<Timestamp, ApiKeyId>,
}

#[async_trait]
impl ApiKeyStore for MemoryStore {
    async fn create_api_key(&self, key: ApiKey) -> Result<Creation, StorageError> {
        let mut keys = writing(&self.api_keys);
        if keys.digest_of.contains_key(&key.id) || keys.by_digest.contains_key(&key.digest) {
            return Ok(Creation::Taken);
        }
        let created_at = key.created_at;
        keys.ends.insert(end(&key), key.id);
        keys.digest_of.insert(key.id, key.digest);
        keys.by_digest.insert(key.digest, Arc::new(key));
        keys.sweep(created_at);
        Ok(Creation::Created)
    }

    async fn api_key(&self, digest: &ApiKeyDigest) -> Result<Option<Arc<ApiKey>>, StorageError> {
        Ok(reading(&self.api_keys).by_digest.get(digest).cloned())
    }

    async fn revoke_api_key(&self, id: ApiKeyId, at: Timestamp) -> Result<bool, StorageError> {
        let mut keys = writing(&self.api_keys);
        let ApiKeys { by_digest, digest_of, ends } = &mut *keys;
        let Some(key) = digest_of.get(&id).and_then(|digest| by_digest.get_mut(digest)) else {
            return Ok(false);
        };
        ends.remove(end(key), id);
        Arc::make_mut(key).revoked_at.get_or_insert(at);
        ends.insert(end(key), id);
        Ok(true)
    }
}

impl ApiKeys {
    /// Takes some of the keys away that have had their time.
    fn sweep(&mut self, at: Timestamp) {
        for id in self.ends.take(at.minus(API_KEY_KEPT)) {
            if let Some(digest) = self.digest_of.remove(&id) {
                self.by_digest.remove(&digest);
            }
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        assert_eq!((self.by_digest.len(), self.by_digest.len()), (self.digest_of.len(), self.ends.len()));
        self.by_digest.len()
    }
}

fn end(key: &ApiKey) -> Timestamp {
    key.revoked_at.unwrap_or(key.expires_at)
}
