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
pub(crate) struct GcraLimiter<K>(ShardedMutex<HashMap<K, i64>>);

impl<K: Eq + Hash + Copy> GcraLimiter<K> {
    /// Takes one call for the key, if the quota allows it. A denied call changes nothing.
    pub(crate) fn take_one(&self, key: K, quota: Quota, now_micros: i64) -> RateLimitDecision {
        self.take_many(key, quota, NonZeroU32::MIN, now_micros)
    }

    /// Takes all of these calls, or none.
    fn take_many(
        &self,
        key: K,
        quota: Quota,
        calls: NonZeroU32,
        now_micros: i64,
    ) -> RateLimitDecision {
        let mut arrivals = self.0.lock(&key);
        let decision = quota.check_many(arrivals.get(&key).copied(), calls, now_micros);
        if let RateLimitDecision::Allowed { arrival_micros, .. } = decision {
            if arrivals.len() >= MAX_KEYS_PER_SHARD && !arrivals.contains_key(&key) {
                evict(&mut arrivals, now_micros);
            }
            arrivals.insert(key, arrival_micros);
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
        now_micros: i64,
    ) -> Result<RateLimitDecision, StorageError> {
        Ok(Self::take_many(self, *key, quota, calls, now_micros))
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
        match self
            .limiter
            .take_one(key, self.quota, at.seconds().saturating_mul(1_000_000))
        {
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
fn evict<K: Eq + Hash + Copy>(arrivals: &mut HashMap<K, i64>, now_micros: i64) {
    arrivals.retain(|_, arrival| *arrival > now_micros);
    if arrivals.len() < MAX_KEYS_PER_SHARD {
        return;
    }
    let mut sorted: Vec<(i64, K)> = arrivals
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
            calls in prop::collection::vec((0..3_u8, 0..2_000_000_i64, 0..3_usize), 1..200)
        ) {
            let quotas = [(100, 60, 100), (1, 5, 1), (7, 10, 3)].map(|(limit, window, burst)| {
                Quota::new(limit, Duration::from_secs(window), burst).unwrap()
            });
            let (limiter, mut model, mut now) = (GcraLimiter::default(), [None; 3], 0);
            for (key, step, quota) in calls {
                now += step;
                let expected = quotas[quota].check(model[usize::from(key)], now);
                if let RateLimitDecision::Allowed { arrival_micros, .. } = expected {
                    model[usize::from(key)] = Some(arrival_micros);
                }
                prop_assert_eq!(limiter.take_one(key, quotas[quota], now), expected);
            }
        }
    }
}
