use proptest::prelude::*;

use super::*;

fn registered(text: &str) -> RedirectUri {
    text.parse().unwrap()
}

#[test]
fn https_loopback_and_private_schemes_can_be_registered() {
    for text in [
        "https://app.example/callback",
        "https://app.example:8443/callback?tenant=1",
        "http://127.0.0.1/callback",
        "http://[::1]:8400/callback",
        "http://localhost:3000/callback",
        "com.example.app:/callback",
        "com.example.app://callback",
    ] {
        assert!(text.parse::<RedirectUri>().is_ok(), "{text:?} was refused");
    }
}

// Proves: threats 21
/// Fails if no URI can be impersonated, or every URI can.
#[test]
fn only_an_https_uri_of_another_host_cannot_be_impersonated() {
    for text in [
        "https://app.example/callback",
        "https://app.example:8443",
        "https://127.example/",
        "https://[2001:db8::1]:8443/callback",
    ] {
        assert!(!registered(text).can_be_impersonated(), "{text:?}");
    }
    for text in [
        "http://127.0.0.1/callback",
        "http://[::1]:8400/callback",
        "http://localhost:3000/callback",
        "https://127.0.0.1/callback",
        "https://127.0.0.2:8443?a",
        "https://[::1]/callback",
        "https://[::1]:8443/callback",
        "https://localhost:8443/callback",
        "https://[0:0:0:0:0:0:0:1]/callback",
        "https://[::ffff:127.0.0.1]/callback",
        "https://[::]/callback",
        "https://app.localhost/callback",
        "https://localhost.:8443/callback",
        "https://%6cocalhost/callback",
        "https://127.1/callback",
        "https://0x7f000001/callback",
        "https://2130706433/callback",
        "https://0.0.0.0/callback",
        "com.example.app:/callback",
        "com.example.app://app.example/callback",
    ] {
        assert!(registered(text).can_be_impersonated(), "{text:?}");
    }
}

// Proves: threats 12
/// The script of the web interface is tested with the same table. Fails if a rule changes in only
/// one of them.
#[test]
fn every_address_of_the_table_is_good_or_breaks_its_rule_first() {
    let table = include_str!("../../../assets/redirect_uris.txt");
    let cases: Vec<_> = table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_once(' ').unwrap())
        .collect();
    for (word, text) in &cases {
        assert_eq!(
            InvalidRedirectUri::detect(text).map_or("good", InvalidRedirectUri::as_str),
            *word,
            "{text:?}"
        );
        assert_eq!(text.parse::<RedirectUri>().is_ok(), *word == "good");
    }
    for rule in InvalidRedirectUri::ALL
        .iter()
        .filter(|rule| **rule != InvalidRedirectUri::Length)
    {
        assert!(
            cases.iter().any(|(word, _)| *word == rule.as_str()),
            "{rule} has no case"
        );
    }
    let long =
        |length| InvalidRedirectUri::detect(&format!("{:x<length$}", "https://app.example/"));
    assert_eq!(
        (long(2000), long(2001)),
        (None, Some(InvalidRedirectUri::Length))
    );
}

// Proves: threats 12
/// Fails if any scheme is accepted.
#[test]
fn javascript_and_other_dangerous_schemes_cannot_be_registered() {
    for text in [
        "",
        "/callback",
        "//app.example/callback",
        "app.example/callback",
        "http://app.example/callback",
        "http://127.0.0.2.example/callback",
        "http://127.0.0.1.example/callback",
        "http://127.0.0.1@evil.example/callback",
        "https://user@app.example/callback",
        "https://app.example/callback#fragment",
        "https://app.example/callback#",
        "https://app.example:99999/callback",
        "https:///callback",
        "https:callback",
        "https://app.example\\@evil.example/",
        "https://app.example/a b",
        "https://app.example/\tcallback",
        "https://äpp.example/callback",
        "https://app.example/%zz",
        "HTTPS://app.example/callback",
        "javascript:alert(1)",
        "javascript://app.example/%0aalert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "myapp:/callback",
        "Com.Example.App:/callback",
    ] {
        assert!(
            text.parse::<RedirectUri>().is_err(),
            "{text:?} was accepted"
        );
    }
}

// Proves: threats 15
/// Fails if the query of a redirect URI is not checked.
#[test]
fn a_redirect_uri_with_a_response_parameter_cannot_be_registered() {
    for query in [
        "code=1",
        "a=1&state=2",
        "%63ode=1",
        "iss",
        "error=access_denied",
        "c%6Fde",
    ] {
        assert!(
            format!("https://app.example/callback?{query}")
                .parse::<RedirectUri>()
                .is_err(),
            "{query:?} was accepted"
        );
    }
    assert!(
        "https://app.example/callback?codec=1&restate=2"
            .parse::<RedirectUri>()
            .is_ok()
    );
}

// Proves: threats 11
/// Fails if the host or the path may differ, too.
#[test]
fn only_the_port_of_a_loopback_literal_may_differ() {
    let uri = registered("http://127.0.0.1:8400/callback");
    for presented in [
        "http://127.0.0.1:8400/callback",
        "http://127.0.0.1:1/callback",
        "http://127.0.0.1/callback",
        "http://127.0.0.1:65535/callback",
    ] {
        assert!(uri.allows(presented), "{presented:?} was refused");
    }
    for presented in [
        "http://localhost:8400/callback",
        "http://[::1]:8400/callback",
        "https://127.0.0.1:8400/callback",
        "http://127.0.0.1:8400/other",
        "http://127.0.0.1:8400/callback/",
        "http://127.0.0.1:8400/callback?x=1",
        "http://127.0.0.1:8400/callback#x",
        "http://u@127.0.0.1:8400/callback",
        "http://127.0.0.1:u@evil.example/callback",
        "http://127.0.0.1:80@evil.example/callback",
        "http://127.0.0.1:/callback",
        "http://127.0.0.1:080/callback",
        "http://127.0.0.1:65536/callback",
        "http://127.0.0.1.evil.example/callback",
        "http://127.0.0.11/callback",
        "http://127.1:8400/callback",
    ] {
        assert!(!uri.allows(presented), "{presented:?} was accepted");
    }
    assert!(!registered("http://localhost:8400/callback").allows("http://localhost:8401/callback"));
    assert!(
        !registered("https://127.0.0.1:8400/callback").allows("https://127.0.0.1:8401/callback")
    );
}

// Proves: threats 10
/// Fails if the comparison checks only a prefix or ignores case.
#[test]
fn look_alikes_of_a_redirect_are_refused() {
    let uri = registered("https://app.example/callback");
    let look_alikes = [
        "https://app.example.evil.example/callback",
        "https://evil.example/app.example/callback",
        "https://app.example@evil.example/callback",
        "https://evil.example@app.example/callback",
        "https://app.example:443/callback",
        "https://app.example:/callback",
        "https://app.example./callback",
        "https://APP.example/callback",
        "HTTPS://app.example/callback",
        "Https://app.example/callback",
        "http://app.example/callback",
        "https:/app.example/callback",
        "https:app.example/callback",
        "https:\\\\app.example\\callback",
        "https://app.example\\callback",
        "https://app.example/\\callback",
        "https://app.example//callback",
        "https://app.example/./callback",
        "https://app.example/x/../callback",
        "https://app.example/%2e/callback",
        "https://app.example/%63allback",
        "https://app.example/callback/",
        "https://app.example/callback//",
        "https://app.example/callback/.",
        "https://app.example/callback/..",
        "https://app.example/callback?",
        "https://app.example/callback?x=1",
        "https://app.example/callback&x=1",
        "https://app.example/callback#",
        "https://app.example/callback#x",
        "https://app.example/callback%23",
        "https://app.example/callback%3f",
        "https://app.example/callback%2f",
        "https://app.example/callback%00",
        "https://app.example/callback\0",
        "https://app.example/callback ",
        " https://app.example/callback",
        "https://app.example/callback\t",
        "\thttps://app.example/callback",
        "https://app.example/call\tback",
        "https://app.example/callback\n",
        "https://app.example/callback\r\n",
        "https://app.example/callback;x",
        "https://app.example/callback.evil",
        "https://app.example/callbacks",
        "https://app.example/callbac",
        "https://app.example/Callback",
        "https://app.example/CALLBACK",
        "https://app%2eexample/callback",
        "https://app。example/callback",
        "https://ａpp.example/callback",
        "https://app.exаmple/callback",
        "https://xn--pp-8cd.example/callback",
        "https://app.example\u{200b}/callback",
        "https://app.example/callba\u{212a}",
        "https://app.example/ｃallback",
        "https://app.example/callback\u{ad}",
        "https://app.example%00.evil.example/callback",
        "https://app.example%2f@evil.example/callback",
        "https://app.example#@evil.example/callback",
        "https://app.example?@evil.example/callback",
        "https://[app.example]/callback",
        "https://0x7f.1/callback",
        "//app.example/callback",
        "/callback",
        "callback",
        "",
        "*",
        "https://*/callback",
        "https://app.example/*",
        "javascript:alert(1)//https://app.example/callback",
    ];
    assert!(look_alikes.len() >= 60);
    assert!(uri.allows("https://app.example/callback"));
    for presented in look_alikes {
        assert!(!uri.allows(presented), "{presented:?} was accepted");
    }
}

proptest! {
    #[test]
    fn arbitrary_text_is_never_allowed_in_place_of_https(presented in any::<String>()) {
        prop_assert_eq!(registered("https://app.example/callback").allows(&presented), presented == "https://app.example/callback");
    }

    #[test]
    fn arbitrary_text_is_parsed_or_refused(text in any::<String>()) {
        if let Ok(uri) = text.parse::<RedirectUri>() {
            prop_assert!(uri.allows(&text));
        }
    }
}
