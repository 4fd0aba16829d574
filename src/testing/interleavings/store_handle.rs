use std::sync::Arc;

use tokio::sync::OnceCell;

use super::directory;
use super::run_ids::RunIds;
use super::scenario::Scenario;
use crate::store::{Storage, StorageError};
use crate::testing::conformance::test_directory::TestDirectory;

/// Handle on a store, with a directory over it.
pub(in crate::testing) struct StoreHandle {
    store: Arc<dyn Storage>,
    directory: OnceCell<TestDirectory>,
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

    pub(super) async fn directory(&self) -> Result<&TestDirectory, StorageError> {
        self.directory
            .get_or_try_init(|| TestDirectory::open(Arc::<dyn Storage>::clone(&self.store)))
            .await
    }
}
