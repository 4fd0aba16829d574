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

// Proves: spec 3.4, threats 10
/// Fails if only a prefix is compared, or case is ignored.
#[tokio::test]
async fn a_look_alike_of_the_redirect_is_never_followed() {
    let harness = Harness::new().await;
    for uri in LOOK_ALIKES {
        let answer = get(
            &harness.server,
            &harness.authorize(&[("redirect_uri", uri)]),
        )
        .await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{uri:?}");
        assert_eq!(answer.location(), "", "{uri:?}");
    }
}

// Proves: threats 14
/// Fails if an unregistered redirect URI is trusted.
#[tokio::test]
async fn no_error_is_sent_to_an_untrusted_redirect() {
    let harness = Harness::new().await;
    let unknown = "11111111-1111-4111-8111-111111111111";
    let public = harness.public_client.id.to_string();
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
    let redirecting_harness =
        Harness::with_settings(|builder| builder.redirect_scope_errors()).await;
    for error in errors {
        for uri in LOOK_ALIKES.iter().chain(&[""]) {
            let changes: Vec<_> = error
                .iter()
                .copied()
                .chain([("redirect_uri", *uri)])
                .collect();
            for harness in [&harness, &redirecting_harness] {
                let answer = harness.browser().get(&harness.authorize(&changes)).await;
                assert_eq!(
                    (answer.status, answer.location()),
                    (StatusCode::BAD_REQUEST, ""),
                    "{changes:?}"
                );
            }
        }
        // An unknown client has no trusted redirect URI.
        if error.iter().any(|(name, _)| *name == "client_id") {
            assert_eq!(
                get(&harness.server, &harness.authorize(error)).await.status,
                StatusCode::BAD_REQUEST
            );
        }
    }
}

// Proves: threats 13
#[tokio::test]
async fn a_code_is_bound_to_the_redirect_as_the_request_spelled_it() {
    let harness = Harness::new().await;
    let id = harness.public_client.id.to_string();
    let uri = "http://127.0.0.1:51004/callback";
    let mut browser = harness.browser();
    browser
        .get(&harness.authorize(&[("client_id", &id), ("redirect_uri", uri)]))
        .await;
    browser.sign_in(EMAIL, PASSWORD).await;
    let answer = browser.decide("allow").await;
    assert!(
        answer
            .location()
            .starts_with("http://127.0.0.1:51004/callback?code="),
        "{answer:?}"
    );
    let code = AuthorizationCode::parse(&answer.sent_back("code").unwrap()).unwrap();
    let binding = harness
        .store
        .code_binding(&code.digest())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (binding.client, &*binding.redirect_uri),
        (harness.public_client.id, uri)
    );
    assert_eq!(binding.challenge.unwrap().as_str(), CHALLENGE);
}

// Proves: spec 3.8
#[tokio::test]
async fn the_redirect_keeps_its_own_query_and_the_state_comes_back_as_it_was() {
    let harness = Harness::new().await;
    let uri = "https://app.example/tenant?name=a%20b+c&flag";
    let state = "a b+c&d=e#f%25\u{1F600}\"<>'\r\n\u{1}é";
    for decision in ["allow", "deny"] {
        let mut browser = harness.browser();
        browser
            .get(&harness.authorize(&[
                ("redirect_uri", uri),
                ("state", state),
                ("prompt", "consent"),
            ]))
            .await;
        browser.sign_in(EMAIL, PASSWORD).await;
        let answer = browser.decide(decision).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER);
        assert!(
            answer.location().starts_with(&format!("{uri}&")),
            "{answer:?}"
        );
        assert_eq!(answer.sent_back("state").as_deref(), Some(state));
    }
    let answer = get(
        &harness.server,
        &harness.authorize(&[
            ("redirect_uri", uri),
            ("state", state),
            ("response_type", "token"),
        ]),
    )
    .await;
    assert!(
        answer.location().starts_with(&format!("{uri}&error=")),
        "{answer:?}"
    );
    assert_eq!(answer.sent_back("state").as_deref(), Some(state));
}

// Proves: spec 3.8, threats 35
/// Fails if `iss` is missing, even from errors only.
#[tokio::test]
async fn the_answer_names_its_issuer_on_success_and_on_error() {
    let harness = Harness::new().await;
    for decision in ["allow", "deny"] {
        let answer = harness.browser_at_consent().await.decide(decision).await;
        assert_eq!(
            answer.sent_back("iss").as_deref(),
            Some(ISSUER),
            "{decision}"
        );
    }
    let answer = get(
        &harness.server,
        &harness.authorize(&[("response_type", "token")]),
    )
    .await;
    assert_eq!(answer.sent_back("iss").as_deref(), Some(ISSUER));
}

#[tokio::test]
async fn a_request_without_state_gets_none_back() {
    let harness = Harness::new().await;
    let mut browser = harness.browser();
    browser.get(&harness.authorize(&[("state", "")])).await;
    browser.sign_in(EMAIL, PASSWORD).await;
    assert_eq!(browser.decide("allow").await.sent_back("state"), None);
}

/// Fails if some responses still have `iss`, or a client that is not registered without it gets
/// none.
#[tokio::test]
async fn a_client_that_fails_at_iss_is_sent_back_to_without_it() {
    let harness = Harness::new().await;
    for omitted in [true, false] {
        let before = harness
            .store
            .client(harness.client.id)
            .await
            .unwrap()
            .unwrap()
            .settings();
        let settings = ClientSettings {
            iss_omitted: omitted,
            ..before.clone()
        };
        assert_eq!(
            harness
                .store
                .update_client(harness.client.id, &before, settings)
                .await
                .unwrap(),
            ClientUpdate::Updated
        );
        let mut answers = vec![
            get(
                &harness.server,
                &harness.authorize(&[("response_type", "token")]),
            )
            .await,
            get(
                &harness.server,
                &harness.authorize(&[("state", &"s".repeat(2001))]),
            )
            .await,
        ];
        for decision in ["deny", "allow"] {
            let mut browser = harness.browser_at_consent().await;
            answers.push(browser.decide(decision).await);
        }
        answers.push(
            harness
                .browser_at_login()
                .await
                .sign_in(EMAIL, PASSWORD)
                .await,
        ); // allowed before
        for answer in answers {
            assert!(answer.location().starts_with(CALLBACK), "{answer:?}");
            assert_eq!(
                answer.sent_back("iss").as_deref(),
                (!omitted).then_some(ISSUER),
                "{answer:?}"
            );
        }
    }
}
