use async_trait::async_trait;
use lyceum::domain::{KeyId, SealedKey, SigningKeyRecord, Timestamp};
use lyceum::store::sweep::AT_ONCE;
use lyceum::store::{KeyInstallation, KeyRevocation, KeyStore, StorageError, StoreClock};
use lyceum::testing::interleavings::Turn;

use crate::database::{Database, Transaction};

/// A backend that keeps the signing keys itself.
#[derive(Debug)]
pub struct Shelf {
    pub database: Database,
    turn: Turn,
    /// Which handle it is, for who asks the database who waits for whom.
    node: usize,
    fault: Option<Fault>,
}

/// What a backend can do wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It looks whether a key is there before it begins, and believes that afterwards.
    LooksBeforeItBegins,
    /// It commits each statement by itself.
    CommitsEachStatement,
}

impl Shelf {
    /// A handle. Any number of them may share a database.
    pub fn on(database: &Database) -> Self {
        Self { database: database.clone(), turn: Turn::default(), node: 0, fault: None }
    }

    /// The handle of a node, with a search that decides when each statement is sent.
    pub fn taking(self, turn: Turn, node: usize) -> Self {
        Self { turn, node, ..self }
    }

    /// One that does something wrong.
    pub fn with(self, fault: Fault) -> Self {
        Self { fault: Some(fault), ..self }
    }

    /// Everything that is sent goes through here. An error ends the call, and the transaction is dropped with it.
    async fn send<T>(&self, statement: impl Future<Output = T>) -> Result<T, StorageError> {
        self.turn.pass().await?;
        let answer = statement.await;
        self.turn.passed().await?;
        Ok(answer)
    }

    async fn begin(&self) -> Result<Transaction, StorageError> {
        self.send(self.database.begin(self.node)).await
    }

    async fn commit(&self, transaction: Transaction) -> Result<(), StorageError> {
        self.send(async { transaction.commit() }).await
    }
}

/// The database of this example has no clock.
impl StoreClock for Shelf {}

#[async_trait]
impl KeyStore for Shelf {
    async fn signing_keys(&self) -> Result<Vec<SigningKeyRecord>, StorageError> {
        self.send(async { self.database.select() }).await
    }

    /// The first statement holds its own condition, so that of two callers at once exactly one inserts; both statements take effect or none.
    async fn install_signing_key(&self, key: SigningKeyRecord) -> Result<KeyInstallation, StorageError> {
        let has_place = |keys: &[SigningKeyRecord]| keys.iter().all(|kept| kept.sequence != key.sequence);
        let believed = self.fault == Some(Fault::LooksBeforeItBegins) && has_place(&self.signing_keys().await?);
        let mut transaction = self.begin().await?;
        let inserted = self.send(async { transaction.insert_key(&key) }).await?;
        if inserted == 0 && !believed {
            let kept = self.send(async { transaction.select() }).await?;
            let kept = kept.into_iter().find(|kept| kept.sequence == key.sequence);
            return kept.map(KeyInstallation::Existing).ok_or_else(|| StorageError::failed("half a key was found", "no row in sealed"));
        }
        if self.fault == Some(Fault::CommitsEachStatement) {
            self.commit(transaction).await?;
            transaction = self.begin().await?;
        }
        self.send(async { transaction.insert_sealed(&key) }).await?;
        self.commit(transaction).await?;
        Ok(KeyInstallation::Installed)
    }

    async fn revoke_signing_key(&self, id: &KeyId, at: Timestamp) -> Result<KeyRevocation, StorageError> {
        let mut transaction = self.begin().await?;
        let revoked = self.send(async { transaction.revoke_key(id, at) }).await?;
        if revoked == 0 {
            let kept = self.send(async { transaction.select() }).await?;
            let first = kept.into_iter().find(|kept| kept.id == *id).and_then(|kept| kept.revoked_at);
            return Ok(first.map_or(KeyRevocation::Unknown, |at| KeyRevocation::AlreadyRevoked { at }));
        }
        self.commit(transaction).await?;
        Ok(KeyRevocation::Revoked)
    }

    async fn reseal_signing_key(&self, id: &KeyId, seen: &SealedKey, sealed: SealedKey) -> Result<bool, StorageError> {
        let mut transaction = self.begin().await?;
        let resealed = self.send(async { transaction.replace_sealed(id, seen, &sealed) }).await?;
        self.commit(transaction).await?;
        Ok(resealed > 0)
    }

    async fn remove_signing_keys(&self, until: Timestamp) -> Result<usize, StorageError> {
        let mut transaction = self.begin().await?;
        let removed = self.send(async { transaction.delete_superseded(until, AT_ONCE) }).await?;
        self.send(async { transaction.delete_sealed_without_key() }).await?;
        self.commit(transaction).await?;
        Ok(removed)
    }
}
