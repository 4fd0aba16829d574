use super::*;
use crate::http::arrivals::REMEMBERED;

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
    assert_eq!(attempts.pay("Kim@School.Example", None, START).unwrap_err(), HOUR / 2);
    assert!(attempts.pay("lee@school.example", None, START).is_ok());
    assert!(attempts.pay("kim@school.example", None, START.plus(HOUR / 2)).is_ok());
}

#[test]
fn what_did_not_fail_costs_nothing() {
    let attempts = attempts(1, 1);
    for _ in 0..5 {
        let paid = attempts.pay("kim@school.example", address("192.0.2.1"), START).unwrap();
        attempts.pay_back(&paid);
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
fn s40_the_owner_gets_in_from_a_known_network_however_many_strangers_try_elsewhere_for_days() {
    let attempts = attempts(2, 100);
    let owner = address("192.0.2.1");
    attempts.succeeded(&attempts.pay("kim@school.example", owner, START).unwrap());
    let (mut stranger, mut minute) = (0_u32, START);
    while minute < START.plus(3 * 24 * HOUR) {
        let from_elsewhere = || {
            stranger += 1;
            Some(std::net::Ipv4Addr::from_bits(0x0a00_0000 + stranger).into())
        };
        let mut addresses = std::iter::repeat_with(from_elsewhere);
        while attempts.pay("kim@school.example", addresses.next().unwrap(), minute).is_ok() {}
        attempts.succeeded(&attempts.pay("Kim@school.example", owner, minute).unwrap());
        assert!(attempts.pay("kim@school.example", address("192.0.2.2"), minute).is_err(), "a network that is new");
        minute = minute.plus(Duration::from_secs(60));
    }
}

#[test]
fn s40_a_stranger_in_a_known_network_is_limited_there_and_costs_nobody_elsewhere() {
    let attempts = attempts(2, 100);
    let (at_school, at_home) = (address("192.0.2.1"), address("198.51.100.7"));
    attempts.succeeded(&attempts.pay("kim@school.example", at_school, START).unwrap());
    let paid = (0..9).filter(|_| attempts.pay("kim@school.example", at_school, START).is_ok()).count();
    assert_eq!(paid, 2);
    assert!((0..2).all(|_| attempts.pay("kim@school.example", at_home, START).is_ok()));
    let elsewhere = ["203.0.113.1", "203.0.113.2", "203.0.113.3"];
    let paid = elsewhere.iter().filter(|host| attempts.pay("kim@school.example", address(host), START).is_ok()).count();
    assert_eq!(paid, 2, "what is left of the account's four");
}

#[test]
fn what_the_account_did_not_pay_is_not_paid_back_to_it() {
    let attempts = attempts(2, 100);
    let hosts = ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5"];
    attempts.succeeded(&attempts.pay("kim@school.example", address("198.51.100.7"), START).unwrap());
    for host in &hosts[..4] {
        assert!(attempts.pay("kim@school.example", address(host), START).is_ok());
    }
    attempts.succeeded(&attempts.pay("kim@school.example", address("198.51.100.7"), START).unwrap());
    assert!(attempts.pay("kim@school.example", address(hosts[4]), START).is_err());
}

#[test]
fn without_an_address_nothing_is_known() {
    let attempts = attempts(2, 100);
    attempts.succeeded(&attempts.pay("kim@school.example", None, START).unwrap());
    for host in ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"] {
        assert!(attempts.pay("kim@school.example", address(host), START).is_ok());
    }
    assert!(attempts.pay("kim@school.example", None, START).is_err());
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
    assert!(attempts.pairs.len() <= REMEMBERED);
    assert!(attempts.pay("kim@school.example", None, START).is_err());
}

/// Fails if the networks around it count where the owner has signed in before.
#[test]
fn s40_an_owner_gets_in_where_they_are_known_while_strangers_use_up_the_networks_around() {
    let attempts = attempts(100, 10);
    let home = address("2001:db8:2:ffff::1");
    attempts.succeeded(&attempts.pay("kim@school.example", home, START).unwrap());
    let tried = 0..0x1000;
    let paid =
        tried.filter(|subnet| attempts.pay(&subnet.to_string(), address(&format!("2001:db8:2:{subnet:x}::1")), START).is_ok()).count();
    assert_eq!(paid, 80, "what a /48 has");
    assert!(attempts.pay("lee@school.example", home, START).is_err());
    assert!(attempts.pay("kim@school.example", home, START).is_ok());
}
