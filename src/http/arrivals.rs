use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::num::NonZeroU32;
use std::time::Duration;

use async_trait::async_trait;

use super::shards::Shards;
use crate::domain::{Quota, RateKey, RateVerdict, Timestamp};
use crate::store::{RateLimiter, StorageError};

/// How many keys are remembered at once.
pub(crate) const REMEMBERED: usize = 10_000;

/// How many of them one lock guards.
const OF_A_SHARD: usize = REMEMBERED / Shards::<()>::COUNT;

/// What a node counts for itself, in bounded memory: the arrival times that the last allowed calls left.
pub(crate) struct Arrivals<K>(Shards<HashMap<K, i64>>);

impl<K: Eq + Hash + Copy> Arrivals<K> {
    /// Takes one call for the key, if the quota allows it. A denied call changes nothing.
    pub(crate) fn take_one(&self, key: K, quota: Quota, now_micros: i64) -> RateVerdict {
        self.take_many(key, quota, NonZeroU32::MIN, now_micros)
    }

    /// Takes so many calls together, or none.
    fn take_many(&self, key: K, quota: Quota, calls: NonZeroU32, now_micros: i64) -> RateVerdict {
        let mut arrivals = self.0.of(&key);
        let verdict = quota.check_many(arrivals.get(&key).copied(), calls, now_micros);
        if let RateVerdict::Allowed { arrival_micros, .. } = verdict {
            if arrivals.len() >= OF_A_SHARD && !arrivals.contains_key(&key) {
                forget_some(&mut arrivals, now_micros);
            }
            arrivals.insert(key, arrival_micros);
        }
        verdict
    }

    fn give_back(&self, key: &K, quota: Quota) {
        if let Some(arrival) = self.0.of(key).get_mut(key) {
            *arrival = quota.before(*arrival);
        }
    }
}

impl<K> Default for Arrivals<K> {
    fn default() -> Self {
        Self(Shards::default())
    }
}

impl<K> fmt::Debug for Arrivals<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Arrivals")
    }
}

#[async_trait]
impl RateLimiter for Arrivals<RateKey> {
    async fn take_many(&self, key: &RateKey, quota: Quota, calls: NonZeroU32, now_micros: i64) -> Result<RateVerdict, StorageError> {
        Ok(Self::take_many(self, *key, quota, calls, now_micros))
    }
}

/// What has failed, or was asked for, under one quota.
#[derive(Debug)]
pub(crate) struct Failures<K> {
    quota: Quota,
    arrivals: Arrivals<K>,
}

impl<K: Eq + Hash + Copy> Failures<K> {
    pub(crate) fn new(quota: Quota) -> Self {
        Self { quota, arrivals: Arrivals::default() }
    }

    /// Pays for one, or says how long to wait.
    pub(crate) fn pay(&self, key: K, at: Timestamp) -> Result<(), Duration> {
        match self.arrivals.take_one(key, self.quota, at.seconds().saturating_mul(1_000_000)) {
            RateVerdict::Allowed { .. } => Ok(()),
            RateVerdict::Denied { retry_after } => Err(retry_after),
        }
    }

    /// Pays back what turned out not to have failed.
    pub(crate) fn pay_back(&self, key: &K) {
        self.arrivals.give_back(key, self.quota);
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.arrivals.0.all().map(|arrivals| arrivals.len()).sum()
    }
}

/// Makes room: first those that have rested, or else the half with the fewest calls. Someone who is blocked thus stays blocked, however
/// many other names are tried to flush the memory.
fn forget_some<K: Eq + Hash + Copy>(arrivals: &mut HashMap<K, i64>, now_micros: i64) {
    arrivals.retain(|_, arrival| *arrival > now_micros);
    if arrivals.len() < OF_A_SHARD {
        return;
    }
    let mut sorted: Vec<(i64, K)> = arrivals.iter().map(|(key, arrival)| (*arrival, *key)).collect();
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
        #[test]
        fn decision_2_13_every_verdict_in_memory_is_that_of_the_quota(
            calls in prop::collection::vec((0..3_u8, 0..2_000_000_i64, 0..3_usize), 1..200)
        ) {
            let quotas = [(100, 60, 100), (1, 5, 1), (7, 10, 3)].map(|(limit, window, burst)| {
                Quota::new(limit, Duration::from_secs(window), burst).unwrap()
            });
            let (arrivals, mut model, mut now) = (Arrivals::default(), [None; 3], 0);
            for (key, step, quota) in calls {
                now += step;
                let expected = quotas[quota].check(model[usize::from(key)], now);
                if let RateVerdict::Allowed { arrival_micros, .. } = expected {
                    model[usize::from(key)] = Some(arrival_micros);
                }
                prop_assert_eq!(arrivals.take_one(key, quotas[quota], now), expected);
            }
        }
    }
}
