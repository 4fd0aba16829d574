use std::fmt::Debug;

use async_trait::async_trait;

use super::StorageError;
use crate::domain::Timestamp;

/// The clock of a backend.
#[async_trait]
pub trait StoreClock: Debug + Send + Sync + 'static {
    /// What time it is by the backend's own clock, if it has one that all nodes share. A node whose clock is more than a minute off removes
    /// nothing by it. `None` by default: there is nothing to compare with.
    async fn now(&self) -> Result<Option<Timestamp>, StorageError> {
        Ok(None)
    }
}
