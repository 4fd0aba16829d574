use async_trait::async_trait;
use lyceum::domain::*;
use lyceum::store::*;

use super::{BrokenStore, Fault, StorageResult};

#[async_trait]
impl AuditStore for BrokenStore {
    async fn append_audit_records(&self, records: Vec<AuditRecord>) -> StorageResult<()> {
        self.gate.before_step().await?;
        if !self.has(Fault::AppendsInTwoTransactions) {
            return self.store().append_audit_records(records).await;
        }
        for record in records {
            self.store().append_audit_records(vec![record]).await?;
            self.gate.before_step().await?;
        }
        Ok(())
    }

    async fn audit_records_of(&self, request: &ShortText) -> StorageResult<Vec<AuditEntry>> {
        self.gate.before_step().await?;
        self.store().audit_records_of(request).await
    }

    async fn audit_records(
        &self,
        filter: &AuditFilter,
        before: Option<AuditId>,
        size: u32,
    ) -> StorageResult<Vec<AuditEntry>> {
        self.gate.before_step().await?;
        self.store().audit_records(filter, before, size).await
    }

    async fn sweep_audit_records(&self, until: Timestamp) -> StorageResult<usize> {
        self.gate.before_step().await?;
        self.store().sweep_audit_records(until).await
    }
}
