use std::time::Duration;

use super::error::Refusal;
use super::server::Server;
use crate::domain::{ClientId, Quota};
use crate::http::arrivals::Failures;
use crate::http::audit::Rule;
use crate::http::network_limit::{NetworkLimit, Reach};
use crate::metrics::{Counters, LIMITER_VERDICTS};
use crate::oauth::ClientAuthentication;

/// The limits on requests to the token, revocation and introspection endpoints.
///
/// A stranger knows a client's id, so only a request that has authenticated by the client's secret is counted for the client. Where there is no
/// secret a client has a budget for each network. A request that fails before client authentication counts against the caller's network. Only
/// such requests are rejected by that limit, so a client that authenticates by its secret is unaffected by other callers.
#[derive(Debug)]
pub(super) struct ClientLimits {
    by_secret: Failures<ClientId>,
    without_secret: NetworkLimit<ClientId>,
    failed: NetworkLimit,
    verdicts: Counters<2>,
}

impl ClientLimits {
    /// Limits of `per_client` requests for each client and `failed` ones for each network.
    pub(super) fn new(per_client: Quota, failed: Quota) -> Self {
        Self {
            by_secret: Failures::new(per_client),
            without_secret: NetworkLimit::new(per_client),
            failed: NetworkLimit::new(failed),
            verdicts: Counters::new(LIMITER_VERDICTS),
        }
    }

    fn noted(&self, limit: &'static str, paid: Result<(), Duration>) -> Result<(), Duration> {
        self.verdicts.count([limit, if paid.is_ok() { "allowed" } else { "denied" }]);
        paid
    }
}

impl Server {
    /// Counts a request of a client that has proven what its policy asks of it, before anything is spent for it. Without an address a client
    /// without a secret is not limited: strangers would share its budget.
    pub(super) fn count_request(&self, client: &ClientAuthentication<'_>) -> Result<(), Refusal> {
        let (limits, id, now) = (&self.client_limits, client.client().id, self.clock.now());
        let paid = match (client.is_by_secret(), self.visit.origin.address) {
            (true, _) => limits.by_secret.pay(id, now),
            (false, Some(address)) => limits.without_secret.pay(id, address, Reach::Every, now),
            (false, None) => Ok(()),
        };
        self.visit.has_authenticated();
        limits.noted("client", paid).map_err(|wait| too_many(Rule::ClientLimited, wait))
    }

    /// Counts a request that failed, unless a client had authenticated. Returns the original error until the network's limit is exceeded, then
    /// 429.
    pub(super) fn count_failed(&self, why: Refusal) -> Refusal {
        let Some(address) = self.visit.origin.address.filter(|_| why.is_of_caller() && !self.visit.is_authenticated()) else { return why };
        let paid = self.client_limits.failed.pay((), address, Reach::Every, self.clock.now());
        match self.client_limits.noted("failed_clients", paid) {
            Ok(()) => why,
            Err(wait) => too_many(Rule::FailedClientsLimited, wait),
        }
    }
}

fn too_many(rule: Rule, wait: Duration) -> Refusal {
    Refusal::too_many_requests(rule, wait).saying("There were too many requests. Try again later.")
}
