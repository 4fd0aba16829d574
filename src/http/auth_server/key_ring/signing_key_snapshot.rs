use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde::de::DeserializeOwned;

use crate::crypto::{
    ACCESS_TOKEN_TYPE, InvalidToken, KeyError, MasterKey, Signer, TokenHeader, TokenVerifier,
    jwk_set, open_signing_key,
};
use crate::domain::{KeyId, KeyRotation, SigningKeyRecord, Timestamp};

/// The opened signing keys, as this node last loaded them from the store.
pub(in crate::http::auth_server) struct SigningKeySnapshot {
    /// All stored keys, in order of sequence.
    records: Vec<SigningKeyRecord>,
    /// The records without those that do not open: they decide which key signs.
    usable: Vec<SigningKeyRecord>,
    /// Keys that should be published but do not open, with the reason.
    unopened: Vec<(KeyId, KeyError)>,
    schedule: KeyRotation,
    loaded_at: Timestamp,
    /// The published keys.
    signers: Vec<Arc<dyn Signer>>,
    /// The access-token header of each signer.
    headers: Vec<TokenHeader>,
    jwk_set: Bytes,
    verifier: TokenVerifier,
}

/// The key that signs access tokens, with their header.
pub(in crate::http::auth_server) struct TokenSigner {
    pub(in crate::http::auth_server) signer: Arc<dyn Signer>,
    pub(in crate::http::auth_server) header: TokenHeader,
}

impl SigningKeySnapshot {
    /// Opens the keys that are published at `now`, except those that were opened in `before`. Keys
    /// that are not published are not opened, so a revoked key sealed under another master key
    /// causes no error.
    ///
    /// A key that does not open is skipped as if its row did not exist, and logged when it is first
    /// seen. The other keys stay usable, and revocations still apply.
    ///
    /// # Errors
    /// When the published keys or the headers of their tokens have no JSON form.
    pub(super) fn open(
        records: Vec<SigningKeyRecord>,
        schedule: KeyRotation,
        before: Option<&Self>,
        master_key: &MasterKey,
        now: Timestamp,
    ) -> Result<Self, KeyError> {
        let mut opened: Vec<_> = before
            .map(|before| before.signers.clone())
            .unwrap_or_default();
        let (mut usable, mut unopened) = (records.clone(), Vec::new());
        // If a key does not open, an older one may stay published for longer and then has to be
        // opened too.
        let signers = loop {
            let (mut signers, known) = (Vec::new(), unopened.len());
            let states = schedule.states(&usable, now);
            for (record, _) in usable
                .iter()
                .zip(states)
                .filter(|(_, state)| state.is_published())
            {
                if let Some(signer) = opened.iter().find(|signer| *signer.key_id() == record.id) {
                    signers.push(Arc::clone(signer));
                    continue;
                }
                match open_signing_key(record, master_key) {
                    Ok(signer) => {
                        opened.push(Arc::clone(&signer));
                        signers.push(signer);
                    }
                    Err(error) => unopened.push((record.id.clone(), error)),
                }
            }
            if unopened.len() == known {
                break signers;
            }
            usable.retain(|record| unopened.iter().all(|(id, _)| *id != record.id));
        };
        for (id, error) in &unopened {
            if before.is_none_or(|before| !before.unopened.contains(&(id.clone(), *error))) {
                tracing::error!(
                    kid = id.as_str(),
                    error = error as &dyn std::error::Error,
                    "a signing key does not open: it neither signs nor is published here, and its tokens are rejected here"
                );
            }
        }
        let keys = jwk_set(signers.iter().map(|signer| &**signer));
        let jwk_set = serde_json::to_vec(&keys)
            .map_err(|_| KeyError::Failed)?
            .into();
        let verifier = TokenVerifier::new(&keys);
        let headers = signers
            .iter()
            .map(|signer| TokenHeader::new(&**signer, ACCESS_TOKEN_TYPE))
            .collect::<Result<_, _>>();
        let headers = headers.map_err(|_| KeyError::Failed)?;
        Ok(Self {
            records,
            usable,
            unopened,
            schedule,
            loaded_at: now,
            signers,
            headers,
            jwk_set,
            verifier,
        })
    }

    /// The key that signs at `now`, or `None` if one has to be generated.
    pub(in crate::http::auth_server) fn signer(&self, now: Timestamp) -> Option<&Arc<dyn Signer>> {
        let active = self.schedule.active(&self.usable, now)?;
        self.signers
            .iter()
            .find(|signer| *signer.key_id() == active.id)
    }

    /// The key that signs at `now`, with the header of its access tokens.
    pub(super) fn token_signer(&self, now: Timestamp) -> Option<TokenSigner> {
        let active = self.schedule.active(&self.usable, now)?;
        let mut published = self.signers.iter().zip(&self.headers);
        let (signer, header) = published.find(|(signer, _)| *signer.key_id() == active.id)?;
        Some(TokenSigner {
            signer: Arc::clone(signer),
            header: header.clone(),
        })
    }

    /// The public keys (RFC 7517 §5) as served, rendered once.
    pub(super) const fn jwk_set(&self) -> &Bytes {
        &self.jwk_set
    }

    /// The claims of a token that was signed by a published key and is valid at `at`. A revoked key
    /// verifies nothing.
    pub(in crate::http::auth_server) fn verify<C: DeserializeOwned>(
        &self,
        token: &str,
        at: Timestamp,
    ) -> Result<C, InvalidToken> {
        self.verifier.verify(token, at)
    }

    /// All stored keys, in order of sequence.
    pub(super) fn records(&self) -> &[SigningKeyRecord] {
        &self.records
    }

    /// The records that decide which key signs and whether one has to be generated: all except
    /// those that do not open.
    pub(super) fn usable(&self) -> &[SigningKeyRecord] {
        &self.usable
    }

    /// Keys that should be published but do not open, with the reason.
    pub(super) fn unopened(&self) -> &[(KeyId, KeyError)] {
        &self.unopened
    }

    /// How long the key after the newest one has been due at `now`.
    pub(super) fn overdue(&self, now: Timestamp) -> Duration {
        let newest = self.usable.iter().rfind(|key| key.revoked_at.is_none());
        newest.map_or(Duration::ZERO, |newest| {
            now.since(newest.created_at.plus(self.schedule.rotate_every))
        })
    }

    /// The published keys.
    #[cfg(test)]
    pub(super) fn signers(&self) -> &[Arc<dyn Signer>] {
        &self.signers
    }

    /// Whether a key with this id was loaded, published or not.
    pub(super) fn contains(&self, id: &KeyId) -> bool {
        self.records.iter().any(|record| record.id == *id)
    }

    /// Time at which the keys were loaded.
    pub(super) const fn loaded_at(&self) -> Timestamp {
        self.loaded_at
    }

    /// Sets the time at which the keys count as loaded.
    pub(super) const fn set_loaded_at(&mut self, loaded_at: Timestamp) {
        self.loaded_at = loaded_at;
    }

    /// Whether the keys were loaded less than `length` ago. False if the clock was set back.
    pub(super) fn is_younger_than(&self, length: Duration, now: Timestamp) -> bool {
        now.is_within(length, self.loaded_at)
    }

    /// Replaces the loaded signers.
    #[cfg(test)]
    pub(super) fn replace_signers(
        &mut self,
        replacement: impl Fn(Arc<dyn Signer>) -> Arc<dyn Signer>,
    ) {
        self.signers = std::mem::take(&mut self.signers)
            .into_iter()
            .map(replacement)
            .collect();
    }
}
