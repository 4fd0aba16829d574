use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::num::NonZeroU32;
use std::time::Duration;

use async_trait::async_trait;

use super::sharded_mutex::ShardedMutex;
use crate::domain::{Quota, RateLimitDecision, RateLimitKey, Timestamp};
use crate::store::{RateLimiter, StorageError};

/// Maximum number of keys in memory.
pub(crate) const MAX_KEYS: usize = 10_000;

/// Maximum number of keys per lock.
const MAX_KEYS_PER_SHARD: usize = MAX_KEYS / ShardedMutex::<()>::COUNT;

/// In-memory rate limiter of bounded size: the theoretical arrival time of each key.
pub(crate) struct GcraLimiter<K>(ShardedMutex<HashMap<K, Timestamp>>);

impl<K: Eq + Hash + Copy> GcraLimiter<K> {
    /// Takes one call for the key, if the quota allows it. A denied call changes nothing.
    pub(crate) fn take_one(&self, key: K, quota: Quota, at: Timestamp) -> RateLimitDecision {
        self.take_many(key, quota, NonZeroU32::MIN, at)
    }

    /// Takes all of these calls, or none.
    fn take_many(
        &self,
        key: K,
        quota: Quota,
        calls: NonZeroU32,
        at: Timestamp,
    ) -> RateLimitDecision {
        let mut arrivals = self.0.lock(&key);
        let decision = quota.check_many(arrivals.get(&key).copied(), calls, at);
        if let RateLimitDecision::Allowed { arrival, .. } = decision {
            if arrivals.len() >= MAX_KEYS_PER_SHARD && !arrivals.contains_key(&key) {
                evict(&mut arrivals, at);
            }
            arrivals.insert(key, arrival);
        }
        decision
    }

    fn refund(&self, key: &K, quota: Quota) {
        if let Some(arrival) = self.0.lock(key).get_mut(key) {
            *arrival = quota.refund(*arrival);
        }
    }
}

impl<K> Default for GcraLimiter<K> {
    fn default() -> Self {
        Self(ShardedMutex::default())
    }
}

impl<K> fmt::Debug for GcraLimiter<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GcraLimiter")
    }
}

#[async_trait]
impl RateLimiter for GcraLimiter<RateLimitKey> {
    async fn take_many(
        &self,
        key: &RateLimitKey,
        quota: Quota,
        calls: NonZeroU32,
        at: Timestamp,
    ) -> Result<RateLimitDecision, StorageError> {
        Ok(Self::take_many(self, *key, quota, calls, at))
    }
}

/// Limiter with one quota for all keys, such as for failed attempts.
#[derive(Debug)]
pub(crate) struct QuotaLimiter<K> {
    quota: Quota,
    limiter: GcraLimiter<K>,
}

impl<K: Eq + Hash + Copy> QuotaLimiter<K> {
    pub(crate) fn new(quota: Quota) -> Self {
        Self {
            quota,
            limiter: GcraLimiter::default(),
        }
    }

    /// Takes one call, or returns the time to wait.
    pub(crate) fn acquire(&self, key: K, at: Timestamp) -> Result<(), Duration> {
        match self.limiter.take_one(key, self.quota, at) {
            RateLimitDecision::Allowed { .. } => Ok(()),
            RateLimitDecision::Denied { retry_after } => Err(retry_after),
        }
    }

    /// Returns a call, for an attempt that did not fail.
    pub(crate) fn refund(&self, key: &K) {
        self.limiter.refund(key, self.quota);
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.limiter
            .0
            .lock_each()
            .map(|arrivals| arrivals.len())
            .sum()
    }
}

/// Makes room: removes the keys whose whole quota is available again, or else the half with the
/// fewest calls. A blocked key thus stays blocked, however many other keys are tried.
fn evict<K: Eq + Hash + Copy>(arrivals: &mut HashMap<K, Timestamp>, at: Timestamp) {
    arrivals.retain(|_, arrival| *arrival > at);
    if arrivals.len() < MAX_KEYS_PER_SHARD {
        return;
    }
    let mut sorted: Vec<(Timestamp, K)> = arrivals
        .iter()
        .map(|(key, arrival)| (*arrival, *key))
        .collect();
    sorted.sort_unstable_by_key(|(arrival, _)| *arrival);
    for (_, key) in &sorted[..sorted.len() / 2] {
        arrivals.remove(key);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        // Proves: spec 2.13
        #[test]
        fn every_verdict_in_memory_is_that_of_the_quota(
            calls in prop::collection::vec((0..3_u8, 0..2_000_000_u64, 0..3_usize), 1..200)
        ) {
            let quotas = [(100, 60, 100), (1, 5, 1), (7, 10, 3)].map(|(limit, window, burst)| {
                Quota::new(limit, Duration::from_secs(window), burst).unwrap()
            });
            let (limiter, mut model, mut now) = (GcraLimiter::default(), [None; 3], Timestamp::from_seconds(0));
            for (key, step, quota) in calls {
                now = now.plus(Duration::from_micros(step));
                let expected = quotas[quota].check(model[usize::from(key)], now);
                if let RateLimitDecision::Allowed { arrival, .. } = expected {
                    model[usize::from(key)] = Some(arrival);
                }
                prop_assert_eq!(limiter.take_one(key, quotas[quota], now), expected);
            }
        }
    }
}
