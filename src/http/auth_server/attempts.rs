use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::domain::{Quota, RateVerdict, Timestamp, fold};

/// How many of each kind are remembered at once.
const REMEMBERED: usize = 10_000;

/// How many attempts to sign in may fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignInLimits {
    /// For one account from one client address, or from nowhere known: what stops somebody who guesses.
    pub per_account_and_address: Quota,
    /// For one account from everywhere: what stops somebody with many addresses. It is wide, because it keeps the owner out as well.
    pub per_account: Quota,
    /// For one client address, whatever the account: what stops somebody who tries one password on everybody.
    pub per_address: Quota,
}

/// The failed attempts to sign in.
///
/// An attempt is paid for before the password is checked, so that many at once cannot slip through together, and paid back when it did
/// not fail. Whoever is blocked gets another attempt after a while.
#[derive(Debug)]
pub(super) struct Attempts {
    pairs: Failures<(AccountKey, Option<IpAddr>)>,
    accounts: Failures<AccountKey>,
    addresses: Failures<IpAddr>,
}

/// The sessions that were opened, per client address: whoever opens one makes the store keep it for its lifetime.
#[derive(Debug)]
pub(super) struct Openings(Failures<IpAddr>);

impl Openings {
    pub(super) fn new(per_address: Quota) -> Self {
        Self(Failures::new(per_address))
    }

    /// Pays for one session, or says how long to wait. Without an address nothing is counted.
    pub(super) fn pay(&self, address: Option<IpAddr>, at: Timestamp) -> Result<(), Duration> {
        address.map_or(Ok(()), |address| self.0.pay(network(address), at))
    }
}

/// What stands for an account, whether or not there is one. A digest has one size whatever was typed.
type AccountKey = [u8; 32];

impl Attempts {
    pub(super) fn new(limits: SignInLimits) -> Self {
        Self {
            pairs: Failures::new(limits.per_account_and_address),
            accounts: Failures::new(limits.per_account),
            addresses: Failures::new(limits.per_address),
        }
    }

    /// Pays for one attempt, or says how long to wait. A refused attempt costs nothing.
    pub(super) fn pay(&self, email: &str, address: Option<IpAddr>, at: Timestamp) -> Result<(), Duration> {
        let (account, network) = (account(email), address.map(network));
        if let Some(network) = network {
            self.addresses.pay(network, at)?;
        }
        let paid = self.pairs.pay((account, network), at);
        let paid = paid.and_then(|()| self.accounts.pay(account, at).inspect_err(|_| self.pairs.pay_back(&(account, network))));
        paid.inspect_err(|_| {
            if let Some(network) = network {
                self.addresses.pay_back(&network);
            }
        })
    }

    /// Pays back an attempt that did not fail.
    pub(super) fn pay_back(&self, email: &str, address: Option<IpAddr>) {
        let (account, network) = (account(email), address.map(network));
        self.pairs.pay_back(&(account, network));
        self.accounts.pay_back(&account);
        if let Some(network) = network {
            self.addresses.pay_back(&network);
        }
    }
}

fn account(email: &str) -> AccountKey {
    Sha256::digest(fold(email).as_bytes()).into()
}

/// One subscriber commonly has all of an IPv6 /64.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX))),
    }
}

struct Failures<K> {
    quota: Quota,
    arrivals: Mutex<HashMap<K, i64>>,
}

impl<K: Eq + Hash + Copy> Failures<K> {
    fn new(quota: Quota) -> Self {
        Self { quota, arrivals: Mutex::default() }
    }

    fn pay(&self, key: K, at: Timestamp) -> Result<(), Duration> {
        let now_micros = at.seconds().saturating_mul(1_000_000);
        let mut arrivals = self.arrivals.lock().unwrap_or_else(PoisonError::into_inner);
        match self.quota.check(arrivals.get(&key).copied(), now_micros) {
            RateVerdict::Denied { retry_after } => Err(retry_after),
            RateVerdict::Allowed { arrival_micros, .. } => {
                if arrivals.len() >= REMEMBERED && !arrivals.contains_key(&key) {
                    forget_some(&mut arrivals, now_micros);
                }
                arrivals.insert(key, arrival_micros);
                Ok(())
            }
        }
    }

    fn pay_back(&self, key: &K) {
        let mut arrivals = self.arrivals.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(arrival) = arrivals.get_mut(key) {
            *arrival = self.quota.before(*arrival);
        }
    }
}

impl<K> fmt::Debug for Failures<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Failures").field("quota", &self.quota).finish_non_exhaustive()
    }
}

/// Makes room: first those that have rested, or else the half with the fewest failures. Someone who is blocked thus stays blocked, however
/// many other names are tried to flush the memory.
fn forget_some<K: Eq + Hash + Copy>(arrivals: &mut HashMap<K, i64>, now_micros: i64) {
    arrivals.retain(|_, arrival| *arrival > now_micros);
    if arrivals.len() < REMEMBERED {
        return;
    }
    let mut sorted: Vec<(i64, K)> = arrivals.iter().map(|(key, arrival)| (*arrival, *key)).collect();
    sorted.sort_unstable_by_key(|(arrival, _)| *arrival);
    for (_, key) in &sorted[..sorted.len() / 2] {
        arrivals.remove(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::from_seconds(1_000_000);
    const HOUR: Duration = Duration::from_secs(3600);

    fn attempts(per_account: u32, per_address: u32) -> Attempts {
        let an_hour = |limit| Quota::new(limit, HOUR, limit).unwrap();
        Attempts::new(SignInLimits {
            per_account_and_address: an_hour(per_account),
            per_account: an_hour(2 * per_account),
            per_address: an_hour(per_address),
        })
    }

    fn address(text: &str) -> Option<IpAddr> {
        Some(text.parse().unwrap())
    }

    #[test]
    fn an_account_is_blocked_in_any_case_and_free_again_after_a_while() {
        let attempts = attempts(2, 100);
        assert!(attempts.pay("kim@school.example", None, START).is_ok());
        assert!(attempts.pay("KIM@school.example", None, START).is_ok());
        assert_eq!(attempts.pay("Kim@School.Example", None, START), Err(HOUR / 2));
        assert!(attempts.pay("lee@school.example", None, START).is_ok());
        assert!(attempts.pay("kim@school.example", None, START.plus(HOUR / 2)).is_ok());
    }

    #[test]
    fn what_did_not_fail_costs_nothing() {
        let attempts = attempts(1, 1);
        for _ in 0..5 {
            assert!(attempts.pay("kim@school.example", address("192.0.2.1"), START).is_ok());
            attempts.pay_back("kim@school.example", address("192.0.2.1"));
        }
    }

    #[test]
    fn an_attempt_that_the_account_refuses_does_not_cost_the_address() {
        let attempts = attempts(1, 2);
        assert!(attempts.pay("kim@school.example", address("192.0.2.1"), START).is_ok());
        for _ in 0..5 {
            assert!(attempts.pay("kim@school.example", address("192.0.2.1"), START).is_err());
        }
        assert!(attempts.pay("lee@school.example", address("192.0.2.1"), START).is_ok());
    }

    /// Fails if failures are counted without the address.
    #[test]
    fn s40_a_stranger_who_keeps_failing_does_not_keep_the_owner_out() {
        let attempts = attempts(2, 100);
        let (stranger, owner) = (address("198.51.100.7"), address("192.0.2.1"));
        for _ in 0..2 {
            assert!(attempts.pay("kim@school.example", stranger, START).is_ok());
        }
        for _ in 0..50 {
            assert!(attempts.pay("kim@school.example", stranger, START).is_err());
        }
        assert!(attempts.pay("kim@school.example", owner, START).is_ok());
    }

    #[test]
    fn somebody_with_many_addresses_is_stopped_by_the_account() {
        let attempts = attempts(2, 100);
        let paid = (1..=9).filter(|host| attempts.pay("kim@school.example", address(&format!("192.0.2.{host}")), START).is_ok()).count();
        assert_eq!(paid, 4, "twice what one address has");
    }

    #[test]
    fn addresses_of_one_network_count_as_one() {
        let attempts = attempts(100, 1);
        assert!(attempts.pay("a", address("2001:db8::1"), START).is_ok());
        assert!(attempts.pay("b", address("2001:db8::ffff"), START).is_err());
        assert!(attempts.pay("c", address("2001:db8:0:1::1"), START).is_ok());
        assert!(attempts.pay("d", address("192.0.2.1"), START).is_ok());
        assert!(attempts.pay("e", address("::ffff:192.0.2.1"), START).is_err());
    }

    #[test]
    fn a_flood_of_names_neither_grows_the_memory_nor_frees_who_is_blocked() {
        let attempts = attempts(3, 100);
        while attempts.pay("kim@school.example", None, START).is_ok() {}
        for number in 0..3 * REMEMBERED {
            assert!(attempts.pay(&number.to_string(), None, START).is_ok());
        }
        assert!(attempts.pairs.arrivals.lock().unwrap().len() <= REMEMBERED);
        assert!(attempts.pay("kim@school.example", None, START).is_err());
    }
}
