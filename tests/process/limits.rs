//! Rate limits with several servers, or behind a proxy.

use serde_json::Value;

use crate::server::Server;
use crate::support::{Client, TestResponse};
use crate::test_database::{TestDatabase, on_each_database};

on_each_database!(
    two_processes_count_the_requests_of_a_key_as_their_database_is_for,
    only_a_trusted_proxy_says_who_the_client_is
);

// Proves: spec 2.13
/// Fails if servers on PostgreSQL count separately, or a server on SQLite stores its counts.
async fn two_processes_count_the_requests_of_a_key_as_their_database_is_for(
    database: TestDatabase,
) {
    let [(first, ready), (second, also_ready)] = database.two_ready();
    let key = ready["api_key"].as_str().unwrap();
    for _ in 0..80 {
        assert_eq!(clubs(&ready, &[("x-api-key", key)]).await.status, 200);
    }
    let answer = clubs(&also_ready, &[("x-api-key", key)]).await;
    let left: u32 = answer.header("x-ratelimit-remaining").parse().unwrap();
    match database.is_sqlite() {
        true => assert_eq!(left, 99, "the second server has counted one request"),
        // One request is refunded every 0.6 seconds, and the machine may be slow.
        false => assert!(
            left < 80,
            "{left} are left after 81 requests, and 89 would be of the second server alone"
        ),
    }
    first.stop();
    second.stop();
}

/// Fails if the header is trusted from every client, or from none.
async fn only_a_trusted_proxy_says_who_the_client_is(database: TestDatabase) {
    let (server, ready) = database.ready();
    assert!(guess_until_limited(&ready, "198.51.100.1").await);
    assert_eq!(
        guess(&ready, "198.51.100.2").await,
        429,
        "the header comes from the client"
    );
    server.stop();

    let mut server = Server::start(
        database.command(),
        &[
            "--json",
            "--trusted-proxy",
            "192.0.2.0/24",
            "--trusted-proxy",
            "127.0.0.1",
        ],
    );
    let ready = server.ready_line();
    assert!(guess_until_limited(&ready, "198.51.100.1").await);
    assert_eq!(
        guess(&ready, "198.51.100.2").await,
        401,
        "another client has its own limit"
    );
    assert_eq!(
        guess(&ready, "198.51.100.3, 198.51.100.1, 192.0.2.7").await,
        429,
        "the last address that is no proxy is the client's"
    );
    server.stop();
}

/// Whether repeated guesses by a client are eventually limited.
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
    let headers = [
        ("x-api-key", "00000000-0000-4000-8000-000000000000"),
        ("x-forwarded-for", client),
    ];
    clubs(ready, &headers).await.status.as_u16()
}

async fn clubs(ready: &Value, headers: &[(&str, &str)]) -> TestResponse {
    Client::new()
        .get(
            &format!("{}/v1/clubs?size=1", ready["base_url"].as_str().unwrap()),
            headers,
        )
        .await
}
