use std::sync::Arc;

use async_trait::async_trait;
use lyceum::store::*;

use super::{BrokenStore, Fault, StorageResult};

#[async_trait]
impl DirectoryStore for BrokenStore {
    async fn directory_version(&self) -> StorageResult<DatasetVersion> {
        self.pass_in_the_directory().await?;
        self.store().directory_version().await
    }

    async fn load_directory(&self) -> StorageResult<DirectoryRows> {
        self.pass_in_the_directory().await?;
        let rows = self.store().load_directory().await?;
        self.pass_in_the_directory().await?;
        if !self.has(Fault::LoadsInTwoTransactions) {
            return Ok(rows);
        }
        let later = self.store().load_directory().await?;
        Ok(DirectoryRows {
            version: later.version,
            marks: later.marks,
            ..rows
        })
    }

    async fn directory_changes(
        &self,
        since: DatasetVersion,
    ) -> StorageResult<Option<DirectoryRows>> {
        self.pass_in_the_directory().await?;
        let mut changes = self.store().directory_changes(since).await?;
        match (self.fault, &mut changes) {
            // `None` makes the directory load everything.
            (Fault::LoadsInTwoTransactions, _) => return Ok(None),
            (Fault::ForgetsTombstones, Some(changes)) => {
                changes.students.retain(|row| row.value.is_some());
                changes.clubs.retain(|row| row.value.is_some());
                changes.projects.retain(|row| row.value.is_some());
            }
            (Fault::TellsOnlyTheLastVersion, Some(changes)) => {
                let last = changes.version.number;
                changes.students.retain(|row| row.changed == last);
                changes.clubs.retain(|row| row.changed == last);
                changes.projects.retain(|row| row.changed == last);
            }
            _ => {}
        }
        Ok(changes)
    }

    async fn write_directory(
        &self,
        expected: DatasetVersion,
        change: Arc<DirectoryRows>,
    ) -> StorageResult<DirectoryWrite> {
        self.gate.before_step().await?;
        match self.fault {
            Fault::WritesWhateverVersionThereIs => {
                let is_expected = self.store().directory_version().await? == expected;
                self.gate.before_step().await?;
                let present = self.store().directory_version().await?;
                if !is_expected || present == expected {
                    return self.store().write_directory(expected, change).await;
                }
                let version = DatasetVersion {
                    number: present.number + 1,
                    ..change.version
                };
                self.store()
                    .write_directory(
                        present,
                        Arc::new(DirectoryRows {
                            version,
                            ..DirectoryRows::clone(&change)
                        }),
                    )
                    .await
            }
            Fault::WritesRowsBeforeTheVersion => {
                let present = self.store().directory_version().await?;
                if present != expected {
                    return Ok(DirectoryWrite::Conflict);
                }
                let rows = DirectoryRows {
                    version: present,
                    marks: Vec::new(),
                    ..DirectoryRows::clone(&change)
                };
                let _: DirectoryWrite = self
                    .store()
                    .write_directory(present, Arc::new(rows))
                    .await?;
                self.gate.before_step().await?;
                self.store().write_directory(expected, change).await
            }
            _ => {
                let advance = self.store().write_directory(expected, change).await?;
                self.gate.after_step().await?;
                Ok(advance)
            }
        }
    }
}

impl BrokenStore {
    /// Waits at a step of a directory change. A search for another fault need not pause there.
    async fn pass_in_the_directory(&self) -> StorageResult<()> {
        if self.fault.is_of_the_directory() || self.has(Fault::None) {
            self.gate.before_step().await
        } else {
            Ok(())
        }
    }
}
