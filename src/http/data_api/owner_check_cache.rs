//! Cached results of the host's check whether key owners are still users.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::domain::{SubjectId, Timestamp};
use crate::http::catch_panic;
use crate::http::key_owner_check::KeyOwnerCheck;
use crate::single_flight::SingleFlight;
use crate::store::StorageError;

/// Maximum age of a result that is used while the check fails.
const MAX_STALE: Duration = Duration::from_secs(60 * 60);

/// Time for which the last result is used while a new check runs or after one failed. The next
/// request abandons a check that takes longer and starts another; requests that waited for it use
/// the last result.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// Capacity of each half of the cache: at least the last 5,000 owners are cached, at most twice as
/// many.
const HALF_CAPACITY: usize = 5_000;

/// Checks key owners with the host and caches the results.
pub(super) struct OwnerCheckCache {
    owners: Arc<dyn KeyOwnerCheck>,
    /// Time for which a result is used.
    ttl: Duration,
    cache: Mutex<OwnerCache>,
}

/// A cache of owners in two halves. When the newer half is full, it replaces the older one; a
/// look-up moves an owner to the newer half.
#[derive(Default)]
struct OwnerCache {
    newer: HashMap<SubjectId, OwnerEntry>,
    older: HashMap<SubjectId, OwnerEntry>,
}

#[derive(Default)]
struct OwnerEntry {
    /// The last result of a check.
    last: Option<CachedResult>,
    running: Option<RunningCheck>,
}

#[derive(Debug, Clone, Copy)]
struct CachedResult {
    is_user: bool,
    checked_at: Timestamp,
    /// When the next check is due.
    due_at: Timestamp,
}

/// A running check, shared by all requests that wait for it.
struct RunningCheck {
    started_at: Timestamp,
    flight: Arc<CheckFlight>,
}

type CheckFlight = SingleFlight<Result<bool, Arc<StorageError>>>;

impl OwnerCheckCache {
    pub(super) fn new(owners: Arc<dyn KeyOwnerCheck>, ttl: Duration) -> Self {
        Self {
            owners,
            ttl,
            cache: Mutex::default(),
        }
    }

    /// Whether the owner is a user, according to a result that is not older than the TTL.
    ///
    /// # Errors
    /// When the check fails and no recent result is cached.
    pub(super) async fn is_user(
        &self,
        owner: &SubjectId,
        now: Timestamp,
    ) -> Result<bool, StorageError> {
        if *owner == SubjectId::service() {
            return Ok(true);
        }
        let (check, last) = match self.cached_or_check(owner, now) {
            Ok(is_user) => return Ok(is_user),
            Err(check) => check,
        };
        let result = check.wait().await;
        let is_user = matches!(result, Some(Ok(true)));
        let cached = matches!(result, Some(Ok(_))).then(|| CachedResult {
            is_user,
            checked_at: now,
            due_at: now.plus(self.ttl),
        });
        self.cache().entry(owner).finish(&check, cached);
        let error = match result {
            Some(Ok(is_user)) => return Ok(is_user),
            Some(Err(error)) if error.is_unavailable() => {
                StorageError::unavailable("the host's users cannot be asked", error)
            }
            Some(Err(error)) => StorageError::failed("the host's users could not be asked", error),
            None => StorageError::unavailable(
                "the host's users cannot be asked",
                "they did not answer in time",
            ),
        };
        match last.filter(|last| now < last.checked_at.plus(MAX_STALE)) {
            Some(last) => {
                tracing::warn!(target: "lyceum::data", %error, "the owner of an API key could not be checked; the last result is used");
                Ok(last.is_user)
            }
            None => Err(error),
        }
    }

    /// Returns the cached result, or the check to wait for and the last result. While a check is
    /// new, other requests use the last result; requests without one wait for the same check.
    fn cached_or_check(
        &self,
        owner: &SubjectId,
        now: Timestamp,
    ) -> Result<bool, (Arc<CheckFlight>, Option<CachedResult>)> {
        let mut all = self.cache();
        let entry = all.entry(owner);
        if let Some(last) = &mut entry.last {
            // A clock that was set back does not prolong a result.
            if last.checked_at <= now && now < last.due_at {
                return Ok(last.is_user);
            }
            last.due_at = now.plus(RETRY_AFTER);
        }
        if let Some(running) = &entry.running {
            if now.is_within(RETRY_AFTER, running.started_at) {
                return Err((Arc::clone(&running.flight), entry.last));
            }
            running.flight.cancel();
        }
        let (owners, owner) = (Arc::clone(&self.owners), owner.clone());
        let flight = SingleFlight::new(async move {
            let result = catch_panic(owners.is_user(&owner)).await;
            result
                .unwrap_or_else(|| {
                    Err(StorageError::failed(
                        "the host's users could not be asked",
                        "it panicked",
                    ))
                })
                .map_err(Arc::new)
        });
        entry.running = Some(RunningCheck {
            started_at: now,
            flight: Arc::clone(&flight),
        });
        Err((flight, entry.last))
    }

    fn cache(&self) -> MutexGuard<'_, OwnerCache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OwnerCache {
    /// The owner's entry, moved to the newer half.
    fn entry(&mut self, owner: &SubjectId) -> &mut OwnerEntry {
        if !self.newer.contains_key(owner) {
            if self.newer.len() >= HALF_CAPACITY {
                self.older = std::mem::take(&mut self.newer);
            }
            let entry = self.older.remove(owner).unwrap_or_default();
            self.newer.insert(owner.clone(), entry);
        }
        self.newer.entry(owner.clone()).or_default()
    }
}

impl OwnerEntry {
    /// Stores the result of a check, unless another one has started since.
    fn finish(&mut self, check: &Arc<CheckFlight>, cached: Option<CachedResult>) {
        if self
            .running
            .take_if(|running| Arc::ptr_eq(&running.flight, check))
            .is_some()
            && cached.is_some()
        {
            self.last = cached;
        }
    }
}

impl fmt::Debug for OwnerCheckCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnerCheckCache")
            .field("owners", &self.owners)
            .field("ttl", &self.ttl)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner(number: usize) -> SubjectId {
        format!("owner-{number}").parse().unwrap()
    }

    /// Fails if one owner more than the capacity evicts all others.
    #[test]
    fn those_who_came_last_are_remembered_when_others_go() {
        let mut all = OwnerCache::default();
        let cached = CachedResult {
            is_user: true,
            checked_at: Timestamp::from_seconds(0),
            due_at: Timestamp::from_seconds(60),
        };
        for number in 0..=2 * HALF_CAPACITY {
            all.entry(&owner(number)).last = Some(cached);
            assert!(
                all.entry(&owner(0)).last.is_some(),
                "a frequently checked owner stays cached, after {number}"
            );
            assert!(all.newer.len() + all.older.len() <= 2 * HALF_CAPACITY);
        }
        let is_known = |number: &usize| {
            all.newer.contains_key(&owner(*number)) || all.older.contains_key(&owner(*number))
        };
        assert_eq!(
            (HALF_CAPACITY + 1..=2 * HALF_CAPACITY)
                .filter(is_known)
                .count(),
            HALF_CAPACITY
        );
    }
}
