//! Operations on signing keys.

use super::model::{Model, OperationOutcome, SigningKey};
use super::operation::Operation;
use super::run_ids::RunIds;
use super::store_handle::StoreHandle;
use crate::domain::{SealedKey, SigningAlgorithm, SigningKeyRecord};
use crate::store::{SigningKeyInstallation, SigningKeyRevocation, StorageError};

/// Declares the operations of this kind.
macro_rules! operations {
    ($next:ident! $at:ident {$($others:tt)*} $($rest:ident)*) => { $next! { $at { $($others)* signing_keys {
        /// Installs a signing key under a sequence number.
        [RandomId] InstallSigningKey { sequence: u8, key: u8, $at: i64 },
        /// Revokes a signing key.
        RevokeSigningKey { key: u8, $at: i64 },
        /// Reseals a signing key if its seal is `seen`. The initial seal is the key's own number.
        ResealSigningKey { key: u8, seen: u8, sealed: u8 },
        /// Deletes the signing keys that were superseded by `until`.
        RemoveSigningKeys { until: i64 },
        /// Reads the signing keys.
        [Read] SigningKeys,
    } } $($rest)* } };
}
pub(super) use operations;

pub(super) async fn call(
    operation: Operation,
    handle: &StoreHandle,
    ids: RunIds,
) -> Result<OperationOutcome, StorageError> {
    let store = handle.store();
    Ok(match operation {
        Operation::InstallSigningKey { sequence, key, at } => match store
            .install_signing_key(signing_key(ids, sequence, key, at))
            .await?
        {
            SigningKeyInstallation::Installed => OperationOutcome::Created,
            SigningKeyInstallation::Existing(key) => {
                OperationOutcome::RefersTo(Some(ids.index_of(&key.id, RunIds::key_id)))
            }
        },
        Operation::RevokeSigningKey { key, at } => match store
            .revoke_signing_key(&ids.key_id(key), ids.timestamp(at))
            .await?
        {
            SigningKeyRevocation::Revoked => OperationOutcome::Revoked,
            SigningKeyRevocation::AlreadyRevoked { at } => {
                OperationOutcome::AlreadyRevoked { at: ids.offset(at) }
            }
            SigningKeyRevocation::NotFound => OperationOutcome::Unknown,
        },
        Operation::ResealSigningKey { key, seen, sealed } => OperationOutcome::Bool(
            store
                .reseal_signing_key(&ids.key_id(key), &sealed_key(seen), sealed_key(sealed))
                .await?,
        ),
        Operation::RemoveSigningKeys { until } => {
            OperationOutcome::Removed(store.sweep_signing_keys(ids.timestamp(until)).await?)
        }
        Operation::SigningKeys => {
            let keys = store.signing_keys().await?;
            let number = |sequence| ids.index_of(&sequence, RunIds::sequence);
            let of_the_run = keys.iter().filter(|key| number(key.sequence) > 0);
            let key = |key: &SigningKeyRecord| {
                let revoked_at = key.revoked_at.map(|at| ids.offset(at));
                let sealed = ids.index_of(&key.sealed, |_, number| sealed_key(number));
                (
                    number(key.sequence),
                    ids.index_of(&key.id, RunIds::key_id),
                    sealed,
                    revoked_at,
                )
            };
            OperationOutcome::Keys(of_the_run.map(key).collect())
        }
        other => unreachable!("{other:?} is not of this kind"),
    })
}

/// Returns the operations that show the state of the records that an operation touches.
pub(super) fn checks(operation: Operation, at: i64) -> Vec<Operation> {
    match operation {
        Operation::InstallSigningKey { sequence, key, at } => {
            vec![
                Operation::SigningKeys,
                Operation::InstallSigningKey { sequence, key, at },
            ]
        }
        Operation::RevokeSigningKey { key, .. } => vec![
            Operation::SigningKeys,
            Operation::RevokeSigningKey { key, at },
        ],
        Operation::ResealSigningKey { key, sealed, .. } => vec![
            Operation::SigningKeys,
            Operation::ResealSigningKey {
                key,
                seen: sealed,
                sealed: 3,
            },
        ],
        Operation::RemoveSigningKeys { until } => vec![
            Operation::SigningKeys,
            Operation::RemoveSigningKeys { until },
        ],
        Operation::SigningKeys => vec![Operation::SigningKeys],
        other => unreachable!("{other:?} is not of this kind"),
    }
}

fn signing_key(ids: RunIds, sequence: u8, key: u8, at: i64) -> SigningKeyRecord {
    SigningKeyRecord {
        sequence: ids.sequence(sequence),
        id: ids.key_id(key),
        algorithm: SigningAlgorithm::Es256,
        sealed: sealed_key(key),
        created_at: ids.timestamp(at),
        revoked_at: None,
    }
}

fn sealed_key(number: u8) -> SealedKey {
    SealedKey::from_bytes(vec![number; 8])
}

impl Model {
    pub(super) fn signing_keys(&mut self, operation: Operation) -> OperationOutcome {
        match operation {
            Operation::InstallSigningKey { sequence, key, at } => {
                if let Some(first) = self.signing_keys.get(&sequence) {
                    return OperationOutcome::RefersTo(Some(first.key));
                }
                self.signing_keys.insert(
                    sequence,
                    SigningKey {
                        key,
                        sealed: key,
                        created_at: at,
                        revoked_at: None,
                    },
                );
                OperationOutcome::Created
            }
            Operation::RevokeSigningKey { key, at } => {
                let Some(key) = self
                    .signing_keys
                    .values_mut()
                    .find(|known| known.key == key)
                else {
                    return OperationOutcome::Unknown;
                };
                if let Some(at) = key.revoked_at {
                    return OperationOutcome::AlreadyRevoked { at };
                }
                key.revoked_at = Some(at);
                OperationOutcome::Revoked
            }
            Operation::ResealSigningKey { key, seen, sealed } => {
                let kept = self
                    .signing_keys
                    .values_mut()
                    .find(|known| known.key == key && known.sealed == seen);
                OperationOutcome::Bool(kept.map(|key| key.sealed = sealed).is_some())
            }
            Operation::RemoveSigningKeys { until } => {
                let newest = self
                    .signing_keys
                    .iter()
                    .rev()
                    .find(|(_, key)| key.created_at <= until)
                    .map_or(0, |(sequence, _)| *sequence);
                let before = self.signing_keys.len();
                self.signing_keys.retain(|sequence, _| *sequence >= newest);
                OperationOutcome::Removed(before - self.signing_keys.len())
            }
            Operation::SigningKeys => {
                let known = |(sequence, key): (&u8, &SigningKey)| {
                    (*sequence, key.key, key.sealed, key.revoked_at)
                };
                OperationOutcome::Keys(self.signing_keys.iter().map(known).collect())
            }
            other => unreachable!("{other:?} is not of this kind"),
        }
    }
}
