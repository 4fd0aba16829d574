use std::num::NonZeroU32;

use async_trait::async_trait;

use super::SqlStore;
use crate::domain::{Quota, RateLimitDecision, RateLimitKey, Timestamp};
use crate::store::sql::rate_limits;
use crate::store::{RateLimiter, StorageError};

#[async_trait]
impl RateLimiter for SqlStore {
    async fn take_many(
        &self,
        key: &RateLimitKey,
        quota: Quota,
        calls: NonZeroU32,
        at: Timestamp,
    ) -> Result<RateLimitDecision, StorageError> {
        let key = *key;
        self.write("take_many", move |tx| {
            Box::pin(rate_limits::take(tx, key, (quota, calls), at))
        })
        .await
    }
}
