//! What a node does whose clock is not the server's.

#[path = "../support/heard.rs"]
mod heard;

use std::sync::Arc;
use std::time::Duration;

use lyceum::AuthServer;
use lyceum::domain::{
    ApiKey, ApiKeyId, ApiKeySecret, ApiScopes, AuthorizationCodeDigest, AuthorizationSession, Date, DateRange, GrantId, KeyUse, Line,
    SessionDigest, SigningAlgorithm, Timestamp,
};
use lyceum::store::sql::SqlStore;
use lyceum::store::sweep::{API_KEY_KEPT, GRANT_KEPT};
use lyceum::store::{ApiKeyStore, Approval, ApprovalCaps, ApprovalOutcome, Assent, Creation, GrantStore, KeyStore, StoreClock};
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

/// A key of this number that is issued then.
fn key(number: u8, at: Timestamp) -> ApiKey {
    let secret = ApiKeySecret::from_random([number; 16]);
    ApiKey::issued(ApiKeyId::from_random([number; 16]), &secret, Line::literal("Lunch"), ApiScopes::built_in(), at)
}

const MINUTE: Duration = Duration::from_secs(60);

/// Fails if the moment until which keys are kept is held against the server's clock, and not the time that the node's clock shows.
#[tokio::test]
async fn a_node_whose_clock_is_ahead_takes_no_api_key_away() {
    needs_postgres!();
    let store = comparing_store(&cluster().schema()).await;
    let now = store.now().await.unwrap().unwrap();
    let expired = now.minus(API_KEY_KEPT + ApiKey::VALIDITY);
    let (kept, gone) = (key(1, expired.plus(10 * MINUTE)), key(2, expired.minus(10 * MINUTE)));
    for made in [kept.clone(), gone.clone(), key(3, now.plus(60 * MINUTE))] {
        assert_eq!(store.create_api_key(made).await.unwrap(), Creation::Created);
    }
    for key in [&kept, &gone] {
        assert!(store.api_key_by_id(key.id).await.unwrap().is_some(), "this node's clock is an hour ahead");
    }
    assert_eq!(store.create_api_key(key(4, now)).await.unwrap(), Creation::Created);
    assert!(store.api_key_by_id(kept.id).await.unwrap().is_some());
    assert!(store.api_key_by_id(gone.id).await.unwrap().is_none(), "this node's clock is right");
}

/// The same of grants.
#[tokio::test]
async fn a_node_whose_clock_is_ahead_takes_no_grant_away() {
    needs_postgres!();
    let store = comparing_store(&cluster().schema()).await;
    let now = store.now().await.unwrap().unwrap();
    let ended = now.minus(GRANT_KEPT).plus(10 * MINUTE);
    for (number, at) in [(1, ended), (2, now.plus(60 * MINUTE))] {
        let (digest, bytes) = (SessionDigest::from_bytes([number; 32]), [number; 32]);
        let session = AuthorizationSession { created_at: at, expires_at: at.plus(10 * MINUTE), ..pending() };
        store.open_session(digest, session).await.unwrap();
        let (grant, code) = (GrantId::from_random([number; 16]), AuthorizationCodeDigest::from_bytes(bytes));
        let approval = Approval { grant, code, code_expires_at: at, assent: Assent::Once, caps: ApprovalCaps::NONE };
        let outcome = store.approve_session(&digest, approval, at).await.unwrap();
        assert!(matches!(outcome, ApprovalOutcome::Approved(_)), "{outcome:?}");
    }
    let first = AuthorizationCodeDigest::from_bytes([1; 32]);
    assert!(store.code_binding(&first).await.unwrap().is_some(), "the code ended less than a day ago");
}

/// Fails if a day that has not come by the server's clock takes those before it away.
#[tokio::test]
async fn a_node_whose_clock_is_ahead_takes_no_count_of_calls_away() {
    needs_postgres!();
    let store = comparing_store(&cluster().schema()).await;
    let now = store.now().await.unwrap().unwrap();
    let key = key(1, now);
    assert_eq!(store.create_api_key(key.clone()).await.unwrap(), Creation::Created);
    let today: Date = "2026-01-01".parse().unwrap();
    let later = today.plus_days(ApiKey::USAGE_DAYS + 5).unwrap();
    let days = DateRange::new(today, today).unwrap();
    for (day, last_used_at, kept) in [(today, now, 1), (later, now.plus(60 * MINUTE), 1), (later.plus_days(1).unwrap(), now, 0)] {
        store.touch_api_keys(vec![KeyUse { key: key.id, day, calls: 1, last_used_at }]).await.unwrap();
        assert_eq!(store.api_key_usage(key.id, days).await.unwrap().len(), kept, "{day}");
    }
}
