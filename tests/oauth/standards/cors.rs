//! Endpoints that other origins may use (Fetch Standard, "CORS protocol"), and those that they may
//! not.

use http::{Method, Request};
use lyceum::domain::ClientPolicy;
use lyceum::http::Body;

use crate::token::harness::*;

const READ: [&str; 6] = [
    "/v1/oauth/jwk-set",
    "/v1/oauth/jwks",
    "/.well-known/jwks.json",
    "/.well-known/oauth-authorization-server",
    "/userinfo",
    "/v1/oauth/userinfo",
];
const POSTED: [&str; 2] = [TOKEN, "/v1/oauth/revoke"];

/// Paths that use cookies, are for services, are for management, or do not exist.
const CLOSED: [&str; 18] = [
    "/v1/oauth/authorize",
    "/v1/oauth/authorize/session",
    "/v1/oauth/sessions/x",
    "/v1/oauth/login",
    "/v1/oauth/consent",
    "/v1/oauth/introspect",
    "/v1/oauth/assets/x",
    "/v1/oauth/token/",
    "/v1/oauth/nowhere",
    "/.well-known/oauth-authorization-server/other",
    "/.well-known/jwks.json/",
    "/v1/applications",
    "/v1/applications/service",
    "/v1/clients",
    "/v1/clients/available-scopes",
    "/v1/api-keys",
    "/v1/grants",
    "/",
];

fn from_elsewhere(method: &Method, path: &str) -> http::request::Builder {
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header("origin", "https://elsewhere.example");
    if method == Method::OPTIONS {
        request.header("access-control-request-method", "GET")
    } else {
        request
    }
}

/// The CORS headers of a response.
fn told(answer: &TestResponse) -> Vec<(&str, &str)> {
    let headers = answer
        .headers
        .iter()
        .filter(|(name, _)| name.as_str().starts_with("access-control-"));
    let mut told: Vec<_> = headers
        .map(|(name, value)| (name.as_str(), value.to_str().unwrap()))
        .collect();
    told.sort_unstable();
    told
}

const SHARED: [(&str, &str); 2] = [
    ("access-control-allow-origin", "*"),
    (
        "access-control-expose-headers",
        "Retry-After, WWW-Authenticate, X-Request-Id",
    ),
];

// Proves: spec 3.23
#[tokio::test]
async fn a_preflight_of_every_origin_is_answered_where_clients_without_a_server_ask() {
    let harness = Harness::new().await;
    let methods = READ
        .map(|path| (path, "GET, HEAD, OPTIONS"))
        .into_iter()
        .chain(POSTED.map(|path| (path, "POST, OPTIONS")));
    for (path, methods) in methods {
        let answer = harness
            .send(
                from_elsewhere(&Method::OPTIONS, path)
                    .body(Body::empty())
                    .unwrap(),
            )
            .await;
        assert_eq!(
            (
                answer.status.as_u16(),
                answer.header("allow"),
                &*answer.body
            ),
            (204, methods, ""),
            "{path}"
        );
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
        let permitted = [
            (
                "access-control-allow-headers",
                "Authorization, Content-Type",
            ),
            ("access-control-allow-methods", methods),
            SHARED[0],
            SHARED[1],
            ("access-control-max-age", "7200"),
        ];
        assert_eq!(told(&answer), permitted, "{path}");
    }
}

// Proves: spec 3.23
/// Fails if a script cannot read its own errors, or a cached response to another origin's request.
#[tokio::test]
async fn every_answer_there_can_be_read_from_every_origin_and_errors_too() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let tokens = harness.tokens(&client).await;
    for path in READ.into_iter().chain(POSTED) {
        for method in [Method::GET, Method::HEAD, Method::POST, Method::DELETE] {
            let request = Request::builder()
                .method(&method)
                .uri(path)
                .header("authorization", format!("Bearer {}", tokens.access));
            let answer = harness.send(request.body(Body::empty()).unwrap()).await;
            assert_eq!(told(&answer), SHARED, "{method} {path}: {}", answer.status);
        }
    }
    let lasting = harness.tokens(&client).await;
    for answer in [
        harness.refresh(&client, &lasting.refresh).await,
        harness.refresh(&client, "x").await,
        harness.user_info(&lasting.access).await,
        harness.user_info("x").await,
    ] {
        assert_eq!(told(&answer), SHARED, "{}", answer.status);
    }
    harness.users.set_reachable(false);
    let failed = harness.user_info(&lasting.access).await;
    assert_eq!(
        (failed.status.as_u16(), &*told(&failed)),
        (503, &SHARED[..])
    );
}

// Proves: spec 3.23
#[tokio::test]
async fn other_responses_have_no_cors_headers() {
    let harness = Harness::new().await;
    for path in CLOSED {
        for method in [Method::OPTIONS, Method::GET, Method::POST] {
            let answer = harness
                .send(from_elsewhere(&method, path).body(Body::empty()).unwrap())
                .await;
            assert_eq!(told(&answer), [], "{method} {path}");
            assert!(
                method != Method::OPTIONS || matches!(answer.status.as_u16(), 404 | 405),
                "{path}: {}",
                answer.status
            );
        }
    }
}
