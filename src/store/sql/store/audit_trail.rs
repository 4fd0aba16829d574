use async_trait::async_trait;

use super::SqlStore;
use crate::domain::{AuditEntry, AuditFilter, AuditId, AuditRecord, Line, Timestamp};
use crate::store::sql::audit_trail;
use crate::store::{AuditTrail, StorageError};

#[async_trait]
impl AuditTrail for SqlStore {
    async fn append_audit_records(&self, records: Vec<AuditRecord>) -> Result<(), StorageError> {
        self.change("append_audit_records", move |tx| Box::pin(audit_trail::append_audit_records(tx, records))).await
    }

    async fn audit_records_of(&self, request: &Line) -> Result<Vec<AuditEntry>, StorageError> {
        let request = request.clone();
        self.list("audit_records_of", move |tx| Box::pin(audit_trail::audit_records_of(tx, request))).await
    }

    async fn audit_records(&self, filter: &AuditFilter, before: Option<AuditId>, size: u32) -> Result<Vec<AuditEntry>, StorageError> {
        let filter = filter.clone();
        self.list("audit_records", move |tx| Box::pin(audit_trail::audit_records(tx, filter, before, size))).await
    }

    async fn sweep_audit_records(&self, until: Timestamp) -> Result<usize, StorageError> {
        self.change("sweep_audit_records", move |tx| Box::pin(audit_trail::sweep_audit_records(tx, until))).await
    }
}
