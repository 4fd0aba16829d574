use async_trait::async_trait;
use lyceum::domain::{KeyId, SealedKey, SigningKeyRecord, Timestamp};
use lyceum::store::retention::MAX_DELETED_PER_INSERT;
use lyceum::store::{
    SigningKeyInstallation, SigningKeyRevocation, SigningKeyStore, StorageError, StoreClock,
};
use lyceum::testing::interleavings::StepGate;

use crate::database::{Database, Transaction};

/// Backend that stores the signing keys itself.
#[derive(Debug)]
pub struct TableKeyStore {
    pub database: Database,
    gate: StepGate,
    /// Number of the handle, by which the lock probe identifies it.
    node: usize,
    fault: Option<Fault>,
}

/// Planted fault of the backend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Checks for a key before the transaction, and relies on the result inside it.
    ReadsBeforeTransaction,
    /// Commits each statement separately.
    CommitsEachStatement,
}

impl TableKeyStore {
    /// Creates a handle. Any number of them may share a database.
    pub fn new(database: &Database) -> Self {
        Self {
            database: database.clone(),
            gate: StepGate::default(),
            node: 0,
            fault: None,
        }
    }

    /// Creates the handle of a node whose statements a search schedules.
    pub fn with_step_gate(self, gate: StepGate, node: usize) -> Self {
        Self { gate, node, ..self }
    }

    /// Creates a handle with a fault.
    pub fn with_fault(self, fault: Fault) -> Self {
        Self {
            fault: Some(fault),
            ..self
        }
    }

    /// Executes a statement; all statements pass here. An error ends the call, and drops and so
    /// rolls back the transaction.
    async fn send<T>(&self, statement: impl Future<Output = T>) -> Result<T, StorageError> {
        self.gate.before_step().await?;
        let answer = statement.await;
        self.gate.after_step().await?;
        Ok(answer)
    }

    async fn begin(&self) -> Result<Transaction, StorageError> {
        self.send(self.database.begin(self.node)).await
    }

    async fn commit(&self, transaction: Transaction) -> Result<(), StorageError> {
        self.send(async { transaction.commit() }).await
    }
}

/// The example database has no clock.
impl StoreClock for TableKeyStore {}

#[async_trait]
impl SigningKeyStore for TableKeyStore {
    async fn signing_keys(&self) -> Result<Vec<SigningKeyRecord>, StorageError> {
        self.send(async { self.database.select() }).await
    }

    /// The first statement contains its condition, so that exactly one of two concurrent callers
    /// inserts. Both statements take effect or neither.
    async fn install_signing_key(
        &self,
        key: SigningKeyRecord,
    ) -> Result<SigningKeyInstallation, StorageError> {
        let has_place =
            |keys: &[SigningKeyRecord]| keys.iter().all(|kept| kept.sequence != key.sequence);
        let believed = self.fault == Some(Fault::ReadsBeforeTransaction)
            && has_place(&self.signing_keys().await?);
        let mut transaction = self.begin().await?;
        let inserted = self.send(async { transaction.insert_key(&key) }).await?;
        if inserted == 0 && !believed {
            let kept = self.send(async { transaction.select() }).await?;
            let kept = kept.into_iter().find(|kept| kept.sequence == key.sequence);
            return kept
                .map(SigningKeyInstallation::Existing)
                .ok_or_else(|| StorageError::failed("half a key was found", "no row in sealed"));
        }
        if self.fault == Some(Fault::CommitsEachStatement) {
            self.commit(transaction).await?;
            transaction = self.begin().await?;
        }
        self.send(async { transaction.insert_sealed(&key) }).await?;
        self.commit(transaction).await?;
        Ok(SigningKeyInstallation::Installed)
    }

    async fn revoke_signing_key(
        &self,
        id: &KeyId,
        at: Timestamp,
    ) -> Result<SigningKeyRevocation, StorageError> {
        let mut transaction = self.begin().await?;
        let revoked = self.send(async { transaction.revoke_key(id, at) }).await?;
        if revoked == 0 {
            let kept = self.send(async { transaction.select() }).await?;
            let first = kept
                .into_iter()
                .find(|kept| kept.id == *id)
                .and_then(|kept| kept.revoked_at);
            return Ok(first.map_or(SigningKeyRevocation::NotFound, |at| {
                SigningKeyRevocation::AlreadyRevoked { at }
            }));
        }
        self.commit(transaction).await?;
        Ok(SigningKeyRevocation::Revoked)
    }

    async fn reseal_signing_key(
        &self,
        id: &KeyId,
        seen: &SealedKey,
        sealed: SealedKey,
    ) -> Result<bool, StorageError> {
        let mut transaction = self.begin().await?;
        let resealed = self
            .send(async { transaction.replace_sealed(id, seen, &sealed) })
            .await?;
        self.commit(transaction).await?;
        Ok(resealed > 0)
    }

    async fn sweep_signing_keys(&self, until: Timestamp) -> Result<usize, StorageError> {
        let mut transaction = self.begin().await?;
        let removed = self
            .send(async { transaction.delete_superseded(until, MAX_DELETED_PER_INSERT) })
            .await?;
        self.send(async { transaction.delete_sealed_without_key() })
            .await?;
        self.commit(transaction).await?;
        Ok(removed)
    }
}
