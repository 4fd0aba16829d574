use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::time::Duration;

use super::arrivals::Failures;
use crate::domain::{Quota, Timestamp};

/// The prefixes of IPv6 networks that are counted, the narrowest first, and how many times the allowance of the narrowest each has.
///
/// A subscriber commonly has a /64, a /56 or a /48, and thus up to 65,536 networks of the narrowest size. The wider allowances keep one subscriber
/// from having that many, and leave room for subscribers of a provider that gives each a /64 out of one /48.
const PREFIXES: [(u32, u32); 3] = [(64, 1), (56, 4), (48, 8)];

/// A quota for each network of clients, or for each pair of something else and a network. An IPv4 address is a network of its own; an IPv6
/// address belongs to three.
#[derive(Debug)]
pub(crate) struct NetworkLimit<K = ()> {
    narrowest: Failures<(K, IpAddr)>,
    wider: [Failures<(K, IpAddr)>; PREFIXES.len() - 1],
}

/// Which of the networks of an address are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// The narrowest alone, for clients that are known there: what others do in the networks around it does not hold them up.
    Narrowest,
    /// All of them.
    Every,
}

impl<K: Eq + Hash + Copy> NetworkLimit<K> {
    /// A limit with this quota for the narrowest networks, and more for the wider ones.
    pub(crate) fn new(quota: Quota) -> Self {
        Self { narrowest: Failures::new(quota), wider: [1, 2].map(|tier| Failures::new(quota.times(PREFIXES[tier].1))) }
    }

    /// Pays for one in each network of the address, or says how long to wait. What is refused costs nothing.
    pub(crate) fn pay(&self, key: K, address: IpAddr, reach: Reach, at: Timestamp) -> Result<(), Duration> {
        self.narrowest.pay((key, network(address)), at)?;
        for (paid, (limit, wider)) in self.wider_of(address, reach).enumerate() {
            if let Err(wait) = limit.pay((key, wider), at) {
                self.narrowest.pay_back(&(key, network(address)));
                self.wider_of(address, reach).take(paid).for_each(|(limit, wider)| limit.pay_back(&(key, wider)));
                return Err(wait);
            }
        }
        Ok(())
    }

    /// Pays back what turned out not to have failed.
    pub(crate) fn pay_back(&self, key: K, address: IpAddr, reach: Reach) {
        self.narrowest.pay_back(&(key, network(address)));
        self.wider_of(address, reach).for_each(|(limit, wider)| limit.pay_back(&(key, wider)));
    }

    fn wider_of(&self, address: IpAddr, reach: Reach) -> impl Iterator<Item = (&Failures<(K, IpAddr)>, IpAddr)> {
        let address = match (address.to_canonical(), reach) {
            (IpAddr::V6(address), Reach::Every) => Some(address),
            _ => None,
        };
        let wider = self.wider.iter().zip(&PREFIXES[1..]);
        wider.filter_map(move |(limit, (prefix, _))| address.map(|address| (limit, within(address, *prefix))))
    }
}

/// The narrowest network of an address: an IPv4 address itself, or an IPv6 /64.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => within(address, PREFIXES[0].0),
    }
}

fn within(address: Ipv6Addr, prefix: u32) -> IpAddr {
    Ipv6Addr::from_bits(address.to_bits() & !(u128::MAX >> prefix)).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::from_seconds(1_000_000);
    const HOUR: Duration = Duration::from_secs(3600);

    fn limit(quota: u32) -> NetworkLimit {
        NetworkLimit::new(Quota::new(quota, HOUR, quota).unwrap())
    }

    /// How many of these addresses can pay, one after the other.
    fn paid(limit: &NetworkLimit, addresses: impl IntoIterator<Item = String>, reach: Reach) -> usize {
        addresses.into_iter().filter(|address| limit.pay((), address.parse().unwrap(), reach, START).is_ok()).count()
    }

    /// Fails if only the /64 is counted: a /48 has 65,536 of them, and each would have the whole allowance.
    #[test]
    fn a_subscriber_with_many_networks_has_no_more_than_a_few_times_what_one_network_has() {
        let in_56 = || (0..0x100).map(|subnet| format!("2001:db8:1:{subnet:x}::1"));
        let in_48 = || (0..0x1_0000).step_by(0x10).map(|subnet| format!("2001:db8:2:{subnet:x}::1"));
        assert_eq!(paid(&limit(10), std::iter::repeat_n("2001:db8::1".to_owned(), 100), Reach::Every), 10);
        assert_eq!(paid(&limit(10), in_56(), Reach::Every), 40);
        assert_eq!(paid(&limit(10), in_48(), Reach::Every), 80);
        let limit = limit(10);
        assert_eq!(paid(&limit, in_48(), Reach::Every), 80);
        assert_eq!(paid(&limit, ["2001:db8:3::1".to_owned(), "192.0.2.1".to_owned()], Reach::Every), 2, "others are not held up");
        let waits = limit.pay((), "2001:db8:2::1".parse().unwrap(), Reach::Every, START).unwrap_err();
        assert_eq!(waits, HOUR / 80, "the next one of the widest");
    }

    #[test]
    fn who_is_known_in_a_network_is_not_held_up_by_the_networks_around_it() {
        let limit = limit(10);
        paid(&limit, (0..0x1000).map(|subnet| format!("2001:db8:2:{subnet:x}::1")), Reach::Every);
        let known = || std::iter::repeat_n("2001:db8:2:ffff::1".to_owned(), 100);
        assert_eq!(paid(&limit, known(), Reach::Every), 0);
        assert_eq!(paid(&limit, known(), Reach::Narrowest), 10, "and has no more than anybody there");
    }

    #[test]
    fn what_is_refused_or_did_not_fail_costs_nothing_in_any_network() {
        let limit = limit(1);
        for _ in 0..100 {
            assert_eq!(paid(&limit, ["2001:db8:1:1::1".to_owned()], Reach::Every), 1);
            limit.pay_back((), "2001:db8:1:1::1".parse().unwrap(), Reach::Every);
        }
        // The /56 allows four: the fifth costs its own /64 nothing.
        assert_eq!(paid(&limit, (0..5).map(|subnet| format!("2001:db8:1:{subnet:x}::1")), Reach::Every), 4);
        assert_eq!(paid(&limit, ["2001:db8:1:4::1".to_owned()], Reach::Narrowest), 1);
        // Nor did it cost the /48, which allows eight.
        assert_eq!(paid(&limit, (1..9).map(|subnet| format!("2001:db8:1:{subnet:x}00::1")), Reach::Every), 4);
    }

    #[test]
    fn an_ipv4_address_is_one_network_however_it_is_written() {
        assert_eq!(network("::ffff:192.0.2.1".parse().unwrap()), network("192.0.2.1".parse().unwrap()));
        let limit = limit(1);
        assert_eq!(paid(&limit, (0..=255).map(|host| format!("192.0.2.{host}")), Reach::Every), 256);
        assert_eq!(paid(&limit, ["::ffff:192.0.2.1".to_owned()], Reach::Every), 0);
    }
}
