use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use async_trait::async_trait;

use super::MemoryStore;
use super::lock::{reading, writing};
use crate::domain::SigningKeyRecord;
use crate::store::{KeyInstallation, KeyStore, StorageError};

/// The signing keys by their sequence numbers.
pub(super) type Keys = BTreeMap<i64, SigningKeyRecord>;

#[async_trait]
impl KeyStore for MemoryStore {
    async fn signing_keys(&self) -> Result<Vec<SigningKeyRecord>, StorageError> {
        Ok(reading(&self.keys).values().cloned().collect())
    }

    async fn install_signing_key(&self, key: SigningKeyRecord) -> Result<KeyInstallation, StorageError> {
        match writing(&self.keys).entry(key.sequence) {
            Entry::Occupied(first) => Ok(KeyInstallation::Existing(first.get().clone())),
            Entry::Vacant(place) => {
                place.insert(key);
                Ok(KeyInstallation::Installed)
            }
        }
    }
}
