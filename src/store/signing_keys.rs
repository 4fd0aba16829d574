use async_trait::async_trait;

use super::{StorageError, StoreClock};
use crate::domain::{KeyId, SealedKey, SigningKeyRecord, Timestamp};

/// Stores the signing keys, encrypted. Nodes agree on the keys through the store.
#[async_trait]
pub trait SigningKeyStore: StoreClock {
    /// Returns every key, ordered by sequence number.
    async fn signing_keys(&self) -> Result<Vec<SigningKeyRecord>, StorageError>;

    /// Stores a new key, unless another key has its sequence number. Of any number of concurrent
    /// calls with one number exactly one is [`SigningKeyInstallation::Installed`].
    async fn install_signing_key(
        &self,
        key: SigningKeyRecord,
    ) -> Result<SigningKeyInstallation, StorageError>;

    /// Revokes a key permanently, whatever its sequence number. A revoked key keeps the time of its
    /// first revocation.
    async fn revoke_signing_key(
        &self,
        id: &KeyId,
        at: Timestamp,
    ) -> Result<SigningKeyRevocation, StorageError>;

    /// Compare-and-swap: replaces the encrypted key if it still equals `expected`, to encrypt it
    /// under another master key. Returns whether it was replaced. Nothing else of the key changes.
    async fn reseal_signing_key(
        &self,
        id: &KeyId,
        expected: &SealedKey,
        sealed: SealedKey,
    ) -> Result<bool, StorageError>;

    /// Deletes keys that were superseded at `until` or before, oldest first; at most
    /// [`MAX_DELETED_PER_INSERT`](super::retention::MAX_DELETED_PER_INSERT). Returns the number
    /// deleted. A key is superseded when one with a greater sequence number is created, so the
    /// newest key always stays.
    ///
    /// The key rotation calls it when it installs a key: only the rotation knows how long a
    /// superseded key still signs and how long its last token is valid.
    async fn sweep_signing_keys(&self, until: Timestamp) -> Result<usize, StorageError>;
}

/// Result of installing a signing key; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum SigningKeyInstallation {
    /// The key is stored.
    Installed,
    /// Another node was first. This is its key, to be used instead.
    Existing(SigningKeyRecord),
}

/// Result of revoking a signing key; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum SigningKeyRevocation {
    /// The key is revoked.
    Revoked,
    /// The key was revoked before.
    AlreadyRevoked {
        /// The moment of the first revocation.
        at: Timestamp,
    },
    /// There is no such key, or it was deleted.
    NotFound,
}
