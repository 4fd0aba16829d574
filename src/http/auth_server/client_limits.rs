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
/// A stranger knows a client's id, so a request counts for the client only once it is known to be the client's: by the client's secret, or, where
/// there is none, by a code or token that belongs to the client. Clients without a secret have a budget for each network. Every other request
/// counts against the caller's network. Only such requests are rejected by that limit, so the client's own are unaffected by other callers.
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
    /// Counts a request of a client that has proven its secret, before anything is done for it.
    pub(super) fn count_by_secret(&self, client: &ClientAuthentication<'_>) -> Result<(), Refusal> {
        if !client.is_by_secret() {
            return Ok(());
        }
        self.counted(self.client_limits.by_secret.pay(client.client().id, self.clock.now()))
    }

    /// Counts a request of a client without a secret, whose code or token was found to be its own, before that is spent. Without an address
    /// nothing is counted: strangers would share the budget.
    pub(super) fn count_by_grant(&self, client: &ClientAuthentication<'_>) -> Result<(), Refusal> {
        let Some(address) = self.visit.origin.address.filter(|_| !client.is_by_secret()) else { return Ok(()) };
        self.counted(self.client_limits.without_secret.pay(client.client().id, address, Reach::Every, self.clock.now()))
    }

    /// The verdict on a request that was counted for its client.
    fn counted(&self, paid: Result<(), Duration>) -> Result<(), Refusal> {
        self.visit.has_authenticated();
        self.client_limits.noted("client", paid).map_err(|wait| too_many(Rule::ClientLimited, wait))
    }

    /// Counts a request against the caller's network, unless it was counted for its client.
    pub(super) fn count_unproven(&self) -> Result<(), Refusal> {
        let Some(address) = self.visit.origin.address.filter(|_| !self.visit.is_authenticated()) else { return Ok(()) };
        let paid = self.client_limits.failed.pay((), address, Reach::Every, self.clock.now());
        self.client_limits.noted("failed_clients", paid).map_err(|wait| too_many(Rule::FailedClientsLimited, wait))
    }

    /// Counts a request that failed. Returns the original error until the network's limit is exceeded, then 429.
    pub(super) fn count_failed(&self, why: Refusal) -> Refusal {
        let paid = if why.is_of_caller() { self.count_unproven() } else { Ok(()) };
        paid.err().unwrap_or(why)
    }
}

fn too_many(rule: Rule, wait: Duration) -> Refusal {
    Refusal::too_many_requests(rule, wait).saying("There were too many requests. Try again later.")
}
