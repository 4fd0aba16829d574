use std::collections::HashMap;
use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use crate::domain::{Quota, RateLimitDecision, RateLimitKey, Timestamp};
use crate::http::sharded_mutex::ShardedMutex;
use crate::store::{RateLimiter, StorageError};

/// Quotas with a smaller burst are not leased.
const MIN_LEASED_BURST: u32 = 20;

/// At most this fraction of the burst (one tenth) may be leased and unspent.
const BURST_DIVISOR: u32 = 10;

/// Maximum duration of a lease.
const MAX_LEASE: Duration = Duration::from_secs(60);

/// Maximum number of keys with leases.
const MAX_KEYS: usize = 10_000;

/// A shared limiter that is queried less often: each node leases several calls of a key at once,
/// and spends them locally.
///
/// * **The nodes together never allow more than one limiter would.** Calls are leased before they
///   are allowed.
/// * **A lease ends** after the time in which a tenth of the burst is replenished, at most a
///   minute. Unspent calls are then lost. The size of a lease follows the key's usage, so a key
///   with steady usage within its limit is not refused because of leasing.
/// * **A tenth of the burst is reserved**: a quota of 100 in 60 seconds allows 90 at once, and 100
///   in any 60 seconds after that. Otherwise calls leased earlier could be allowed in addition to a
///   whole burst.
/// * **A quota with a burst below 20** is not leased: each call queries the shared limiter, and the
///   whole burst is allowed at once.
/// * **The reported remaining calls** are those when the calls were leased, minus those that this
///   node has allowed since. Calls taken by other nodes are reported from the next lease on.
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
/// let api = DataApi::builder(directory, store.clone())
///     .rate_limiter(Arc::new(LeasedLimiter::new(store)))
///     .build()?;
/// # Ok(()) }
/// ```
pub struct LeasedLimiter {
    limiter: Arc<dyn RateLimiter>,
    leases: ShardedMutex<HashMap<RateLimitKey, Lease>>,
}

/// How calls under a quota are leased.
#[derive(Clone, Copy)]
struct LeasePolicy {
    /// The quota of the shared limiter. Its burst is smaller than the key's by the calls
    /// replenished during a lease, so that calls leased earlier and spent now stay within the key's
    /// quota.
    quota: Quota,
    /// Maximum number of calls in a lease.
    max_calls: u32,
    /// Duration of a lease.
    duration: Duration,
    /// Difference between the arrival times of the two quotas.
    arrival_offset: Duration,
}

/// Calls of a key that are leased to this node.
struct Lease {
    quota: Quota,
    leased_at: Timestamp,
    taken: u32,
    left: u32,
    /// Result of the shared limiter for this lease.
    arrival: Timestamp,
    remaining: u32,
    /// Size of the next lease.
    next_size: u32,
    is_refilling: bool,
}

impl LeasedLimiter {
    /// Creates a limiter that leases calls from `limiter`, which the other nodes use in the same
    /// way.
    pub fn new(limiter: Arc<dyn RateLimiter>) -> Self {
        Self {
            limiter,
            leases: ShardedMutex::default(),
        }
    }

    /// Takes a call from the lease, or decides how many calls to request. While one request refills
    /// the lease, other requests of the same key take single calls: they neither wait for it nor
    /// lease more than needed.
    fn take_leased(
        &self,
        key: &RateLimitKey,
        quota: Quota,
        policy: &LeasePolicy,
        at: Timestamp,
    ) -> LeaseOutcome {
        let mut leases = self.leases.lock(key);
        if !leases.contains_key(key) && leases.len() >= MAX_KEYS / ShardedMutex::<()>::COUNT {
            leases
                .retain(|_, lease| lease.is_refilling || at.is_within(MAX_LEASE, lease.leased_at));
            if leases.len() >= MAX_KEYS / ShardedMutex::<()>::COUNT {
                return LeaseOutcome::Single;
            }
        }
        let lease = leases.entry(*key).or_insert_with(|| Lease::empty(quota));
        if let Some(decision) = lease.take_one(quota, policy, at) {
            return LeaseOutcome::Leased(decision);
        }
        if lease.is_refilling {
            return LeaseOutcome::Single;
        }
        lease.is_refilling = true;
        LeaseOutcome::Refill(NonZeroU32::new(lease.next_size).unwrap_or(NonZeroU32::MIN))
    }
}

impl LeasePolicy {
    fn from_quota(quota: Quota) -> Option<Self> {
        if quota.burst() < MIN_LEASED_BURST {
            return None;
        }
        let emission = quota.emission();
        let duration = emission
            .saturating_mul(quota.burst() / BURST_DIVISOR)
            .min(MAX_LEASE);
        let emitted = Timestamp::micros_of(duration)
            .unsigned_abs()
            .div_ceil(Timestamp::micros_of(emission).unsigned_abs());
        let emitted = u32::try_from(emitted).unwrap_or(u32::MAX);
        let max_calls = emitted.min(quota.burst() / BURST_DIVISOR);
        Some(Self {
            quota: quota.with_burst(quota.burst().saturating_sub(emitted)),
            max_calls,
            duration,
            arrival_offset: emission.saturating_mul(emitted),
        })
    }

    /// Converts the shared limiter's decision to one under the key's own quota.
    fn under_key_quota(&self, decision: RateLimitDecision) -> RateLimitDecision {
        match decision {
            RateLimitDecision::Allowed { arrival, remaining } => RateLimitDecision::Allowed {
                arrival: arrival.plus(self.arrival_offset),
                remaining,
            },
            denied => denied,
        }
    }
}

impl Lease {
    const fn empty(quota: Quota) -> Self {
        Self {
            quota,
            leased_at: Timestamp::MIN,
            taken: 0,
            left: 0,
            arrival: Timestamp::MIN,
            remaining: 0,
            next_size: 1,
            is_refilling: false,
        }
    }

    /// Takes a call from the lease. If it is used up or over, ends it and sets the size of the next
    /// one: the calls spent in the duration of a lease, at most twice the last size.
    fn take_one(
        &mut self,
        quota: Quota,
        policy: &LeasePolicy,
        at: Timestamp,
    ) -> Option<RateLimitDecision> {
        let is_current = self.quota == quota && at.is_within(policy.duration, self.leased_at);
        let next_size = match (is_current, self.left) {
            (true, 1..) => {
                self.left -= 1;
                let remaining = self.remaining.saturating_add(self.left);
                return Some(policy.under_key_quota(RateLimitDecision::Allowed {
                    arrival: self.arrival,
                    remaining,
                }));
            }
            (true, 0) => {
                let age = Timestamp::micros_of(at.since(self.leased_at)).max(1);
                let expected_calls = i64::from(self.taken)
                    .saturating_mul(Timestamp::micros_of(policy.duration))
                    / age;
                u32::try_from(expected_calls)
                    .unwrap_or(u32::MAX)
                    .min(self.taken.saturating_mul(2))
            }
            (false, 1..) => self.taken - self.left,
            (false, 0) => self.next_size,
        };
        self.next_size = next_size.clamp(1, policy.max_calls);
        (self.left, self.quota) = (0, quota);
        None
    }
}

#[async_trait]
impl RateLimiter for LeasedLimiter {
    async fn take_many(
        &self,
        key: &RateLimitKey,
        quota: Quota,
        calls: NonZeroU32,
        at: Timestamp,
    ) -> Result<RateLimitDecision, StorageError> {
        const ONE: NonZeroU32 = NonZeroU32::MIN;
        let Some(policy) = LeasePolicy::from_quota(quota) else {
            return self.limiter.take_many(key, quota, calls, at).await;
        };
        if calls > ONE {
            return Ok(
                policy.under_key_quota(self.limiter.take_many(key, policy.quota, calls, at).await?)
            );
        }
        let lease_size = match self.take_leased(key, quota, &policy, at) {
            LeaseOutcome::Leased(decision) => return Ok(decision),
            LeaseOutcome::Single => {
                return Ok(policy
                    .under_key_quota(self.limiter.take_many(key, policy.quota, ONE, at).await?));
            }
            LeaseOutcome::Refill(lease_size) => lease_size,
        };
        let refill = RefillGuard {
            leases: &self.leases,
            key,
        };
        let mut taken = lease_size;
        let mut decision = self
            .limiter
            .take_many(key, policy.quota, lease_size, at)
            .await?;
        if matches!(decision, RateLimitDecision::Denied { .. }) && lease_size > ONE {
            taken = ONE;
            decision = self.limiter.take_many(key, policy.quota, ONE, at).await?;
        }
        if let RateLimitDecision::Allowed { arrival, remaining } = decision {
            let (taken, left) = (taken.get(), taken.get() - 1);
            refill.complete(Lease {
                quota,
                leased_at: at,
                taken,
                left,
                arrival,
                remaining,
                next_size: taken,
                is_refilling: true,
            });
            return Ok(policy.under_key_quota(RateLimitDecision::Allowed {
                arrival,
                remaining: remaining.saturating_add(left),
            }));
        }
        refill.deny();
        Ok(policy.under_key_quota(decision))
    }
}

/// Result of trying the lease before the shared limiter is queried.
enum LeaseOutcome {
    /// The call was leased.
    Leased(RateLimitDecision),
    /// Query the shared limiter for this many calls.
    Refill(NonZeroU32),
    /// Query the shared limiter for a single call.
    Single,
}

/// Marks the request that refills a lease. Another request may refill it after the drop.
struct RefillGuard<'a> {
    leases: &'a ShardedMutex<HashMap<RateLimitKey, Lease>>,
    key: &'a RateLimitKey,
}

impl RefillGuard<'_> {
    fn complete(&self, lease: Lease) {
        self.leases.lock(self.key).insert(*self.key, lease);
    }

    /// Makes the next request lease a single call, so that a denied request costs one query.
    fn deny(&self) {
        if let Some(lease) = self.leases.lock(self.key).get_mut(self.key) {
            lease.taken = 0;
            lease.next_size = 1;
        }
    }
}

impl Drop for RefillGuard<'_> {
    fn drop(&mut self) {
        if let Some(lease) = self.leases.lock(self.key).get_mut(self.key) {
            lease.is_refilling = false;
        }
    }
}

/// Prints no leases.
impl fmt::Debug for LeasedLimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LeasedLimiter")
            .field("limiter", &self.limiter)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
