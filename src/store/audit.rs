use std::collections::BTreeMap;

use async_trait::async_trait;

use super::{StorageError, StoreClock};
use crate::domain::{
    AuditCount, AuditEntry, AuditFilter, AuditId, AuditRecord, ShortText, SubjectId, Timestamp,
};

/// Stores audit records for later inspection.
///
/// The audit log appends records in batches, outside the requests that they describe, so a record
/// is visible shortly after its event.
#[async_trait]
pub trait AuditStore: StoreClock {
    /// Appends records in their order, all or none. Their ids are greater than every id that a
    /// reader has seen, and no id is ever reused.
    async fn append_audit_records(&self, records: Vec<AuditRecord>) -> Result<(), StorageError>;

    /// Returns the records of a request, in the order of their ids; at most
    /// [`MAX_LISTED_AUDIT_RECORDS`].
    async fn audit_records_of(&self, request: &ShortText) -> Result<Vec<AuditEntry>, StorageError>;

    /// Returns the records that match the filter, newest first; at most `size` and at most
    /// [`MAX_LISTED_AUDIT_RECORDS`]. With `before`, only records with smaller ids. For the next
    /// page, pass the id of the last record.
    async fn audit_records(
        &self,
        filter: &AuditFilter,
        before: Option<AuditId>,
        size: u32,
    ) -> Result<Vec<AuditEntry>, StorageError>;

    /// Returns the records that match the filter and have greater ids than `after`, oldest first;
    /// at most `size` and at most [`MAX_LISTED_AUDIT_RECORDS`]. For the page before one that
    /// [`audit_records`](Self::audit_records) returned, pass the id of its first record.
    async fn audit_records_after(
        &self,
        filter: &AuditFilter,
        after: AuditId,
        size: u32,
    ) -> Result<Vec<AuditEntry>, StorageError>;

    /// Returns the newest record of this kind of each of these subjects, without those who have none.
    /// The default looks up one subject after the other; a database may do it in one statement.
    async fn newest_audit_records(
        &self,
        kind: &ShortText,
        subjects: &[SubjectId],
    ) -> Result<BTreeMap<SubjectId, AuditRecord>, StorageError> {
        let mut newest = BTreeMap::new();
        for subject in subjects {
            let filter = AuditFilter {
                kind: Some(kind.clone()),
                subject: Some(subject.clone()),
                ..AuditFilter::default()
            };
            let found = self.audit_records(&filter, None, 1).await?;
            newest.extend(found.into_iter().map(|it| (subject.clone(), it.record)));
        }
        Ok(newest)
    }

    /// Counts the records that match the filter, by day and kind, in this order. A day has 86,400
    /// seconds and begins `offset` seconds before its midnight in UTC, -86,400 to 86,400. Days and
    /// kinds without records are missing.
    async fn audit_counts(
        &self,
        filter: &AuditFilter,
        offset: i32,
    ) -> Result<Vec<AuditCount>, StorageError>;

    /// Deletes records of events at `until` or before, oldest first; at most
    /// [`MAX_SWEPT_AUDIT_RECORDS`]. Returns the number deleted. The audit log calls it after each
    /// append with the retention that the host chose, so that old records are deleted faster than
    /// new ones come.
    async fn sweep_audit_records(&self, until: Timestamp) -> Result<usize, StorageError>;
}

/// Maximum number of audit records that a call returns.
pub const MAX_LISTED_AUDIT_RECORDS: u32 = 200;

/// Maximum number of audit records that a call deletes.
pub const MAX_SWEPT_AUDIT_RECORDS: usize = 256;
