use std::net::IpAddr;
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::known_networks::KnownNetworks;
use crate::domain::{Quota, Timestamp, fold_case};
use crate::http::ConfigError;
use crate::http::gcra_limiter::QuotaLimiter;
use crate::http::network_limiter::{NetworkLimiter, PrefixScope, network};

/// Limits on failed login attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoginLimits {
    /// For one account from one client address, or from unknown addresses. Stops password guessing.
    pub per_account_and_address: Quota,
    /// For one account from all addresses. Stops guessing from many addresses. Networks from which
    /// the owner has signed in neither count towards it nor are blocked by it. From other networks
    /// it blocks the owner as well, so it should be generous.
    pub per_account: Quota,
    /// For one client address, over all accounts. Stops trying one password on many accounts. An
    /// IPv6 address counts as its /64; the /56 around it has four times as many attempts, and the
    /// /48 eight times.
    pub per_address: Quota,
}

impl LoginLimits {
    /// The default limits: see [`AuthServerBuilder::login_limits`](crate::http::auth_server::AuthServerBuilder::login_limits).
    ///
    /// # Errors
    /// Never; the numbers are valid quotas.
    pub fn standard() -> Result<Self, ConfigError> {
        Ok(Self {
            per_account_and_address: failures(10)?,
            per_account: failures(100)?,
            per_address: failures(50)?,
        })
    }
}

/// A quota of failures in 15 minutes.
fn failures(limit: u32) -> Result<Quota, ConfigError> {
    Quota::new(limit, Duration::from_secs(15 * 60), limit).map_err(ConfigError::LoginLimits)
}

/// Limits failed login attempts.
///
/// An attempt is counted before the password is checked, so that concurrent attempts cannot exceed
/// the limit, and refunded if it did not fail. Blocked clients can try again after a while. The
/// limit of the account does not apply in networks where its owner has signed in, so attackers
/// elsewhere cannot block the owner there. Attackers in such a network are limited by the network.
#[derive(Debug)]
pub(super) struct LoginAttemptLimiter {
    by_account_and_network: QuotaLimiter<(AccountKey, Option<IpAddr>)>,
    by_account: QuotaLimiter<AccountKey>,
    by_network: NetworkLimiter,
    known: KnownNetworks,
}

/// A counted attempt, to be refunded if it does not fail.
#[derive(Debug)]
pub(super) struct AttemptPermit {
    account: AccountKey,
    network: Option<IpAddr>,
    /// Whether the account's limit and those of the surrounding networks count this attempt too.
    counts_for_account: bool,
}

/// Key of an account, whether or not it exists. A digest has a fixed size for any input.
pub(super) type AccountKey = [u8; 32];

impl LoginAttemptLimiter {
    pub(super) fn new(limits: LoginLimits) -> Self {
        Self {
            by_account_and_network: QuotaLimiter::new(limits.per_account_and_address),
            by_account: QuotaLimiter::new(limits.per_account),
            by_network: NetworkLimiter::new(limits.per_address),
            known: KnownNetworks::default(),
        }
    }

    /// Counts one attempt, or returns the time to wait. A refused attempt is not counted.
    pub(super) fn acquire(
        &self,
        email: &str,
        address: Option<IpAddr>,
        at: Timestamp,
    ) -> Result<AttemptPermit, Duration> {
        let (account, network) = (account_key(email), address.map(network));
        let counts_for_account =
            !network.is_some_and(|network| self.known.contains(&account, network));
        if let Some(network) = network {
            self.by_network
                .acquire((), network, prefix_scope(counts_for_account), at)?;
        }
        let mut permit = self.by_account_and_network.acquire((account, network), at);
        if counts_for_account {
            permit = permit.and_then(|()| {
                self.by_account
                    .acquire(account, at)
                    .inspect_err(|_| self.by_account_and_network.refund(&(account, network)))
            });
        }
        match permit {
            Ok(()) => Ok(AttemptPermit {
                account,
                network,
                counts_for_account,
            }),
            Err(wait) => {
                if let Some(network) = network {
                    self.by_network
                        .refund((), network, prefix_scope(counts_for_account));
                }
                Err(wait)
            }
        }
    }

    /// Refunds an attempt that did not fail.
    pub(super) fn refund(&self, permit: &AttemptPermit) {
        self.by_account_and_network
            .refund(&(permit.account, permit.network));
        if permit.counts_for_account {
            self.by_account.refund(&permit.account);
        }
        if let Some(network) = permit.network {
            self.by_network
                .refund((), network, prefix_scope(permit.counts_for_account));
        }
    }

    /// Refunds a successful attempt and remembers its network.
    pub(super) fn succeeded(&self, permit: &AttemptPermit) {
        self.refund(permit);
        if let Some(network) = permit.network {
            self.known.remember(permit.account, network);
        }
    }
}

/// The networks that count an attempt: the client's own and the wider ones around it, or only its
/// own if the owner has signed in there, so that attempts from neighboring networks do not block
/// the owner.
const fn prefix_scope(counts_for_account: bool) -> PrefixScope {
    if counts_for_account {
        PrefixScope::All
    } else {
        PrefixScope::Narrowest
    }
}

pub(super) fn account_key(email: &str) -> AccountKey {
    Sha256::digest(fold_case(email).as_bytes()).into()
}

#[cfg(test)]
mod tests;
