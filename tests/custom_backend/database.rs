//! Stand-in for a database: two tables with one write transaction at a time, and methods for the
//! statements.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex};

use lyceum::domain::{KeyId, SealedKey, SigningAlgorithm, SigningKeyRecord, Timestamp};
use lyceum::store::memory::MemoryStore;
use tokio::sync::OwnedMutexGuard;

#[derive(Debug, Clone, Default)]
pub struct Database {
    committed: Arc<Mutex<Tables>>,
    writer: Arc<tokio::sync::Mutex<()>>,
    locks: Arc<Mutex<Locks>>,
    /// Store of all records that this example leaves to the crate.
    pub rest: Arc<MemoryStore>,
}

#[derive(Debug, Clone, Default)]
struct Tables {
    keys: BTreeMap<i64, KeyRow>,
    sealed: BTreeMap<i64, SealedKey>,
}

#[derive(Debug, Clone)]
struct KeyRow {
    id: KeyId,
    algorithm: SigningAlgorithm,
    created_at: Timestamp,
    revoked_at: Option<Timestamp>,
}

/// Holder and waiters of the write lock, as a database can report them (`pg_locks`).
#[derive(Debug, Default)]
struct Locks {
    holder: Option<usize>,
    waiting: HashSet<usize>,
}

impl Database {
    /// `SELECT … FROM keys JOIN sealed …`: returns the committed rows.
    pub fn select(&self) -> Vec<SigningKeyRecord> {
        self.committed.lock().unwrap().select()
    }

    /// `BEGIN`: waits until no other transaction writes.
    pub async fn begin(&self, node: usize) -> Transaction {
        self.locks.lock().unwrap().waiting.insert(node);
        let guard = self.writer.clone().lock_owned().await;
        let mut locks = self.locks.lock().unwrap();
        locks.waiting.remove(&node);
        locks.holder = Some(node);
        let tables = self.committed.lock().unwrap().clone();
        Transaction {
            database: self.clone(),
            tables,
            _guard: guard,
        }
    }

    /// Whether a handle waits for the lock of one of the others.
    pub fn is_blocked(&self, node: usize, others: &[usize]) -> bool {
        let locks = self.locks.lock().unwrap();
        locks.waiting.contains(&node) && locks.holder.is_some_and(|holder| others.contains(&holder))
    }
}

/// Transaction, which is rolled back if it is dropped without a commit.
#[derive(Debug)]
pub struct Transaction {
    database: Database,
    tables: Tables,
    _guard: OwnedMutexGuard<()>,
}

impl Transaction {
    /// `SELECT … FROM keys JOIN sealed …`, including the rows that this transaction has written.
    pub fn select(&self) -> Vec<SigningKeyRecord> {
        self.tables.select()
    }

    /// `INSERT INTO keys … ON CONFLICT DO NOTHING`: returns the number of new rows.
    pub fn insert_key(&mut self, key: &SigningKeyRecord) -> usize {
        match self.tables.keys.entry(key.sequence) {
            Entry::Occupied(_) => 0,
            Entry::Vacant(place) => {
                let (id, revoked_at) = (key.id.clone(), key.revoked_at);
                place.insert(KeyRow {
                    id,
                    algorithm: key.algorithm,
                    created_at: key.created_at,
                    revoked_at,
                });
                1
            }
        }
    }

    /// `INSERT INTO sealed …`
    pub fn insert_sealed(&mut self, key: &SigningKeyRecord) {
        self.tables.sealed.insert(key.sequence, key.sealed.clone());
    }

    /// `UPDATE keys SET revoked_at = … WHERE id = … AND revoked_at IS NULL`: returns the number of
    /// changed rows.
    pub fn revoke_key(&mut self, id: &KeyId, at: Timestamp) -> usize {
        let live = self
            .tables
            .keys
            .values_mut()
            .filter(|key| key.id == *id && key.revoked_at.is_none());
        live.map(|key| key.revoked_at = Some(at)).count()
    }

    /// `UPDATE sealed SET … FROM keys WHERE id = … AND sealed = …`: returns the number of changed
    /// rows.
    pub fn replace_sealed(&mut self, id: &KeyId, seen: &SealedKey, sealed: &SealedKey) -> usize {
        let Tables { keys, sealed: rows } = &mut self.tables;
        let of_the_key = rows
            .iter_mut()
            .filter(|(sequence, _)| keys.get(sequence).is_some_and(|key| key.id == *id));
        of_the_key
            .filter(|(_, kept)| **kept == *seen)
            .map(|(_, kept)| *kept = sealed.clone())
            .count()
    }

    /// `DELETE FROM keys WHERE sequence < (SELECT max(sequence) … WHERE created_at <= until) ORDER
    /// BY sequence LIMIT …`
    pub fn delete_superseded(&mut self, until: Timestamp, limit: usize) -> usize {
        let keys = &mut self.tables.keys;
        let newest = keys
            .iter()
            .filter(|(_, key)| key.created_at <= until)
            .map(|(sequence, _)| *sequence)
            .max();
        let superseded: Vec<_> = keys
            .range(..newest.unwrap_or(i64::MIN))
            .take(limit)
            .map(|(sequence, _)| *sequence)
            .collect();
        superseded
            .iter()
            .filter(|sequence| keys.remove(sequence).is_some())
            .count()
    }

    /// `DELETE FROM sealed WHERE sequence NOT IN (SELECT sequence FROM keys)`
    pub fn delete_sealed_without_key(&mut self) {
        let keys = &self.tables.keys;
        self.tables
            .sealed
            .retain(|sequence, _| keys.contains_key(sequence));
    }

    /// `COMMIT`
    pub fn commit(self) {
        *self.database.committed.lock().unwrap() = self.tables.clone();
    }
}

/// Releases the lock after a commit or a rollback: the guard is a field and is dropped after this.
impl Drop for Transaction {
    fn drop(&mut self) {
        self.database.locks.lock().unwrap().holder = None;
    }
}

impl Tables {
    fn select(&self) -> Vec<SigningKeyRecord> {
        let record = |(sequence, key): (&i64, &KeyRow)| {
            let sealed = self.sealed.get(sequence)?.clone();
            let KeyRow {
                id,
                algorithm,
                created_at,
                revoked_at,
            } = key.clone();
            Some(SigningKeyRecord {
                sequence: *sequence,
                id,
                algorithm,
                sealed,
                created_at,
                revoked_at,
            })
        };
        self.keys.iter().filter_map(record).collect()
    }
}
