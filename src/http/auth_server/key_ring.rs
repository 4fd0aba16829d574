use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use super::config_error::ConfigError;
use super::error::Refusal;
use super::jwk_set;
use super::key_maker::KeyMaker;
use super::loaded_keys::LoadedKeys;
use super::turns::Turns;
use crate::crypto::{KeyError, MasterKey, Signer};
use crate::domain::{KeyId, KeySchedule, Timestamp};
use crate::http::audit::EventKind;
use crate::http::{Body, Clock};
use crate::store::{KeyRevocation, KeyStore, StorageError};

/// How long a node goes without looking at the store for new and revoked keys.
pub(super) const REFRESH_EVERY: Duration = Duration::from_secs(60);

/// How far the clocks of nodes and verifiers may be apart.
pub(super) const CLOCKS_APART: Duration = Duration::from_secs(60);

/// The least that a key must be published before it signs: until then it has reached every node, and every verifier through any of them,
/// however their clocks differ, with time to spare for a slow store.
pub(super) const LEAST_PUBLISH_AHEAD: Duration = Duration::from_secs(600);

/// The signing keys of a server (decisions 3.19). Requests keep them up to date: nothing runs in the background.
///
/// A request that finds them older than [`REFRESH_EVERY`] loads them anew, and begins or ends the making of a key that is due. Meanwhile,
/// and when that fails, others go on with what was loaded, for as long as nobody can be signing with a key that it lacks.
pub(super) struct KeyRing {
    schedule: KeySchedule,
    maker: KeyMaker,
    master_key: MasterKey,
    clock: Arc<dyn Clock>,
    storage: Arc<dyn KeyStore>,
    /// The keys, and which look at the store they come from.
    loaded: RwLock<(u64, Arc<LoadedKeys>)>,
    looks: AtomicU64,
    turns: Turns,
}

impl KeyRing {
    /// Loads the keys, and makes one if there is none that signs or one is due. Of several nodes that start at once on a new storage, all
    /// use the key of the one that won.
    pub(super) async fn open(
        schedule: KeySchedule,
        maker: KeyMaker,
        master_key: MasterKey,
        clock: Arc<dyn Clock>,
        storage: Arc<dyn KeyStore>,
    ) -> Result<Self, ConfigError> {
        let now = clock.now();
        let open = |records| LoadedKeys::open(records, schedule, &[], &master_key, now).map_err(KeysUnavailable::Key);
        let loaded = RwLock::new((0, Arc::new(open(storage.signing_keys().await?)?)));
        let looks = AtomicU64::new(1);
        let ring = Self { schedule, maker, master_key, clock, storage, loaded, looks, turns: Turns::default() };
        while ring.maker.is_due(ring.loaded().records(), now) {
            ring.maker.make_now(&*ring.storage, ring.loaded().records(), &*ring.clock).await?;
            ring.load(now).await?;
        }
        Ok(ring)
    }

    /// The key that signs at `now`.
    pub(super) async fn signer(&self, now: Timestamp) -> Result<Arc<dyn Signer>, KeysUnavailable> {
        let keys = self.current(now).await?;
        let none = || StorageError::unavailable("no signing key is there", "the next one is being made");
        keys.signer(now).map(Arc::clone).ok_or_else(|| none().into())
    }

    /// The published keys, as verifiers fetch them.
    pub(super) async fn jwk_set(&self, now: Timestamp) -> Result<Body, KeysUnavailable> {
        Ok(self.current(now).await?.jwk_set().clone())
    }

    /// The keys as they are published, which verify tokens of this server by [`LoadedKeys::verify`].
    pub(super) async fn current(&self, now: Timestamp) -> Result<Arc<LoadedKeys>, KeysUnavailable> {
        let keys = self.loaded();
        if keys.are_younger_than(REFRESH_EVERY, now) && keys.signer(now).is_some() {
            return Ok(keys);
        }
        let (turn, are_safe) = (self.turns.take(now), keys.are_younger_than(self.safe_for(), now));
        let refreshed = match (&turn, are_safe) {
            (Some(_), _) => self.refresh(now).await,
            (None, true) => return Ok(keys),
            (None, false) => self.load(now).await,
        };
        match refreshed {
            Err(error) if are_safe => {
                if let Some(turn) = turn {
                    turn.has_failed(now);
                }
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "the signing keys could not be looked at again; the old ones stay"
                );
                Ok(keys)
            }
            refreshed => refreshed,
        }
    }

    /// Takes a key out of use. When this returns, it neither signs nor is published here, and the next one signs, or a new one.
    pub(super) async fn revoke(&self, id: &KeyId) -> Result<KeyRevocation, KeysUnavailable> {
        let now = self.clock.now();
        let revocation = self.storage.revoke_signing_key(id, now).await?;
        if revocation == KeyRevocation::Revoked {
            self.maker.record(&*self.clock, EventKind::SigningKeyRevoked { key: id.clone() });
        }
        if self.load(now).await?.signer(now).is_none() {
            self.maker.make_now(&*self.storage, self.loaded().records(), &*self.clock).await?;
            self.load(now).await?;
        }
        Ok(revocation)
    }

    async fn refresh(&self, now: Timestamp) -> Result<Arc<LoadedKeys>, KeysUnavailable> {
        let keys = self.load(now).await?;
        if !self.maker.is_due(keys.records(), now) {
            return Ok(keys);
        }
        let installed = if keys.signer(now).is_some() {
            self.maker.make_in_time(&*self.storage, keys.records(), &*self.clock).await?
        } else {
            self.maker.make_now(&*self.storage, keys.records(), &*self.clock).await?;
            true
        };
        if installed { self.load(now).await } else { Ok(keys) }
    }

    /// Looks at the store. Of looks that overlap, what the one that began last has seen stays, so that no revocation is forgotten.
    async fn load(&self, now: Timestamp) -> Result<Arc<LoadedKeys>, KeysUnavailable> {
        let look = self.looks.fetch_add(1, Ordering::Relaxed);
        let records = self.storage.signing_keys().await?;
        let keys = Arc::new(LoadedKeys::open(records, self.schedule, self.loaded().signers(), &self.master_key, now)?);
        Ok(self.keep(look, keys))
    }

    fn keep(&self, look: u64, keys: Arc<LoadedKeys>) -> Arc<LoadedKeys> {
        let mut loaded = self.loaded.write().unwrap_or_else(PoisonError::into_inner);
        if look > loaded.0 {
            *loaded = (look, keys);
        }
        Arc::clone(&loaded.1)
    }

    fn loaded(&self) -> Arc<LoadedKeys> {
        Arc::clone(&self.loaded.read().unwrap_or_else(PoisonError::into_inner).1)
    }

    /// How long loaded keys can be used: no key that they lack signs anywhere, nor will while a verifier keeps them.
    fn safe_for(&self) -> Duration {
        self.schedule.publish_ahead.saturating_sub(jwk_set::MAX_AGE + CLOCKS_APART + REFRESH_EVERY)
    }

    /// Puts other signers in the place of those that were loaded.
    #[cfg(test)]
    pub(super) fn replace_signers(&mut self, replacement: impl Fn(Arc<dyn Signer>) -> Arc<dyn Signer>) {
        let (_, loaded) = self.loaded.get_mut().unwrap();
        Arc::get_mut(loaded).unwrap().replace_signers(replacement);
    }
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

impl std::error::Error for KeysUnavailable {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
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
