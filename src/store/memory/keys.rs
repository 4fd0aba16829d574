use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use async_trait::async_trait;

use super::MemoryStore;
use super::lock::{reading, writing};
use crate::domain::{KeyId, SealedKey, SigningKeyRecord, Timestamp};
use crate::store::sweep::AT_ONCE;
use crate::store::{KeyInstallation, KeyRevocation, KeyStore, StorageError, StoreClock};

/// The signing keys by their sequence numbers.
pub(super) type Keys = BTreeMap<i64, SigningKeyRecord>;

/// Memory has no clock.
impl StoreClock for MemoryStore {}

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

    async fn revoke_signing_key(&self, id: &KeyId, at: Timestamp) -> Result<KeyRevocation, StorageError> {
        let mut keys = writing(&self.keys);
        let Some(key) = keys.values_mut().find(|key| key.id == *id) else { return Ok(KeyRevocation::Unknown) };
        match key.revoked_at {
            Some(at) => Ok(KeyRevocation::AlreadyRevoked { at }),
            None => {
                key.revoked_at = Some(at);
                Ok(KeyRevocation::Revoked)
            }
        }
    }

    async fn reseal_signing_key(&self, id: &KeyId, seen: &SealedKey, sealed: SealedKey) -> Result<bool, StorageError> {
        let mut keys = writing(&self.keys);
        let Some(key) = keys.values_mut().find(|key| key.id == *id && key.sealed == *seen) else { return Ok(false) };
        key.sealed = sealed;
        Ok(true)
    }

    async fn remove_signing_keys(&self, until: Timestamp) -> Result<usize, StorageError> {
        let mut keys = writing(&self.keys);
        let Some(newest) = keys.values().rev().find(|key| key.created_at <= until).map(|key| key.sequence) else {
            return Ok(0);
        };
        let superseded: Vec<_> = keys.range(..newest).take(AT_ONCE).map(|(sequence, _)| *sequence).collect();
        Ok(superseded.iter().filter_map(|sequence| keys.remove(sequence)).count())
    }
}
