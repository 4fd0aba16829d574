use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use tokio::sync::OnceCell;

use super::directory;
use super::run_ids::RunIds;
use super::scenario::Scenario;
use crate::clock::Clock;
use crate::directory::Directory;
use crate::domain::Timestamp;
use crate::store::{DirectoryStore, Storage, StorageError};

/// Handle on a store, with a directory over it.
pub(in crate::testing) struct StoreHandle {
    store: Arc<dyn Storage>,
    directory: OnceCell<Directory>,
}

impl StoreHandle {
    /// Creates a handle whose directory is loaded when the first operation needs it.
    pub(in crate::testing) fn new(store: Arc<dyn Storage>) -> Self {
        Self {
            store,
            directory: OnceCell::new(),
        }
    }

    /// Opens another handle on the same data. If the scenario uses the directory, the new handle
    /// starts with a copy of this one's, because loading it for each call would take longer with
    /// every run.
    pub(in crate::testing) async fn open_peer(
        &self,
        store: Arc<dyn Storage>,
        scenario: &Scenario,
    ) -> Result<Self, StorageError> {
        let mut directory = OnceCell::new();
        if scenario.uses_directory() {
            let present = self.directory().await?;
            present.snapshot().await?;
            directory = OnceCell::new_with(Some(present.fork(Arc::<dyn Storage>::clone(&store))));
        }
        Ok(Self { store, directory })
    }

    /// Removes the directory records that a run of the scenario left.
    pub(in crate::testing) async fn clean_up(
        &self,
        scenario: &Scenario,
        ids: RunIds,
    ) -> Result<(), StorageError> {
        if scenario.uses_directory() {
            directory::clean_up(self.directory().await?, ids).await
        } else {
            Ok(())
        }
    }

    pub(in crate::testing) fn store(&self) -> &dyn Storage {
        &*self.store
    }

    pub(super) async fn directory(&self) -> Result<&Directory, StorageError> {
        self.directory
            .get_or_try_init(|| open_directory(Arc::<dyn Storage>::clone(&self.store)))
            .await
    }
}

/// Opens a directory that checks the version in the store at every read.
async fn open_directory(store: Arc<dyn DirectoryStore>) -> Result<Directory, StorageError> {
    Directory::builder(store)
        .clock(Arc::new(AdvancingClock::default()))
        .open()
        .await
}

/// Clock that advances by a minute at each read.
#[derive(Debug, Default)]
struct AdvancingClock(AtomicI64);

impl Clock for AdvancingClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_seconds(self.0.fetch_add(60, Ordering::SeqCst))
    }
}
