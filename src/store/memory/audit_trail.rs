use std::collections::BTreeMap;

use async_trait::async_trait;

use super::MemoryStore;
use super::ends::Ends;
use super::lock::{reading, writing};
use crate::domain::{AuditEntry, AuditFilter, AuditId, AuditRecord, Line, Timestamp};
use crate::store::{AUDIT_RECORDS_SHOWN, AUDIT_RECORDS_SWEPT, AuditTrail, StorageError};

/// The records by number, also in the order of their moments.
#[derive(Default)]
pub(super) struct Audit {
    records: BTreeMap<AuditId, AuditRecord>,
    moments: Ends<Timestamp, AuditId>,
    last: i64,
}

#[async_trait]
impl AuditTrail for MemoryStore {
    async fn append_audit_records(&self, records: Vec<AuditRecord>) -> Result<(), StorageError> {
        let mut audit = writing(&self.audit);
        for record in records {
            audit.last += 1;
            let id = AuditId::new(audit.last).map_err(|_| StorageError::corrupt("the number of an audit record"))?;
            audit.moments.insert(record.at, id);
            audit.records.insert(id, record);
        }
        Ok(())
    }

    async fn audit_records_of(&self, request: &Line) -> Result<Vec<AuditEntry>, StorageError> {
        let audit = reading(&self.audit);
        let of_the_request = audit.records.iter().filter(|(_, record)| record.request == *request);
        Ok(of_the_request.take(AUDIT_RECORDS_SHOWN as usize).map(entry).collect())
    }

    async fn audit_records(&self, filter: &AuditFilter, before: Option<AuditId>, size: u32) -> Result<Vec<AuditEntry>, StorageError> {
        let audit = reading(&self.audit);
        let newest_first = audit.records.iter().rev().filter(|(id, _)| before.is_none_or(|before| **id < before));
        let wanted = newest_first.filter(|(_, record)| filter.matches(record));
        Ok(wanted.take(size.min(AUDIT_RECORDS_SHOWN) as usize).map(entry).collect())
    }

    async fn sweep_audit_records(&self, until: Timestamp) -> Result<usize, StorageError> {
        let mut audit = writing(&self.audit);
        let gone = audit.moments.take_up_to(AUDIT_RECORDS_SWEPT, until);
        for id in &gone {
            audit.records.remove(id);
        }
        Ok(gone.len())
    }
}

fn entry((id, record): (&AuditId, &AuditRecord)) -> AuditEntry {
    AuditEntry { id: *id, record: record.clone() }
}
