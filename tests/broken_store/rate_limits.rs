use std::num::NonZeroU32;

use async_trait::async_trait;
use lyceum::domain::*;
use lyceum::store::*;

use super::{BrokenStore, Fault, StorageResult};

#[async_trait]
impl RateLimiter for BrokenStore {
    async fn take_many(
        &self,
        key: &RateLimitKey,
        quota: Quota,
        calls: NonZeroU32,
        at: Timestamp,
    ) -> StorageResult<RateLimitDecision> {
        let taking = self.store.take_many(key, quota, calls, at);
        if self.has(Fault::CountsByReadThenWrite) {
            return self
                .act_after_check(taking, |verdict| {
                    matches!(verdict, RateLimitDecision::Allowed { .. })
                })
                .await;
        }
        taking.await
    }
}
