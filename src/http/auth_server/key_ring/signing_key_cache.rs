use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use super::SigningKeyError;
use super::signing_key_snapshot::SigningKeySnapshot;
use crate::crypto::MasterKey;
use crate::domain::{KeyRotation, Timestamp};
use crate::metrics::Gauges;
use crate::metrics::definitions::{SIGNING_KEY_OVERDUE, UNDECRYPTABLE_SIGNING_KEYS};
use crate::store::SigningKeyStore;

/// The signing keys that this node last loaded from the store.
pub(super) struct SigningKeyCache {
    schedule: KeyRotation,
    master_key: MasterKey,
    pub(super) storage: Arc<dyn SigningKeyStore>,
    /// Sequence number of the latest read, and the keys that it returned.
    latest: RwLock<(u64, Arc<SigningKeySnapshot>)>,
    /// Number of reads so far; the sequence number of the next one.
    pub(super) reads: AtomicU64,
    gauges: SigningKeyGauges,
}

/// Metrics of the keys, as of the last read.
struct SigningKeyGauges {
    /// Number of stored keys that none of the master keys decrypts.
    undecryptable: Gauges<0>,
    /// How long the next key has been due.
    overdue: Gauges<0>,
}

impl SigningKeyGauges {
    fn new() -> Self {
        Self {
            undecryptable: Gauges::new(UNDECRYPTABLE_SIGNING_KEYS),
            overdue: Gauges::new(SIGNING_KEY_OVERDUE),
        }
    }

    fn record(&self, keys: &SigningKeySnapshot, now: Timestamp) {
        self.undecryptable.set([], keys.unopened().len() as f64);
        self.overdue.set([], keys.overdue(now).as_secs_f64());
    }
}

impl SigningKeyCache {
    /// Loads the keys for the first time.
    pub(super) async fn open(
        schedule: KeyRotation,
        master_key: MasterKey,
        storage: Arc<dyn SigningKeyStore>,
        now: Timestamp,
    ) -> Result<Self, SigningKeyError> {
        let keys = SigningKeySnapshot::open(
            storage.signing_keys().await?,
            schedule,
            None,
            &master_key,
            now,
        )?;
        let gauges = SigningKeyGauges::new();
        gauges.record(&keys, now);
        Ok(Self {
            schedule,
            master_key,
            storage,
            latest: RwLock::new((0, Arc::new(keys))),
            reads: AtomicU64::new(1),
            gauges,
        })
    }

    /// The keys that were last loaded.
    pub(super) fn snapshot(&self) -> Arc<SigningKeySnapshot> {
        Arc::clone(&self.latest.read().unwrap_or_else(PoisonError::into_inner).1)
    }

    /// Reloads the keys from the store.
    pub(super) async fn reload(
        &self,
        now: Timestamp,
    ) -> Result<Arc<SigningKeySnapshot>, SigningKeyError> {
        self.read_store(now, None).await
    }

    /// Reloads the keys between two regular reloads. Does not postpone the next regular one, which
    /// also generates keys that are due.
    pub(super) async fn reload_early(
        &self,
        now: Timestamp,
    ) -> Result<Arc<SigningKeySnapshot>, SigningKeyError> {
        self.read_store(now, Some(self.snapshot().loaded_at()))
            .await
    }

    /// Reads the keys. `loaded_at` replaces the time of the read, on which the next regular reload
    /// depends.
    async fn read_store(
        &self,
        now: Timestamp,
        loaded_at: Option<Timestamp>,
    ) -> Result<Arc<SigningKeySnapshot>, SigningKeyError> {
        let read = self.reads.fetch_add(1, Ordering::Relaxed);
        let records = self.storage.signing_keys().await?;
        let mut keys = SigningKeySnapshot::open(
            records,
            self.schedule,
            Some(&self.snapshot()),
            &self.master_key,
            now,
        )?;
        self.gauges.record(&keys, now);
        if let Some(loaded_at) = loaded_at {
            keys.set_loaded_at(loaded_at);
        }
        Ok(self.replace_if_newer(read, Arc::new(keys)))
    }

    /// Stores the keys unless a read that started later has already stored its own, so that no
    /// revocation is lost.
    pub(super) fn replace_if_newer(
        &self,
        read: u64,
        keys: Arc<SigningKeySnapshot>,
    ) -> Arc<SigningKeySnapshot> {
        let mut latest = self.latest.write().unwrap_or_else(PoisonError::into_inner);
        if read > latest.0 {
            *latest = (read, keys);
        }
        Arc::clone(&latest.1)
    }

    /// Replaces the loaded signers.
    #[cfg(test)]
    pub(super) fn replace_signers(
        &mut self,
        replacement: impl Fn(Arc<dyn crate::crypto::Signer>) -> Arc<dyn crate::crypto::Signer>,
    ) {
        let (_, loaded) = self.latest.get_mut().unwrap();
        Arc::get_mut(loaded).unwrap().replace_signers(replacement);
    }
}
