use super::*;

fn headers(name: &HeaderName, lines: &[&str]) -> HeaderMap {
    lines
        .iter()
        .map(|line| (name.clone(), line.parse().unwrap()))
        .collect()
}

fn client(proxies: &TrustedProxies, peer: &str, lines: &[&str]) -> String {
    proxies
        .client_address(peer.parse().unwrap(), &headers(&proxies.header.0, lines))
        .to_string()
}

fn proxies() -> TrustedProxies {
    TrustedProxies::x_forwarded_for(&["10.0.0.0/8", "2001:db8:1::/48", "192.0.2.7"]).unwrap()
}

// Proves: threats 40
#[test]
fn the_client_is_the_last_that_is_no_proxy_of_ours() {
    let proxies = proxies();
    for (peer, lines, expected) in [
        ("10.0.0.1", &["198.51.100.1"][..], "198.51.100.1"),
        ("10.0.0.1", &["6.6.6.6, 198.51.100.1"], "198.51.100.1"),
        (
            "10.0.0.1",
            &["6.6.6.6, 198.51.100.1, 10.2.3.4"],
            "198.51.100.1",
        ),
        (
            "10.0.0.1",
            &["6.6.6.6", "198.51.100.1", "10.2.3.4, 192.0.2.7"],
            "198.51.100.1",
        ),
        (
            "2001:db8:1:2::1",
            &["6.6.6.6, 2001:db8:2::1"],
            "2001:db8:2::1",
        ),
        ("::ffff:10.0.0.1", &["::ffff:198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", &["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ("10.0.0.1", &[], "10.0.0.1"),
        ("10.0.0.1", &["198.51.100.1, unknown"], "10.0.0.1"),
        ("10.0.0.1", &["198.51.100.1, unknown, 10.0.0.2"], "10.0.0.2"),
        ("10.0.0.1", &["198.51.100.1,"], "10.0.0.1"),
        ("10.0.0.1", &["198.51.100.1", "10.0.0.2\u{fc}"], "10.0.0.1"),
    ] {
        assert_eq!(client(&proxies, peer, lines), expected, "{peer} {lines:?}");
    }
}

// Proves: threats 40
#[test]
fn a_forwarded_header_from_an_untrusted_peer_is_ignored() {
    let proxies = proxies();
    for peer in [
        "198.51.100.1",
        "11.0.0.1",
        "192.0.2.8",
        "2001:db8:2::1",
        "127.0.0.1",
    ] {
        assert_eq!(client(&proxies, peer, &["6.6.6.6"]), peer);
        assert_eq!(client(&proxies, peer, &["10.0.0.1"]), peer);
    }
    assert_eq!(
        client(
            &TrustedProxies::forwarded(&[]).unwrap(),
            "10.0.0.1",
            &["for=6.6.6.6"]
        ),
        "10.0.0.1"
    );
}

// Proves: threats 40
#[test]
fn the_header_that_the_proxies_do_not_set_is_ignored() {
    let proxies = TrustedProxies::forwarded(&["10.0.0.1"]).unwrap();
    let peer: IpAddr = "10.0.0.1".parse().unwrap();
    assert_eq!(
        proxies.client_address(peer, &headers(&X_FORWARDED_FOR, &["6.6.6.6"])),
        peer
    );
    assert_eq!(
        client(
            &proxies,
            "10.0.0.1",
            &[r#"for=6.6.6.6;by="x, for="#, "for=198.51.100.1;proto=https"]
        ),
        "198.51.100.1"
    );
    assert_eq!(
        client(
            &proxies,
            "10.0.0.1",
            &[r#"for=6.6.6.6;by=", for=198.51.100.1"#]
        ),
        "10.0.0.1"
    );
}

/// Fails if a proxy on a socket for both families, whose IPv4 address is shown as IPv6, is unknown.
#[test]
fn a_proxy_is_known_by_both_forms_of_its_address() {
    for (address, expected) in [
        ("10.1.2.3", true),
        ("::ffff:10.1.2.3", true),
        ("2001:db8:1::7", true),
        ("11.0.0.1", false),
        ("::ffff:11.0.0.1", false),
    ] {
        let address = address.parse().unwrap();
        assert_eq!(proxies().trusts(address), expected, "{address}");
    }
}

#[test]
fn a_network_is_an_address_or_a_prefix_with_nothing_behind_it() {
    for good in [
        "0.0.0.0/0",
        "::/0",
        "10.0.0.0/8",
        "10.1.2.3",
        "10.1.2.3/32",
        "10.1.2.2/31",
        "2001:db8::/32",
        "::1",
    ] {
        assert!(parse_network(good).is_ok(), "{good}");
    }
    for bad in [
        "",
        "/",
        "10.0.0.0/",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.1.0.0/8",
        "2001:db8::1/64",
        "::/129",
        "localhost",
        "10.0.0.0/8/8",
    ] {
        let error = TrustedProxies::x_forwarded_for(&["10.0.0.1", bad]).unwrap_err();
        assert!(error.to_string().contains(&format!("{bad:?}")), "{error}");
    }
}

#[test]
fn a_network_has_the_addresses_with_its_first_bits() {
    let contains = |network: &str, address: &str| {
        parse_network(network)
            .unwrap()
            .contains::<&IpAddr>(&address.parse().unwrap())
    };
    assert!(contains("10.1.2.2/31", "10.1.2.3") && !contains("10.1.2.2/31", "10.1.2.4"));
    assert!(contains("0.0.0.0/0", "255.255.255.255") && !contains("0.0.0.0/0", "::1"));
    assert!(
        contains("2001:db8::/33", "2001:db8:7fff::1")
            && !contains("2001:db8::/33", "2001:db8:8000::1")
    );
}
