use async_trait::async_trait;

use crate::domain::{SubjectId, SyncStatus, Timestamp};
use crate::store::StorageError;

/// A sync that administrators see and start in the console: the `SyncSchedule` of the feature
/// `neis`, or the host's own.
#[async_trait]
pub trait SyncControl: Send + Sync {
    /// Asks for a run in the background. Returns false if one is under way or asked for already.
    fn request_run(&self, by: SubjectId) -> bool;

    /// Returns the state, with so many of the last runs at most.
    ///
    /// # Errors
    /// When the store does not respond.
    async fn status(&self, runs: u32) -> Result<SyncStatus, StorageError>;

    /// The last time at which the records were current, if the sync has failed since for so long
    /// that administrators are told on every page. It must not wait.
    fn failing_since(&self) -> Option<Timestamp>;
}

#[cfg(feature = "neis")]
#[async_trait]
impl SyncControl for crate::neis::SyncSchedule {
    fn request_run(&self, by: SubjectId) -> bool {
        Self::request_run(self, by)
    }

    async fn status(&self, runs: u32) -> Result<SyncStatus, StorageError> {
        Self::status(self, runs).await
    }

    fn failing_since(&self) -> Option<Timestamp> {
        Self::failing_since(self)
    }
}
