//! Keys of the data API where there are several servers, and on the disk.

use std::fs;
use std::time::Duration;

use lyceum::domain::ApiKeySecret;
use lyceum::http::{Clock, SystemClock};
use lyceum::store::ApiKeyStore;
use serde_json::Value;

use crate::place::{Place, on_each_database};
use crate::support::Client;

on_each_database!(decision_2_12_what_one_process_revokes_no_other_takes_for_long);

/// Far longer than the decision gives other nodes, which is five seconds, for the machine may be slow.
const LONG: Duration = Duration::from_secs(60);

/// Fails if a server goes on remembering a key that worked.
async fn decision_2_12_what_one_process_revokes_no_other_takes_for_long(place: Place) {
    let [(first, ready), (second, also_ready)] = place.two_ready();
    let key = ready["api_key"].as_str().unwrap();
    for server in [&ready, &also_ready] {
        assert_eq!(clubs(server, key).await, 200);
    }
    let store = place.store().await;
    let kept = store.api_key(&ApiKeySecret::presented(key).unwrap().digest()).await.unwrap().unwrap();
    assert!(store.revoke_api_key(kept.id, SystemClock.now()).await.unwrap());
    let late = SystemClock.now().plus(LONG);
    for server in [&ready, &also_ready] {
        // A key that has used up its limit while it was still taken is told so.
        while let status @ (200 | 429) = clubs(server, key).await {
            assert!(SystemClock.now() < late, "{status} although it is revoked");
        }
        assert_eq!(clubs(server, key).await, 401, "and never again");
    }
    first.stop();
    second.stop();
}

/// Fails if a statement, or a log of statements, has the value of a key.
#[tokio::test]
async fn decision_2_12_no_file_of_the_database_holds_a_key() {
    let place = Place::sqlite();
    let (server, ready) = place.ready();
    let key = ready["api_key"].as_str().unwrap();
    assert_eq!(clubs(&ready, key).await, 200);
    let (mut digests, digest) = (0, *ApiKeySecret::presented(key).unwrap().digest().as_bytes());
    for file in fs::read_dir(place.key_file().parent().unwrap()).unwrap() {
        let bytes = fs::read(file.unwrap().path()).unwrap();
        let count = |part: &[u8]| bytes.windows(part.len()).filter(|window| *window == part).count();
        assert_eq!(count(&key.as_bytes()[8..32]), 0, "people know the rest of it");
        digests += count(&digest);
    }
    assert!(digests > 0, "it is there by its digest, so the search finds what there is");
    server.stop();
}

async fn clubs(server: &Value, key: &str) -> u16 {
    let url = format!("{}/v1/clubs?size=1", server["base_url"].as_str().unwrap());
    Client::new().get(&url, &[("x-api-key", key)]).await.status.as_u16()
}
