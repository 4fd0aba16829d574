use std::collections::HashMap;
use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;

use async_trait::async_trait;

use crate::domain::{Quota, RateKey, RateVerdict};
use crate::http::shards::Shards;
use crate::store::{RateLimiter, StorageError};

/// A quota with a smaller burst is asked about for each call.
const SMALLEST_BURST: u32 = 20;

/// Which part of its burst may be leased and not yet spent.
const PART: u32 = 10;

/// How long calls are leased at most, in microseconds.
const LONGEST: i64 = 60_000_000;

/// How many keys have leases at once.
const KEYS: usize = 10_000;

/// A limiter that nodes share, asked less often: each node takes several calls of a key at once, and lets them through without asking again.
///
/// * **Together the nodes never let more through than one limiter would.** Calls are leased before they are let through, never on credit.
/// * **A lease ends** after the time in which a tenth of the burst comes back, a minute at most. What is not spent by then is lost. How many calls are
///   leased follows what the key spends, so a key that asks steadily and keeps to its limit is not refused because of that.
/// * **A tenth of the burst is kept back**: of a quota of 100 in 60 seconds 90 are allowed at once, and 100 in any 60 seconds after that. Otherwise calls
///   that were leased early could be let through beside a whole burst.
/// * **A quota with a burst below 20** is not leased: each call asks, and all of the burst is allowed at once.
/// * **What is told to be left** is what was left when the calls were leased, less what this node has let through since. What other nodes have taken
///   meanwhile is told from the next lease on.
///
/// ```
/// use std::sync::Arc;
///
/// use lyceum::DataApi;
/// use lyceum::directory::Directory;
/// use lyceum::http::data_api::LeasedLimiter;
/// use lyceum::store::memory::MemoryStore;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = Arc::new(MemoryStore::new());
/// let directory = Directory::open(store.clone()).await?;
/// let api = DataApi::builder(directory, store.clone()).rate_limiter(Arc::new(LeasedLimiter::new(store))).build()?;
/// # Ok(()) }
/// ```
pub struct LeasedLimiter {
    limiter: Arc<dyn RateLimiter>,
    leases: Shards<HashMap<RateKey, Lease>>,
}

/// How calls under a quota are leased.
#[derive(Clone, Copy)]
struct Terms {
    /// The quota that the shared limiter counts by: less than the key's by what comes back while a lease lasts, so that what was leased then and is let
    /// through now is within the key's.
    quota: Quota,
    /// How many calls are leased at most.
    most: u32,
    /// For how many microseconds they are.
    holds: i64,
    /// How far the arrival times of the two quotas are apart.
    apart: i64,
}

/// What a key has leased on this node.
struct Lease {
    quota: Quota,
    taken_micros: i64,
    taken: u32,
    left: u32,
    /// What the shared limiter said when they were taken.
    arrival_micros: i64,
    remaining: u32,
    /// How many to take the next time.
    next: u32,
    is_asking: bool,
}

impl LeasedLimiter {
    /// Leases calls from a limiter that other nodes lease from in the same way.
    pub fn new(limiter: Arc<dyn RateLimiter>) -> Self {
        Self { limiter, leases: Shards::default() }
    }

    /// Takes a call from the lease, or says who asks for how many. While a request asks for several the others of the same key ask for themselves alone:
    /// they neither wait for it nor lease more than is needed.
    fn spend(&self, key: &RateKey, quota: Quota, terms: &Terms, now_micros: i64) -> Spending {
        let mut leases = self.leases.of(key);
        if !leases.contains_key(key) && leases.len() >= KEYS / Shards::<()>::COUNT {
            leases.retain(|_, lease| lease.is_asking || lease.age(now_micros).is_some_and(|age| age < LONGEST));
            if leases.len() >= KEYS / Shards::<()>::COUNT {
                return Spending::Alone;
            }
        }
        let lease = leases.entry(*key).or_insert_with(|| Lease::none(quota));
        if let Some(verdict) = lease.spend(quota, terms, now_micros) {
            return Spending::Spent(verdict);
        }
        if lease.is_asking {
            return Spending::Alone;
        }
        lease.is_asking = true;
        Spending::Leases(NonZeroU32::new(lease.next).unwrap_or(NonZeroU32::MIN))
    }
}

impl Terms {
    fn of(quota: Quota) -> Option<Self> {
        if quota.burst() < SMALLEST_BURST {
            return None;
        }
        let emission = quota.emission_micros();
        let holds = i64::from(quota.burst() / PART).saturating_mul(emission).min(LONGEST);
        // Rounded up.
        let back = u32::try_from(holds / emission + i64::from(holds % emission > 0)).unwrap_or(u32::MAX);
        let most = back.min(quota.burst() / PART);
        Some(Self { quota: quota.with_burst(quota.burst().saturating_sub(back)), most, holds, apart: emission.saturating_mul(back.into()) })
    }

    /// The verdict as one under the key's own quota.
    fn told(&self, verdict: RateVerdict) -> RateVerdict {
        match verdict {
            RateVerdict::Allowed { arrival_micros, remaining } => {
                RateVerdict::Allowed { arrival_micros: arrival_micros.saturating_add(self.apart), remaining }
            }
            denied => denied,
        }
    }
}

impl Lease {
    const fn none(quota: Quota) -> Self {
        Self { quota, taken_micros: i64::MIN, taken: 0, left: 0, arrival_micros: 0, remaining: 0, next: 1, is_asking: false }
    }

    /// How long ago the calls were taken, if the clock was not set back since.
    fn age(&self, now_micros: i64) -> Option<i64> {
        Some(now_micros.saturating_sub(self.taken_micros)).filter(|age| *age >= 0)
    }

    /// Lets a call through, or ends the lease and sees how many to take the next time: what is spent in the time of a lease, twice as many as the last
    /// time at most.
    fn spend(&mut self, quota: Quota, terms: &Terms, now_micros: i64) -> Option<RateVerdict> {
        let age = self.age(now_micros).filter(|age| *age < terms.holds && self.quota == quota);
        match age {
            Some(_) if self.left > 0 => {
                self.left -= 1;
                let remaining = self.remaining.saturating_add(self.left);
                return Some(terms.told(RateVerdict::Allowed { arrival_micros: self.arrival_micros, remaining }));
            }
            Some(age) => {
                let at_this_pace = i64::from(self.taken).saturating_mul(terms.holds) / age.max(1);
                self.next = u32::try_from(at_this_pace).unwrap_or(u32::MAX).min(self.taken.saturating_mul(2)).clamp(1, terms.most);
            }
            None if self.left > 0 => self.next = (self.taken - self.left).clamp(1, terms.most),
            None => self.next = self.next.clamp(1, terms.most),
        }
        (self.left, self.quota) = (0, quota);
        None
    }
}

#[async_trait]
impl RateLimiter for LeasedLimiter {
    async fn take_many(&self, key: &RateKey, quota: Quota, calls: NonZeroU32, now_micros: i64) -> Result<RateVerdict, StorageError> {
        const ONE: NonZeroU32 = NonZeroU32::MIN;
        let Some(terms) = Terms::of(quota) else { return self.limiter.take_many(key, quota, calls, now_micros).await };
        if calls > ONE {
            return Ok(terms.told(self.limiter.take_many(key, terms.quota, calls, now_micros).await?));
        }
        let wanted = match self.spend(key, quota, &terms, now_micros) {
            Spending::Spent(verdict) => return Ok(verdict),
            Spending::Alone => return Ok(terms.told(self.limiter.take_many(key, terms.quota, ONE, now_micros).await?)),
            Spending::Leases(wanted) => wanted,
        };
        let asking = Asking { leases: &self.leases, key };
        let mut taken = wanted;
        let mut verdict = self.limiter.take_many(key, terms.quota, wanted, now_micros).await?;
        if matches!(verdict, RateVerdict::Denied { .. }) && wanted > ONE {
            taken = ONE;
            verdict = self.limiter.take_many(key, terms.quota, ONE, now_micros).await?;
        }
        if let RateVerdict::Allowed { arrival_micros, remaining } = verdict {
            let (taken, left) = (taken.get(), taken.get() - 1);
            asking.has_leased(Lease {
                quota,
                taken_micros: now_micros,
                taken,
                left,
                arrival_micros,
                remaining,
                next: taken,
                is_asking: true,
            });
            return Ok(terms.told(RateVerdict::Allowed { arrival_micros, remaining: remaining.saturating_add(left) }));
        }
        asking.was_refused();
        Ok(terms.told(verdict))
    }
}

/// What a call comes to before the shared limiter is asked.
enum Spending {
    /// It was leased.
    Spent(RateVerdict),
    /// It asks for itself and others after it.
    Leases(NonZeroU32),
    /// It asks for itself.
    Alone,
}

/// A request that asks for a lease. When it is done, or dropped, another may.
struct Asking<'a> {
    leases: &'a Shards<HashMap<RateKey, Lease>>,
    key: &'a RateKey,
}

impl Asking<'_> {
    fn has_leased(&self, lease: Lease) {
        self.leases.of(self.key).insert(*self.key, lease);
    }

    /// The next request asks for itself alone, so that one that is refused costs one question.
    fn was_refused(&self) {
        if let Some(lease) = self.leases.of(self.key).get_mut(self.key) {
            lease.taken = 0;
            lease.next = 1;
        }
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        if let Some(lease) = self.leases.of(self.key).get_mut(self.key) {
            lease.is_asking = false;
        }
    }
}

/// Nothing of what is leased.
impl fmt::Debug for LeasedLimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LeasedLimiter").field("limiter", &self.limiter).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
