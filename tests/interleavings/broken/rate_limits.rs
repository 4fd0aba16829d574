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
        self.gate.before_step().await?;
        if !self.has(Fault::ReadsThenWritesRates) {
            return self.store().take_many(key, quota, calls, at).await;
        }
        let seen = self.shared.arrivals.lock().unwrap().get(key).copied();
        self.gate.before_step().await?;
        let verdict = quota.check_many(seen, calls, at);
        if let RateLimitDecision::Allowed { arrival, .. } = verdict {
            self.shared.arrivals.lock().unwrap().insert(*key, arrival);
        }
        Ok(verdict)
    }
}
