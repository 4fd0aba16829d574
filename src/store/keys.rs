use async_trait::async_trait;

use super::{StorageError, StoreClock};
use crate::domain::{KeyId, SealedKey, SigningKeyRecord, Timestamp};

/// Keeps the signing keys, encrypted. Nodes agree on them through it.
#[async_trait]
pub trait KeyStore: StoreClock {
    /// Every key, in order of sequence.
    async fn signing_keys(&self) -> Result<Vec<SigningKeyRecord>, StorageError>;

    /// Keeps a new key, unless another one has its sequence number. Of any number of concurrent calls with one number, exactly one is
    /// [`KeyInstallation::Installed`].
    async fn install_signing_key(&self, key: SigningKeyRecord) -> Result<KeyInstallation, StorageError>;

    /// Takes a key out of use at once and for good, whatever its number. The moment of the first revocation stays.
    async fn revoke_signing_key(&self, id: &KeyId, at: Timestamp) -> Result<KeyRevocation, StorageError>;

    /// Compare-and-swap: replaces the encrypted key if it still equals `seen`. Returns whether it was replaced. Nothing else of the
    /// key changes. It is how keys get under another master key.
    async fn reseal_signing_key(&self, id: &KeyId, seen: &SealedKey, sealed: SealedKey) -> Result<bool, StorageError>;

    /// Takes keys away that were superseded at `until` or before, at most [`AT_ONCE`](super::sweep::AT_ONCE), the oldest first, and says
    /// how many. A key is superseded when one with a greater number is made, so the newest key always stays.
    ///
    /// For the rotation of keys, which alone knows how long after that a superseded key still signs and its last token lasts, and calls
    /// this when it installs a key.
    async fn remove_signing_keys(&self, until: Timestamp) -> Result<usize, StorageError>;
}

/// What became of a new signing key.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum KeyInstallation {
    /// It is kept from now on.
    Installed,
    /// Another node was first. This is its key, to be used instead.
    Existing(SigningKeyRecord),
}

/// What became of a revocation of a signing key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum KeyRevocation {
    /// It is revoked from now on.
    Revoked,
    /// It was revoked before, at this moment.
    AlreadyRevoked {
        /// The moment of the first revocation.
        at: Timestamp,
    },
    /// There is no such key, or it is gone.
    Unknown,
}
