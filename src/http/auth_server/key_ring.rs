use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use super::error::Refusal;
use super::jwk_set;
use super::key_maker::KeyMaker;
use super::loaded_keys::{LoadedKeys, TokenSigner};
use super::seen_keys::SeenKeys;
use super::turns::Turns;
use super::unknown_keys::UnknownKeys;
#[cfg(test)]
use crate::crypto::Signer;
use crate::crypto::{KeyError, MasterKey};
use crate::domain::{KeyId, KeySchedule, Timestamp};
use crate::http::Clock;
use crate::http::audit::EventKind;
use crate::http::clock_check::{ClockCheck, ClockOffset};
use crate::http::sign_in::ConfigError;
use crate::metrics::Lookups;
use crate::store::{KeyRevocation, KeyStore, StorageError};
use bytes::Bytes;

/// How long a node goes without looking at the store for new and revoked keys.
pub(super) const REFRESH_EVERY: Duration = Duration::from_secs(60);

/// How far the clocks of nodes and verifiers may be apart.
pub(super) const CLOCKS_APART: Duration = Duration::from_secs(60);

/// The least that a key must be published before it signs: until then it has reached every node, and every verifier through any of them,
/// however their clocks differ, with time to spare for a slow store.
pub(super) const LEAST_PUBLISH_AHEAD: Duration = Duration::from_secs(600);

/// The signing keys of a server. Requests keep them up to date: nothing runs in the background.
///
/// A request that finds them older than [`REFRESH_EVERY`] loads them anew, and begins or ends the making of a key that is due. Meanwhile,
/// and when that fails, others go on with what was loaded, for as long as nobody can be signing with a key that it lacks.
pub(super) struct KeyRing {
    schedule: KeySchedule,
    maker: KeyMaker,
    clock: Arc<dyn Clock>,
    seen: Arc<SeenKeys>,
    turns: Turns,
    unknown: UnknownKeys,
    lookups: Lookups,
    clocks: ClockCheck,
}

impl KeyRing {
    /// Loads the keys, and makes one if there is none that signs or one is due. Of several nodes that start at once on a new storage, all
    /// use the key of the one that won.
    ///
    /// # Errors
    /// When keys are there and none that opens can sign: most likely the master key is another one than theirs.
    pub(super) async fn open(
        schedule: KeySchedule,
        maker: KeyMaker,
        master_key: MasterKey,
        clock: Arc<dyn Clock>,
        storage: Arc<dyn KeyStore>,
    ) -> Result<Self, ConfigError> {
        let now = clock.now();
        let seen = Arc::new(SeenKeys::open(schedule, master_key, storage, now).await?);
        let ring = Self {
            schedule,
            maker,
            clock,
            seen,
            turns: Turns::default(),
            unknown: UnknownKeys::default(),
            lookups: Lookups::of("signing_keys"),
            clocks: ClockCheck::new(),
        };
        let loaded = ring.seen.loaded();
        if let (None, Some((_, error))) = (loaded.signer(now), loaded.unopened().first()) {
            return Err(ConfigError::SigningKey(*error));
        }
        ring.maker.reseal(&*ring.seen.storage, &loaded).await?;
        let offset = ring.clock_offset().await?;
        while ring.maker.is_due(ring.seen.loaded().usable(), now) {
            if ring.seen.loaded().signer(now).is_some() && !offset.is_small() {
                break;
            }
            ring.maker.make_now(&*ring.seen.storage, &ring.seen.loaded(), &*ring.clock, offset).await?;
            ring.seen.load(now).await?;
        }
        Ok(ring)
    }

    /// The key that signs at `now`.
    #[cfg(test)]
    pub(super) async fn signer(&self, now: Timestamp) -> Result<Arc<dyn Signer>, KeysUnavailable> {
        self.current(now).await?.signer(now).map(Arc::clone).ok_or_else(no_key)
    }

    /// The key that signs access tokens at `now`.
    pub(super) async fn token_signer(&self, now: Timestamp) -> Result<TokenSigner, KeysUnavailable> {
        self.current(now).await?.token_signer(now).ok_or_else(no_key)
    }

    /// The published keys, as verifiers fetch them.
    pub(super) async fn jwk_set(&self, now: Timestamp) -> Result<Bytes, KeysUnavailable> {
        Ok(self.current(now).await?.jwk_set().clone())
    }

    /// The keys for a token that names this one. If it was not seen yet, as after a revocation on another node, the store is looked at for it.
    pub(super) async fn for_token_of(&self, key: &KeyId, now: Timestamp) -> Result<Arc<LoadedKeys>, KeysUnavailable> {
        let keys = self.current(now).await?;
        if keys.have_seen(key) {
            return Ok(keys);
        }
        self.unknown.look(&self.seen, now).await;
        Ok(self.seen.loaded())
    }

    /// The keys as they are published, which verify tokens of this server by [`LoadedKeys::verify`].
    pub(super) async fn current(&self, now: Timestamp) -> Result<Arc<LoadedKeys>, KeysUnavailable> {
        let keys = self.seen.loaded();
        let are_fresh = keys.are_younger_than(REFRESH_EVERY, now) && keys.signer(now).is_some();
        self.lookups.count(are_fresh);
        if are_fresh {
            return Ok(keys);
        }
        let (turn, are_safe) = (self.turns.take(now), keys.are_younger_than(self.safe_for(), now));
        let refreshed = match (&turn, are_safe) {
            (Some(_), _) => self.refresh(now).await,
            (None, true) => return Ok(keys),
            (None, false) => self.seen.load(now).await,
        };
        match refreshed {
            Err(error) if are_safe => {
                if let Some(turn) = turn {
                    turn.has_failed(now);
                }
                tracing::warn!(error = &error as &dyn Error, "the signing keys could not be looked at again; the old ones stay");
                Ok(keys)
            }
            refreshed => refreshed,
        }
    }

    /// Takes a key out of use. When this returns, it neither signs nor is published here, and the next one signs, or a new one.
    pub(super) async fn revoke(&self, id: &KeyId) -> Result<KeyRevocation, KeysUnavailable> {
        let now = self.clock.now();
        // A key that signs must not seem to have been revoked before it began to, or the one before it would sign again.
        let at = self.seen.storage.now().await?.map_or(now, |of_the_store| of_the_store.max(now));
        let revocation = self.seen.storage.revoke_signing_key(id, at).await?;
        if revocation == KeyRevocation::Revoked {
            self.maker.record(&*self.clock, EventKind::SigningKeyRevoked { key: id.clone() });
        }
        if self.seen.load(now).await?.signer(now).is_none() {
            let offset = self.clock_offset().await?;
            self.maker.make_now(&*self.seen.storage, &self.seen.loaded(), &*self.clock, offset).await?;
            self.seen.load(now).await?;
        }
        Ok(revocation)
    }

    async fn refresh(&self, now: Timestamp) -> Result<Arc<LoadedKeys>, KeysUnavailable> {
        let keys = self.seen.load(now).await?;
        // The keys are good without that: the next look tries again.
        if let Err(error) = self.maker.reseal(&*self.seen.storage, &keys).await {
            tracing::warn!(error = &error as &dyn Error, "signing keys could not be sealed anew under the present master key");
        }
        let signs = keys.signer(now).is_some();
        let offset = match self.clock_offset().await {
            Err(error) if signs => {
                tracing::warn!(error = &error as &dyn Error, "the store's clock could not be read: no signing key is made or removed");
                return Ok(keys);
            }
            offset => offset?,
        };
        if !self.maker.is_due(keys.usable(), now) || signs && !offset.is_small() {
            return Ok(keys);
        }
        let installed = if signs {
            self.maker.make_in_time(&*self.seen.storage, &keys, &*self.clock, offset).await?
        } else {
            self.maker.make_now(&*self.seen.storage, &keys, &*self.clock, offset).await?;
            true
        };
        if installed { self.seen.load(now).await } else { Ok(keys) }
    }

    /// How far the clock of this node is off from the store's. By one that is far off no key is removed, and none is made while one signs: it
    /// would sign too early or never.
    async fn clock_offset(&self) -> Result<ClockOffset, StorageError> {
        let of_the_store = self.seen.storage.now().await?;
        Ok(self.clocks.compare(self.clock.now(), of_the_store))
    }

    /// How long loaded keys can be used: no key that they lack signs anywhere, nor will while a verifier keeps them.
    fn safe_for(&self) -> Duration {
        self.schedule.publish_ahead.saturating_sub(jwk_set::MAX_AGE + CLOCKS_APART + REFRESH_EVERY)
    }

    /// Puts other signers in the place of those that were loaded.
    #[cfg(test)]
    pub(super) fn replace_signers(&mut self, replacement: impl Fn(Arc<dyn Signer>) -> Arc<dyn Signer>) {
        Arc::get_mut(&mut self.seen).unwrap().replace_signers(replacement);
    }
}

fn no_key() -> KeysUnavailable {
    StorageError::unavailable("no signing key is there", "the next one is being made").into()
}

/// Why there are no keys at the moment.
#[derive(Debug)]
pub(super) enum KeysUnavailable {
    /// The store could not answer.
    Storage(StorageError),
    /// A key could not be made or opened.
    Key(KeyError),
}

impl std::fmt::Display for KeysUnavailable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Storage(error) => error.fmt(f),
            Self::Key(error) => error.fmt(f),
        }
    }
}

impl Error for KeysUnavailable {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Storage(error) => error.source(),
            Self::Key(error) => error.source(),
        }
    }
}

impl From<StorageError> for KeysUnavailable {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}

impl From<KeyError> for KeysUnavailable {
    fn from(error: KeyError) -> Self {
        Self::Key(error)
    }
}

impl From<KeysUnavailable> for Refusal {
    fn from(unavailable: KeysUnavailable) -> Self {
        match unavailable {
            KeysUnavailable::Storage(error) => error.into(),
            KeysUnavailable::Key(error) => Self::failure(error),
        }
    }
}

impl From<KeysUnavailable> for ConfigError {
    fn from(unavailable: KeysUnavailable) -> Self {
        match unavailable {
            KeysUnavailable::Storage(error) => Self::Storage(error),
            KeysUnavailable::Key(error) => Self::SigningKey(error),
        }
    }
}

#[cfg(test)]
mod tests;
