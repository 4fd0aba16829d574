//! A node whose clock differs from the server's.

#[path = "../support/log_capture.rs"]
mod log_capture;

use std::sync::Arc;
use std::time::Duration;

use lyceum::AuthServer;
use lyceum::domain::{
    ApiKey, ApiKeyDailyUsage, ApiKeyId, ApiKeySecret, ApiScopes, AuthorizationCodeDigest,
    AuthorizationSession, Date, DateRange, GrantId, SessionDigest, ShortText, SigningAlgorithm,
    Timestamp,
};
use lyceum::store::retention::{API_KEY_RETENTION, GRANT_RETENTION};
use lyceum::store::sql::SqlStore;
use lyceum::store::{
    ApiKeyStore, Approval, ApprovalLimits, ApprovalOutcome, ConsentMode, Creation, GrantStore,
    SigningKeyStore, StoreClock,
};
use lyceum::testing::{ManualClock, master_key};

use crate::metrics_capture::capture_metrics;
use crate::postgres_server::{Cluster, cluster};
use crate::{TIMEOUT, needs_postgres, pending, store};

/// The year 2200, ahead of any server's clock.
const AHEAD: Timestamp = Timestamp::from_seconds(7_258_118_400);
const LONG_AGO: Timestamp = Timestamp::from_seconds(1_000_000);

async fn comparing_store(url: &str) -> SqlStore {
    SqlStore::postgres(url)
        .migrate(true)
        .timeout(TIMEOUT)
        .open()
        .await
        .unwrap()
}

/// Opens an expired session and another a day later, and returns whether the first is still stored.
async fn is_kept(store: &SqlStore, from: Timestamp, number: u8) -> bool {
    let [first, second] =
        [number, number + 1].map(|number| SessionDigest::from_bytes([number; 32]));
    for (digest, at) in [
        (first, from),
        (second, from.plus(Duration::from_secs(24 * 60 * 60))),
    ] {
        let mut session = pending();
        (session.created_at, session.expires_at) = (at, at.plus(Duration::from_secs(600)));
        store.open_session(digest, session).await.unwrap();
    }
    store.session(&first, from).await.unwrap().is_some()
}

/// Fails if a sweep relies on the node's clock alone.
#[tokio::test]
async fn a_node_whose_clock_is_ahead_sweeps_nothing_that_has_not_ended_by_the_servers() {
    needs_postgres!();
    let url = cluster().new_schema();
    let (comparing, believing) = (comparing_store(&url).await, store(&url).await);
    assert!(
        !is_kept(&comparing, LONG_AGO, 10).await,
        "it has expired by either clock"
    );
    assert!(
        is_kept(&comparing, AHEAD, 20).await,
        "it has not expired by the server's clock"
    );
    assert!(
        !is_kept(&believing, AHEAD.plus(Duration::from_secs(1_000_000)), 30).await,
        "this store does not compare the clocks"
    );
}

#[tokio::test]
async fn the_store_tells_the_time_of_its_server_unless_it_is_not_to_be_compared() {
    needs_postgres!();
    let url = cluster().new_schema();
    let seconds = async || {
        let url = url.clone();
        let texts = tokio::task::spawn_blocking(move || {
            Cluster::query_at(&url, "SELECT floor(extract(epoch FROM now()))::bigint")
        });
        texts.await.unwrap()[0].parse::<i64>().unwrap()
    };
    let store_of_a_test = store(&url).await;
    assert_eq!(store_of_a_test.now().await.unwrap(), None);
    let before = seconds().await;
    let told = comparing_store(&url)
        .await
        .now()
        .await
        .unwrap()
        .unwrap()
        .seconds();
    assert!((before..=seconds().await).contains(&told), "{told}");
}

/// Checked without the measurement of the offset and without its log event, each of which fails
/// this test.
#[test]
fn a_server_with_clock_skew_starts_and_logs_it() {
    needs_postgres!();
    capture_metrics(async |metrics| {
        let (log, subscriber_guard) = log_capture::capture_log();
        let store = Arc::new(comparing_store(&cluster().new_schema()).await);
        let builder = AuthServer::builder(store.clone(), "https://school.example", master_key(1));
        let server = builder
            .signing_algorithm(SigningAlgorithm::Es256)
            .clock(Arc::new(ManualClock::new(AHEAD)))
            .build()
            .await;
        drop(subscriber_guard);
        assert!(server.is_ok());
        assert!(
            metrics.value("lyceum_clock_offset_seconds", &[]) > 60.0,
            "{}",
            metrics.text()
        );
        let told = log
            .lines()
            .into_iter()
            .filter(|line| line.contains("ERROR") && line.contains("the clock of this node"));
        assert_eq!(told.count(), 1);
        let keys = store.signing_keys().await.unwrap();
        assert!(
            keys[0].created_at < AHEAD,
            "the first key has the time of the server"
        );
    });
}

/// Returns a key of this number that is issued at this time.
fn key(number: u8, at: Timestamp) -> ApiKey {
    let secret = ApiKeySecret::from_random([number; 16]);
    ApiKey::new(
        ApiKeyId::from_random([number; 16]),
        &secret,
        ShortText::from_static("Lunch"),
        ApiScopes::built_in(),
        at,
    )
}

const MINUTE: Duration = Duration::from_secs(60);

/// Fails if the retention of keys is computed with the server's clock instead of the time by the
/// node's clock.
#[tokio::test]
async fn a_node_whose_clock_is_ahead_takes_no_api_key_away() {
    needs_postgres!();
    let store = comparing_store(&cluster().new_schema()).await;
    let now = store.now().await.unwrap().unwrap();
    let expired = now.minus(API_KEY_RETENTION + ApiKey::VALIDITY);
    let (kept, gone) = (
        key(1, expired.plus(10 * MINUTE)),
        key(2, expired.minus(10 * MINUTE)),
    );
    for made in [kept.clone(), gone.clone(), key(3, now.plus(60 * MINUTE))] {
        assert_eq!(store.create_api_key(made).await.unwrap(), Creation::Created);
    }
    for key in [&kept, &gone] {
        assert!(
            store.api_key_by_id(key.id).await.unwrap().is_some(),
            "this node's clock is an hour ahead"
        );
    }
    assert_eq!(
        store.create_api_key(key(4, now)).await.unwrap(),
        Creation::Created
    );
    assert!(store.api_key_by_id(kept.id).await.unwrap().is_some());
    assert!(
        store.api_key_by_id(gone.id).await.unwrap().is_none(),
        "this node's clock is right"
    );
}

/// Same for grants.
#[tokio::test]
async fn a_node_whose_clock_is_ahead_takes_no_grant_away() {
    needs_postgres!();
    let store = comparing_store(&cluster().new_schema()).await;
    let now = store.now().await.unwrap().unwrap();
    let ended = now.minus(GRANT_RETENTION).plus(10 * MINUTE);
    for (number, at) in [(1, ended), (2, now.plus(60 * MINUTE))] {
        let (digest, bytes) = (SessionDigest::from_bytes([number; 32]), [number; 32]);
        let session = AuthorizationSession {
            created_at: at,
            expires_at: at.plus(10 * MINUTE),
            ..pending()
        };
        store.open_session(digest, session).await.unwrap();
        let (grant, code) = (
            GrantId::from_random([number; 16]),
            AuthorizationCodeDigest::from_bytes(bytes),
        );
        let approval = Approval {
            grant,
            code,
            code_expires_at: at,
            consent_mode: ConsentMode::Once,
            limits: ApprovalLimits::UNLIMITED,
        };
        let outcome = store.approve_session(&digest, approval, at).await.unwrap();
        assert!(
            matches!(outcome, ApprovalOutcome::Approved(_)),
            "{outcome:?}"
        );
    }
    let first = AuthorizationCodeDigest::from_bytes([1; 32]);
    assert!(
        store.code_binding(&first).await.unwrap().is_some(),
        "the code expired less than a day ago"
    );
}

/// Fails if usage of a day that is in the future by the server's clock deletes the counts of
/// earlier days.
#[tokio::test]
async fn a_node_whose_clock_is_ahead_takes_no_count_of_calls_away() {
    needs_postgres!();
    let store = comparing_store(&cluster().new_schema()).await;
    let now = store.now().await.unwrap().unwrap();
    let key = key(1, now);
    assert_eq!(
        store.create_api_key(key.clone()).await.unwrap(),
        Creation::Created
    );
    let today: Date = "2026-01-01".parse().unwrap();
    let later = today.plus_days(ApiKey::USAGE_DAYS + 5).unwrap();
    let days = DateRange::new(today, today).unwrap();
    for (day, last_used_at, kept) in [
        (today, now, 1),
        (later, now.plus(60 * MINUTE), 1),
        (later.plus_days(1).unwrap(), now, 0),
    ] {
        store
            .record_api_key_usage(vec![ApiKeyDailyUsage {
                key: key.id,
                day,
                calls: 1,
                errors: 0,
                last_used_at,
            }])
            .await
            .unwrap();
        assert_eq!(
            store.api_key_usage(key.id, days).await.unwrap().len(),
            kept,
            "{day}"
        );
    }
}
