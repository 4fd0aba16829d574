//! API keys with several servers, and in the database's files.

use std::fs;
use std::time::Duration;

use lyceum::domain::ApiKeySecret;
use lyceum::http::{Clock, SystemClock};
use lyceum::store::ApiKeyStore;
use serde_json::Value;

use crate::support::Client;
use crate::test_database::{TestDatabase, on_each_database};

on_each_database!(a_key_revoked_in_one_process_soon_ends_in_the_other);

/// Far longer than the five seconds within which other nodes must notice a revocation, for slow
/// machines.
const LONG: Duration = Duration::from_secs(60);

// Proves: spec 2.12
/// Fails if a server accepts a cached key after its revocation.
async fn a_key_revoked_in_one_process_soon_ends_in_the_other(database: TestDatabase) {
    let [(first, ready), (second, also_ready)] = database.two_ready();
    let key = ready["api_key"].as_str().unwrap();
    for server in [&ready, &also_ready] {
        assert_eq!(clubs(server, key).await, 200);
    }
    let store = database.store().await;
    let kept = store
        .api_key(&ApiKeySecret::parse(key).unwrap().digest())
        .await
        .unwrap()
        .unwrap();
    assert!(
        store
            .revoke_api_key(kept.id, SystemClock.now())
            .await
            .unwrap()
    );
    let late = SystemClock.now().plus(LONG);
    for server in [&ready, &also_ready] {
        // A key that exceeds its limit before the revocation is seen gets status 429.
        while let status @ (200 | 429) = clubs(server, key).await {
            assert!(SystemClock.now() < late, "{status} although it is revoked");
        }
        assert_eq!(clubs(server, key).await, 401, "the key works again");
    }
    first.stop();
    second.stop();
}

// Proves: spec 2.12
/// Fails if a file of the database contains the value of a key.
#[tokio::test]
async fn no_file_of_the_database_holds_a_key() {
    let database = TestDatabase::sqlite();
    let (server, ready) = database.ready();
    let key = ready["api_key"].as_str().unwrap();
    assert_eq!(clubs(&ready, key).await, 200);
    let (mut digests, digest) = (0, *ApiKeySecret::parse(key).unwrap().digest().as_bytes());
    for file in fs::read_dir(database.key_file().parent().unwrap()).unwrap() {
        let bytes = fs::read(file.unwrap().path()).unwrap();
        let count = |part: &[u8]| {
            bytes
                .windows(part.len())
                .filter(|window| *window == part)
                .count()
        };
        assert_eq!(
            count(&key.as_bytes()[8..32]),
            0,
            "a file contains the part of the key beside its hint"
        );
        digests += count(&digest);
    }
    assert!(digests > 0, "the digest is found, so the search works");
    server.stop();
}

async fn clubs(server: &Value, key: &str) -> u16 {
    let url = format!("{}/v1/clubs?size=1", server["base_url"].as_str().unwrap());
    Client::new()
        .get(&url, &[("x-api-key", key)])
        .await
        .status
        .as_u16()
}
