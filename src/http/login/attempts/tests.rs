use super::*;
use crate::http::gcra_limiter::MAX_KEYS;

const START: Timestamp = Timestamp::from_seconds(1_000_000);
const HOUR: Duration = Duration::from_secs(3600);

fn attempts(per_account: u32, per_address: u32) -> LoginAttemptLimiter {
    let an_hour = |limit| Quota::new(limit, HOUR, limit).unwrap();
    LoginAttemptLimiter::new(LoginLimits {
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
    assert!(attempts.acquire("kim@school.example", None, START).is_ok());
    assert!(attempts.acquire("KIM@school.example", None, START).is_ok());
    assert_eq!(
        attempts
            .acquire("Kim@School.Example", None, START)
            .unwrap_err(),
        HOUR / 2
    );
    assert!(attempts.acquire("lee@school.example", None, START).is_ok());
    assert!(
        attempts
            .acquire("kim@school.example", None, START.plus(HOUR / 2))
            .is_ok()
    );
}

#[test]
fn what_did_not_fail_costs_nothing() {
    let attempts = attempts(1, 1);
    for _ in 0..5 {
        let acquired = attempts
            .acquire("kim@school.example", address("192.0.2.1"), START)
            .unwrap();
        attempts.refund(&acquired);
    }
}

#[test]
fn an_attempt_that_the_account_refuses_does_not_cost_the_address() {
    let attempts = attempts(1, 2);
    assert!(
        attempts
            .acquire("kim@school.example", address("192.0.2.1"), START)
            .is_ok()
    );
    for _ in 0..5 {
        assert!(
            attempts
                .acquire("kim@school.example", address("192.0.2.1"), START)
                .is_err()
        );
    }
    assert!(
        attempts
            .acquire("lee@school.example", address("192.0.2.1"), START)
            .is_ok()
    );
}

// Proves: threats 40
/// Fails if failures are counted without the address.
#[test]
fn failing_attempts_of_an_attacker_do_not_lock_the_owner_out() {
    let attempts = attempts(2, 100);
    let (stranger, owner) = (address("198.51.100.7"), address("192.0.2.1"));
    for _ in 0..2 {
        assert!(
            attempts
                .acquire("kim@school.example", stranger, START)
                .is_ok()
        );
    }
    for _ in 0..50 {
        assert!(
            attempts
                .acquire("kim@school.example", stranger, START)
                .is_err()
        );
    }
    assert!(attempts.acquire("kim@school.example", owner, START).is_ok());
}

#[test]
fn somebody_with_many_addresses_is_stopped_by_the_account() {
    let attempts = attempts(2, 100);
    let acquired = (1..=9)
        .filter(|host| {
            attempts
                .acquire(
                    "kim@school.example",
                    address(&format!("192.0.2.{host}")),
                    START,
                )
                .is_ok()
        })
        .count();
    assert_eq!(acquired, 4, "twice the limit of one address");
}

// Proves: threats 40
#[test]
fn the_owner_signs_in_from_a_known_network_however_many_attackers_guess_for_days() {
    let attempts = attempts(2, 100);
    let owner = address("192.0.2.1");
    attempts.succeeded(
        &attempts
            .acquire("kim@school.example", owner, START)
            .unwrap(),
    );
    let (mut stranger, mut minute) = (0_u32, START);
    while minute < START.plus(3 * 24 * HOUR) {
        let from_elsewhere = || {
            stranger += 1;
            Some(std::net::Ipv4Addr::from_bits(0x0a00_0000 + stranger).into())
        };
        let mut addresses = std::iter::repeat_with(from_elsewhere);
        while attempts
            .acquire("kim@school.example", addresses.next().unwrap(), minute)
            .is_ok()
        {}
        attempts.succeeded(
            &attempts
                .acquire("Kim@school.example", owner, minute)
                .unwrap(),
        );
        assert!(
            attempts
                .acquire("kim@school.example", address("192.0.2.2"), minute)
                .is_err(),
            "an unknown network"
        );
        minute = minute.plus(Duration::from_secs(60));
    }
}

// Proves: threats 40
#[test]
fn an_attacker_in_a_known_network_is_limited_there_and_blocks_no_other_network() {
    let attempts = attempts(2, 100);
    let (at_school, at_home) = (address("192.0.2.1"), address("198.51.100.7"));
    attempts.succeeded(
        &attempts
            .acquire("kim@school.example", at_school, START)
            .unwrap(),
    );
    let acquired = (0..9)
        .filter(|_| {
            attempts
                .acquire("kim@school.example", at_school, START)
                .is_ok()
        })
        .count();
    assert_eq!(acquired, 2);
    assert!((0..2).all(|_| {
        attempts
            .acquire("kim@school.example", at_home, START)
            .is_ok()
    }));
    let elsewhere = ["203.0.113.1", "203.0.113.2", "203.0.113.3"];
    let acquired = elsewhere
        .iter()
        .filter(|host| {
            attempts
                .acquire("kim@school.example", address(host), START)
                .is_ok()
        })
        .count();
    assert_eq!(acquired, 2, "the rest of the account's limit of four");
}

#[test]
fn what_the_account_did_not_pay_is_not_paid_back_to_it() {
    let attempts = attempts(2, 100);
    let hosts = [
        "192.0.2.1",
        "192.0.2.2",
        "192.0.2.3",
        "192.0.2.4",
        "192.0.2.5",
    ];
    attempts.succeeded(
        &attempts
            .acquire("kim@school.example", address("198.51.100.7"), START)
            .unwrap(),
    );
    for host in &hosts[..4] {
        assert!(
            attempts
                .acquire("kim@school.example", address(host), START)
                .is_ok()
        );
    }
    attempts.succeeded(
        &attempts
            .acquire("kim@school.example", address("198.51.100.7"), START)
            .unwrap(),
    );
    assert!(
        attempts
            .acquire("kim@school.example", address(hosts[4]), START)
            .is_err()
    );
}

#[test]
fn without_an_address_nothing_is_known() {
    let attempts = attempts(2, 100);
    attempts.succeeded(&attempts.acquire("kim@school.example", None, START).unwrap());
    for host in ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"] {
        assert!(
            attempts
                .acquire("kim@school.example", address(host), START)
                .is_ok()
        );
    }
    assert!(attempts.acquire("kim@school.example", None, START).is_err());
}

#[test]
fn addresses_of_one_network_count_as_one() {
    let attempts = attempts(100, 1);
    assert!(attempts.acquire("a", address("2001:db8::1"), START).is_ok());
    assert!(
        attempts
            .acquire("b", address("2001:db8::ffff"), START)
            .is_err()
    );
    assert!(
        attempts
            .acquire("c", address("2001:db8:0:1::1"), START)
            .is_ok()
    );
    assert!(attempts.acquire("d", address("192.0.2.1"), START).is_ok());
    assert!(
        attempts
            .acquire("e", address("::ffff:192.0.2.1"), START)
            .is_err()
    );
}

#[test]
fn a_flood_of_names_neither_grows_the_memory_nor_frees_who_is_blocked() {
    let attempts = attempts(3, 100);
    while attempts.acquire("kim@school.example", None, START).is_ok() {}
    for number in 0..3 * MAX_KEYS {
        assert!(attempts.acquire(&number.to_string(), None, START).is_ok());
    }
    assert!(attempts.by_account_and_network.len() <= MAX_KEYS);
    assert!(attempts.acquire("kim@school.example", None, START).is_err());
}

// Proves: threats 40
/// Fails if attempts in the surrounding networks count where the owner has signed in before.
#[test]
fn the_owner_signs_in_from_a_known_network_while_attackers_use_up_the_networks_around() {
    let attempts = attempts(100, 10);
    let home = address("2001:db8:2:ffff::1");
    attempts.succeeded(&attempts.acquire("kim@school.example", home, START).unwrap());
    let tried = 0..0x1000;
    let acquired = tried
        .filter(|subnet| {
            attempts
                .acquire(
                    &subnet.to_string(),
                    address(&format!("2001:db8:2:{subnet:x}::1")),
                    START,
                )
                .is_ok()
        })
        .count();
    assert_eq!(acquired, 80, "the limit of a /48");
    assert!(attempts.acquire("lee@school.example", home, START).is_err());
    assert!(attempts.acquire("kim@school.example", home, START).is_ok());
}
