use std::collections::BTreeMap;

use async_trait::async_trait;

use super::MemoryStore;
use super::lock::{read_lock, write_lock};
use super::time_index::TimeIndex;
use crate::domain::{
    AuditCount, AuditEntry, AuditFilter, AuditId, AuditRecord, ShortText, Timestamp,
};
use crate::store::{AuditStore, MAX_LISTED_AUDIT_RECORDS, MAX_SWEPT_AUDIT_RECORDS, StorageError};

/// Audit records by id, with an index by time.
#[derive(Default)]
pub(super) struct AuditRecords {
    records: BTreeMap<AuditId, AuditRecord>,
    by_time: TimeIndex<Timestamp, AuditId>,
    last: i64,
}

#[async_trait]
impl AuditStore for MemoryStore {
    async fn append_audit_records(&self, records: Vec<AuditRecord>) -> Result<(), StorageError> {
        let mut audit = write_lock(&self.audit);
        for record in records {
            audit.last += 1;
            let id = AuditId::new(audit.last)
                .map_err(|_| StorageError::corrupt("the number of an audit record"))?;
            audit.by_time.insert(record.at, id);
            audit.records.insert(id, record);
        }
        Ok(())
    }

    async fn audit_records_of(&self, request: &ShortText) -> Result<Vec<AuditEntry>, StorageError> {
        let audit = read_lock(&self.audit);
        let of_the_request = audit
            .records
            .iter()
            .filter(|(_, record)| record.request_id == *request);
        Ok(of_the_request
            .take(MAX_LISTED_AUDIT_RECORDS as usize)
            .map(entry)
            .collect())
    }

    async fn audit_records(
        &self,
        filter: &AuditFilter,
        before: Option<AuditId>,
        size: u32,
    ) -> Result<Vec<AuditEntry>, StorageError> {
        let audit = read_lock(&self.audit);
        let newest_first = audit
            .records
            .iter()
            .rev()
            .filter(|(id, _)| before.is_none_or(|before| **id < before));
        let matching = newest_first.filter(|(_, record)| filter.matches(record));
        Ok(matching
            .take(size.min(MAX_LISTED_AUDIT_RECORDS) as usize)
            .map(entry)
            .collect())
    }

    async fn audit_records_after(
        &self,
        filter: &AuditFilter,
        after: AuditId,
        size: u32,
    ) -> Result<Vec<AuditEntry>, StorageError> {
        let audit = read_lock(&self.audit);
        let newer = audit.records.iter().filter(|(id, _)| **id > after);
        let matching = newer.filter(|(_, record)| filter.matches(record));
        Ok(matching
            .take(size.min(MAX_LISTED_AUDIT_RECORDS) as usize)
            .map(entry)
            .collect())
    }

    async fn audit_counts(
        &self,
        filter: &AuditFilter,
        offset: i32,
    ) -> Result<Vec<AuditCount>, StorageError> {
        let mut counts: BTreeMap<(i64, ShortText), u64> = BTreeMap::new();
        for record in read_lock(&self.audit).records.values() {
            if filter.matches(record) {
                let day = (record.at.seconds() + i64::from(offset)) / 86_400;
                *counts.entry((day, record.kind.clone())).or_default() += 1;
            }
        }
        let counts = counts.into_iter();
        Ok(counts
            .map(|((day, kind), count)| AuditCount { day, kind, count })
            .collect())
    }

    async fn sweep_audit_records(&self, until: Timestamp) -> Result<usize, StorageError> {
        let mut audit = write_lock(&self.audit);
        let expired = audit.by_time.pop_up_to(MAX_SWEPT_AUDIT_RECORDS, until);
        for id in &expired {
            audit.records.remove(id);
        }
        Ok(expired.len())
    }
}

fn entry((id, record): (&AuditId, &AuditRecord)) -> AuditEntry {
    AuditEntry {
        id: *id,
        record: record.clone(),
    }
}
