//! The API keys that this node has read lately.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use quick_cache::sync::Cache;

use crate::domain::{ApiKey, ApiKeyDigest};
use crate::metrics::Lookups;
use crate::outage::Outage;
use crate::store::{ApiKeyStore, StorageError};

/// How many values of keys are kept at once.
const KEPT: usize = 10_000;

/// For how many microseconds a key is used without asking the store again.
const FRESH: i64 = 5_000_000;

/// Keys by the digests of their values. Only keys that the store knows are kept, so values that somebody makes up push nothing out.
pub(super) struct KeyCache {
    kept: Cache<ApiKeyDigest, Kept>,
    /// For how many microseconds a key is used while the store is away.
    tolerance: i64,
    /// While the store is away, most requests do not ask it about keys that are known.
    outage: Outage,
    lookups: Lookups,
}

#[derive(Clone)]
struct Kept {
    key: Arc<ApiKey>,
    read_micros: i64,
    /// What [`ApiKeyStore::api_key_changes`] was before the key was read.
    changes: Option<u64>,
}

impl Kept {
    /// Whether it was read less than so many microseconds ago. A clock that was set back does not make it younger.
    fn is_younger_than(&self, micros: i64, now_micros: i64) -> bool {
        (0..micros).contains(&now_micros.saturating_sub(self.read_micros))
    }
}

impl KeyCache {
    pub(super) fn new(tolerance: Duration) -> Self {
        Self {
            kept: Cache::new(KEPT),
            tolerance: i64::try_from(tolerance.as_micros()).unwrap_or(i64::MAX),
            outage: Outage::default(),
            lookups: Lookups::of("api_keys"),
        }
    }

    /// The key of a value, as the store said less than five seconds ago, or longer ago while the store is away. Whether it works is for the caller
    /// to see.
    ///
    /// # Errors
    /// When the store does not answer and has not told of the key lately.
    pub(super) async fn key(
        &self,
        store: &dyn ApiKeyStore,
        digest: &ApiKeyDigest,
        now_micros: i64,
    ) -> Result<Option<Arc<ApiKey>>, StorageError> {
        // Before the key is read: a change that comes between the two makes the number another one.
        let changes = store.api_key_changes();
        let kept = self.kept.get(digest).filter(|kept| kept.changes == changes);
        let fresh = kept.as_ref().filter(|kept| changes.is_some() && kept.is_younger_than(FRESH, now_micros));
        self.lookups.count(fresh.is_some());
        if let Some(fresh) = fresh {
            return Ok(Some(Arc::clone(&fresh.key)));
        }
        let known = kept.filter(|kept| kept.is_younger_than(self.tolerance, now_micros)).map(|kept| kept.key);
        if known.is_some() && self.outage.is_left_alone(now_micros) {
            return Ok(known);
        }
        match store.api_key(digest).await {
            Ok(found) => {
                if self.outage.end() {
                    tracing::info!(target: "lyceum::data", "the store of API keys answers again");
                }
                self.keep(digest, found.as_ref(), now_micros, changes);
                Ok(found)
            }
            Err(error) if error.is_unavailable() => {
                if self.outage.begin(now_micros) && known.is_some() {
                    tracing::warn!(target: "lyceum::data", %error, "the store of API keys does not answer; keys that are known go on working");
                }
                known.map(Some).ok_or(error)
            }
            Err(error) => Err(error),
        }
    }

    fn keep(&self, digest: &ApiKeyDigest, found: Option<&Arc<ApiKey>>, read_micros: i64, changes: Option<u64>) {
        match found.filter(|key| key.revoked_at.is_none()) {
            Some(key) => self.kept.insert(*digest, Kept { key: Arc::clone(key), read_micros, changes }),
            None => _ = self.kept.remove(digest),
        }
    }
}

/// Nothing of the keys.
impl fmt::Debug for KeyCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyCache").finish_non_exhaustive()
    }
}
