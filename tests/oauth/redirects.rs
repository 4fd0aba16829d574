use http::StatusCode;
use lyceum::domain::{AuthorizationCode, ClientSettings};
use lyceum::store::ClientUpdate;

use crate::harness::*;

const LOOK_ALIKES: &[&str] = &[
    "https://app.example.evil.example/callback",
    "https://evil.example/callback",
    "https://app.example@evil.example/callback",
    "https://app.example:443/callback",
    "https://APP.example/callback",
    "HTTPS://app.example/callback",
    "http://app.example/callback",
    "https:\\\\app.example\\callback",
    "https://app.example//callback",
    "https://app.example/./callback",
    "https://app.example/x/../callback",
    "https://app.example/%63allback",
    "https://app.example/callback/",
    "https://app.example/callback?",
    "https://app.example/callback?x=1",
    "https://app.example/callback#x",
    "https://app.example/callback%00",
    "https://app.example/callback\0",
    "https://app.example/callback ",
    " https://app.example/callback",
    "https://app.example/call\tback",
    "https://app.example/callback\r\nLocation: https://evil.example",
    "https://app。example/callback",
    "https://app.example/callba\u{212a}",
    "//app.example/callback",
    "/callback",
    "*",
    "javascript:alert(1)",
    "https://app.example/tenant?flag&name=a%20b+c",
    "https://app.example/tenant?name=a%20b%20c&flag",
];

/// Fails if the comparison goes by the beginning, or not by upper and lower case.
#[tokio::test]
async fn s10_and_decision_3_4_a_look_alike_of_the_redirect_is_never_followed() {
    let world = World::new().await;
    for uri in LOOK_ALIKES {
        let answer = get(&world.server, &world.authorize(&[("redirect_uri", uri)])).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{uri:?}");
        assert_eq!(answer.location(), "", "{uri:?}");
    }
}

/// Fails if an unregistered redirect URI is trusted.
#[tokio::test]
async fn s14_no_error_is_sent_to_an_untrusted_redirect() {
    let world = World::new().await;
    let unknown = "11111111-1111-4111-8111-111111111111";
    let public = world.public_client.id.to_string();
    let long = "s".repeat(5000);
    let errors: &[&[(&'static str, &str)]] = &[
        &[],
        &[("response_type", "")],
        &[("response_type", "token")],
        &[("scope", "service:manage")],
        &[("scope", "nonsense")],
        &[("code_challenge", "short")],
        &[("code_challenge", "")],
        &[("code_challenge_method", "S512")],
        &[("state", &long)],
        &[("client_id", "")],
        &[("client_id", unknown)],
        &[("client_id", &public)],
    ];
    let world_that_redirects = World::with(|builder| builder.redirect_scope_errors()).await;
    for error in errors {
        for uri in LOOK_ALIKES.iter().chain(&[""]) {
            let changes: Vec<_> = error.iter().copied().chain([("redirect_uri", *uri)]).collect();
            for world in [&world, &world_that_redirects] {
                let answer = world.browser().get(&world.authorize(&changes)).await;
                assert_eq!((answer.status, answer.location()), (StatusCode::BAD_REQUEST, ""), "{changes:?}");
            }
        }
        // A client that is not known has no redirect that could be trusted.
        if error.iter().any(|(name, _)| *name == "client_id") {
            assert_eq!(get(&world.server, &world.authorize(error)).await.status, StatusCode::BAD_REQUEST);
        }
    }
}

#[tokio::test]
async fn s13_a_code_is_bound_to_the_redirect_as_the_request_spelled_it() {
    let world = World::new().await;
    let id = world.public_client.id.to_string();
    let uri = "http://127.0.0.1:51004/callback";
    let mut browser = world.browser();
    browser.get(&world.authorize(&[("client_id", &id), ("redirect_uri", uri)])).await;
    browser.sign_in(EMAIL, PASSWORD).await;
    let answer = browser.decide("allow").await;
    assert!(answer.location().starts_with("http://127.0.0.1:51004/callback?code="), "{answer:?}");
    let code = AuthorizationCode::presented(&answer.sent_back("code").unwrap()).unwrap();
    let binding = world.store.code_binding(&code.digest()).await.unwrap().unwrap();
    assert_eq!((binding.client, &*binding.redirect_uri), (world.public_client.id, uri));
    assert_eq!(binding.challenge.unwrap().as_str(), CHALLENGE);
}

#[tokio::test]
async fn decision_3_8_the_redirect_keeps_its_own_query_and_the_state_comes_back_as_it_was() {
    let world = World::new().await;
    let uri = "https://app.example/tenant?name=a%20b+c&flag";
    let state = "a b+c&d=e#f%25\u{1F600}\"<>'\r\n\u{1}é";
    for decision in ["allow", "deny"] {
        let mut browser = world.browser();
        browser.get(&world.authorize(&[("redirect_uri", uri), ("state", state), ("prompt", "consent")])).await;
        browser.sign_in(EMAIL, PASSWORD).await;
        let answer = browser.decide(decision).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER);
        assert!(answer.location().starts_with(&format!("{uri}&")), "{answer:?}");
        assert_eq!(answer.sent_back("state").as_deref(), Some(state));
    }
    let answer = get(&world.server, &world.authorize(&[("redirect_uri", uri), ("state", state), ("response_type", "token")])).await;
    assert!(answer.location().starts_with(&format!("{uri}&error=")), "{answer:?}");
    assert_eq!(answer.sent_back("state").as_deref(), Some(state));
}

/// Fails if `iss` is missing, also from errors alone.
#[tokio::test]
async fn s35_and_decision_3_8_the_answer_names_its_issuer_on_success_and_on_error() {
    let world = World::new().await;
    for decision in ["allow", "deny"] {
        let answer = world.browser_at_consent().await.decide(decision).await;
        assert_eq!(answer.sent_back("iss").as_deref(), Some(ISSUER), "{decision}");
    }
    let answer = get(&world.server, &world.authorize(&[("response_type", "token")])).await;
    assert_eq!(answer.sent_back("iss").as_deref(), Some(ISSUER));
}

#[tokio::test]
async fn a_request_without_state_gets_none_back() {
    let world = World::new().await;
    let mut browser = world.browser();
    browser.get(&world.authorize(&[("state", "")])).await;
    browser.sign_in(EMAIL, PASSWORD).await;
    assert_eq!(browser.decide("allow").await.sent_back("state"), None);
}

/// Fails if an answer of one kind still has it, or if a client that did not ask for that does without.
#[tokio::test]
async fn a_client_that_fails_at_iss_is_sent_back_to_without_it() {
    let world = World::new().await;
    for omitted in [true, false] {
        let before = world.store.client(world.client.id).await.unwrap().unwrap().settings();
        let settings = ClientSettings { iss_omitted: omitted, ..before.clone() };
        assert_eq!(world.store.update_client(world.client.id, &before, settings).await.unwrap(), ClientUpdate::Updated);
        let mut answers = vec![
            get(&world.server, &world.authorize(&[("response_type", "token")])).await,
            get(&world.server, &world.authorize(&[("state", &"s".repeat(2001))])).await,
        ];
        for decision in ["deny", "allow"] {
            let mut browser = world.browser_at_consent().await;
            answers.push(browser.decide(decision).await);
        }
        answers.push(world.browser_at_login().await.sign_in(EMAIL, PASSWORD).await); // allowed before
        for answer in answers {
            assert!(answer.location().starts_with(CALLBACK), "{answer:?}");
            assert_eq!(answer.sent_back("iss").as_deref(), (!omitted).then_some(ISSUER), "{answer:?}");
        }
    }
}
