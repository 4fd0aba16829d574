use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::time::Duration;

use super::gcra_limiter::QuotaLimiter;
use crate::domain::{Quota, Timestamp};

/// Prefix lengths of the IPv6 networks that are counted, narrowest first, and the multiple of the
/// narrowest network's quota that each has.
///
/// A subscriber commonly has a /64, a /56 or a /48, and thus up to 65,536 networks of the narrowest
/// size. The quotas of wider networks limit such a subscriber, and leave room for the subscribers
/// of a provider that assigns each a /64 of one /48.
const PREFIXES: [(u32, u32); 3] = [(64, 1), (56, 4), (48, 8)];

/// Quota per client network, or per pair of a key and a network. An IPv4 address is a network of
/// its own; an IPv6 address belongs to three.
#[derive(Debug)]
pub(crate) struct NetworkLimiter<K = ()> {
    narrowest: QuotaLimiter<(K, IpAddr)>,
    wider: [QuotaLimiter<(K, IpAddr)>; PREFIXES.len() - 1],
}

/// Selects which networks of an address are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PrefixScope {
    /// Only the narrowest, for clients that are known there: other clients in the wider networks do
    /// not block them.
    #[cfg(feature = "auth-server")]
    Narrowest,
    /// All networks of the address.
    All,
}

impl<K: Eq + Hash + Copy> NetworkLimiter<K> {
    /// Creates a limiter with this quota for the narrowest networks, and multiples of it for wider
    /// ones.
    pub(crate) fn new(quota: Quota) -> Self {
        Self {
            narrowest: QuotaLimiter::new(quota),
            wider: [1, 2].map(|tier| QuotaLimiter::new(multiply(quota, PREFIXES[tier].1))),
        }
    }

    /// Takes one call in each network of the address, or returns the time to wait. A denied call
    /// takes nothing.
    pub(crate) fn acquire(
        &self,
        key: K,
        address: IpAddr,
        scope: PrefixScope,
        at: Timestamp,
    ) -> Result<(), Duration> {
        self.narrowest.acquire((key, network(address)), at)?;
        for (acquired, (limit, wider)) in self.wider_networks(address, scope).enumerate() {
            if let Err(wait) = limit.acquire((key, wider), at) {
                self.narrowest.refund(&(key, network(address)));
                self.wider_networks(address, scope)
                    .take(acquired)
                    .for_each(|(limit, wider)| limit.refund(&(key, wider)));
                return Err(wait);
            }
        }
        Ok(())
    }

    /// Returns a call in each network, for an attempt that did not fail.
    #[cfg(feature = "auth-server")]
    pub(crate) fn refund(&self, key: K, address: IpAddr, scope: PrefixScope) {
        self.narrowest.refund(&(key, network(address)));
        self.wider_networks(address, scope)
            .for_each(|(limit, wider)| limit.refund(&(key, wider)));
    }

    fn wider_networks(
        &self,
        address: IpAddr,
        scope: PrefixScope,
    ) -> impl Iterator<Item = (&QuotaLimiter<(K, IpAddr)>, IpAddr)> {
        let address = match (address.to_canonical(), scope) {
            (IpAddr::V6(address), PrefixScope::All) => Some(address),
            _ => None,
        };
        let wider = self.wider.iter().zip(&PREFIXES[1..]);
        wider.filter_map(move |(limit, (prefix, _))| {
            address.map(|address| (limit, truncate(address, *prefix)))
        })
    }
}

/// Multiplies limit and burst by a factor. Returns the quota unchanged if the result is invalid.
fn multiply(quota: Quota, factor: u32) -> Quota {
    let (limit, burst) = (quota.limit(), quota.burst());
    Quota::new(
        limit.saturating_mul(factor),
        quota.window(),
        burst.saturating_mul(factor),
    )
    .unwrap_or(quota)
}

/// The narrowest network of an address: an IPv4 address itself, or an IPv6 /64.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => truncate(address, PREFIXES[0].0),
    }
}

fn truncate(address: Ipv6Addr, prefix: u32) -> IpAddr {
    Ipv6Addr::from_bits(address.to_bits() & !(u128::MAX >> prefix)).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::from_seconds(1_000_000);
    const HOUR: Duration = Duration::from_secs(3600);

    fn limit(quota: u32) -> NetworkLimiter {
        NetworkLimiter::new(Quota::new(quota, HOUR, quota).unwrap())
    }

    /// Counts the addresses that are allowed, one after the other.
    fn count_allowed(
        limit: &NetworkLimiter,
        addresses: impl IntoIterator<Item = String>,
        scope: PrefixScope,
    ) -> usize {
        addresses
            .into_iter()
            .filter(|address| {
                limit
                    .acquire((), address.parse().unwrap(), scope, START)
                    .is_ok()
            })
            .count()
    }

    /// Fails if only the /64 is counted: a /48 contains 65,536 of them, each with a whole quota.
    #[test]
    fn a_subscriber_with_many_networks_has_no_more_than_a_few_times_what_one_network_has() {
        let in_56 = || (0..0x100).map(|subnet| format!("2001:db8:1:{subnet:x}::1"));
        let in_48 = || {
            (0..0x1_0000)
                .step_by(0x10)
                .map(|subnet| format!("2001:db8:2:{subnet:x}::1"))
        };
        assert_eq!(
            count_allowed(
                &limit(10),
                std::iter::repeat_n("2001:db8::1".to_owned(), 100),
                PrefixScope::All
            ),
            10
        );
        assert_eq!(count_allowed(&limit(10), in_56(), PrefixScope::All), 40);
        assert_eq!(count_allowed(&limit(10), in_48(), PrefixScope::All), 80);
        let limit = limit(10);
        assert_eq!(count_allowed(&limit, in_48(), PrefixScope::All), 80);
        assert_eq!(
            count_allowed(
                &limit,
                ["2001:db8:3::1".to_owned(), "192.0.2.1".to_owned()],
                PrefixScope::All
            ),
            2,
            "others are not blocked"
        );
        let waits = limit
            .acquire(
                (),
                "2001:db8:2::1".parse().unwrap(),
                PrefixScope::All,
                START,
            )
            .unwrap_err();
        assert_eq!(waits, HOUR / 80, "the next call of the widest network");
    }

    #[test]
    fn who_is_known_in_a_network_is_not_held_up_by_the_networks_around_it() {
        let limit = limit(10);
        count_allowed(
            &limit,
            (0..0x1000).map(|subnet| format!("2001:db8:2:{subnet:x}::1")),
            PrefixScope::All,
        );
        let known = || std::iter::repeat_n("2001:db8:2:ffff::1".to_owned(), 100);
        assert_eq!(count_allowed(&limit, known(), PrefixScope::All), 0);
        assert_eq!(
            count_allowed(&limit, known(), PrefixScope::Narrowest),
            10,
            "and has no more calls than others there"
        );
    }

    #[test]
    fn what_is_refused_or_did_not_fail_costs_nothing_in_any_network() {
        let limit = limit(1);
        for _ in 0..100 {
            assert_eq!(
                count_allowed(&limit, ["2001:db8:1:1::1".to_owned()], PrefixScope::All),
                1
            );
            limit.refund((), "2001:db8:1:1::1".parse().unwrap(), PrefixScope::All);
        }
        // The /56 allows four: the fifth takes nothing from its own /64.
        assert_eq!(
            count_allowed(
                &limit,
                (0..5).map(|subnet| format!("2001:db8:1:{subnet:x}::1")),
                PrefixScope::All
            ),
            4
        );
        assert_eq!(
            count_allowed(
                &limit,
                ["2001:db8:1:4::1".to_owned()],
                PrefixScope::Narrowest
            ),
            1
        );
        // Nor does it take from the /48, which allows eight.
        assert_eq!(
            count_allowed(
                &limit,
                (1..9).map(|subnet| format!("2001:db8:1:{subnet:x}00::1")),
                PrefixScope::All
            ),
            4
        );
    }

    #[test]
    fn an_ipv4_address_is_one_network_however_it_is_written() {
        assert_eq!(
            network("::ffff:192.0.2.1".parse().unwrap()),
            network("192.0.2.1".parse().unwrap())
        );
        let limit = limit(1);
        assert_eq!(
            count_allowed(
                &limit,
                (0..=255).map(|host| format!("192.0.2.{host}")),
                PrefixScope::All
            ),
            256
        );
        assert_eq!(
            count_allowed(&limit, ["::ffff:192.0.2.1".to_owned()], PrefixScope::All),
            0
        );
    }
}
