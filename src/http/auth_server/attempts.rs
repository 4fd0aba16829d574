use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::domain::{Quota, RateVerdict, Timestamp, fold};

/// How many accounts, and how many addresses, are remembered at once.
const REMEMBERED: usize = 10_000;

/// Limits on failed attempts to sign in, per account and per client address.
///
/// An attempt is paid for before the password is checked, so that many at once cannot slip through together, and paid back when it did
/// not fail. Whoever is blocked gets another attempt after a while, so nobody can lock an owner out for longer than they keep failing.
#[derive(Debug)]
pub(super) struct Attempts {
    accounts: Failures<[u8; 32]>,
    addresses: Failures<IpAddr>,
}

impl Attempts {
    /// Limits on what one account, and one address, may get wrong.
    pub(super) fn new(per_account: Quota, per_address: Quota) -> Self {
        Self { accounts: Failures::new(per_account), addresses: Failures::new(per_address) }
    }

    /// Pays for one attempt, or says how long to wait. A refused attempt costs nothing.
    pub(super) fn pay(&self, email: &str, address: Option<IpAddr>, at: Timestamp) -> Result<(), Duration> {
        if let Some(address) = address {
            self.addresses.pay(network(address), at)?;
        }
        self.accounts.pay(account(email), at).inspect_err(|_| {
            if let Some(address) = address {
                self.addresses.pay_back(&network(address));
            }
        })
    }

    /// Pays back an attempt that did not fail.
    pub(super) fn pay_back(&self, email: &str, address: Option<IpAddr>) {
        self.accounts.pay_back(&account(email));
        if let Some(address) = address {
            self.addresses.pay_back(&network(address));
        }
    }
}

/// What stands for an account, whether or not there is one. A digest has one size whatever was typed.
fn account(email: &str) -> [u8; 32] {
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
        Attempts::new(Quota::new(per_account, HOUR, per_account).unwrap(), Quota::new(per_address, HOUR, per_address).unwrap())
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
        assert!(attempts.accounts.arrivals.lock().unwrap().len() <= REMEMBERED);
        assert!(attempts.pay("kim@school.example", None, START).is_err());
    }
}
