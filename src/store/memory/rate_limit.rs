use std::collections::HashMap;
use std::num::NonZeroU32;

use async_trait::async_trait;

use super::MemoryStore;
use super::lock::write_lock;
use super::time_index::TimeIndex;
use crate::domain::{Quota, RateLimitDecision, RateLimitKey};
use crate::store::retention::CLOCK_SKEW;
use crate::store::{RateLimiter, StorageError};

/// The arrival times that the last allowed calls left, with an index by time.
#[derive(Default)]
pub(super) struct RateLimits {
    arrivals: HashMap<RateLimitKey, i64>,
    by_end: TimeIndex<i64, RateLimitKey>,
}

#[async_trait]
impl RateLimiter for MemoryStore {
    async fn take_many(
        &self,
        key: &RateLimitKey,
        quota: Quota,
        calls: NonZeroU32,
        now_micros: i64,
    ) -> Result<RateLimitDecision, StorageError> {
        let mut rates = write_lock(&self.rate_limits);
        let before = rates.arrivals.get(key).copied();
        let decision = quota.check_many(before, calls, now_micros);
        if let RateLimitDecision::Allowed { arrival_micros, .. } = decision {
            match before {
                Some(before) => rates.by_end.remove(before, *key),
                None => rates.sweep(now_micros),
            }
            rates.by_end.insert(arrival_micros, *key);
            rates.arrivals.insert(*key, arrival_micros);
        }
        Ok(decision)
    }
}

impl RateLimits {
    /// Deletes some states of rested limits.
    fn sweep(&mut self, now_micros: i64) {
        // A minute in microseconds fits.
        for key in self
            .by_end
            .pop_until(now_micros.saturating_sub(CLOCK_SKEW.as_micros() as i64))
        {
            self.arrivals.remove(&key);
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        assert_eq!(self.arrivals.len(), self.by_end.len());
        self.arrivals.len()
    }
}
