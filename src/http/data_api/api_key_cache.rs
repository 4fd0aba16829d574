//! Cache of API keys read from the store.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use quick_cache::sync::Cache;

use crate::circuit_breaker::CircuitBreaker;
use crate::domain::{ApiKey, ApiKeyDigest, Timestamp};
use crate::metrics::CacheMetrics;
use crate::store::{ApiKeyStore, StorageError};

/// Maximum number of cached entries.
const CAPACITY: usize = 10_000;

/// Time for which a cached key is used without a store read.
const FRESH_FOR: Duration = Duration::from_secs(5);

/// Cached API keys by the digest of their value. Unknown digests are not cached, so invented keys
/// evict nothing.
pub(super) struct ApiKeyCache {
    cache: Cache<ApiKeyDigest, CachedKey>,
    /// Time for which a cached key is used while the store is unavailable.
    tolerance: Duration,
    /// Limits store reads for cached keys while the store is unavailable.
    circuit_breaker: CircuitBreaker,
    lookups: CacheMetrics,
}

#[derive(Clone)]
struct CachedKey {
    key: Arc<ApiKey>,
    read_at: Timestamp,
    /// Value of [`ApiKeyStore::api_keys_version`] before the key was read.
    store_version: Option<u64>,
}

impl ApiKeyCache {
    pub(super) fn new(tolerance: Duration) -> Self {
        Self {
            cache: Cache::new(CAPACITY),
            tolerance,
            circuit_breaker: CircuitBreaker::default(),
            lookups: CacheMetrics::new("api_keys"),
        }
    }

    /// Returns the key with this digest: from the cache if it was read less than five seconds ago
    /// and the store reports no change since, or else from the store. While the store is
    /// unavailable, an older entry is used. The caller checks expiry and revocation.
    ///
    /// # Errors
    /// When the store is unavailable and no recent entry is cached.
    pub(super) async fn get_or_load(
        &self,
        store: &dyn ApiKeyStore,
        digest: &ApiKeyDigest,
        now: Timestamp,
    ) -> Result<Option<Arc<ApiKey>>, StorageError> {
        // Read before the key, so that a change between the two reads makes the entry outdated.
        let store_version = store.api_keys_version();
        let cached = self
            .cache
            .get(digest)
            .filter(|cached| cached.store_version == store_version);
        let fresh = cached
            .as_ref()
            .filter(|cached| store_version.is_some() && now.is_within(FRESH_FOR, cached.read_at));
        self.lookups.count(fresh.is_some());
        if let Some(fresh) = fresh {
            return Ok(Some(Arc::clone(&fresh.key)));
        }
        let stale = cached
            .filter(|cached| now.is_within(self.tolerance, cached.read_at))
            .map(|cached| cached.key);
        if stale.is_some() && self.circuit_breaker.is_open(now) {
            return Ok(stale);
        }
        match store.api_key(digest).await {
            Ok(found) => {
                if self.circuit_breaker.record_success() {
                    tracing::info!(target: "lyceum::data", "the API key store is available again");
                }
                self.insert(digest, found.as_ref(), now, store_version);
                Ok(found)
            }
            Err(error) if error.is_unavailable() => {
                if self.circuit_breaker.record_failure(now) && stale.is_some() {
                    tracing::warn!(target: "lyceum::data", %error, "the API key store is unavailable; cached keys keep working");
                }
                stale.map(Some).ok_or(error)
            }
            Err(error) => Err(error),
        }
    }

    fn insert(
        &self,
        digest: &ApiKeyDigest,
        found: Option<&Arc<ApiKey>>,
        read_at: Timestamp,
        store_version: Option<u64>,
    ) {
        match found.filter(|key| key.revoked_at.is_none()) {
            Some(key) => self.cache.insert(
                *digest,
                CachedKey {
                    key: Arc::clone(key),
                    read_at,
                    store_version,
                },
            ),
            None => _ = self.cache.remove(digest),
        }
    }
}

/// Prints no keys.
impl fmt::Debug for ApiKeyCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ApiKeyCache").finish_non_exhaustive()
    }
}
