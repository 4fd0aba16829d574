//! Limits of the data API where there are several servers, or a proxy in front.

use serde_json::Value;

use crate::place::{Place, on_each_database};
use crate::server::Server;
use crate::support::{Answer, Client};

on_each_database!(
    decision_2_13_two_processes_count_the_requests_of_a_key_as_their_database_is_for,
    only_a_trusted_proxy_says_who_the_client_is
);

/// Fails if each server on PostgreSQL counts for itself, or one on SQLite writes what it counts.
async fn decision_2_13_two_processes_count_the_requests_of_a_key_as_their_database_is_for(place: Place) {
    let [(first, ready), (second, also_ready)] = place.two_ready();
    let key = ready["api_key"].as_str().unwrap();
    for _ in 0..80 {
        assert_eq!(clubs(&ready, &[("x-api-key", key)]).await.status, 200);
    }
    let answer = clubs(&also_ready, &[("x-api-key", key)]).await;
    let left: u32 = answer.header("x-ratelimit-remaining").parse().unwrap();
    match place.is_sqlite() {
        true => assert_eq!(left, 99, "the second server has counted one request"),
        // One comes back in 0.6 seconds, and the machine may be slow.
        false => assert!(left < 80, "{left} are left after 81 requests, and 89 would be of the second server alone"),
    }
    first.stop();
    second.stop();
}

/// Fails if the header is believed from everybody, or from nobody.
async fn only_a_trusted_proxy_says_who_the_client_is(place: Place) {
    let (server, ready) = place.ready();
    assert!(guess_until_limited(&ready, "198.51.100.1").await);
    assert_eq!(guess(&ready, "198.51.100.2").await, 429, "the header is the client's own invention");
    server.stop();

    let mut server = Server::start(place.command(), &["--json", "--trusted-proxy", "192.0.2.0/24", "--trusted-proxy", "127.0.0.1"]);
    let ready = server.told();
    assert!(guess_until_limited(&ready, "198.51.100.1").await);
    assert_eq!(guess(&ready, "198.51.100.2").await, 401, "another client has not guessed yet");
    assert_eq!(guess(&ready, "198.51.100.3, 198.51.100.1, 192.0.2.7").await, 429, "the last that is no proxy is the client");
    server.stop();
}

/// Whether a client who guesses is told to stop some day.
async fn guess_until_limited(ready: &Value, client: &str) -> bool {
    for _ in 0..1_000 {
        match guess(ready, client).await {
            401 => {}
            429 => return true,
            other => panic!("{other}"),
        }
    }
    false
}

async fn guess(ready: &Value, client: &str) -> u16 {
    let headers = [("x-api-key", "00000000-0000-4000-8000-000000000000"), ("x-forwarded-for", client)];
    clubs(ready, &headers).await.status.as_u16()
}

async fn clubs(ready: &Value, headers: &[(&str, &str)]) -> Answer {
    Client::new().get(&format!("{}/v1/clubs?size=1", ready["base_url"].as_str().unwrap()), headers).await
}
