//! How often clients and strangers may ask the token, revocation and introspection endpoints.

use std::time::Duration;

use http::Request;
use lyceum::domain::{ClientPolicy, Quota};
use lyceum::http::{Body, ClientAddress};

use super::world::*;

const PLACES: [(&str, &str); 3] = [("token", TOKEN), ("revoke", "/v1/oauth/revoke"), ("introspect", "/v1/oauth/introspect")];

fn a_minute(limit: u32) -> Quota {
    Quota::new(limit, Duration::from_secs(60), limit).unwrap()
}

/// Three requests a client, and two a network that fail.
async fn small_world() -> World {
    World::with(|builder| builder.client_limit(a_minute(3)).failed_client_limit(a_minute(2))).await
}

fn from(address: &str, mut request: Request<Body>) -> Request<Body> {
    request.extensions_mut().insert(ClientAddress(address.parse().unwrap()));
    request
}

/// A request of a client at one of the endpoints, with this secret.
fn request(client: &TestClient, secret: &str, path: &'static str) -> Request<Body> {
    let kind = if path == TOKEN { "refresh_token" } else { "" };
    let fields = Fields::new(&[("client_id", &client.id), ("token", "x"), ("refresh_token", "x")]);
    fields.with("grant_type", kind).with("client_secret", secret).to(path)
}

/// What the endpoints answer once a limit is used up, for the table in `docs/wire.md`.
pub async fn beyond_the_limit() -> Vec<(&'static str, u16, String)> {
    let world = small_world().await;
    let mut rows = Vec::new();
    for (place, path) in PLACES {
        let client = world.client(ClientPolicy::Secret).await;
        for _ in 0..3 {
            assert_ne!(world.send(request(&client, &client.secret(), path)).await.status, 429);
        }
        let (status, error) = world.send(request(&client, &client.secret(), path)).await.error();
        rows.push((place, status, error));
    }
    rows
}

#[tokio::test]
async fn a_client_beyond_its_limit_is_told_when_to_come_back_and_nothing_is_spent_meanwhile() {
    let world = small_world().await;
    let client = world.client(ClientPolicy::Secret).await;
    let exchange = world.exchange_fields(&client).await.with("client_secret", &client.secret());
    for (_, path) in PLACES {
        assert_ne!(world.send(request(&client, &client.secret(), path)).await.status, 429);
    }
    let refused = world.post(&exchange).await;
    assert_eq!((refused.error(), refused.header("retry-after")), (error(429, "too_many_requests"), "20"));
    assert!(refused.json()["error_description"].is_string() && refused.header("cache-control") == "no-store", "{refused:?}");
    let other = world.client(ClientPolicy::Secret).await;
    assert_ne!(world.send(request(&other, &other.secret(), TOKEN)).await.status, 429, "others are not held up");
    world.clock.advance(Duration::from_secs(20));
    let issued = world.post(&exchange).await;
    assert_eq!(issued.status, 200, "the code is as good as before: {issued:?}");
    // A refresh token as well.
    let refresh = refresh_fields(&client, &issued.tokens().refresh).with("client_secret", &client.secret());
    assert_eq!(world.post(&refresh).await.status, 429);
    world.clock.advance(Duration::from_secs(20));
    assert_eq!(world.post(&refresh).await.status, 200);
}

/// Fails if a request is counted for the client before the client has authenticated, or if the count of failures holds up what does not fail.
#[tokio::test]
async fn s40_strangers_who_know_a_clients_id_lock_it_out_nowhere() {
    let world = small_world().await;
    let client = world.client(ClientPolicy::Secret).await;
    let (here, elsewhere) = ("192.0.2.1", "198.51.100.7");
    for stranger in [here, elsewhere] {
        for secret in ["wrong", &client.secrets[0].to_uppercase(), ""] {
            for (_, path) in PLACES {
                let _ = world.send(from(stranger, request(&client, secret, path))).await;
            }
        }
        assert_eq!(world.send(from(stranger, request(&client, "wrong", TOKEN))).await.error(), error(429, "too_many_requests"));
    }
    let refresh = world.send(from(here, request(&client, &client.secret(), TOKEN))).await;
    assert_eq!(refresh.error(), error(400, "invalid_grant"), "it is told what is wrong with its token, and not to wait");
    assert_eq!(world.send(from(here, request(&client, &client.secret(), "/v1/oauth/introspect"))).await.status, 200);
    assert_eq!(world.send(from(elsewhere, request(&client, &client.secret(), "/v1/oauth/revoke"))).await.status, 200);
    // Only now has the client used up its own.
    assert_eq!(world.send(from("203.0.113.1", request(&client, &client.secret(), TOKEN))).await.status, 429);
}

/// Fails if the answer to one of them depends on whether there is such a client.
#[tokio::test]
async fn s18_beyond_the_limit_an_unknown_client_and_a_wrong_secret_are_told_the_same() {
    let world = small_world().await;
    let client = world.client(ClientPolicy::Secret).await;
    let unknown = TestClient::unknown();
    for _ in 0..2 {
        let wrong = world.send(from("192.0.2.1", request(&client, "wrong", TOKEN))).await;
        let nobody = world.send(from("198.51.100.7", request(&unknown, "wrong", TOKEN))).await;
        assert_eq!((wrong.status.as_u16(), &wrong), (401, &nobody));
    }
    let wrong = world.send(from("192.0.2.1", request(&client, "wrong", TOKEN))).await;
    let nobody = world.send(from("198.51.100.7", request(&unknown, "wrong", TOKEN))).await;
    assert_eq!((wrong.status.as_u16(), &wrong), (429, &nobody));
    world.clock.advance(Duration::from_secs(30));
    assert_eq!(world.send(from("192.0.2.1", request(&client, "wrong", TOKEN))).await.status, 401);
}

#[tokio::test]
async fn what_cannot_be_read_counts_for_the_network_as_a_wrong_secret_does() {
    let world = small_world().await;
    for (expected, body) in [(400, "{"), (401, r#"{"client_id":"nobody","grant_type":"refresh_token"}"#), (429, "{")] {
        assert_eq!(world.send(from("2001:db8::1", json(body))).await.status.as_u16(), expected, "{body}");
    }
    assert_eq!(world.send(from("2001:db8:0:1::1", json("{"))).await.status.as_u16(), 400, "another network");
    assert_eq!(world.send(json("{")).await.status.as_u16(), 400, "nothing is counted without an address");
}

/// Fails if a request of a client without a secret is counted for the client before its code or token is known to be the client's.
#[tokio::test]
async fn strangers_behind_the_address_of_a_class_room_use_up_nothing_of_its_public_client() {
    let world = small_world().await;
    let (client, other) = (world.client(ClientPolicy::Public).await, world.client(ClientPolicy::Public).await);
    let (exchange, of_other) = (world.exchange_fields(&client).await, world.tokens(&other).await);
    let here = "192.0.2.1";
    for attempt in 0..5 {
        let token = if attempt % 2 == 0 { "x" } else { &of_other.refresh };
        let fields = Fields::new(&[("client_id", &client.id), ("token", token), ("code", "x"), ("code_verifier", VERIFIER)]);
        for kind in ["authorization_code", "refresh_token"] {
            let _ = world
                .send(from(here, fields.with("grant_type", kind).with("refresh_token", token).with("redirect_uri", CALLBACK).as_form()))
                .await;
        }
        for (_, path) in &PLACES[1..] {
            let _ = world.send(from(here, fields.to(path))).await;
        }
    }
    for (place, path) in PLACES {
        assert_eq!(world.send(from(here, request(&client, "", path))).await.error(), error(429, "too_many_requests"), "{place}");
    }
    assert!(world.is_live(&of_other.access).await);
    let issued = world.send(from(here, exchange.as_form())).await;
    let refreshed = world.send(from(here, refresh_fields(&client, &issued.tokens().refresh).as_form())).await.tokens();
    let revocation = Fields::new(&[("client_id", &client.id), ("token", &refreshed.access)]);
    assert_eq!(world.send(from(here, revocation.to("/v1/oauth/revoke"))).await.status, 200);
    assert!(!world.is_live(&refreshed.access).await);
    // Only now the class room has used up its own.
    assert_eq!(world.send(from(here, world.exchange_fields(&client).await.as_form())).await.status, 429);
}

/// Fails if whoever has a token of a public client can use up what its users elsewhere have, or if a refusal spends the token.
#[tokio::test]
async fn s40_a_public_client_has_a_budget_for_each_network() {
    let world = small_world().await;
    let client = world.client(ClientPolicy::Public).await;
    let mut token = world.tokens(&client).await.refresh;
    let mut refresh = async |address: &str| {
        let answer = world.send(from(address, refresh_fields(&client, &token).as_form())).await;
        if answer.status == 200 {
            token = answer.tokens().refresh;
        }
        answer.status.as_u16()
    };
    for expected in [200, 200, 200, 429, 429] {
        assert_eq!(refresh("192.0.2.1").await, expected);
    }
    // A /48 has eight times what a /64 has, however many of these there are in it.
    let mut answered = 0;
    for subnet in 0..100 {
        answered += usize::from(refresh(&format!("2001:db8:1:{:x}::1", subnet * 0x100)).await == 200);
    }
    assert_eq!(answered, 24);
    assert_eq!(refresh("198.51.100.7").await, 200);
}
