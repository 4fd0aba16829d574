use std::sync::{Arc, Mutex, PoisonError};

use futures_channel::oneshot;

use super::key_ring::KeysUnavailable;
use super::loaded_keys::LoadedKeys;
use crate::crypto::{Entropy, KeyError, MasterKey, generate, reseal};
use crate::domain::{KeySchedule, SigningAlgorithm, SigningKeyRecord, Timestamp};
use crate::http::Clock;
use crate::http::audit::{AuditLog, Event, EventKind, RequestId};
use crate::http::clock_check::ClockOffset;
use crate::store::{KeyInstallation, KeyStore, StorageError};

type Making = oneshot::Receiver<Result<SigningKeyRecord, KeyError>>;

/// Makes the next key when it is due. That takes a while for RSA, so it is done on a thread of its own, and no request waits for it.
pub(super) struct KeyMaker {
    algorithm: SigningAlgorithm,
    schedule: KeySchedule,
    master_key: MasterKey,
    entropy: Arc<dyn Entropy>,
    audit: Arc<dyn AuditLog>,
    making: Mutex<Option<Making>>,
}

impl KeyMaker {
    pub(super) fn new(
        algorithm: SigningAlgorithm,
        schedule: KeySchedule,
        master_key: MasterKey,
        entropy: Arc<dyn Entropy>,
        audit: Arc<dyn AuditLog>,
    ) -> Self {
        Self { algorithm, schedule, master_key, entropy, audit, making: Mutex::default() }
    }

    /// Whether the next key is to be made.
    pub(super) fn is_due(&self, keys: &[SigningKeyRecord], now: Timestamp) -> bool {
        self.schedule.is_due(keys, self.algorithm, now)
    }

    /// Begins to make the key that follows `keys`. If that was begun before and is done, the key goes into the store; says whether.
    pub(super) async fn make_in_time(
        &self,
        storage: &dyn KeyStore,
        keys: &LoadedKeys,
        clock: &dyn Clock,
        offset: ClockOffset,
    ) -> Result<bool, KeysUnavailable> {
        let Some(made) = self.made() else { return Ok(false) };
        self.install(storage, made?, keys, clock, offset).await.map(|()| true)
    }

    /// Makes the key that follows `keys`, and waits for it.
    pub(super) async fn make_now(
        &self,
        storage: &dyn KeyStore,
        keys: &LoadedKeys,
        clock: &dyn Clock,
        offset: ClockOffset,
    ) -> Result<(), KeysUnavailable> {
        let made = self.begin()?.await.map_err(|_| KeyError::Failed)??;
        self.install(storage, made, keys, clock, offset).await
    }

    /// The key that was begun, once it is done. Begins one if none was.
    fn made(&self) -> Option<Result<SigningKeyRecord, KeyError>> {
        let mut slot = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(making) = slot.as_mut() else {
            return match self.begin() {
                Ok(making) => {
                    *slot = Some(making);
                    None
                }
                Err(error) => Some(Err(error)),
            };
        };
        let made = making.try_recv().unwrap_or(Some(Err(KeyError::Failed)))?;
        *slot = None;
        Some(made)
    }

    fn begin(&self) -> Result<Making, KeyError> {
        let (algorithm, master_key, entropy) = (self.algorithm, self.master_key.clone(), Arc::clone(&self.entropy));
        let (answer, making) = oneshot::channel();
        let work = move || {
            // Its number and time are those of its installation. Whoever asked may have gone in the meantime.
            let _ = answer.send(generate(algorithm, 0, Timestamp::from_seconds(0), &*entropy, &master_key));
        };
        std::thread::Builder::new().name("lyceum-signing-key".to_owned()).spawn(work).map_err(|_| KeyError::Failed)?;
        Ok(making)
    }

    /// Seals keys anew that a former master key sealed. What does not succeed is tried again at the next look.
    pub(super) async fn reseal(&self, storage: &dyn KeyStore, keys: &LoadedKeys) -> Result<(), StorageError> {
        if !self.master_key.has_former() {
            return Ok(());
        }
        for key in keys.usable().iter().filter(|key| key.revoked_at.is_none()) {
            // One that opens under no key was logged when it was loaded, or is gone.
            if let Ok(Some(sealed)) = reseal(key, &*self.entropy, &self.master_key)
                && storage.reseal_signing_key(&key.id, &key.sealed, sealed).await?
            {
                tracing::info!(kid = key.id.as_str(), "a signing key was sealed anew under the present master key");
            }
        }
        Ok(())
    }

    /// Inserts the key; if another node inserted one first, that one is used. Also deletes expired keys unless this node's clock is unreliable.
    async fn install(
        &self,
        storage: &dyn KeyStore,
        made: SigningKeyRecord,
        keys: &LoadedKeys,
        clock: &dyn Clock,
        offset: ClockOffset,
    ) -> Result<(), KeysUnavailable> {
        let sequence = keys.records().last().map_or(1, |last| last.sequence.saturating_add(1));
        let key = SigningKeyRecord { sequence, created_at: offset.not_ahead(clock.now()), ..made };
        let id = key.id.clone();
        if storage.install_signing_key(key).await? == KeyInstallation::Installed {
            self.record(clock, EventKind::SigningKeyInstalled { key: id, algorithm: self.algorithm });
        }
        // A key that does not open here may be the one that other nodes sign with, and keys are removed by their number.
        let may_remove = offset.is_small() && keys.unopened().is_empty();
        if let Some(until) = self.schedule.removable(keys.usable(), clock.now()).filter(|_| may_remove) {
            let keys = storage.remove_signing_keys(until).await?;
            if keys > 0 {
                self.record(clock, EventKind::SigningKeysRemoved { keys });
            }
        }
        Ok(())
    }

    /// Records what happens to keys. It is the doing of no request, even if one gave the occasion.
    pub(super) fn record(&self, clock: &dyn Clock, kind: EventKind) {
        self.audit.record(&Event { request_id: RequestId::new(&*self.entropy), at: clock.now(), address: None, kind });
    }
}
