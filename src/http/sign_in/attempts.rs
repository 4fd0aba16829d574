use std::net::IpAddr;
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::config_error::ConfigError;
use super::known_networks::KnownNetworks;
use crate::domain::{Quota, Timestamp, fold};
use crate::http::arrivals::Failures;
use crate::http::network_limit::{NetworkLimit, Reach, network};

/// How many attempts to sign in may fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignInLimits {
    /// For one account from one client address, or from nowhere known: what stops somebody who guesses.
    pub per_account_and_address: Quota,
    /// For one account from everywhere: what stops somebody with many addresses. Networks from which its owner has signed in do not count
    /// towards it and are not held up by it. From others the owner is kept out as well, so it is wide.
    pub per_account: Quota,
    /// For one client address, whatever the account: what stops somebody who tries one password on everybody. Of IPv6 an address stands for its
    /// /64; the /56 around that has four times as many, and the /48 eight times.
    pub per_address: Quota,
}

impl SignInLimits {
    /// How many attempts may fail where the host does not say.
    pub(crate) fn usual() -> Result<Self, ConfigError> {
        Ok(Self { per_account_and_address: failures(10)?, per_account: failures(100)?, per_address: failures(50)? })
    }
}

fn failures(limit: u32) -> Result<Quota, ConfigError> {
    Quota::new(limit, Duration::from_secs(15 * 60), limit).map_err(ConfigError::SignInLimits)
}

/// The failed attempts to sign in.
///
/// An attempt is paid for before the password is checked, so that many at once cannot slip through together, and paid back when it did
/// not fail. Whoever is blocked gets another attempt after a while. Where somebody has signed in rightly before, the account's limit does not
/// hold: strangers elsewhere cannot use up what its owner has there, and strangers there have no more than that.
#[derive(Debug)]
pub(super) struct Attempts {
    pairs: Failures<(AccountKey, Option<IpAddr>)>,
    accounts: Failures<AccountKey>,
    addresses: NetworkLimit,
    known: KnownNetworks,
}

/// What was paid for one attempt.
#[derive(Debug)]
pub(super) struct Paid {
    account: AccountKey,
    network: Option<IpAddr>,
    /// Whether the account's limit counts it too, and those of the networks around this one.
    by_account: bool,
}

/// What stands for an account, whether or not there is one. A digest has one size whatever was typed.
pub(super) type AccountKey = [u8; 32];

impl Attempts {
    pub(super) fn new(limits: SignInLimits) -> Self {
        Self {
            pairs: Failures::new(limits.per_account_and_address),
            accounts: Failures::new(limits.per_account),
            addresses: NetworkLimit::new(limits.per_address),
            known: KnownNetworks::default(),
        }
    }

    /// Pays for one attempt, or says how long to wait. A refused attempt costs nothing.
    pub(super) fn pay(&self, email: &str, address: Option<IpAddr>, at: Timestamp) -> Result<Paid, Duration> {
        let (account, network) = (account(email), address.map(network));
        let by_account = !network.is_some_and(|network| self.known.knows(&account, network));
        if let Some(network) = network {
            self.addresses.pay((), network, reach(by_account), at)?;
        }
        let mut paid = self.pairs.pay((account, network), at);
        if by_account {
            paid = paid.and_then(|()| self.accounts.pay(account, at).inspect_err(|_| self.pairs.pay_back(&(account, network))));
        }
        match paid {
            Ok(()) => Ok(Paid { account, network, by_account }),
            Err(wait) => {
                if let Some(network) = network {
                    self.addresses.pay_back((), network, reach(by_account));
                }
                Err(wait)
            }
        }
    }

    /// Pays back an attempt that did not fail.
    pub(super) fn pay_back(&self, paid: &Paid) {
        self.pairs.pay_back(&(paid.account, paid.network));
        if paid.by_account {
            self.accounts.pay_back(&paid.account);
        }
        if let Some(network) = paid.network {
            self.addresses.pay_back((), network, reach(paid.by_account));
        }
    }

    /// Pays back an attempt that was right, and remembers where it came from.
    pub(super) fn succeeded(&self, paid: &Paid) {
        self.pay_back(paid);
        if let Some(network) = paid.network {
            self.known.remember(paid.account, network);
        }
    }
}

/// What strangers do in the networks around it does not hold up the owner of an account where they have signed in before.
const fn reach(by_account: bool) -> Reach {
    if by_account { Reach::Every } else { Reach::Narrowest }
}

pub(super) fn account(email: &str) -> AccountKey {
    Sha256::digest(fold(email).as_bytes()).into()
}

#[cfg(test)]
mod tests;
