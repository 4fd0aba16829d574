//! Several nodes on one store, an unavailable store, and a store that is replaced by its backup.

mod outages;
mod propagation;
mod reloads;
mod restored_backup;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use lyceum::DataApi;
use lyceum::directory::{Directory, DirectoryChange, WriteOutcome};
use lyceum::domain::StudentId;
use lyceum::store::memory::MemoryStore;
use lyceum::store::{DatasetVersion, DirectoryRows, DirectoryStore, DirectoryWrite, StorageError};
use lyceum::testing::ManualClock;

use crate::client::get;
use crate::school_fixtures::{self, NOW};

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);

/// A store that can be unavailable or replaced by another one, and counts version queries.
#[derive(Debug)]
struct ReplaceableStore {
    present: Mutex<Arc<MemoryStore>>,
    is_away: AtomicBool,
    looks: AtomicUsize,
    /// Written just before the next version query returns, as by another process.
    next: Mutex<Option<(Directory, Vec<DirectoryChange>)>>,
    /// Reads of changes wait until this is free.
    reading: tokio::sync::Mutex<()>,
    reads: AtomicUsize,
}

impl ReplaceableStore {
    fn new(store: Arc<MemoryStore>) -> Arc<Self> {
        Arc::new(Self {
            present: Mutex::new(store),
            is_away: AtomicBool::default(),
            looks: AtomicUsize::default(),
            next: Mutex::default(),
            reading: tokio::sync::Mutex::default(),
            reads: AtomicUsize::default(),
        })
    }

    fn present(&self) -> Result<Arc<MemoryStore>, StorageError> {
        if self.is_away.load(Ordering::SeqCst) {
            return Err(StorageError::unavailable("away", "on purpose"));
        }
        Ok(self.present.lock().unwrap().clone())
    }

    /// Number of version queries since the last call.
    fn looks(&self) -> usize {
        self.looks.swap(0, Ordering::SeqCst)
    }
}

#[async_trait]
impl DirectoryStore for ReplaceableStore {
    async fn directory_version(&self) -> Result<DatasetVersion, StorageError> {
        self.looks.fetch_add(1, Ordering::SeqCst);
        let next = self.next.lock().unwrap().take();
        if let Some((other, changes)) = next {
            assert!(matches!(
                other.write(changes).await?,
                WriteOutcome::Written(_)
            ));
        }
        self.present()?.directory_version().await
    }

    async fn load_directory(&self) -> Result<DirectoryRows, StorageError> {
        self.present()?.load_directory().await
    }

    async fn directory_changes(
        &self,
        since: DatasetVersion,
    ) -> Result<Option<DirectoryRows>, StorageError> {
        self.reads.fetch_add(1, Ordering::SeqCst);
        let _reading = self.reading.lock().await;
        self.present()?.directory_changes(since).await
    }

    async fn write_directory(
        &self,
        expected: DatasetVersion,
        change: Arc<DirectoryRows>,
    ) -> Result<DirectoryWrite, StorageError> {
        self.present()?.write_directory(expected, change).await
    }
}

/// A directory on a store that may be shared, and the data API on it.
struct Node {
    store: Arc<ReplaceableStore>,
    directory: Directory,
    api: DataApi,
}

impl Node {
    async fn new(store: &Arc<MemoryStore>, clock: &ManualClock) -> Self {
        let shifting = ReplaceableStore::new(store.clone());
        let directory = Directory::builder(shifting.clone())
            .clock(Arc::new(clock.clone()))
            .open()
            .await
            .unwrap();
        // The keys never expire, and their store is always available.
        let api = DataApi::builder(directory.clone(), store.clone())
            .clock(Arc::new(school_fixtures::FixedClock));
        Self {
            store: shifting,
            directory,
            api: api.without_rate_limit().build().unwrap(),
        }
    }

    async fn write(&self, change: DirectoryChange) {
        assert!(matches!(
            self.directory.write(vec![change]).await.unwrap(),
            WriteOutcome::Written(_)
        ));
    }

    async fn students(&self) -> Vec<i64> {
        get(&self.api, "/v1/students").await.ids()
    }

    /// Returns the changes since the cursor, and the next cursor.
    async fn since(&self, cursor: &str) -> (serde_json::Value, String) {
        let answer = get(&self.api, &format!("/v1/students?updatedSince={cursor}")).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        let data = answer.json()["data"].take();
        let next = data["cursor"].as_str().unwrap().to_owned();
        (data, next)
    }
}

async fn two_nodes() -> (Node, Node, ManualClock) {
    let (store, clock) = (school_fixtures::store().await, ManualClock::new(NOW));
    (
        Node::new(&store, &clock).await,
        Node::new(&store, &clock).await,
        clock,
    )
}

fn no_student(number: i64) -> DirectoryChange {
    DirectoryChange::RemoveStudent(StudentId::new(number).unwrap())
}
