use std::collections::HashMap;
use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;

use async_trait::async_trait;

use crate::domain::{Quota, RateLimitDecision, RateLimitKey};
use crate::http::sharded_mutex::ShardedMutex;
use crate::store::{RateLimiter, StorageError};

/// Quotas with a smaller burst are not leased.
const MIN_LEASED_BURST: u32 = 20;

/// At most this fraction of the burst (one tenth) may be leased and unspent.
const BURST_DIVISOR: u32 = 10;

/// Maximum duration of a lease, in microseconds.
const MAX_LEASE_MICROS: i64 = 60_000_000;

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
    /// Duration of a lease, in microseconds.
    duration_micros: i64,
    /// Difference between the arrival times of the two quotas.
    arrival_offset_micros: i64,
}

/// Calls of a key that are leased to this node.
struct Lease {
    quota: Quota,
    leased_at_micros: i64,
    taken: u32,
    left: u32,
    /// Result of the shared limiter for this lease.
    arrival_micros: i64,
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
        now_micros: i64,
    ) -> LeaseOutcome {
        let mut leases = self.leases.lock(key);
        if !leases.contains_key(key) && leases.len() >= MAX_KEYS / ShardedMutex::<()>::COUNT {
            leases.retain(|_, lease| {
                lease.is_refilling
                    || lease
                        .age(now_micros)
                        .is_some_and(|age| age < MAX_LEASE_MICROS)
            });
            if leases.len() >= MAX_KEYS / ShardedMutex::<()>::COUNT {
                return LeaseOutcome::Single;
            }
        }
        let lease = leases.entry(*key).or_insert_with(|| Lease::empty(quota));
        if let Some(decision) = lease.take_one(quota, policy, now_micros) {
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
        let emission = quota.emission_micros();
        let duration_micros = i64::from(quota.burst() / BURST_DIVISOR)
            .saturating_mul(emission)
            .min(MAX_LEASE_MICROS);
        // Rounded up.
        let emitted =
            u32::try_from(duration_micros / emission + i64::from(duration_micros % emission > 0))
                .unwrap_or(u32::MAX);
        let max_calls = emitted.min(quota.burst() / BURST_DIVISOR);
        Some(Self {
            quota: quota.with_burst(quota.burst().saturating_sub(emitted)),
            max_calls,
            duration_micros,
            arrival_offset_micros: emission.saturating_mul(emitted.into()),
        })
    }

    /// Converts the shared limiter's decision to one under the key's own quota.
    fn under_key_quota(&self, decision: RateLimitDecision) -> RateLimitDecision {
        match decision {
            RateLimitDecision::Allowed {
                arrival_micros,
                remaining,
            } => RateLimitDecision::Allowed {
                arrival_micros: arrival_micros.saturating_add(self.arrival_offset_micros),
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
            leased_at_micros: i64::MIN,
            taken: 0,
            left: 0,
            arrival_micros: 0,
            remaining: 0,
            next_size: 1,
            is_refilling: false,
        }
    }

    /// Age of the lease; `None` if the clock was set back since.
    fn age(&self, now_micros: i64) -> Option<i64> {
        Some(now_micros.saturating_sub(self.leased_at_micros)).filter(|age| *age >= 0)
    }

    /// Takes a call from the lease. If it is used up or over, ends it and sets the size of the next
    /// one: the calls spent in the duration of a lease, at most twice the last size.
    fn take_one(
        &mut self,
        quota: Quota,
        policy: &LeasePolicy,
        now_micros: i64,
    ) -> Option<RateLimitDecision> {
        let age = self
            .age(now_micros)
            .filter(|age| *age < policy.duration_micros && self.quota == quota);
        match age {
            Some(_) if self.left > 0 => {
                self.left -= 1;
                let remaining = self.remaining.saturating_add(self.left);
                return Some(policy.under_key_quota(RateLimitDecision::Allowed {
                    arrival_micros: self.arrival_micros,
                    remaining,
                }));
            }
            Some(age) => {
                let expected_calls =
                    i64::from(self.taken).saturating_mul(policy.duration_micros) / age.max(1);
                self.next_size = u32::try_from(expected_calls)
                    .unwrap_or(u32::MAX)
                    .min(self.taken.saturating_mul(2))
                    .clamp(1, policy.max_calls);
            }
            None if self.left > 0 => {
                self.next_size = (self.taken - self.left).clamp(1, policy.max_calls)
            }
            None => self.next_size = self.next_size.clamp(1, policy.max_calls),
        }
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
        now_micros: i64,
    ) -> Result<RateLimitDecision, StorageError> {
        const ONE: NonZeroU32 = NonZeroU32::MIN;
        let Some(policy) = LeasePolicy::from_quota(quota) else {
            return self.limiter.take_many(key, quota, calls, now_micros).await;
        };
        if calls > ONE {
            return Ok(policy.under_key_quota(
                self.limiter
                    .take_many(key, policy.quota, calls, now_micros)
                    .await?,
            ));
        }
        let lease_size = match self.take_leased(key, quota, &policy, now_micros) {
            LeaseOutcome::Leased(decision) => return Ok(decision),
            LeaseOutcome::Single => {
                return Ok(policy.under_key_quota(
                    self.limiter
                        .take_many(key, policy.quota, ONE, now_micros)
                        .await?,
                ));
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
            .take_many(key, policy.quota, lease_size, now_micros)
            .await?;
        if matches!(decision, RateLimitDecision::Denied { .. }) && lease_size > ONE {
            taken = ONE;
            decision = self
                .limiter
                .take_many(key, policy.quota, ONE, now_micros)
                .await?;
        }
        if let RateLimitDecision::Allowed {
            arrival_micros,
            remaining,
        } = decision
        {
            let (taken, left) = (taken.get(), taken.get() - 1);
            refill.complete(Lease {
                quota,
                leased_at_micros: now_micros,
                taken,
                left,
                arrival_micros,
                remaining,
                next_size: taken,
                is_refilling: true,
            });
            return Ok(policy.under_key_quota(RateLimitDecision::Allowed {
                arrival_micros,
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
