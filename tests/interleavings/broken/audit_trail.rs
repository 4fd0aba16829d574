use lyceum::domain::*;
use lyceum::store::*;

use super::{BrokenStore, Fault, StorageResult};

delegate!(AuditStore for BrokenStore, except append_audit_records);

impl BrokenStore {
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
}
