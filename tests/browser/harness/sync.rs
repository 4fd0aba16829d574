//! A sync that has run once.

use async_trait::async_trait;
use lyceum::domain::{
    DataKind, DateRange, ShortText, SubjectId, SyncResult, SyncRunRecord, SyncStatus, Timestamp,
};
use lyceum::http::SyncControl;
use lyceum::store::StorageError;

use super::today;

/// Never runs again.
pub(super) struct OneRun(SyncRunRecord);

impl OneRun {
    pub(super) fn ended_at(now: Timestamp) -> Self {
        Self(SyncRunRecord {
            kind: DataKind::Meals,
            window: DateRange::single_day(today(now)),
            result: SyncResult::Synced,
            detail: ShortText::from_static("11 inserted"),
            code: None,
            calls: 4,
            inserted: 11,
            updated: 0,
            deleted: 0,
            skipped: 0,
            versions: [1, 2],
            by: SubjectId::service(),
            started_at: now,
            ended_at: now,
        })
    }
}

#[async_trait]
impl SyncControl for OneRun {
    fn request_run(&self, _: SubjectId) -> bool {
        false
    }

    async fn status(&self, _: u32) -> Result<SyncStatus, StorageError> {
        Ok(SyncStatus {
            is_running: false,
            runs: vec![self.0.clone()],
            data_as_of: vec![(self.0.kind, self.0.ended_at)],
        })
    }

    fn failing_since(&self) -> Option<Timestamp> {
        None
    }
}
