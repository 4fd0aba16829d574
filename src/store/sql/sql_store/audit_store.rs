use std::collections::BTreeMap;

use async_trait::async_trait;

use super::SqlStore;
use crate::domain::{
    AuditCount, AuditEntry, AuditFilter, AuditId, AuditRecord, ShortText, SubjectId, Timestamp,
};
use crate::store::sql::audit_records;
use crate::store::{AuditStore, StorageError};

#[async_trait]
impl AuditStore for SqlStore {
    async fn append_audit_records(&self, records: Vec<AuditRecord>) -> Result<(), StorageError> {
        self.write("append_audit_records", move |tx| {
            Box::pin(audit_records::append_audit_records(tx, records))
        })
        .await
    }

    async fn audit_records_of(&self, request: &ShortText) -> Result<Vec<AuditEntry>, StorageError> {
        let request = request.clone();
        self.list("audit_records_of", move |tx| {
            Box::pin(audit_records::audit_records_of(tx, request))
        })
        .await
    }

    async fn audit_records(
        &self,
        filter: &AuditFilter,
        before: Option<AuditId>,
        size: u32,
    ) -> Result<Vec<AuditEntry>, StorageError> {
        let filter = filter.clone();
        self.list("audit_records", move |tx| {
            Box::pin(audit_records::audit_records(tx, filter, before, size))
        })
        .await
    }

    async fn audit_records_after(
        &self,
        filter: &AuditFilter,
        after: AuditId,
        size: u32,
    ) -> Result<Vec<AuditEntry>, StorageError> {
        let filter = filter.clone();
        self.list("audit_records_after", move |tx| {
            Box::pin(audit_records::audit_records_after(tx, filter, after, size))
        })
        .await
    }

    async fn newest_audit_records(
        &self,
        kind: &ShortText,
        subjects: &[SubjectId],
    ) -> Result<BTreeMap<SubjectId, AuditRecord>, StorageError> {
        let (kind, subjects) = (kind.clone(), subjects.to_vec());
        self.list("newest_audit_records", move |tx| {
            Box::pin(audit_records::newest_audit_records(tx, kind, subjects))
        })
        .await
    }

    async fn audit_counts(
        &self,
        filter: &AuditFilter,
        offset: i32,
    ) -> Result<Vec<AuditCount>, StorageError> {
        let filter = filter.clone();
        self.list("audit_counts", move |tx| {
            Box::pin(audit_records::audit_counts(tx, filter, offset))
        })
        .await
    }

    async fn sweep_audit_records(&self, until: Timestamp) -> Result<usize, StorageError> {
        self.write("sweep_audit_records", move |tx| {
            Box::pin(audit_records::sweep_audit_records(tx, until))
        })
        .await
    }
}
