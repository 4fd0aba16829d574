use lyceum::domain::*;
use lyceum::store::*;

use super::{BrokenStore, Fault, StorageResult};

delegate!(
    AuditStore for BrokenStore, except
    append_audit_records, audit_records, sweep_audit_records
);

impl BrokenStore {
    async fn append_audit_records(&self, records: Vec<AuditRecord>) -> StorageResult<()> {
        if !self.has(Fault::AppendsOneByOne) {
            return self.store.append_audit_records(records).await;
        }
        for record in records {
            self.store.append_audit_records(vec![record]).await?;
            // The records of all other callers come before the next one.
            self.everybody.wait();
        }
        Ok(())
    }

    async fn audit_records(
        &self,
        filter: &AuditFilter,
        before: Option<AuditId>,
        size: u32,
    ) -> StorageResult<Vec<AuditEntry>> {
        if self.has(Fault::PagesWithoutTheFilter) && before.is_some() {
            return self
                .store
                .audit_records(&AuditFilter::default(), before, size)
                .await;
        }
        self.store.audit_records(filter, before, size).await
    }

    async fn sweep_audit_records(&self, until: Timestamp) -> StorageResult<usize> {
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
