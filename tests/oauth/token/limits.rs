//! Limits on requests of clients and callers to the token, revocation and introspection endpoints.

use std::time::Duration;

use http::Request;
use lyceum::domain::{ClientPolicy, Quota};
use lyceum::http::{Body, ClientAddress};

use super::harness::*;

const PLACES: [(&str, &str); 3] = [
    ("token", TOKEN),
    ("revoke", "/v1/oauth/revoke"),
    ("introspect", "/v1/oauth/introspect"),
];

fn a_minute(limit: u32) -> Quota {
    Quota::new(limit, Duration::from_secs(60), limit).unwrap()
}

/// Three requests a client, and two failing ones a network.
async fn limited_harness() -> Harness {
    Harness::with_settings(|builder| {
        builder
            .client_limit(a_minute(3))
            .failed_client_limit(a_minute(2))
    })
    .await
}

fn from(address: &str, mut request: Request<Body>) -> Request<Body> {
    request
        .extensions_mut()
        .insert(ClientAddress(address.parse().unwrap()));
    request
}

/// A request of a client to one of the endpoints, with this secret.
fn request(client: &TestClient, secret: &str, path: &'static str) -> Request<Body> {
    let kind = if path == TOKEN { "refresh_token" } else { "" };
    let fields = Fields::new(&[
        ("client_id", &client.id),
        ("token", "x"),
        ("refresh_token", "x"),
    ]);
    fields
        .with("grant_type", kind)
        .with("client_secret", secret)
        .to_request(path)
}

/// The responses beyond the limits, for the table in `docs/wire.md`.
pub async fn beyond_the_limit() -> Vec<(&'static str, u16, String)> {
    let harness = limited_harness().await;
    let mut rows = Vec::new();
    for (place, path) in PLACES {
        let client = harness.client(ClientPolicy::Secret).await;
        for _ in 0..3 {
            assert_ne!(
                harness
                    .send(request(&client, &client.secret(), path))
                    .await
                    .status,
                429
            );
        }
        let (status, error) = harness
            .send(request(&client, &client.secret(), path))
            .await
            .error();
        rows.push((place, status, error));
    }
    rows
}

#[tokio::test]
async fn a_client_over_its_limit_gets_retry_after_and_spends_nothing() {
    let harness = limited_harness().await;
    let client = harness.client(ClientPolicy::Secret).await;
    let exchange = harness
        .exchange_fields(&client)
        .await
        .with("client_secret", &client.secret());
    for (_, path) in PLACES {
        assert_ne!(
            harness
                .send(request(&client, &client.secret(), path))
                .await
                .status,
            429
        );
    }
    let refused = harness.post(&exchange).await;
    assert_eq!(
        (refused.error(), refused.header("retry-after")),
        (error(429, "too_many_requests"), "20")
    );
    assert!(
        refused.json()["error_description"].is_string()
            && refused.header("cache-control") == "no-store",
        "{refused:?}"
    );
    let other = harness.client(ClientPolicy::Secret).await;
    assert_ne!(
        harness
            .send(request(&other, &other.secret(), TOKEN))
            .await
            .status,
        429,
        "others are not limited"
    );
    harness.clock.advance(Duration::from_secs(20));
    let issued = harness.post(&exchange).await;
    assert_eq!(issued.status, 200, "the code is still valid: {issued:?}");
    // The same for a refresh token.
    let refresh =
        refresh_fields(&client, &issued.tokens().refresh).with("client_secret", &client.secret());
    assert_eq!(harness.post(&refresh).await.status, 429);
    harness.clock.advance(Duration::from_secs(20));
    assert_eq!(harness.post(&refresh).await.status, 200);
}

// Proves: threats 40
/// Fails if a request is counted for the client before it authenticates, or the limit on failures
/// blocks other requests.
#[tokio::test]
async fn knowing_a_client_id_locks_the_client_out_nowhere() {
    let harness = limited_harness().await;
    let client = harness.client(ClientPolicy::Secret).await;
    let (here, elsewhere) = ("192.0.2.1", "198.51.100.7");
    for stranger in [here, elsewhere] {
        for secret in ["wrong", &client.secrets[0].to_uppercase(), ""] {
            for (_, path) in PLACES {
                let _ = harness
                    .send(from(stranger, request(&client, secret, path)))
                    .await;
            }
        }
        assert_eq!(
            harness
                .send(from(stranger, request(&client, "wrong", TOKEN)))
                .await
                .error(),
            error(429, "too_many_requests")
        );
    }
    let refresh = harness
        .send(from(here, request(&client, &client.secret(), TOKEN)))
        .await;
    assert_eq!(
        refresh.error(),
        error(400, "invalid_grant"),
        "the response names the error, not the limit"
    );
    assert_eq!(
        harness
            .send(from(
                here,
                request(&client, &client.secret(), "/v1/oauth/introspect")
            ))
            .await
            .status,
        200
    );
    assert_eq!(
        harness
            .send(from(
                elsewhere,
                request(&client, &client.secret(), "/v1/oauth/revoke")
            ))
            .await
            .status,
        200
    );
    // Only now has the client used up its own limit.
    assert_eq!(
        harness
            .send(from(
                "203.0.113.1",
                request(&client, &client.secret(), TOKEN)
            ))
            .await
            .status,
        429
    );
}

// Proves: threats 18
/// Fails if a response reveals whether the client exists.
#[tokio::test]
async fn beyond_the_limit_an_unknown_client_and_a_wrong_secret_get_the_same_response() {
    let harness = limited_harness().await;
    let client = harness.client(ClientPolicy::Secret).await;
    let unknown = TestClient::unknown();
    for _ in 0..2 {
        let wrong = harness
            .send(from("192.0.2.1", request(&client, "wrong", TOKEN)))
            .await;
        let nobody = harness
            .send(from("198.51.100.7", request(&unknown, "wrong", TOKEN)))
            .await;
        assert_eq!((wrong.status.as_u16(), &wrong), (401, &nobody));
    }
    let wrong = harness
        .send(from("192.0.2.1", request(&client, "wrong", TOKEN)))
        .await;
    let nobody = harness
        .send(from("198.51.100.7", request(&unknown, "wrong", TOKEN)))
        .await;
    assert_eq!((wrong.status.as_u16(), &wrong), (429, &nobody));
    harness.clock.advance(Duration::from_secs(30));
    assert_eq!(
        harness
            .send(from("192.0.2.1", request(&client, "wrong", TOKEN)))
            .await
            .status,
        401
    );
}

#[tokio::test]
async fn an_unreadable_request_counts_against_the_network_like_a_wrong_secret() {
    let harness = limited_harness().await;
    for (expected, body) in [
        (400, "{"),
        (
            401,
            r#"{"client_id":"nobody","grant_type":"refresh_token"}"#,
        ),
        (429, "{"),
    ] {
        assert_eq!(
            harness
                .send(from("2001:db8::1", json(body)))
                .await
                .status
                .as_u16(),
            expected,
            "{body}"
        );
    }
    assert_eq!(
        harness
            .send(from("2001:db8:0:1::1", json("{")))
            .await
            .status
            .as_u16(),
        400,
        "another network"
    );
    assert_eq!(
        harness.send(json("{")).await.status.as_u16(),
        400,
        "nothing is counted without an address"
    );
}

/// Fails if a request of a client without a secret is counted for the client before its code or
/// token is known to be the client's.
#[tokio::test]
async fn anonymous_requests_behind_a_shared_address_do_not_use_up_a_public_clients_limit() {
    let harness = limited_harness().await;
    let (client, other) = (
        harness.client(ClientPolicy::Public).await,
        harness.client(ClientPolicy::Public).await,
    );
    let (exchange, of_other) = (
        harness.exchange_fields(&client).await,
        harness.tokens(&other).await,
    );
    let here = "192.0.2.1";
    for attempt in 0..5 {
        let token = if attempt % 2 == 0 {
            "x"
        } else {
            &of_other.refresh
        };
        let fields = Fields::new(&[
            ("client_id", &client.id),
            ("token", token),
            ("code", "x"),
            ("code_verifier", VERIFIER),
        ]);
        for kind in ["authorization_code", "refresh_token"] {
            let _ = harness
                .send(from(
                    here,
                    fields
                        .with("grant_type", kind)
                        .with("refresh_token", token)
                        .with("redirect_uri", CALLBACK)
                        .as_form(),
                ))
                .await;
        }
        for (_, path) in &PLACES[1..] {
            let _ = harness.send(from(here, fields.to_request(path))).await;
        }
    }
    for (place, path) in PLACES {
        assert_eq!(
            harness
                .send(from(here, request(&client, "", path)))
                .await
                .error(),
            error(429, "too_many_requests"),
            "{place}"
        );
    }
    assert!(harness.is_live(&of_other.access).await);
    let issued = harness.send(from(here, exchange.as_form())).await;
    let refreshed = harness
        .send(from(
            here,
            refresh_fields(&client, &issued.tokens().refresh).as_form(),
        ))
        .await
        .tokens();
    let revocation = Fields::new(&[("client_id", &client.id), ("token", &refreshed.access)]);
    assert_eq!(
        harness
            .send(from(here, revocation.to_request("/v1/oauth/revoke")))
            .await
            .status,
        200
    );
    assert!(!harness.is_live(&refreshed.access).await);
    // Only now has the classroom used up its own limit.
    assert_eq!(
        harness
            .send(from(here, harness.exchange_fields(&client).await.as_form()))
            .await
            .status,
        429
    );
}

// Proves: threats 40
/// Fails if the holder of a public client's token can use up the limit of its other users, or a
/// refusal consumes the token.
#[tokio::test]
async fn a_public_client_has_a_budget_for_each_network() {
    let harness = limited_harness().await;
    let client = harness.client(ClientPolicy::Public).await;
    let mut token = harness.tokens(&client).await.refresh;
    let mut refresh = async |address: &str| {
        let answer = harness
            .send(from(address, refresh_fields(&client, &token).as_form()))
            .await;
        if answer.status == 200 {
            token = answer.tokens().refresh;
        }
        answer.status.as_u16()
    };
    for expected in [200, 200, 200, 429, 429] {
        assert_eq!(refresh("192.0.2.1").await, expected);
    }
    // A /48 has eight times the limit of a /64, however many of them are in it.
    let mut answered = 0;
    for subnet in 0..100 {
        answered +=
            usize::from(refresh(&format!("2001:db8:1:{:x}::1", subnet * 0x100)).await == 200);
    }
    assert_eq!(answered, 24);
    assert_eq!(refresh("198.51.100.7").await, 200);
}
