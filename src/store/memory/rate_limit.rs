use std::collections::HashMap;
use std::num::NonZeroU32;

use async_trait::async_trait;

use super::MemoryStore;
use super::lock::write_lock;
use super::time_index::TimeIndex;
use crate::domain::{Quota, RateLimitDecision, RateLimitKey, Timestamp};
use crate::store::retention::CLOCK_SKEW;
use crate::store::{RateLimiter, StorageError};

/// The arrival times that the last allowed calls left, with an index by time.
#[derive(Default)]
pub(super) struct RateLimits {
    arrivals: HashMap<RateLimitKey, Timestamp>,
    by_end: TimeIndex<Timestamp, RateLimitKey>,
}

#[async_trait]
impl RateLimiter for MemoryStore {
    async fn take_many(
        &self,
        key: &RateLimitKey,
        quota: Quota,
        calls: NonZeroU32,
        at: Timestamp,
    ) -> Result<RateLimitDecision, StorageError> {
        let mut rates = write_lock(&self.rate_limits);
        let before = rates.arrivals.get(key).copied();
        let decision = quota.check_many(before, calls, at);
        if let RateLimitDecision::Allowed { arrival, .. } = decision {
            match before {
                Some(before) => rates.by_end.remove(before, *key),
                None => rates.sweep(at),
            }
            rates.by_end.insert(arrival, *key);
            rates.arrivals.insert(*key, arrival);
        }
        Ok(decision)
    }
}

impl RateLimits {
    /// Deletes some states of rested limits.
    fn sweep(&mut self, at: Timestamp) {
        for key in self.by_end.pop_until(at.minus(CLOCK_SKEW)) {
            self.arrivals.remove(&key);
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        assert_eq!(self.arrivals.len(), self.by_end.len());
        self.arrivals.len()
    }
}
