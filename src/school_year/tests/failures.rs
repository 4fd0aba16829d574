//! A store that fails.

use async_trait::async_trait;

use super::*;
use crate::domain::YearTurnRecord;
use crate::store::{
    DatasetVersion, DeletedHistory, DirectoryRows, DirectoryStore, DirectoryWrite, Erasure,
    HistoryChange, Paged, StorageError, TurnedRecords,
};

/// A store that deletes no history.
#[derive(Debug)]
struct KeepsHistory(Arc<MemoryStore>);

#[async_trait]
impl DirectoryStore for KeepsHistory {
    async fn directory_version(&self) -> Result<DatasetVersion, StorageError> {
        self.0.directory_version().await
    }

    async fn load_directory(&self) -> Result<DirectoryRows, StorageError> {
        self.0.load_directory().await
    }

    async fn directory_changes(
        &self,
        since: DatasetVersion,
    ) -> Result<Option<DirectoryRows>, StorageError> {
        self.0.directory_changes(since).await
    }

    async fn write_directory(
        &self,
        expected: DatasetVersion,
        change: Arc<DirectoryRows>,
    ) -> Result<DirectoryWrite, StorageError> {
        self.0.write_directory(expected, change).await
    }
}

#[async_trait]
impl SchoolHistoryStore for KeepsHistory {
    async fn write_directory_with_history(
        &self,
        expected: DatasetVersion,
        change: Arc<DirectoryRows>,
        history: Arc<HistoryChange>,
    ) -> Result<DirectoryWrite, StorageError> {
        let store = &self.0;
        store
            .write_directory_with_history(expected, change, history)
            .await
    }

    async fn year_turns(&self, limit: u32) -> Result<Vec<YearTurnRecord>, StorageError> {
        self.0.year_turns(limit).await
    }

    async fn turned_records(&self, turn: u64) -> Result<TurnedRecords, StorageError> {
        self.0.turned_records(turn).await
    }

    async fn school_history(
        &self,
        filter: HistoryFilter,
        page: PageRequest,
    ) -> Result<Paged<HistoryEntry>, StorageError> {
        self.0.school_history(filter, page).await
    }

    async fn delete_old_history(
        &self,
        _: Year,
        _: Timestamp,
    ) -> Result<DeletedHistory, StorageError> {
        Err(StorageError::failed(
            "delete history",
            "it does not respond",
        ))
    }

    async fn erase_history(&self, erasure: Erasure) -> Result<Erasure, StorageError> {
        self.0.erase_history(erasure).await
    }

    async fn erasures(&self, page: PageRequest) -> Result<Paged<Erasure>, StorageError> {
        self.0.erasures(page).await
    }
}

// Proves: threats 47
/// Fails if former students are removed and no record says so.
#[test]
fn an_error_after_former_students_were_removed_has_their_number() {
    let school = School::new();
    school.turn(&YearTurn::new());
    let store = Arc::new(KeepsHistory(school.store.clone()));
    let directory = Directory::builder_with_history(store)
        .clock(Arc::new(school.clock.clone()))
        .open();
    let directory = block_on(directory).unwrap();
    school.clock.set(noon("2029-03-01"));
    let retention = HistoryRetention {
        leavers: Some(2),
        history: Some(5),
    };
    let failed = block_on(retention.apply(&directory, school.now())).unwrap_err();
    assert_eq!(
        failed.removed,
        RemovedHistory {
            students: 1,
            entries: 0
        }
    );
    assert!(matches!(failed.error, YearError::Storage(_)), "{failed}");
    let again = block_on(retention.apply(&directory, school.now())).unwrap_err();
    assert_eq!(again.removed, RemovedHistory::default());
}
