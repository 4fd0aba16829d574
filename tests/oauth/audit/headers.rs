use std::collections::HashSet;

use http::{Method, Request};
use lyceum::http::Body;

use crate::harness::{self, CALLBACK, EMAIL, Harness, PASSWORD};
use crate::token::harness::VERIFIER;

// Proves: threats 26
/// Fails if the response of the revocation endpoint has no `Referrer-Policy`.
#[tokio::test]
async fn every_response_has_a_new_id_and_forbids_referrers_and_caching() {
    let harness = Harness::new().await;
    let mut answers = Vec::new();
    let stylesheet = {
        let page = harness
            .browser_at_login()
            .await
            .get("/v1/oauth/login")
            .await;
        page.body
            .split("href=\"")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap()
            .to_owned()
    };
    let cacheable = [
        "/v1/oauth/jwk-set",
        "/v1/oauth/jwks",
        "/.well-known/jwks.json",
        "/.well-known/oauth-authorization-server",
        &stylesheet,
    ];
    let others = [
        "/v1/oauth/authorize",
        &*harness.authorize(&[]),
        "/v1/oauth/authorize/session",
        "/v1/oauth/sessions/x",
        "/v1/oauth/login",
        "/v1/oauth/consent",
        "/v1/oauth/token",
        "/v1/oauth/revoke",
        "/v1/oauth/introspect",
        "/v1/oauth/userinfo",
        "/userinfo",
        "/v1/oauth/nowhere",
    ];
    for path in cacheable.into_iter().chain(others) {
        for method in [Method::GET, Method::HEAD, Method::POST, Method::DELETE] {
            let is_kept = cacheable.contains(&path) && matches!(method, Method::GET | Method::HEAD);
            let request = Request::builder()
                .method(&method)
                .uri(path)
                .body(Body::empty())
                .unwrap();
            answers.push((
                format!("{method} {path}"),
                is_kept,
                harness::ask(&harness.server, request).await,
            ));
        }
    }
    let mut browser = harness.browser_at_login().await;
    answers.push((
        "login page".into(),
        false,
        browser.get("/v1/oauth/login").await,
    ));
    answers.push((
        "wrong password".into(),
        false,
        browser.sign_in(EMAIL, "wrong").await,
    ));
    answers.push((
        "sign-in".into(),
        false,
        browser.sign_in(EMAIL, PASSWORD).await,
    ));
    answers.push((
        "consent page".into(),
        false,
        browser.get("/v1/oauth/consent").await,
    ));
    let allowed = browser.decide("allow").await;
    let (id, code) = (
        harness.client.id.to_string(),
        allowed.sent_back("code").unwrap(),
    );
    answers.push(("consent".into(), false, allowed));
    let secret = harness.secret.expose();
    let exchange = [
        ("grant_type", "authorization_code"),
        ("client_id", &id),
        ("code", &code),
        ("redirect_uri", CALLBACK),
        ("code_verifier", VERIFIER),
    ];
    let of_a_token = [
        ("client_id", &*id),
        ("client_secret", secret),
        ("token", "x"),
    ];
    for (path, fields) in [
        ("/v1/oauth/token", &exchange[..]),
        ("/v1/oauth/introspect", &of_a_token[..]),
        ("/v1/oauth/revoke", &of_a_token[..]),
    ] {
        let answer = browser.post(path, fields).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answers.push((path.to_owned(), false, answer));
    }

    let mut ids = HashSet::new();
    for (name, is_kept, answer) in answers {
        let id = answer.header("x-request-id").to_owned();
        assert!(id.len() == 10 && ids.insert(id), "{name}: {answer:?}");
        assert_eq!(
            answer.header("referrer-policy"),
            "no-referrer",
            "{name}: {answer:?}"
        );
        assert_eq!(
            answer.header("cache-control") == "no-store",
            !is_kept,
            "{name}: {answer:?}"
        );
    }
}
