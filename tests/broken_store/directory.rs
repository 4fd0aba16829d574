use std::sync::Arc;

use async_trait::async_trait;
use lyceum::store::*;

use super::{BrokenStore, Fault, StorageResult};

#[async_trait]
impl DirectoryStore for BrokenStore {
    async fn directory_version(&self) -> StorageResult<DatasetVersion> {
        self.store.directory_version().await
    }

    async fn load_directory(&self) -> StorageResult<DirectoryRows> {
        self.store.load_directory().await
    }

    async fn directory_changes(
        &self,
        since: DatasetVersion,
    ) -> StorageResult<Option<DirectoryRows>> {
        let present = self.store.directory_version().await?;
        let is_later = since.number > present.number;
        let mut since = since;
        if self.has(Fault::TakesAnyMark) && since.lineage == present.lineage && !is_later {
            let marks = self.store.load_directory().await?.marks;
            since.mark = marks
                .into_iter()
                .find(|(number, _)| *number == since.number)
                .map_or(since.mark, |(_, mark)| mark);
        }
        let mut changes = self.store.directory_changes(since).await?;
        if let (true, Some(changes)) = (self.has(Fault::ForgetsTombstones), &mut changes) {
            changes.students.retain(|row| row.value.is_some());
            changes.meals.retain(|row| row.value.is_some());
        }
        Ok(changes)
    }

    async fn write_directory(
        &self,
        expected: DatasetVersion,
        change: Arc<DirectoryRows>,
    ) -> StorageResult<DirectoryWrite> {
        let mut expected = expected;
        if self.has(Fault::IgnoresTheExpectedMark) {
            expected.mark = self.store.directory_version().await?.mark;
        }
        if self.has(Fault::AdvancesByCheckThenAct) {
            let present = self.store.directory_version().await?;
            let is_expected = present == expected;
            self.everybody.wait();
            expected = self.store.directory_version().await?;
            let advance = self.store.write_directory(expected, change).await?;
            return Ok(if is_expected {
                DirectoryWrite::Written
            } else {
                advance
            });
        }
        if self.has(Fault::WritesRowsBeforeTheVersion) {
            // Writes the rows in a separate version, and then the version that the caller named.
            let present = self.store.directory_version().await?;
            let rows = DirectoryRows {
                version: present,
                ..DirectoryRows::clone(&change)
            };
            assert_eq!(
                self.store.write_directory(present, Arc::new(rows)).await?,
                DirectoryWrite::Written
            );
        }
        self.store.write_directory(expected, change).await
    }
}
