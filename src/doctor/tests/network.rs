//! Checks of connections.

use std::net::{IpAddr, Ipv4Addr};

use super::*;
use crate::http::TrustedProxies;

/// Fails if a clock that is behind, or just beyond the tolerance, is not reported.
#[test]
fn clocks_are_compared_in_both_directions() {
    for (offset, level) in [
        (0, Level::Ok),
        (5, Level::Ok),
        (6, Level::Warning),
        (60, Level::Warning),
        (61, Level::Failure),
    ] {
        let other = NOW.plus(Duration::from_secs(offset));
        assert_eq!(clock(NOW, other, "the peer").level, level, "{offset}");
        assert_eq!(clock(other, NOW, "the peer").level, level, "{offset}");
    }
    let text = clock(NOW, NOW.plus(DAY), "the peer").text;
    assert!(text.starts_with("86400 seconds behind the peer"), "{text}");
}

/// Public URL, listener, whether the server has a certificate, trusted networks, and what is found.
type ProxyCase = (
    &'static str,
    &'static str,
    bool,
    &'static [&'static str],
    &'static [Level],
);

/// Fails if a proxy that is not trusted, or a client that is, goes unnoticed.
#[test]
fn the_proxy_in_front_is_trusted_and_no_client_is() {
    let cases: [ProxyCase; 12] = [
        (
            "https://school.example",
            "127.0.0.1:8080",
            false,
            &["127.0.0.1"],
            &[Level::Ok],
        ),
        (
            "https://school.example",
            "[::1]:8080",
            false,
            &["::1"],
            &[Level::Ok],
        ),
        (
            "https://school.example",
            "unix:/run/lyceum.sock",
            false,
            &["127.0.0.0/8"],
            &[Level::Ok],
        ),
        (
            "https://school.example",
            "systemd",
            false,
            &["10.0.0.0/8"],
            &[Level::Ok],
        ),
        (
            "https://school.example",
            "0.0.0.0:443",
            true,
            &[],
            &[Level::Ok],
        ),
        (
            "http://127.0.0.1:8080",
            "127.0.0.1:8080",
            false,
            &[],
            &[Level::Ok],
        ),
        (
            "https://school.example",
            "127.0.0.1:8080",
            false,
            &[],
            &[Level::Warning],
        ),
        (
            "https://school.example",
            "127.0.0.1:8080",
            false,
            &["10.0.0.1"],
            &[Level::Warning],
        ),
        (
            "https://school.example",
            "unix:/run/lyceum.sock",
            false,
            &["10.0.0.1"],
            &[Level::Warning],
        ),
        (
            "https://school.example",
            "0.0.0.0:80",
            false,
            &["10.0.0.1"],
            &[Level::Advice],
        ),
        (
            "https://school.example",
            "127.0.0.1:8080",
            false,
            &["0.0.0.0/0"],
            &[Level::Failure],
        ),
        (
            "https://school.example",
            "0.0.0.0:443",
            true,
            &["::/0", "10.0.0.0/7"],
            &[Level::Failure; 2],
        ),
    ];
    for (public_url, listen, has_certificate, networks, expected) in cases {
        let trusted = TrustedProxies::x_forwarded_for(networks).unwrap();
        let settings = ProxySettings {
            public_url,
            listen,
            has_certificate,
            trusted: &trusted,
        };
        let found = settings.check();
        assert_eq!(
            levels(&found),
            expected,
            "{public_url} {listen} {networks:?}: {found:?}"
        );
    }
}

/// Public URL, trusted network, the addresses of this machine and of the server on the connection,
/// the recorded address, and what is found.
type RecordCase = [&'static str; 5];

/// Fails if an address that the server recorded for this machine shows a wrong proxy, and passes.
#[test]
fn the_recorded_address_shows_which_proxy_is_trusted() {
    const HTTPS: &str = "https://school.example";
    const FORGED: &str = "203.0.113.7";
    let cases: [(RecordCase, Level); 14] = [
        // Without a proxy.
        (
            [HTTPS, "", "192.0.2.1", "192.0.2.9", "192.0.2.1"],
            Level::Ok,
        ),
        (
            [HTTPS, "192.0.2.9", "192.0.2.1", "192.0.2.9", FORGED],
            Level::Failure,
        ),
        // A proxy on another machine: trusted, not trusted, and without a header.
        (
            [HTTPS, "192.0.2.9", "192.0.2.1", "192.0.2.9", "192.0.2.1"],
            Level::Ok,
        ),
        (
            [HTTPS, "10.0.0.1", "192.0.2.1", "192.0.2.9", "192.0.2.9"],
            Level::Warning,
        ),
        (
            [HTTPS, "192.0.2.9", "192.0.2.1", "192.0.2.9", "192.0.2.9"],
            Level::Warning,
        ),
        // A proxy with a second address, or a router that translates the address of this machine.
        (
            [HTTPS, "10.0.0.1", "192.0.2.1", "192.0.2.9", "10.0.0.9"],
            Level::Warning,
        ),
        // A proxy on this machine, at the public address or the local one.
        (
            [HTTPS, "127.0.0.1", "192.0.2.1", "192.0.2.1", "192.0.2.1"],
            Level::Ok,
        ),
        (
            [HTTPS, "10.0.0.1", "192.0.2.1", "192.0.2.1", "127.0.0.1"],
            Level::Warning,
        ),
        (
            [HTTPS, "10.0.0.1", "192.0.2.1", "192.0.2.1", "192.0.2.1"],
            Level::Warning,
        ),
        (
            [HTTPS, "10.0.0.1", "127.0.0.1", "127.0.1.1", "127.0.0.1"],
            Level::Warning,
        ),
        // This machine is trusted itself.
        (
            [HTTPS, "127.0.0.1", "127.0.0.1", "127.0.0.1", FORGED],
            Level::Advice,
        ),
        (
            [HTTPS, "10.1.0.0/29", "10.1.0.3", "192.0.2.9", "10.1.0.1"],
            Level::Advice,
        ),
        (
            [HTTPS, "10.1.0.0/29", "10.1.0.3", "192.0.2.9", "192.0.2.9"],
            Level::Warning,
        ),
        (
            [
                "http://127.0.0.1",
                "",
                "127.0.0.1",
                "127.0.0.1",
                "127.0.0.1",
            ],
            Level::Ok,
        ),
    ];
    for (case, level) in cases {
        let [public_url, network, local, peer, recorded] = case;
        let networks = Some(network).filter(|network| !network.is_empty());
        let trusted = TrustedProxies::x_forwarded_for(networks.as_slice()).unwrap();
        let settings = ProxySettings {
            public_url,
            listen: "systemd",
            has_certificate: network.is_empty(),
            trusted: &trusted,
        };
        let address = |text: &str| text.parse::<IpAddr>().unwrap();
        let answer = Answer {
            local_address: address(local),
            peer_address: address(peer),
            ..answer(400, "")
        };
        let found = settings.recorded_address(address(recorded), address(FORGED), &answer);
        assert_eq!(found.level, level, "{case:?}: {found}");
    }
}

fn answer(status: u16, body: &str) -> Answer {
    Answer {
        status,
        date: None,
        request_id: None,
        certificate_validity: None,
        local_address: Ipv4Addr::LOCALHOST.into(),
        peer_address: Ipv4Addr::LOCALHOST.into(),
        body: body.into(),
    }
}

/// Fails if another service at the public URL passes, or a bad certificate is reported twice.
#[test]
fn the_public_url_must_lead_to_this_service() {
    const ISSUER: &str = "https://school.example/auth";
    let level = |answer: Result<Answer, ProbeError>| {
        issuer("https://school.example", &answer, ISSUER).map(|finding| finding.level)
    };
    let metadata = format!("{{\"issuer\":\"{ISSUER}\"}}");
    assert_eq!(level(Ok(answer(200, &metadata))), Some(Level::Ok));
    for (status, body) in [
        (404, &*metadata),
        (200, "{\"issuer\":\"https://other.example\"}"),
        (200, "<html>"),
        (200, "{}"),
    ] {
        assert_eq!(
            level(Ok(answer(status, body))),
            Some(Level::Failure),
            "{body}"
        );
    }
    assert_eq!(level(Err(ProbeError::Timeout)), Some(Level::Warning));
    let untrusted = Err(ProbeError::Certificate("UnknownIssuer".to_owned()));
    assert_eq!(issuer("https://school.example", &untrusted, ISSUER), None);
    let certificate = |answer: &Result<Answer, ProbeError>| {
        served_certificate("https://school.example", answer, NOW).map(|finding| finding.level)
    };
    assert_eq!(certificate(&untrusted), Some(Level::Failure));
    assert_eq!(certificate(&Err(ProbeError::Timeout)), None);
    assert_eq!(certificate(&Ok(answer(200, ""))), None);
    for (validity, days, level) in [
        (90, 20, Level::Warning),
        (90, 21, Level::Ok),
        (6, 1, Level::Warning),
        (6, 2, Level::Ok),
    ] {
        let end = NOW.plus(days * DAY);
        let ending = Answer {
            certificate_validity: Some([end.minus(validity * DAY), end]),
            ..answer(200, "")
        };
        assert_eq!(
            certificate(&Ok(ending)),
            Some(level),
            "{days} of {validity} days are left"
        );
    }
}
