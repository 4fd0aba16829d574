use std::fmt::Debug;
use std::num::NonZeroU32;

use async_trait::async_trait;

use super::StorageError;
use crate::domain::{Quota, RateKey, RateVerdict};

/// Counts calls against limits that all nodes share.
#[async_trait]
pub trait RateLimiter: Debug + Send + Sync + 'static {
    /// Takes so many calls for the key together at `now_micros` (microseconds since the epoch), if the quota allows all of them. The verdict is
    /// that of [`Quota::check_many`] on what the last allowed calls left.
    ///
    /// * Of any number of concurrent takes exactly as many are allowed as if they had come one after the other.
    /// * A denied take costs nothing and changes nothing.
    /// * The quota comes with each call, so that a new one holds at once; what was taken under another still counts.
    /// * On a node whose clock is behind, time stands still until it has caught up with what the others left.
    ///
    /// A take for a key of which nothing is kept takes some keys away that have rested: see [`sweep`](super::sweep).
    async fn take_many(&self, key: &RateKey, quota: Quota, calls: NonZeroU32, now_micros: i64) -> Result<RateVerdict, StorageError>;

    /// Takes one call, as [`take_many`](Self::take_many) does.
    async fn take(&self, key: &RateKey, quota: Quota, now_micros: i64) -> Result<RateVerdict, StorageError> {
        self.take_many(key, quota, NonZeroU32::MIN, now_micros).await
    }
}
