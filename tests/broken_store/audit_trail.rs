use async_trait::async_trait;
use lyceum::domain::*;
use lyceum::store::*;

use super::{Answer, BrokenStore, Fault};

#[async_trait]
impl AuditTrail for BrokenStore {
    async fn append_audit_records(&self, records: Vec<AuditRecord>) -> Answer<()> {
        if !self.has(Fault::AppendsOneByOne) {
            return self.store.append_audit_records(records).await;
        }
        for record in records {
            self.store.append_audit_records(vec![record]).await?;
            // Everybody else's comes before the next.
            self.everybody.wait();
        }
        Ok(())
    }

    async fn audit_records_of(&self, request: &Line) -> Answer<Vec<AuditEntry>> {
        self.store.audit_records_of(request).await
    }

    async fn audit_records(&self, filter: &AuditFilter, before: Option<AuditId>, size: u32) -> Answer<Vec<AuditEntry>> {
        if self.has(Fault::PagesWithoutTheFilter) && before.is_some() {
            return self.store.audit_records(&AuditFilter::default(), before, size).await;
        }
        self.store.audit_records(filter, before, size).await
    }

    async fn sweep_audit_records(&self, until: Timestamp) -> Answer<usize> {
        let mut swept = self.store.sweep_audit_records(until).await?;
        while self.has(Fault::SweepsAuditAtOnce) && swept > 0 {
            match self.store.sweep_audit_records(until).await? {
                0 => break,
                more => swept += more,
            }
        }
        Ok(swept)
    }
}
