use std::fmt::Debug;

use async_trait::async_trait;

use super::StorageError;
use crate::domain::{Quota, RateKey, RateVerdict};

/// Counts calls against limits that all nodes share.
#[async_trait]
pub trait RateLimiter: Debug + Send + Sync + 'static {
    /// Takes one call for the key at `now_micros` (microseconds since the epoch), if the quota allows it. The verdict is that of
    /// [`Quota::check`] on what the last allowed call left.
    ///
    /// * Of any number of concurrent calls exactly as many are allowed as if they had come one after the other.
    /// * A denied call costs nothing and changes nothing.
    /// * The quota comes with each call, so that a new one holds at once; what was taken under another still counts.
    /// * On a node whose clock is behind, time stands still until it has caught up with what the others left.
    ///
    /// A call for a key of which nothing is kept takes some keys away that have rested: see [`sweep`](super::sweep).
    async fn take(&self, key: &RateKey, quota: Quota, now_micros: i64) -> Result<RateVerdict, StorageError>;
}
