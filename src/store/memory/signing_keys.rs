use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use async_trait::async_trait;

use super::MemoryStore;
use super::lock::{read_lock, write_lock};
use crate::domain::{KeyId, SealedKey, SigningKeyRecord, Timestamp};
use crate::store::retention::MAX_DELETED_PER_INSERT;
use crate::store::{
    SigningKeyInstallation, SigningKeyRevocation, SigningKeyStore, StorageError, StoreClock,
};

/// The signing keys by their sequence numbers.
pub(super) type SigningKeys = BTreeMap<i64, SigningKeyRecord>;

/// There is no shared clock.
impl StoreClock for MemoryStore {}

#[async_trait]
impl SigningKeyStore for MemoryStore {
    async fn signing_keys(&self) -> Result<Vec<SigningKeyRecord>, StorageError> {
        Ok(read_lock(&self.signing_keys).values().cloned().collect())
    }

    async fn install_signing_key(
        &self,
        key: SigningKeyRecord,
    ) -> Result<SigningKeyInstallation, StorageError> {
        match write_lock(&self.signing_keys).entry(key.sequence) {
            Entry::Occupied(first) => Ok(SigningKeyInstallation::Existing(first.get().clone())),
            Entry::Vacant(place) => {
                place.insert(key);
                Ok(SigningKeyInstallation::Installed)
            }
        }
    }

    async fn revoke_signing_key(
        &self,
        id: &KeyId,
        at: Timestamp,
    ) -> Result<SigningKeyRevocation, StorageError> {
        let mut keys = write_lock(&self.signing_keys);
        let Some(key) = keys.values_mut().find(|key| key.id == *id) else {
            return Ok(SigningKeyRevocation::NotFound);
        };
        match key.revoked_at {
            Some(at) => Ok(SigningKeyRevocation::AlreadyRevoked { at }),
            None => {
                key.revoked_at = Some(at);
                Ok(SigningKeyRevocation::Revoked)
            }
        }
    }

    async fn reseal_signing_key(
        &self,
        id: &KeyId,
        expected: &SealedKey,
        sealed: SealedKey,
    ) -> Result<bool, StorageError> {
        let mut keys = write_lock(&self.signing_keys);
        let Some(key) = keys
            .values_mut()
            .find(|key| key.id == *id && key.sealed == *expected)
        else {
            return Ok(false);
        };
        key.sealed = sealed;
        Ok(true)
    }

    async fn sweep_signing_keys(&self, until: Timestamp) -> Result<usize, StorageError> {
        let mut keys = write_lock(&self.signing_keys);
        let Some(newest) = keys
            .values()
            .rev()
            .find(|key| key.created_at <= until)
            .map(|key| key.sequence)
        else {
            return Ok(0);
        };
        let superseded: Vec<_> = keys
            .range(..newest)
            .take(MAX_DELETED_PER_INSERT)
            .map(|(sequence, _)| *sequence)
            .collect();
        Ok(superseded
            .iter()
            .filter_map(|sequence| keys.remove(sequence))
            .count())
    }
}
