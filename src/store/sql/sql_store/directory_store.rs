use std::sync::Arc;

use async_trait::async_trait;

use super::SqlStore;
use crate::store::sql::directory_store;
use crate::store::{DatasetVersion, DirectoryRows, DirectoryStore, DirectoryWrite, StorageError};

#[async_trait]
impl DirectoryStore for SqlStore {
    async fn directory_version(&self) -> Result<DatasetVersion, StorageError> {
        self.read("directory_version", move |tx| {
            Box::pin(directory_store::version(tx))
        })
        .await
    }

    async fn load_directory(&self) -> Result<DirectoryRows, StorageError> {
        self.read_directory("load_directory", move |tx| {
            Box::pin(directory_store::load(tx))
        })
        .await
    }

    async fn directory_changes(
        &self,
        since: DatasetVersion,
    ) -> Result<Option<DirectoryRows>, StorageError> {
        self.read_directory("directory_changes", move |tx| {
            Box::pin(directory_store::changes(tx, since))
        })
        .await
    }

    async fn write_directory(
        &self,
        expected: DatasetVersion,
        change: Arc<DirectoryRows>,
    ) -> Result<DirectoryWrite, StorageError> {
        self.write("write_directory", move |tx| {
            Box::pin(directory_store::write(tx, expected, change))
        })
        .await
    }
}
