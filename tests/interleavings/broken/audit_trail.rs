use async_trait::async_trait;
use lyceum::domain::*;
use lyceum::store::*;

use super::{Answer, BrokenStore, Fault};

#[async_trait]
impl AuditTrail for BrokenStore {
    async fn append_audit_records(&self, records: Vec<AuditRecord>) -> Answer<()> {
        self.turn.pass().await?;
        if !self.has(Fault::AppendsInTwoTransactions) {
            return self.store().append_audit_records(records).await;
        }
        for record in records {
            self.store().append_audit_records(vec![record]).await?;
            self.turn.pass().await?;
        }
        Ok(())
    }

    async fn audit_records_of(&self, request: &Line) -> Answer<Vec<AuditEntry>> {
        self.turn.pass().await?;
        self.store().audit_records_of(request).await
    }

    async fn audit_records(&self, filter: &AuditFilter, before: Option<AuditId>, size: u32) -> Answer<Vec<AuditEntry>> {
        self.turn.pass().await?;
        self.store().audit_records(filter, before, size).await
    }

    async fn sweep_audit_records(&self, until: Timestamp) -> Answer<usize> {
        self.turn.pass().await?;
        self.store().sweep_audit_records(until).await
    }
}
