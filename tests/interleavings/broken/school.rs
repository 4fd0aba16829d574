use std::sync::Arc;

use async_trait::async_trait;
use lyceum::store::*;

use super::{Answer, BrokenStore};

#[async_trait]
impl DirectoryStore for BrokenStore {
    async fn directory_version(&self) -> Answer<DatasetVersion> {
        self.turn.pass().await?;
        self.store().directory_version().await
    }

    async fn load_directory(&self) -> Answer<DirectoryRows> {
        self.store().load_directory().await
    }

    async fn directory_changes(&self, since: DatasetVersion) -> Answer<Option<DirectoryRows>> {
        self.turn.pass().await?;
        self.store().directory_changes(since).await
    }

    async fn write_directory(&self, expected: DatasetVersion, change: Arc<DirectoryRows>) -> Answer<Advance> {
        self.turn.pass().await?;
        self.store().write_directory(expected, change).await
    }
}
