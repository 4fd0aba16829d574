mod reload_permit;
mod signing_key_cache;
pub(super) mod signing_key_generator;
pub(super) mod signing_key_snapshot;
pub(super) mod signing_threads;
mod unknown_key_reload;

use std::sync::Arc;
use std::time::Duration;

use super::error::Error;
use super::jwk_set;
#[cfg(test)]
use crate::crypto::Signer;
use crate::crypto::{KeyError, MasterKey};
use crate::domain::{KeyId, KeyRotation, Timestamp};
use crate::http::audit::EventKind;
use crate::http::clock_check::{ClockCheck, ClockOffset};
use crate::http::{Clock, ConfigError};
use crate::metrics::CacheMetrics;
use crate::store::{SigningKeyRevocation, SigningKeyStore, StorageError};
use bytes::Bytes;
use reload_permit::ReloadLock;
use signing_key_cache::SigningKeyCache;
use signing_key_generator::SigningKeyGenerator;
use signing_key_snapshot::{SigningKeySnapshot, TokenSigner};
use unknown_key_reload::UnknownKeyReload;

/// Interval at which a node reloads new and revoked keys from the store.
pub(super) const REFRESH_INTERVAL: Duration = Duration::from_secs(60);

/// Maximum difference between the clocks of nodes and verifiers.
pub(super) const CLOCK_SKEW: Duration = Duration::from_secs(60);

/// Minimum time that a key is published before it signs. Within it the key reaches every node, and
/// every verifier through any node, despite clock skew and a slow store.
pub(super) const MIN_PUBLISH_AHEAD: Duration = Duration::from_secs(600);

/// A published signing key that does not sign yet.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NextSigningKey {
    /// The key.
    pub id: KeyId,
    /// When it begins to sign.
    pub signs_from: Timestamp,
    /// Whether this call published it. Otherwise it was published before.
    pub is_new: bool,
}

/// The signing keys of a server. Requests keep them up to date; there is no background task.
///
/// A request that finds the keys older than [`REFRESH_INTERVAL`] reloads them, and starts or
/// completes the generation of a key that is due. Meanwhile, and if that fails, other requests use
/// the loaded keys, as long as no key that they lack can be signing.
pub(super) struct KeyRing {
    schedule: KeyRotation,
    generator: SigningKeyGenerator,
    clock: Arc<dyn Clock>,
    cache: Arc<SigningKeyCache>,
    reload_lock: ReloadLock,
    unknown_keys: UnknownKeyReload,
    lookups: CacheMetrics,
    clocks: ClockCheck,
}

impl KeyRing {
    /// Loads the keys, and generates one if none signs or one is due. If several nodes start at
    /// once on a new store, all use the key that was stored first.
    ///
    /// # Errors
    /// When keys exist but this node can decrypt none that may sign now: most likely they were
    /// encrypted under another master key.
    pub(super) async fn open(
        schedule: KeyRotation,
        generator: SigningKeyGenerator,
        master_key: MasterKey,
        clock: Arc<dyn Clock>,
        storage: Arc<dyn SigningKeyStore>,
    ) -> Result<Self, ConfigError> {
        let now = clock.now();
        let cache = Arc::new(SigningKeyCache::open(schedule, master_key, storage, now).await?);
        let ring = Self {
            schedule,
            generator,
            clock,
            cache,
            reload_lock: ReloadLock::default(),
            unknown_keys: UnknownKeyReload::default(),
            lookups: CacheMetrics::new("signing_keys"),
            clocks: ClockCheck::new(),
        };
        let loaded = ring.cache.snapshot();
        if let (None, Some((_, error))) = (loaded.signer(now), loaded.unopened().first()) {
            return Err(ConfigError::SigningKey(*error));
        }
        ring.generator.reseal(&*ring.cache.storage, &loaded).await?;
        let offset = ring.clock_offset().await?;
        while ring.generator.is_due(ring.cache.snapshot().usable(), now) {
            if ring.cache.snapshot().signer(now).is_some() && !offset.is_tolerable() {
                break;
            }
            ring.generator
                .generate_now(
                    &*ring.cache.storage,
                    &ring.cache.snapshot(),
                    &*ring.clock,
                    offset,
                )
                .await?;
            ring.cache.reload(now).await?;
        }
        Ok(ring)
    }

    /// The key that signs at `now`.
    #[cfg(test)]
    pub(super) async fn signer(&self, now: Timestamp) -> Result<Arc<dyn Signer>, SigningKeyError> {
        self.current(now)
            .await?
            .signer(now)
            .map(Arc::clone)
            .ok_or_else(no_signing_key)
    }

    /// The key that signs access tokens at `now`.
    pub(super) async fn token_signer(
        &self,
        now: Timestamp,
    ) -> Result<TokenSigner, SigningKeyError> {
        self.current(now)
            .await?
            .token_signer(now)
            .ok_or_else(no_signing_key)
    }

    /// The published keys as a JWK set.
    pub(super) async fn jwk_set(&self, now: Timestamp) -> Result<Bytes, SigningKeyError> {
        Ok(self.current(now).await?.jwk_set().clone())
    }

    /// The keys for verifying a token with this key id. An unknown id, as after a revocation on
    /// another node, reloads the keys if a reload is due.
    pub(super) async fn snapshot_for_key(
        &self,
        key: &KeyId,
        now: Timestamp,
    ) -> Result<Arc<SigningKeySnapshot>, SigningKeyError> {
        let keys = self.current(now).await?;
        if keys.contains(key) {
            return Ok(keys);
        }
        self.unknown_keys.reload_if_due(&self.cache, now).await;
        Ok(self.cache.snapshot())
    }

    /// The published keys, which verify this server's tokens with [`SigningKeySnapshot::verify`].
    pub(super) async fn current(
        &self,
        now: Timestamp,
    ) -> Result<Arc<SigningKeySnapshot>, SigningKeyError> {
        let keys = self.cache.snapshot();
        let is_fresh = keys.is_younger_than(REFRESH_INTERVAL, now) && keys.signer(now).is_some();
        self.lookups.count(is_fresh);
        if is_fresh {
            return Ok(keys);
        }
        let (permit, is_safe) = (
            self.reload_lock.try_acquire(now),
            keys.is_younger_than(self.max_snapshot_age(), now),
        );
        let refreshed = match (&permit, is_safe) {
            (Some(_), _) => self.refresh(now).await,
            (None, true) => return Ok(keys),
            (None, false) => self.cache.reload(now).await,
        };
        match refreshed {
            Err(error) if is_safe => {
                if let Some(permit) = permit {
                    permit.fail(now);
                }
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "the signing keys could not be reloaded; the loaded ones stay"
                );
                Ok(keys)
            }
            refreshed => refreshed,
        }
    }

    /// Revokes a key. When this returns, the key neither signs nor is published here, and the next
    /// or a new key signs.
    pub(super) async fn revoke(&self, id: &KeyId) -> Result<SigningKeyRevocation, SigningKeyError> {
        let now = self.clock.now();
        // A signing key must not appear to be revoked before it started to sign, or its predecessor
        // would sign again.
        let at = self
            .cache
            .storage
            .now()
            .await?
            .map_or(now, |store_time| store_time.max(now));
        let revocation = self.cache.storage.revoke_signing_key(id, at).await?;
        if revocation == SigningKeyRevocation::Revoked {
            self.generator.record(
                &*self.clock,
                EventKind::SigningKeyRevoked { key: id.clone() },
            );
        }
        if self.cache.reload(now).await?.signer(now).is_none() {
            let offset = self.clock_offset().await?;
            self.generator
                .generate_now(
                    &*self.cache.storage,
                    &self.cache.snapshot(),
                    &*self.clock,
                    offset,
                )
                .await?;
            self.cache.reload(now).await?;
        }
        Ok(revocation)
    }

    /// Publishes the next key, unless one waits to sign already.
    pub(super) async fn rotate(&self) -> Result<NextSigningKey, SigningKeyError> {
        let now = self.clock.now();
        let loaded = self.cache.reload(now).await?;
        let waiting = |loaded: &SigningKeySnapshot, is_new| {
            let (key, signs_from) = self.schedule.waiting(loaded.usable(), now)?;
            let id = key.id.clone();
            Some(NextSigningKey {
                id,
                signs_from,
                is_new,
            })
        };
        if let Some(next) = waiting(&loaded, false) {
            return Ok(next);
        }
        let offset = self.clock_offset().await?;
        if !offset.is_tolerable() {
            let reason = "a signing key would begin to sign at the wrong time";
            return Err(
                StorageError::unavailable("the clock differs from the store's", reason).into(),
            );
        }
        self.generator
            .generate_now(&*self.cache.storage, &loaded, &*self.clock, offset)
            .await?;
        waiting(&*self.cache.reload(now).await?, true).ok_or_else(no_signing_key)
    }

    async fn refresh(&self, now: Timestamp) -> Result<Arc<SigningKeySnapshot>, SigningKeyError> {
        let keys = self.cache.reload(now).await?;
        // A failure is harmless: the next refresh tries again.
        if let Err(error) = self.generator.reseal(&*self.cache.storage, &keys).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "signing keys could not be resealed under the current master key"
            );
        }
        let signs = keys.signer(now).is_some();
        let offset = match self.clock_offset().await {
            Err(error) if signs => {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "the store's clock could not be read: no signing key is made or removed"
                );
                return Ok(keys);
            }
            offset => offset?,
        };
        if !self.generator.is_due(keys.usable(), now) || signs && !offset.is_tolerable() {
            return Ok(keys);
        }
        let installed = if signs {
            self.generator
                .generate_in_background(&*self.cache.storage, &keys, &*self.clock, offset)
                .await?
        } else {
            self.generator
                .generate_now(&*self.cache.storage, &keys, &*self.clock, offset)
                .await?;
            true
        };
        if installed {
            self.cache.reload(now).await
        } else {
            Ok(keys)
        }
    }

    /// The offset of this node's clock from the store's. With a large offset no key is removed, and
    /// none is generated while one signs: it would sign too early or never.
    async fn clock_offset(&self) -> Result<ClockOffset, StorageError> {
        let store_time = self.cache.storage.now().await?;
        Ok(self.clocks.compare(self.clock.now(), store_time))
    }

    /// How long loaded keys may be used. Until then, no node signs with a key that is missing from
    /// them, nor does one while a verifier still caches the key set published from them.
    fn max_snapshot_age(&self) -> Duration {
        self.schedule
            .publish_ahead
            .saturating_sub(jwk_set::MAX_AGE + CLOCK_SKEW + REFRESH_INTERVAL)
    }

    /// Replaces the loaded signers.
    #[cfg(test)]
    pub(super) fn replace_signers(
        &mut self,
        replacement: impl Fn(Arc<dyn Signer>) -> Arc<dyn Signer>,
    ) {
        Arc::get_mut(&mut self.cache)
            .unwrap()
            .replace_signers(replacement);
    }
}

fn no_signing_key() -> SigningKeyError {
    StorageError::unavailable("no signing key is there", "the next one is being made").into()
}

/// Reason why no keys are available.
#[derive(Debug)]
pub(super) enum SigningKeyError {
    /// The store could not answer.
    Storage(StorageError),
    /// A key could not be made or opened.
    Key(KeyError),
}

impl std::fmt::Display for SigningKeyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Storage(error) => error.fmt(f),
            Self::Key(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SigningKeyError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Storage(error) => error.source(),
            Self::Key(error) => error.source(),
        }
    }
}

impl From<StorageError> for SigningKeyError {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}

impl From<KeyError> for SigningKeyError {
    fn from(error: KeyError) -> Self {
        Self::Key(error)
    }
}

impl From<SigningKeyError> for Error {
    fn from(unavailable: SigningKeyError) -> Self {
        match unavailable {
            SigningKeyError::Storage(error) => error.into(),
            SigningKeyError::Key(error) => Self::internal(error),
        }
    }
}

impl From<SigningKeyError> for ConfigError {
    fn from(unavailable: SigningKeyError) -> Self {
        match unavailable {
            SigningKeyError::Storage(error) => Self::Storage(error),
            SigningKeyError::Key(error) => Self::SigningKey(error),
        }
    }
}

#[cfg(test)]
mod tests;
