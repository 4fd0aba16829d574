use std::collections::HashMap;
use std::num::NonZeroU32;

use async_trait::async_trait;

use super::MemoryStore;
use super::ends::Ends;
use super::lock::writing;
use crate::domain::{Quota, RateKey, RateVerdict};
use crate::store::sweep::CLOCKS_APART;
use crate::store::{RateLimiter, StorageError};

/// The arrival times that the last allowed calls left, also in their own order.
#[derive(Default)]
pub(super) struct Rates {
    arrivals: HashMap<RateKey, i64>,
    ends: Ends<i64, RateKey>,
}

#[async_trait]
impl RateLimiter for MemoryStore {
    async fn take_many(&self, key: &RateKey, quota: Quota, calls: NonZeroU32, now_micros: i64) -> Result<RateVerdict, StorageError> {
        let mut rates = writing(&self.rates);
        let before = rates.arrivals.get(key).copied();
        let verdict = quota.check_many(before, calls, now_micros);
        if let RateVerdict::Allowed { arrival_micros, .. } = verdict {
            match before {
                Some(before) => rates.ends.remove(before, *key),
                None => rates.sweep(now_micros),
            }
            rates.ends.insert(arrival_micros, *key);
            rates.arrivals.insert(*key, arrival_micros);
        }
        Ok(verdict)
    }
}

impl Rates {
    /// Takes some of those away that have rested.
    fn sweep(&mut self, now_micros: i64) {
        // A minute of microseconds fits.
        for key in self.ends.take(now_micros.saturating_sub(CLOCKS_APART.as_micros() as i64)) {
            self.arrivals.remove(&key);
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        assert_eq!(self.arrivals.len(), self.ends.len());
        self.arrivals.len()
    }
}
