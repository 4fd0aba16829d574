use async_trait::async_trait;

use super::{StorageError, StoreClock};
use crate::domain::{AuditEntry, AuditFilter, AuditId, AuditRecord, Line, Timestamp};

/// Keeps what happened, for people to look it up.
///
/// Whoever writes it down does so in batches beside the requests that it happened in, so a record comes a little after what it tells of.
#[async_trait]
pub trait AuditTrail: StoreClock {
    /// Keeps records in their order, all or none. Their numbers are higher than those of all that anybody has been shown before, and no number
    /// is ever used twice.
    async fn append_audit_records(&self, records: Vec<AuditRecord>) -> Result<(), StorageError>;

    /// What happened in a request, in the order in which it was kept, and of this no more than [`AUDIT_RECORDS_SHOWN`].
    async fn audit_records_of(&self, request: &Line) -> Result<Vec<AuditEntry>, StorageError>;

    /// The records that are wanted, the newest first, and of these no more than `size` or [`AUDIT_RECORDS_SHOWN`]. The next page is of those
    /// before the last one of this.
    async fn audit_records(&self, filter: &AuditFilter, before: Option<AuditId>, size: u32) -> Result<Vec<AuditEntry>, StorageError>;

    /// Takes away what happened at `until` or before, the oldest first, no more than [`AUDIT_RECORDS_SWEPT`] at once, and says how many.
    /// Whoever appends calls it afterwards with what the host keeps, so that more can go than come.
    async fn sweep_audit_records(&self, until: Timestamp) -> Result<usize, StorageError>;
}

/// How many records are shown at once.
pub const AUDIT_RECORDS_SHOWN: u32 = 200;

/// How many records go at once.
pub const AUDIT_RECORDS_SWEPT: usize = 256;
