//! What a node does whose clock is not the server's.

#[path = "../support/heard.rs"]
mod heard;

use std::sync::Arc;
use std::time::Duration;

use lyceum::AuthServer;
use lyceum::domain::{SessionDigest, SigningAlgorithm, Timestamp};
use lyceum::store::sql::SqlStore;
use lyceum::store::{GrantStore, KeyStore, StoreClock};
use lyceum::testing::{ManualClock, master_key};

use crate::measuring::measured;
use crate::postgres_server::{Cluster, cluster};
use crate::{PATIENCE, needs_postgres, pending, store};

/// The year 2200, which no clock of a server says.
const AHEAD: Timestamp = Timestamp::from_seconds(7_258_118_400);
const LONG_AGO: Timestamp = Timestamp::from_seconds(1_000_000);

async fn comparing_store(url: &str) -> SqlStore {
    SqlStore::postgres(url).migrate(true).patience(PATIENCE).open().await.unwrap()
}

/// Opens a session that has ended and one more a day later, and says whether the first is still kept.
async fn is_kept(store: &SqlStore, from: Timestamp, number: u8) -> bool {
    let [first, second] = [number, number + 1].map(|number| SessionDigest::from_bytes([number; 32]));
    for (digest, at) in [(first, from), (second, from.plus(Duration::from_secs(24 * 60 * 60)))] {
        let mut session = pending();
        (session.created_at, session.expires_at) = (at, at.plus(Duration::from_secs(600)));
        store.open_session(digest, session).await.unwrap();
    }
    store.session(&first, from).await.unwrap().is_some()
}

/// Fails if a sweep believes the clock of the node alone.
#[tokio::test]
async fn a_node_whose_clock_is_ahead_sweeps_nothing_that_has_not_ended_by_the_servers() {
    needs_postgres!();
    let url = cluster().schema();
    let (comparing, believing) = (comparing_store(&url).await, store(&url).await);
    assert!(!is_kept(&comparing, LONG_AGO, 10).await, "it has ended by either clock");
    assert!(is_kept(&comparing, AHEAD, 20).await, "it has not ended by the server's clock");
    assert!(!is_kept(&believing, AHEAD.plus(Duration::from_secs(1_000_000)), 30).await, "this store was told not to compare");
}

#[tokio::test]
async fn the_store_tells_the_time_of_its_server_unless_it_is_not_to_be_compared() {
    needs_postgres!();
    let url = cluster().schema();
    let seconds = async || {
        let url = url.clone();
        let texts = tokio::task::spawn_blocking(move || Cluster::texts_at(&url, "SELECT floor(extract(epoch FROM now()))::bigint"));
        texts.await.unwrap()[0].parse::<i64>().unwrap()
    };
    let store_of_a_test = store(&url).await;
    assert_eq!(store_of_a_test.now().await.unwrap(), None);
    let before = seconds().await;
    let told = comparing_store(&url).await.now().await.unwrap().unwrap().seconds();
    assert!((before..=seconds().await).contains(&told), "{told}");
}

/// Seen to fail when the offset is not measured, or not logged.
#[test]
fn a_server_whose_clock_is_off_starts_and_says_so() {
    needs_postgres!();
    measured(async |measured| {
        let (heard, listening) = heard::listen();
        let store = Arc::new(comparing_store(&cluster().schema()).await);
        let builder = AuthServer::builder(store.clone(), "https://school.example", master_key(1));
        let server = builder.signing_algorithm(SigningAlgorithm::Es256).clock(Arc::new(ManualClock::at(AHEAD))).build().await;
        drop(listening);
        assert!(server.is_ok());
        assert!(measured.of("lyceum_clock_offset_seconds", &[]) > 60.0, "{}", measured.text());
        let told = heard.lines().into_iter().filter(|line| line.contains("ERROR") && line.contains("the clock of this node"));
        assert_eq!(told.count(), 1);
        let keys = store.signing_keys().await.unwrap();
        assert!(keys[0].created_at < AHEAD, "the first key has the time of the server");
    });
}
