use std::time::Duration;

use crate::domain::{ClientId, Quota};
use crate::http::audit::RefusalRule;
use crate::http::auth_server::error::Error;
use crate::http::auth_server::server::Server;
use crate::http::gcra_limiter::QuotaLimiter;
use crate::http::network_limiter::{NetworkLimiter, PrefixScope};
use crate::metrics::definitions::RATE_LIMIT_DECISIONS;
use crate::metrics::measurement::Counters;
use crate::oauth::AuthenticatedClient;

/// Limits requests to the token, revocation and introspection endpoints.
///
/// A client's id is public, so a request counts for the client only once it is known to be the
/// client's: by the client's secret, or, where there is none, by a code or token that belongs to
/// the client. Clients without a secret have a budget for each network. Every other request counts
/// against the caller's network, and only such requests are rejected by that limit.
#[derive(Debug)]
pub(in crate::http::auth_server) struct ClientLimiter {
    by_secret: QuotaLimiter<ClientId>,
    without_secret: NetworkLimiter<ClientId>,
    failed: NetworkLimiter,
    decisions: Counters<2>,
}

impl ClientLimiter {
    /// Creates limits of `per_client` requests for each client and `failed` ones for each network.
    pub(in crate::http::auth_server) fn new(per_client: Quota, failed: Quota) -> Self {
        Self {
            by_secret: QuotaLimiter::new(per_client),
            without_secret: NetworkLimiter::new(per_client),
            failed: NetworkLimiter::new(failed),
            decisions: Counters::new(RATE_LIMIT_DECISIONS),
        }
    }

    fn count_decision(
        &self,
        limit: &'static str,
        acquired: Result<(), Duration>,
    ) -> Result<(), Duration> {
        self.decisions.increment([
            limit,
            if acquired.is_ok() {
                "allowed"
            } else {
                "denied"
            },
        ]);
        acquired
    }
}

impl Server {
    /// Counts a request that authenticated by its client's secret, before any further work.
    pub(super) fn limit_by_secret(&self, client: &AuthenticatedClient<'_>) -> Result<(), Error> {
        if !client.used_secret() {
            return Ok(());
        }
        self.check_client_limit(
            self.shared
                .client_limiter
                .by_secret
                .acquire(client.client().id, self.now()),
        )
    }

    /// Counts a request of a client without a secret, once its code or token is known to belong to
    /// the client and before it is spent. Without an address nothing is counted, because unrelated
    /// callers would share the budget.
    pub(in crate::http::auth_server) fn limit_by_grant(
        &self,
        client: &AuthenticatedClient<'_>,
    ) -> Result<(), Error> {
        let Some(address) = self.context.address.filter(|_| !client.used_secret()) else {
            return Ok(());
        };
        self.check_client_limit(self.shared.client_limiter.without_secret.acquire(
            client.client().id,
            address,
            PrefixScope::All,
            self.now(),
        ))
    }

    /// Records and returns the decision on a request that was counted for its client.
    fn check_client_limit(&self, acquired: Result<(), Duration>) -> Result<(), Error> {
        self.set_authenticated();
        self.shared
            .client_limiter
            .count_decision("client", acquired)
            .map_err(|wait| {
                Error::too_many_requests(RefusalRule::ClientLimited).with_retry_after(wait)
            })
    }

    /// Counts a request against the caller's network, unless it was counted for its client.
    pub(in crate::http::auth_server) fn limit_unauthenticated(&self) -> Result<(), Error> {
        let Some(address) = self.context.address.filter(|_| !self.is_authenticated()) else {
            return Ok(());
        };
        let acquired =
            self.shared
                .client_limiter
                .failed
                .acquire((), address, PrefixScope::All, self.now());
        self.shared
            .client_limiter
            .count_decision("failed_clients", acquired)
            .map_err(|wait| {
                Error::too_many_requests(RefusalRule::FailedClientsLimited).with_retry_after(wait)
            })
    }

    /// Counts a request that failed. Returns the original error until the network's limit is
    /// exceeded, then 429.
    pub(in crate::http::auth_server) fn limit_failed(&self, error: Error) -> Error {
        let acquired = if error.is_client_error() {
            self.limit_unauthenticated()
        } else {
            Ok(())
        };
        acquired.err().unwrap_or(error)
    }
}
