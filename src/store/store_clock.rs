use std::fmt::Debug;

use async_trait::async_trait;

use super::StorageError;
use crate::domain::Timestamp;

/// The clock of a backend.
#[async_trait]
pub trait StoreClock: Debug + Send + Sync + 'static {
    /// Returns the time of the backend's own clock, if it has one that all nodes share. A node
    /// whose clock differs by more than a minute deletes nothing by its own clock. `None`, the
    /// default, means that there is no clock to compare with.
    async fn now(&self) -> Result<Option<Timestamp>, StorageError> {
        Ok(None)
    }
}
