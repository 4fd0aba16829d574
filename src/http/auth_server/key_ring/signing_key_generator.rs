use std::sync::{Arc, Mutex, PoisonError};

use futures_channel::oneshot;

use super::SigningKeyError;
use super::signing_key_snapshot::SigningKeySnapshot;
use crate::crypto::{Entropy, KeyError, MasterKey, generate_signing_key, reseal_signing_key};
use crate::domain::{KeyRotation, SigningAlgorithm, SigningKeyRecord, Timestamp};
use crate::http::Clock;
use crate::http::audit::{AuditLog, Event, EventKind, RequestId};
use crate::http::clock_check::ClockOffset;
use crate::store::{SigningKeyInstallation, SigningKeyStore, StorageError};

type PendingKey = oneshot::Receiver<Result<SigningKeyRecord, KeyError>>;

/// Generates the next key when it is due. RSA takes a while, so this runs on a separate thread and
/// requests do not wait for it.
pub(in crate::http::auth_server) struct SigningKeyGenerator {
    algorithm: SigningAlgorithm,
    schedule: KeyRotation,
    master_key: MasterKey,
    entropy: Arc<dyn Entropy>,
    audit: Arc<dyn AuditLog>,
    pending: Mutex<Option<PendingKey>>,
}

impl SigningKeyGenerator {
    pub(in crate::http::auth_server) fn new(
        algorithm: SigningAlgorithm,
        schedule: KeyRotation,
        master_key: MasterKey,
        entropy: Arc<dyn Entropy>,
        audit: Arc<dyn AuditLog>,
    ) -> Self {
        Self {
            algorithm,
            schedule,
            master_key,
            entropy,
            audit,
            pending: Mutex::default(),
        }
    }

    /// Whether the next key has to be generated.
    pub(super) fn is_due(&self, keys: &[SigningKeyRecord], now: Timestamp) -> bool {
        self.schedule.is_due(keys, self.algorithm, now)
    }

    /// Starts generating the key that follows `keys`. If an earlier generation is complete,
    /// installs its key and returns `true`.
    pub(super) async fn generate_in_background(
        &self,
        storage: &dyn SigningKeyStore,
        keys: &SigningKeySnapshot,
        clock: &dyn Clock,
        offset: ClockOffset,
    ) -> Result<bool, SigningKeyError> {
        let Some(made) = self.poll_generated() else {
            return Ok(false);
        };
        self.install(storage, made?, keys, clock, offset)
            .await
            .map(|()| true)
    }

    /// Generates and installs the key that follows `keys`.
    pub(super) async fn generate_now(
        &self,
        storage: &dyn SigningKeyStore,
        keys: &SigningKeySnapshot,
        clock: &dyn Clock,
        offset: ClockOffset,
    ) -> Result<(), SigningKeyError> {
        let made = self
            .start_generating()?
            .await
            .map_err(|_| KeyError::Failed)??;
        self.install(storage, made, keys, clock, offset).await
    }

    /// The generated key, once it is complete. Starts a generation if none is running.
    fn poll_generated(&self) -> Option<Result<SigningKeyRecord, KeyError>> {
        let mut slot = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(pending) = slot.as_mut() else {
            return match self.start_generating() {
                Ok(pending) => {
                    *slot = Some(pending);
                    None
                }
                Err(error) => Some(Err(error)),
            };
        };
        let made = pending.try_recv().unwrap_or(Some(Err(KeyError::Failed)))?;
        *slot = None;
        Some(made)
    }

    fn start_generating(&self) -> Result<PendingKey, KeyError> {
        let (algorithm, master_key, entropy) = (
            self.algorithm,
            self.master_key.clone(),
            Arc::clone(&self.entropy),
        );
        let (answer, pending) = oneshot::channel();
        let work = move || {
            // Sequence and time are set at installation. The receiver may have been dropped.
            let _ = answer.send(generate_signing_key(
                algorithm,
                0,
                Timestamp::from_seconds(0),
                &*entropy,
                &master_key,
            ));
        };
        std::thread::Builder::new()
            .name("lyceum-signing-key".to_owned())
            .spawn(work)
            .map_err(|_| KeyError::Failed)?;
        Ok(pending)
    }

    /// Reseals keys that were sealed under a former master key. Failures are retried at the next
    /// refresh.
    pub(super) async fn reseal(
        &self,
        storage: &dyn SigningKeyStore,
        keys: &SigningKeySnapshot,
    ) -> Result<(), StorageError> {
        if !self.master_key.has_former() {
            return Ok(());
        }
        for key in keys.usable().iter().filter(|key| key.revoked_at.is_none()) {
            // A key that does not open was logged when it was loaded.
            if let Ok(Some(sealed)) = reseal_signing_key(key, &*self.entropy, &self.master_key)
                && storage
                    .reseal_signing_key(&key.id, &key.sealed, sealed)
                    .await?
            {
                tracing::info!(
                    kid = key.id.as_str(),
                    "a signing key was resealed under the current master key"
                );
            }
        }
        Ok(())
    }

    /// Inserts the key; if another node inserted one first, that one is used. Also deletes expired
    /// keys unless this node's clock is unreliable.
    async fn install(
        &self,
        storage: &dyn SigningKeyStore,
        made: SigningKeyRecord,
        keys: &SigningKeySnapshot,
        clock: &dyn Clock,
        offset: ClockOffset,
    ) -> Result<(), SigningKeyError> {
        let sequence = keys
            .records()
            .last()
            .map_or(1, |last| last.sequence.saturating_add(1));
        let key = SigningKeyRecord {
            sequence,
            created_at: offset.clamped_to_store(clock.now()),
            ..made
        };
        let id = key.id.clone();
        if storage.install_signing_key(key).await? == SigningKeyInstallation::Installed {
            self.record(
                clock,
                EventKind::SigningKeyInstalled {
                    key: id,
                    algorithm: self.algorithm,
                },
            );
        }
        // A key that does not open here may be the one that other nodes sign with, and keys are
        // removed by sequence.
        let may_remove = offset.is_tolerable() && keys.unopened().is_empty();
        if let Some(until) = self
            .schedule
            .removable_before(keys.usable(), clock.now())
            .filter(|_| may_remove)
        {
            let keys = storage.sweep_signing_keys(until).await?;
            if keys > 0 {
                self.record(clock, EventKind::SigningKeysRemoved { keys });
            }
        }
        Ok(())
    }

    /// Records a key event. It belongs to no request, even if a request triggered it.
    pub(super) fn record(&self, clock: &dyn Clock, kind: EventKind) {
        self.audit.record(&Event {
            request_id: RequestId::new(&*self.entropy),
            at: clock.now(),
            address: None,
            kind,
        });
    }
}
