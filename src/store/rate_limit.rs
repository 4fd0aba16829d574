use std::fmt::Debug;
use std::num::NonZeroU32;

use async_trait::async_trait;

use super::StorageError;
use crate::domain::{Quota, RateLimitDecision, RateLimitKey, Timestamp};

/// Counts calls against limits that all nodes share.
#[async_trait]
pub trait RateLimiter: Debug + Send + Sync + 'static {
    /// Takes `calls` calls for the key at `at`, if the quota allows all of them. `at` has
    /// microseconds. The decision is that of [`Quota::check_many`] for the stored arrival time.
    ///
    /// * Concurrent calls are decided as if they came one after the other.
    /// * A denied call takes nothing and changes nothing.
    /// * The quota is passed with each call, so a new quota applies at once. Calls taken under
    ///   another quota still count.
    /// * The stored arrival time never moves back. A call from a node whose clock is behind is
    ///   decided at that node's time, so it may be denied where another node would allow it.
    ///
    /// A call for a key without stored state also deletes a few expired states: see
    /// [`retention`](super::retention).
    async fn take_many(
        &self,
        key: &RateLimitKey,
        quota: Quota,
        calls: NonZeroU32,
        at: Timestamp,
    ) -> Result<RateLimitDecision, StorageError>;

    /// Takes one call, as [`take_many`](Self::take_many) does.
    async fn take(
        &self,
        key: &RateLimitKey,
        quota: Quota,
        at: Timestamp,
    ) -> Result<RateLimitDecision, StorageError> {
        self.take_many(key, quota, NonZeroU32::MIN, at).await
    }
}
