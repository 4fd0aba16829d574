use async_trait::async_trait;

use super::SqlStore;
use crate::domain::{DataKind, ShortText, SyncRunRecord, Timestamp};
use crate::store::sql::sync_runs;
use crate::store::{Lease, LeaseAcquisition, StorageError, SyncStore};

#[async_trait]
impl SyncStore for SqlStore {
    async fn append_sync_run(&self, run: SyncRunRecord) -> Result<(), StorageError> {
        self.write("append_sync_run", move |tx| {
            Box::pin(sync_runs::append_sync_run(tx, run))
        })
        .await
    }

    async fn sync_runs(&self, size: u32) -> Result<Vec<SyncRunRecord>, StorageError> {
        self.list("sync_runs", move |tx| {
            Box::pin(sync_runs::sync_runs(tx, size))
        })
        .await
    }

    async fn first_sync_runs(&self) -> Result<Vec<(DataKind, Timestamp)>, StorageError> {
        self.read_in_one_statement("first_sync_runs", move |tx| {
            Box::pin(sync_runs::first_sync_runs(tx))
        })
        .await
    }

    async fn confirm_data(
        &self,
        kind: DataKind,
        as_of: Timestamp,
        at: Timestamp,
    ) -> Result<(), StorageError> {
        self.write("confirm_data", move |tx| {
            Box::pin(sync_runs::confirm_data(tx, kind, as_of, at))
        })
        .await
    }

    async fn data_as_of(&self) -> Result<Vec<(DataKind, Timestamp)>, StorageError> {
        self.read_in_one_statement("data_as_of", move |tx| Box::pin(sync_runs::data_as_of(tx)))
            .await
    }

    async fn acquire_lease(
        &self,
        name: &ShortText,
        lease: Lease,
        at: Timestamp,
    ) -> Result<LeaseAcquisition, StorageError> {
        let name = name.clone();
        self.write("acquire_lease", move |tx| {
            Box::pin(sync_runs::acquire_lease(tx, name, lease, at))
        })
        .await
    }

    async fn lease(&self, name: &ShortText, at: Timestamp) -> Result<Option<Lease>, StorageError> {
        let name = name.clone();
        self.read_in_one_statement("lease", move |tx| Box::pin(sync_runs::lease(tx, name, at)))
            .await
    }

    async fn release_lease(
        &self,
        name: &ShortText,
        holder: &ShortText,
    ) -> Result<bool, StorageError> {
        let (name, holder) = (name.clone(), holder.clone());
        self.write("release_lease", move |tx| {
            Box::pin(sync_runs::release_lease(tx, name, holder))
        })
        .await
    }
}
