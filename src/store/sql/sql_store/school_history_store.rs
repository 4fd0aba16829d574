use std::sync::Arc;

use async_trait::async_trait;

use super::SqlStore;
use crate::domain::{HistoryEntry, PageRequest, Timestamp, Year, YearTurnRecord};
use crate::store::sql::school_history;
use crate::store::{
    DatasetVersion, DeletedHistory, DirectoryRows, DirectoryWrite, Erasure, HistoryChange,
    HistoryFilter, Paged, SchoolHistoryStore, StorageError, TurnedRecords,
};

#[async_trait]
impl SchoolHistoryStore for SqlStore {
    async fn write_directory_with_history(
        &self,
        expected: DatasetVersion,
        change: Arc<DirectoryRows>,
        history: Arc<HistoryChange>,
    ) -> Result<DirectoryWrite, StorageError> {
        self.write("write_directory_with_history", move |tx| {
            Box::pin(school_history::write_directory_with_history(
                tx, expected, change, history,
            ))
        })
        .await
    }

    async fn year_turns(&self, limit: u32) -> Result<Vec<YearTurnRecord>, StorageError> {
        self.list("year_turns", move |tx| {
            Box::pin(school_history::year_turns(tx, limit))
        })
        .await
    }

    async fn turned_records(&self, turn: u64) -> Result<TurnedRecords, StorageError> {
        self.list("turned_records", move |tx| {
            Box::pin(school_history::turned_records(tx, turn))
        })
        .await
    }

    async fn school_history(
        &self,
        filter: HistoryFilter,
        page: PageRequest,
    ) -> Result<Paged<HistoryEntry>, StorageError> {
        self.list("school_history", move |tx| {
            Box::pin(school_history::school_history(tx, filter, page))
        })
        .await
    }

    async fn delete_old_history(
        &self,
        before: Year,
        turned_until: Timestamp,
    ) -> Result<DeletedHistory, StorageError> {
        self.write("delete_old_history", move |tx| {
            Box::pin(school_history::delete_old_history(tx, before, turned_until))
        })
        .await
    }

    async fn erase_history(&self, erasure: Erasure) -> Result<Erasure, StorageError> {
        self.write("erase_history", move |tx| {
            Box::pin(school_history::erase_history(tx, erasure))
        })
        .await
    }

    async fn erasures(&self, page: PageRequest) -> Result<Paged<Erasure>, StorageError> {
        self.list("erasures", move |tx| {
            Box::pin(school_history::erasures(tx, page))
        })
        .await
    }
}
