use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde::de::DeserializeOwned;

use crate::crypto::{KeyError, MasterKey, Signer, TokenRejected, TokenVerifier, key_set, open};
use crate::domain::{KeyId, KeySchedule, SigningKeyRecord, Timestamp};

/// The signing keys as this node last saw them in the store, opened.
pub(super) struct LoadedKeys {
    records: Vec<SigningKeyRecord>,
    schedule: KeySchedule,
    loaded_at: Timestamp,
    /// Those that are published.
    signers: Vec<Arc<dyn Signer>>,
    jwk_set: Bytes,
    verifier: TokenVerifier,
}

impl LoadedKeys {
    /// Opens the keys that are published at `now`, except those that were opened `before`. The others need no opening, so a revoked key
    /// that was sealed under another master key stands in nobody's way.
    pub(super) fn open(
        records: Vec<SigningKeyRecord>,
        schedule: KeySchedule,
        before: &[Arc<dyn Signer>],
        master_key: &MasterKey,
        now: Timestamp,
    ) -> Result<Self, KeyError> {
        let states = schedule.states(&records, now);
        let published = records.iter().zip(states).filter(|(_, state)| state.is_published());
        let signer = |(record, _): (&SigningKeyRecord, _)| match before.iter().find(|signer| *signer.key_id() == record.id) {
            Some(signer) => Ok(Arc::clone(signer)),
            None => open(record, master_key),
        };
        let signers: Vec<_> = published.map(signer).collect::<Result<_, _>>()?;
        let keys = key_set(signers.iter().map(|signer| &**signer));
        let jwk_set = serde_json::to_vec(&keys).map_err(|_| KeyError::Failed)?.into();
        Ok(Self { records, schedule, loaded_at: now, signers, jwk_set, verifier: TokenVerifier::new(&keys) })
    }

    /// The key that signs at `now`, or `None` when one has to be made.
    pub(super) fn signer(&self, now: Timestamp) -> Option<&Arc<dyn Signer>> {
        let active = self.schedule.active(&self.records, now)?;
        self.signers.iter().find(|signer| *signer.key_id() == active.id)
    }

    /// The public keys (RFC 7517 §5) as they are answered, rendered once.
    pub(super) const fn jwk_set(&self) -> &Bytes {
        &self.jwk_set
    }

    /// The claims of a token that one of the published keys signed and that holds at `at`. A revoked key verifies nothing.
    pub(super) fn verify<C: DeserializeOwned>(&self, token: &str, at: Timestamp) -> Result<C, TokenRejected> {
        self.verifier.verify(token, at)
    }

    /// All that are kept, in order of sequence.
    pub(super) fn records(&self) -> &[SigningKeyRecord] {
        &self.records
    }

    /// Those that are published.
    pub(super) fn signers(&self) -> &[Arc<dyn Signer>] {
        &self.signers
    }

    /// Whether a key of this id was seen, published or not.
    pub(super) fn have_seen(&self, id: &KeyId) -> bool {
        self.records.iter().any(|record| record.id == *id)
    }

    /// When they were loaded.
    pub(super) const fn loaded_at(&self) -> Timestamp {
        self.loaded_at
    }

    /// Lets them count as loaded at this time.
    pub(super) const fn backdate(&mut self, loaded_at: Timestamp) {
        self.loaded_at = loaded_at;
    }

    /// Whether they were loaded no longer than `length` ago. A clock that was put back tells nothing.
    pub(super) fn are_younger_than(&self, length: Duration, now: Timestamp) -> bool {
        self.loaded_at <= now && now < self.loaded_at.plus(length)
    }

    /// Puts other signers in the place of those that were loaded.
    #[cfg(test)]
    pub(super) fn replace_signers(&mut self, replacement: impl Fn(Arc<dyn Signer>) -> Arc<dyn Signer>) {
        self.signers = std::mem::take(&mut self.signers).into_iter().map(replacement).collect();
    }
}
