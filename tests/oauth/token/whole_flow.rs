use http::Request;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use lyceum::http::Body;

use super::harness::{Fields, VERIFIER, basic};
use crate::harness::{CALLBACK, EMAIL, Harness, TestResponse, ask};

async fn token(harness: &Harness, fields: &[(&str, &str)]) -> TestResponse {
    let mut request = Fields::new(fields).as_form();
    let header = basic(&harness.client.id.to_string(), harness.secret.expose());
    request
        .headers_mut()
        .insert(AUTHORIZATION, header.parse().unwrap());
    ask(&harness.server, request).await
}

#[tokio::test]
async fn the_client_gets_the_scopes_to_which_the_user_consented() {
    let harness = Harness::new().await;
    let code = harness
        .browser_at_consent()
        .await
        .decide("allow")
        .await
        .sent_back("code")
        .unwrap();
    let fields = [
        ("grant_type", "authorization_code"),
        ("code", &*code),
        ("redirect_uri", CALLBACK),
        ("code_verifier", VERIFIER),
    ];
    let first = token(&harness, &fields).await.json();
    assert_eq!(first["scope"], format!("{}:read", harness.application));

    let refresh_token = first["refresh_token"].as_str().unwrap();
    let second = token(
        &harness,
        &[
            ("grant_type", "refresh_token"),
            ("refresh_token", refresh_token),
        ],
    )
    .await
    .json();
    let keys = ask(
        &harness.server,
        Request::get("/v1/oauth/jwk-set")
            .body(Body::empty())
            .unwrap(),
    )
    .await
    .json();
    let verifier = lyceum::crypto::TokenVerifier::new(&serde_json::from_value(keys).unwrap());
    for reply in [&first, &second] {
        let token = reply["access_token"].as_str().unwrap();
        let claims: serde_json::Value = verifier
            .verify(token, lyceum::http::Clock::now(&harness.clock))
            .unwrap();
        assert_eq!(
            (&claims["sub"], &claims["aud"]),
            (
                &EMAIL.into(),
                &serde_json::json!([harness.application.to_string()])
            )
        );
    }
}

// Proves: spec 3.9
#[tokio::test]
async fn a_code_belongs_to_the_spelling_of_the_redirect_uri_that_was_asked_for() {
    // A loopback port may differ from the registered one, but not between authorization and
    // exchange.
    let harness = Harness::new().await;
    let client = harness.public_client.id.to_string();
    let redirect_uri = "http://127.0.0.1:51234/callback";
    let mut browser = harness.browser();
    browser
        .get(&harness.authorize(&[("client_id", &client), ("redirect_uri", redirect_uri)]))
        .await;
    browser.sign_in(EMAIL, crate::harness::PASSWORD).await;
    let code = browser.decide("allow").await.sent_back("code").unwrap();
    for (uri, status) in [("http://127.0.0.1:8400/callback", 400), (redirect_uri, 200)] {
        let fields = Fields::new(&[
            ("grant_type", "authorization_code"),
            ("client_id", &client),
            ("code", &code),
            ("redirect_uri", uri),
            ("code_verifier", VERIFIER),
        ]);
        let request = fields.as_json();
        assert_eq!(request.headers()[CONTENT_TYPE], "application/json");
        assert_eq!(ask(&harness.server, request).await.status, status, "{uri}");
    }
}
