use std::net::IpAddr;
use std::sync::{Arc, Once};

use super::error::Error;
use super::rate_limit_headers::ResponseHeaders;
use crate::circuit_breaker::CircuitBreaker;
use crate::domain::{ApiKey, Quota, RateLimitDecision, RateLimitKey, Timestamp};
use crate::http::FailureCause;
use crate::http::gcra_limiter::GcraLimiter;
use crate::http::network_limiter::{NetworkLimiter, PrefixScope};
use crate::metrics::definitions::RATE_LIMIT_DECISIONS;
use crate::metrics::measurement::Counters;
use crate::store::{RateLimiter, StorageError};

/// Handling of requests while the limiter of keys is unavailable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimiterFailureMode {
    /// Requests pass without a limit: reads do not depend on the availability of a counter.
    FailOpen,
    /// Requests get 503, for hosts whose storage must be protected from excess load.
    FailClosed,
}

/// Rate limits: on requests per key, and on invalid keys per client network.
#[derive(Debug)]
pub(super) struct RateLimits {
    keys: Option<KeyRateLimit>,
    bad_keys: NetworkLimiter,
    decisions: Counters<2>,
}

/// Rate limit per key.
#[derive(Debug)]
pub(super) struct KeyRateLimit {
    limiter: Arc<dyn RateLimiter>,
    quota: Quota,
    failure_mode: LimiterFailureMode,
    circuit_breaker: CircuitBreaker,
    decisions: Counters<2>,
}

impl RateLimits {
    pub(super) fn new(keys: Option<KeyRateLimit>, bad_keys: Quota) -> Self {
        Self {
            keys,
            bad_keys: NetworkLimiter::new(bad_keys),
            decisions: Counters::new(RATE_LIMIT_DECISIONS),
        }
    }

    /// Whether keys are limited.
    #[cfg(feature = "openapi")]
    pub(super) const fn limits_keys(&self) -> bool {
        self.keys.is_some()
    }

    /// Takes one call of a valid key, if its quota allows it. Records the decision for the response
    /// headers either way.
    pub(super) async fn take(
        &self,
        key: &ApiKey,
        now: Timestamp,
        response_headers: &mut ResponseHeaders,
    ) -> Result<(), Error> {
        match &self.keys {
            Some(limit) => limit.take(key, now, response_headers).await,
            None => Ok(()),
        }
    }

    /// Counts an invalid key. Returns its error, or that of the limit above it. Valid keys
    /// are not affected, because they are looked up first.
    pub(super) fn count_bad_key(
        &self,
        error: Error,
        address: Option<IpAddr>,
        at: Timestamp,
    ) -> Error {
        static MISSING_ADDRESS_WARNING: Once = Once::new();
        let Some(address) = address else {
            MISSING_ADDRESS_WARNING.call_once(|| {
                tracing::warn!("requests have no ClientAddress, so bad API keys are not limited")
            });
            return error;
        };
        let acquired = self.bad_keys.acquire((), address, PrefixScope::All, at);
        self.decisions.increment([
            "bad_keys",
            if acquired.is_ok() {
                "allowed"
            } else {
                "denied"
            },
        ]);
        match acquired {
            Ok(()) => error,
            Err(retry_after) => Error::bad_keys_limited().with_retry_after(retry_after),
        }
    }
}

impl KeyRateLimit {
    /// Creates a limit with `limiter`, or with an in-memory limiter of this node.
    pub(super) fn new(
        limiter: Option<Arc<dyn RateLimiter>>,
        quota: Quota,
        failure_mode: LimiterFailureMode,
    ) -> Self {
        let limiter = limiter.unwrap_or_else(|| Arc::new(GcraLimiter::<RateLimitKey>::default()));
        Self {
            limiter,
            quota,
            failure_mode,
            circuit_breaker: CircuitBreaker::default(),
            decisions: Counters::new(RATE_LIMIT_DECISIONS),
        }
    }

    async fn take(
        &self,
        key: &ApiKey,
        now: Timestamp,
        response_headers: &mut ResponseHeaders,
    ) -> Result<(), Error> {
        let quota = key.quota.unwrap_or(self.quota);
        response_headers.quota = Some(quota);
        if self.circuit_breaker.is_open(now) {
            self.decisions.increment(["api_key", "unanswered"]);
            return self.on_unavailable(StorageError::unavailable(
                "the rate limiter is away",
                "it did not answer a moment ago",
            ));
        }
        // By id: a renewed key has a new value and the same limit.
        let decision = match self
            .limiter
            .take(&RateLimitKey::new("api_key", key.id.as_bytes()), quota, now)
            .await
        {
            Ok(decision) => decision,
            Err(error) => {
                self.decisions.increment(["api_key", "unanswered"]);
                // Logged once per outage, not for every request that passes.
                if self.circuit_breaker.record_failure(now)
                    && self.failure_mode == LimiterFailureMode::FailOpen
                {
                    let cause = FailureCause::new(error);
                    tracing::warn!(target: "lyceum::data", %cause, "the rate limiter is unavailable; requests pass without a limit");
                    return Ok(());
                }
                return self.on_unavailable(error);
            }
        };
        if self.circuit_breaker.record_success() {
            tracing::info!(target: "lyceum::data", "the rate limiter is available again");
        }
        response_headers.decision = Some((decision, now));
        match decision {
            RateLimitDecision::Allowed { .. } => {
                self.decisions.increment(["api_key", "allowed"]);
                Ok(())
            }
            RateLimitDecision::Denied { retry_after } => {
                self.decisions.increment(["api_key", "denied"]);
                Err(Error::rate_limited().with_retry_after(retry_after))
            }
        }
    }

    fn on_unavailable(&self, error: StorageError) -> Result<(), Error> {
        match self.failure_mode {
            LimiterFailureMode::FailOpen => Ok(()),
            LimiterFailureMode::FailClosed => {
                Err(Error::unavailable().with_cause(FailureCause::new(error)))
            }
        }
    }
}
