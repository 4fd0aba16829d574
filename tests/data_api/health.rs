//! Health: spec 2.15.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use lyceum::http::Readiness;
use lyceum::testing::ManualClock;

use crate::client::{request, send};
use crate::school_fixtures::{self, FULL_KEY};
use crate::store_failures::{self, FailingStore, Fault};

// Proves: spec 2.15
#[tokio::test]
async fn health_needs_no_key_and_has_no_data() {
    let api = school_fixtures::api().await;
    for path in ["/v1/health", "/v1/health/ready", "/v1/health?probe=7"] {
        let answer = send(&api, request("GET", path, None)).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.body, r#"{"status":"OK","code":200,"message":"OK"}"#);
        assert_eq!(answer.header("cache-control"), "no-store");
    }
}

// Proves: spec 2.15
/// Fails if repeated requests without a key read the storage each time.
#[tokio::test]
async fn the_storage_is_read_at_most_once_a_second_however_many_ask_whether_it_is_ready() {
    for fault in [Fault::Unavailable, Fault::Panic] {
        let (store, clock) = (
            Arc::new(FailingStore::with(fault)),
            ManualClock::new(school_fixtures::NOW),
        );
        let api = store_failures::builder(store.clone(), &clock)
            .await
            .build()
            .unwrap();
        for looks in 1..4 {
            for _ in 0..50 {
                let answer = send(&api, request("GET", "/v1/health/ready", None)).await;
                assert_eq!(
                    (answer.status.as_u16(), answer.cause.is_some()),
                    (503, true)
                );
            }
            assert_eq!(store.looks.load(Ordering::Relaxed), looks);
            clock.advance(Duration::from_secs(1));
        }
        // A clock that was set back blocks nothing.
        clock.set(school_fixtures::NOW.minus(Duration::from_secs(3600)));
        assert_eq!(
            send(&api, request("GET", "/v1/health/ready", None))
                .await
                .status,
            503
        );
        assert_eq!(store.looks.load(Ordering::Relaxed), 4);
    }
}

/// Fails if each second starts another check of a storage that hangs, or if waiting requests never
/// get a response.
#[tokio::test]
async fn a_storage_that_hangs_is_looked_at_once_in_five_seconds_and_is_not_ready() {
    let (store, clock) = (
        Arc::new(FailingStore::with(Fault::Hangs)),
        ManualClock::new(school_fixtures::NOW),
    );
    let api = store_failures::builder(store.clone(), &clock)
        .await
        .build()
        .unwrap();
    let mut waiting = Vec::new();
    for second in 0..6 {
        let api = api.clone();
        waiting.push(tokio::spawn(async move {
            send(&api, request("GET", "/v1/health/ready", None)).await
        }));
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
        assert_eq!(
            store.looks.load(Ordering::Relaxed),
            if second < 5 { 1 } else { 2 },
            "after {second} seconds"
        );
        clock.advance(Duration::from_secs(1));
    }
    let last = waiting.pop().unwrap();
    for request in waiting {
        assert_eq!(request.await.unwrap().status, 503);
    }
    assert!(!last.is_finished());
}

// Proves: spec 2.15
/// Fails if a process that stops still counts as ready, or refuses the requests that reach it.
#[tokio::test]
async fn a_process_that_begins_to_stop_is_not_ready_and_answers_everything_else() {
    let readiness = Readiness::new();
    let api = school_fixtures::builder()
        .await
        .readiness(readiness.clone())
        .build()
        .unwrap();
    let status = async |path| {
        send(&api, request("GET", path, Some(FULL_KEY)))
            .await
            .status
    };
    assert_eq!(status("/v1/health/ready").await, 200);
    readiness.begin_stop();
    let answer = send(&api, request("GET", "/v1/health/ready", None)).await;
    assert_eq!(answer.status, 503);
    assert_eq!(answer.reason(), ("service_unavailable".to_owned(), None));
    assert_eq!(answer.header("retry-after"), "5");
    assert_ne!(answer.header("x-directory-age"), "");
    assert!(answer.cause.is_none());
    for path in ["/v1/health", "/v1/students"] {
        assert_eq!(status(path).await, 200, "{path}");
    }
}
