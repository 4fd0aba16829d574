use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once};

use http::HeaderMap;

use super::failure::Failure;
use super::rate_fields::{note_quota, note_verdict};
use crate::domain::{ApiKey, Quota, RateKey, RateVerdict, Timestamp};
use crate::http::FailureCause;
use crate::http::arrivals::{Arrivals, Failures};
use crate::http::client_address::network;
use crate::store::{RateLimiter, StorageError};

/// What becomes of requests while the limiter of keys does not answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimiterFailure {
    /// They pass without a limit: who reads should not suffer from what only counts.
    Open,
    /// They are answered 503, for hosts whose storage must be kept from more than the limit.
    Closed,
}

/// The limits on requests: for each key, and on keys that do not work for each network of clients (decisions 2.13).
#[derive(Debug)]
pub(super) struct Limits {
    pub(super) keys: Option<KeyLimit>,
    pub(super) bad_keys: Failures<IpAddr>,
}

/// The limit on each key.
#[derive(Debug)]
pub(super) struct KeyLimit {
    limiter: Arc<dyn RateLimiter>,
    quota: Quota,
    on_failure: LimiterFailure,
    /// Whether the limiter did not answer when it was last asked.
    is_away: AtomicBool,
}

impl Limits {
    /// Takes one request of a key that works, if it may make one. What it may is noted either way.
    pub(super) async fn take(&self, key: &ApiKey, now_micros: i64, notes: &mut HeaderMap) -> Result<(), Failure> {
        match &self.keys {
            Some(limit) => limit.take(key, now_micros, notes).await,
            None => Ok(()),
        }
    }

    /// Counts a key that does not work. It is told what is wrong with it until there were too many: that good keys pass all the same is
    /// because they are looked up first.
    pub(super) fn count_bad_key(&self, why: Failure, address: Option<IpAddr>, at: Timestamp) -> Failure {
        static TOLD: Once = Once::new();
        let Some(address) = address else {
            TOLD.call_once(|| tracing::warn!("requests have no ClientAddress, so bad API keys are not limited"));
            return why;
        };
        match self.bad_keys.pay(network(address), at) {
            Ok(()) => why,
            Err(retry_after) => Failure::TooManyBadKeys { retry_after },
        }
    }
}

impl KeyLimit {
    /// A limit that is counted by `limiter`, or else by this node for itself.
    pub(super) fn new(limiter: Option<Arc<dyn RateLimiter>>, quota: Quota, on_failure: LimiterFailure) -> Self {
        let limiter = limiter.unwrap_or_else(|| Arc::new(Arrivals::<RateKey>::default()));
        Self { limiter, quota, on_failure, is_away: AtomicBool::new(false) }
    }

    async fn take(&self, key: &ApiKey, now_micros: i64, notes: &mut HeaderMap) -> Result<(), Failure> {
        let quota = quota_of(key).unwrap_or(self.quota);
        note_quota(notes, quota);
        // By id: a key that is renewed has another value and the same limit (pitfall s40).
        let verdict = match self.limiter.take(&RateKey::new("api_key", key.id.as_bytes()), quota, now_micros).await {
            Ok(verdict) => verdict,
            Err(error) => return self.unanswered(error),
        };
        if self.is_away.swap(false, Ordering::Relaxed) {
            tracing::info!(target: "lyceum::data", "the rate limiter answers again");
        }
        note_verdict(notes, quota, verdict, now_micros);
        match verdict {
            RateVerdict::Allowed { .. } => Ok(()),
            RateVerdict::Denied { retry_after } => Err(Failure::RateLimited { retry_after }),
        }
    }

    fn unanswered(&self, error: StorageError) -> Result<(), Failure> {
        let is_new = !self.is_away.swap(true, Ordering::Relaxed);
        match self.on_failure {
            LimiterFailure::Closed => Err(Failure::StoreUnavailable(error)),
            LimiterFailure::Open => {
                // Once for each time it goes: a line for every request that passes would be many.
                if is_new {
                    let cause = FailureCause::new(error);
                    tracing::warn!(target: "lyceum::data", %cause, "the rate limiter does not answer; requests pass without a limit");
                }
                Ok(())
            }
        }
    }
}

/// The quota of a key's own, if it has one.
const fn quota_of(_: &ApiKey) -> Option<Quota> {
    None
}
