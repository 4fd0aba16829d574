use std::fmt::Debug;

use async_trait::async_trait;

use super::StorageError;
use crate::domain::{SigningKeyRecord, Timestamp};

/// Keeps the signing keys, encrypted. Nodes agree on them through it.
#[async_trait]
pub trait KeyStore: Debug + Send + Sync + 'static {
    /// Every key, in order of sequence.
    async fn signing_keys(&self) -> Result<Vec<SigningKeyRecord>, StorageError>;

    /// Keeps a new key, unless another one has its sequence number. Of any number of concurrent calls with one number, exactly one is
    /// [`KeyInstallation::Installed`].
    async fn install_signing_key(&self, key: SigningKeyRecord) -> Result<KeyInstallation, StorageError>;

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
