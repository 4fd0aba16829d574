use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use super::key_ring::KeysUnavailable;
use super::loaded_keys::LoadedKeys;
use crate::crypto::MasterKey;
use crate::domain::{KeySchedule, Timestamp};
use crate::metrics::{Gauges, UNOPENED_KEYS};
use crate::store::KeyStore;

/// The signing keys as a node last saw them in the store.
pub(super) struct SeenKeys {
    schedule: KeySchedule,
    master_key: MasterKey,
    pub(super) storage: Arc<dyn KeyStore>,
    /// The keys, and which look at the store they come from.
    loaded: RwLock<(u64, Arc<LoadedKeys>)>,
    pub(super) looks: AtomicU64,
    unopened: Gauges<0>,
}

impl SeenKeys {
    /// Looks at the store for the first time.
    pub(super) async fn open(
        schedule: KeySchedule,
        master_key: MasterKey,
        storage: Arc<dyn KeyStore>,
        now: Timestamp,
    ) -> Result<Self, KeysUnavailable> {
        let keys = LoadedKeys::open(storage.signing_keys().await?, schedule, None, &master_key, now)?;
        let unopened = Gauges::new(UNOPENED_KEYS);
        unopened.set([], keys.unopened().len() as f64);
        Ok(Self { schedule, master_key, storage, loaded: RwLock::new((0, Arc::new(keys))), looks: AtomicU64::new(1), unopened })
    }

    /// What was seen.
    pub(super) fn loaded(&self) -> Arc<LoadedKeys> {
        Arc::clone(&self.loaded.read().unwrap_or_else(PoisonError::into_inner).1)
    }

    /// Looks at the store.
    pub(super) async fn load(&self, now: Timestamp) -> Result<Arc<LoadedKeys>, KeysUnavailable> {
        self.look(now, None).await
    }

    /// Looks at the store between two regular looks. It does not put off the next of those, for they also make what is due.
    pub(super) async fn load_between(&self, now: Timestamp) -> Result<Arc<LoadedKeys>, KeysUnavailable> {
        self.look(now, Some(self.loaded().loaded_at())).await
    }

    async fn look(&self, now: Timestamp, as_of: Option<Timestamp>) -> Result<Arc<LoadedKeys>, KeysUnavailable> {
        let look = self.looks.fetch_add(1, Ordering::Relaxed);
        let records = self.storage.signing_keys().await?;
        let mut keys = LoadedKeys::open(records, self.schedule, Some(&self.loaded()), &self.master_key, now)?;
        self.unopened.set([], keys.unopened().len() as f64);
        if let Some(as_of) = as_of {
            keys.backdate(as_of);
        }
        Ok(self.keep(look, Arc::new(keys)))
    }

    /// Of looks that overlap, what the one that began last has seen stays, so that no revocation is forgotten.
    pub(super) fn keep(&self, look: u64, keys: Arc<LoadedKeys>) -> Arc<LoadedKeys> {
        let mut loaded = self.loaded.write().unwrap_or_else(PoisonError::into_inner);
        if look > loaded.0 {
            *loaded = (look, keys);
        }
        Arc::clone(&loaded.1)
    }

    /// Puts other signers in the place of those that were loaded.
    #[cfg(test)]
    pub(super) fn replace_signers(&mut self, replacement: impl Fn(Arc<dyn crate::crypto::Signer>) -> Arc<dyn crate::crypto::Signer>) {
        let (_, loaded) = self.loaded.get_mut().unwrap();
        Arc::get_mut(loaded).unwrap().replace_signers(replacement);
    }
}
