use std::net::IpAddr;
use std::sync::{Arc, Once};

use super::failure::Failure;
use super::notes::Notes;
use crate::domain::{ApiKey, Quota, RateKey, RateVerdict, Timestamp};
use crate::http::FailureCause;
use crate::http::arrivals::Arrivals;
use crate::http::network_limit::{NetworkLimit, Reach};
use crate::metrics::{Counters, LIMITER_VERDICTS};
use crate::outage::Outage;
use crate::store::{RateLimiter, StorageError};

/// What becomes of requests while the limiter of keys does not answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimiterFailure {
    /// They pass without a limit: who reads should not suffer from what only counts.
    Open,
    /// They are answered 503, for hosts whose storage must be kept from more than the limit.
    Closed,
}

/// The limits on requests: for each key, and on keys that do not work for each network of clients.
#[derive(Debug)]
pub(super) struct Limits {
    keys: Option<KeyLimit>,
    bad_keys: NetworkLimit,
    verdicts: Counters<2>,
}

/// The limit on each key.
#[derive(Debug)]
pub(super) struct KeyLimit {
    limiter: Arc<dyn RateLimiter>,
    quota: Quota,
    on_failure: LimiterFailure,
    outage: Outage,
    verdicts: Counters<2>,
}

impl Limits {
    pub(super) fn new(keys: Option<KeyLimit>, bad_keys: Quota) -> Self {
        Self { keys, bad_keys: NetworkLimit::new(bad_keys), verdicts: Counters::new(LIMITER_VERDICTS) }
    }

    /// Whether what keys may do is limited.
    #[cfg(feature = "openapi")]
    pub(super) const fn is_of_keys(&self) -> bool {
        self.keys.is_some()
    }

    /// Takes one request of a key that works, if it may make one. What it may is noted either way.
    pub(super) async fn take(&self, key: &ApiKey, now_micros: i64, notes: &mut Notes) -> Result<(), Failure> {
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
        let paid = self.bad_keys.pay((), address, Reach::Every, at);
        self.verdicts.count(["bad_keys", if paid.is_ok() { "allowed" } else { "denied" }]);
        match paid {
            Ok(()) => why,
            Err(retry_after) => Failure::TooManyBadKeys { retry_after },
        }
    }
}

impl KeyLimit {
    /// A limit that is counted by `limiter`, or else by this node for itself.
    pub(super) fn new(limiter: Option<Arc<dyn RateLimiter>>, quota: Quota, on_failure: LimiterFailure) -> Self {
        let limiter = limiter.unwrap_or_else(|| Arc::new(Arrivals::<RateKey>::default()));
        Self { limiter, quota, on_failure, outage: Outage::default(), verdicts: Counters::new(LIMITER_VERDICTS) }
    }

    async fn take(&self, key: &ApiKey, now_micros: i64, notes: &mut Notes) -> Result<(), Failure> {
        let quota = key.quota.unwrap_or(self.quota);
        notes.quota = Some(quota);
        if self.outage.is_left_alone(now_micros) {
            self.verdicts.count(["api_key", "unanswered"]);
            return self.unanswered(StorageError::unavailable("the rate limiter is away", "it did not answer a moment ago"));
        }
        // By id: a key that is renewed has another value and the same limit.
        let verdict = match self.limiter.take(&RateKey::new("api_key", key.id.as_bytes()), quota, now_micros).await {
            Ok(verdict) => verdict,
            Err(error) => {
                self.verdicts.count(["api_key", "unanswered"]);
                // Once for each time it goes: a line for every request that passes would be many.
                if self.outage.begin(now_micros) && self.on_failure == LimiterFailure::Open {
                    let cause = FailureCause::new(error);
                    tracing::warn!(target: "lyceum::data", %cause, "the rate limiter does not answer; requests pass without a limit");
                    return Ok(());
                }
                return self.unanswered(error);
            }
        };
        if self.outage.end() {
            tracing::info!(target: "lyceum::data", "the rate limiter answers again");
        }
        notes.verdict = Some((verdict, now_micros));
        match verdict {
            RateVerdict::Allowed { .. } => {
                self.verdicts.count(["api_key", "allowed"]);
                Ok(())
            }
            RateVerdict::Denied { retry_after } => {
                self.verdicts.count(["api_key", "denied"]);
                Err(Failure::RateLimited { retry_after })
            }
        }
    }

    fn unanswered(&self, error: StorageError) -> Result<(), Failure> {
        match self.on_failure {
            LimiterFailure::Open => Ok(()),
            LimiterFailure::Closed => Err(Failure::StoreUnavailable(error)),
        }
    }
}
