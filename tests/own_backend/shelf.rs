use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use lyceum::domain::{SigningKeyRecord, Timestamp};
use lyceum::store::memory::MemoryStore;
use lyceum::store::sweep::AT_ONCE;
use lyceum::store::{KeyInstallation, KeyStore, StorageError};
use lyceum::testing::interleavings::Turn;

/// What the backend talks to. Here it is a map whose methods stand for statements: each happens wholly or not at all.
#[derive(Debug, Clone, Default)]
pub struct Database {
    keys: Arc<Mutex<BTreeMap<i64, SigningKeyRecord>>>,
    /// Where everything is kept that this example leaves to the crate.
    pub rest: Arc<MemoryStore>,
}

impl Database {
    fn select(&self) -> Vec<SigningKeyRecord> {
        self.keys.lock().unwrap().values().cloned().collect()
    }

    /// `INSERT … ON CONFLICT DO NOTHING`: the row that is there afterwards, and whether it is new.
    fn insert_unless_taken(&self, key: SigningKeyRecord) -> (SigningKeyRecord, bool) {
        match self.keys.lock().unwrap().entry(key.sequence) {
            Entry::Occupied(first) => (first.get().clone(), false),
            Entry::Vacant(place) => (place.insert(key).clone(), true),
        }
    }

    fn insert_or_replace(&self, key: SigningKeyRecord) {
        self.keys.lock().unwrap().insert(key.sequence, key);
    }

    /// `DELETE … WHERE sequence < (SELECT max(sequence) … WHERE created_at <= until) ORDER BY sequence LIMIT …`
    fn delete_superseded(&self, until: Timestamp, limit: usize) -> usize {
        let mut keys = self.keys.lock().unwrap();
        let newest = keys.values().filter(|key| key.created_at <= until).map(|key| key.sequence).max().unwrap_or(i64::MIN);
        let superseded: Vec<_> = keys.range(..newest).take(limit).map(|(sequence, _)| *sequence).collect();
        superseded.iter().filter(|sequence| keys.remove(sequence).is_some()).count()
    }
}

/// A backend that keeps the signing keys itself.
#[derive(Debug)]
pub struct Shelf {
    pub database: Database,
    turn: Turn,
    careless: bool,
}

impl Shelf {
    /// A handle. Any number of them may share a database.
    pub fn on(database: &Database) -> Self {
        Self { database: database.clone(), turn: Turn::default(), careless: false }
    }

    /// One with a fault: it looks whether a key is there, and then inserts its own.
    pub fn careless_on(database: &Database) -> Self {
        Self { careless: true, ..Self::on(database) }
    }

    /// Lets a search decide when each statement is sent.
    pub fn taking(self, turn: Turn) -> Self {
        Self { turn, ..self }
    }

    /// Every statement goes through here.
    async fn send<T>(&self, statement: impl FnOnce(&Database) -> T) -> Result<T, StorageError> {
        self.turn.pass().await?;
        let answer = statement(&self.database);
        self.turn.passed().await?;
        Ok(answer)
    }
}

#[async_trait]
impl KeyStore for Shelf {
    async fn signing_keys(&self) -> Result<Vec<SigningKeyRecord>, StorageError> {
        self.send(Database::select).await
    }

    /// One statement that holds its own condition, so that of two callers at once exactly one inserts.
    async fn install_signing_key(&self, key: SigningKeyRecord) -> Result<KeyInstallation, StorageError> {
        if self.careless {
            return self.look_and_then_insert(key).await;
        }
        let (kept, is_new) = self.send(|database| database.insert_unless_taken(key)).await?;
        Ok(if is_new { KeyInstallation::Installed } else { KeyInstallation::Existing(kept) })
    }

    async fn remove_signing_keys(&self, until: Timestamp) -> Result<usize, StorageError> {
        self.send(|database| database.delete_superseded(until, AT_ONCE)).await
    }
}

impl Shelf {
    async fn look_and_then_insert(&self, key: SigningKeyRecord) -> Result<KeyInstallation, StorageError> {
        let there = self.send(Database::select).await?.into_iter().find(|there| there.sequence == key.sequence);
        if let Some(there) = there {
            return Ok(KeyInstallation::Existing(there));
        }
        self.send(|database| database.insert_or_replace(key)).await?;
        Ok(KeyInstallation::Installed)
    }
}
