//! `X-Data-As-Of`: when the records of a list were last confirmed to be current.

use std::sync::Arc;
use std::time::Duration;

use lyceum::DataApi;
use lyceum::directory::Directory;
use lyceum::domain::{DataKind, Timestamp};
use lyceum::store::SyncStore;
use lyceum::store::memory::MemoryStore;
use lyceum::testing::ManualClock;

use crate::client::{get, request, send, send_with};
use crate::metrics::support::capture_metrics;
use crate::school_fixtures::{self, FULL_KEY, NOW};

const MEALS: &str = "/v1/neis/meals";

/// A school whose meals were current at [`NOW`], with its clock.
async fn school() -> (DataApi, Arc<MemoryStore>, ManualClock) {
    let store = school_fixtures::store().await;
    store.confirm_data(DataKind::Meals, NOW, NOW).await.unwrap();
    let clock = ManualClock::new(NOW);
    let directory = Directory::builder(store.clone())
        .clock(Arc::new(clock.clone()))
        .freshness(store.clone())
        .open()
        .await
        .unwrap();
    let api = DataApi::builder(directory, store.clone())
        .clock(Arc::new(clock.clone()))
        .build()
        .unwrap();
    (api, store, clock)
}

// Proves: spec 2.21
/// Fails if an answer does not say it, if it changes the tag, or if a list says it of another.
#[tokio::test]
async fn every_answer_with_a_list_says_when_it_was_current_and_the_tag_does_not() {
    let (api, store, clock) = school().await;
    let answer = get(&api, MEALS).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("x-data-as-of"), NOW.to_string());
    let tag = answer.header("etag").to_owned();
    let head = send(&api, request("HEAD", MEALS, Some(FULL_KEY))).await;
    assert_eq!(head.header("x-data-as-of"), NOW.to_string());
    let unchanged = send_with(&api, "GET", MEALS, &[("if-none-match", &tag)]).await;
    assert_eq!(unchanged.status, 304);
    assert_eq!(unchanged.header("x-data-as-of"), NOW.to_string());
    assert_eq!(get(&api, "/v1/students").await.header("x-data-as-of"), "");
    let refused = get(&api, "/v1/neis/meals?nothing=1").await;
    assert_eq!(
        (refused.status.as_u16(), refused.header("x-data-as-of")),
        (400, "")
    );

    let later = NOW.plus(Duration::from_secs(5));
    store
        .confirm_data(DataKind::Meals, later, later)
        .await
        .unwrap();
    clock.advance(Duration::from_secs(5));
    let confirmed = send_with(&api, "GET", MEALS, &[("if-none-match", &tag)]).await;
    assert_eq!(confirmed.status, 304, "the records are the same");
    assert_eq!(confirmed.header("x-data-as-of"), later.to_string());
}

/// Fails if the age of a kind is not in readiness and metrics, or a kind without one is.
#[test]
fn the_age_of_each_kind_is_in_readiness_and_metrics() {
    capture_metrics(async |metrics| {
        let (api, store, clock) = school().await;
        let told = async || {
            let answer = send(&api, request("GET", "/v1/health/ready", None)).await;
            answer.header("x-data-age").to_owned()
        };
        let as_of = |kind| metrics.value("lyceum_data_as_of_timestamp_seconds", &[kind]);
        assert_eq!(told().await, "meals=0");
        assert_eq!(as_of("meals"), NOW.seconds() as f64);
        clock.advance(Duration::from_secs(3600));
        assert_eq!(told().await, "meals=3600");
        let now: Timestamp = NOW.plus(Duration::from_secs(3600));
        store
            .confirm_data(DataKind::Students, now, now)
            .await
            .unwrap();
        clock.advance(Duration::from_secs(5));
        assert_eq!(told().await, "students=5, meals=3605");
        assert_eq!(as_of("students"), now.seconds() as f64);
    });
}

/// Fails if records count as current in the future, by the clock of a node that was ahead, or if
/// the next confirmation does not correct it.
#[test]
fn a_time_of_a_clock_that_was_ahead_is_told_as_now_and_corrected() {
    capture_metrics(async |metrics| {
        let (api, store, clock) = school().await;
        let ahead = NOW.plus(Duration::from_secs(86_400));
        store
            .confirm_data(DataKind::Meals, ahead, ahead)
            .await
            .unwrap();
        let told = async || {
            let ready = send(&api, request("GET", "/v1/health/ready", None)).await;
            let meals = get(&api, MEALS).await;
            let age = ready.header("x-data-age").to_owned();
            let gauge = metrics.value("lyceum_data_as_of_timestamp_seconds", &["meals"]);
            (meals.header("x-data-as-of").to_owned(), age, gauge)
        };
        let expected = |as_of: Timestamp, age: &str| {
            (as_of.to_string(), age.to_owned(), as_of.seconds() as f64)
        };
        assert_eq!(told().await, expected(NOW, "meals=0"));
        let now = NOW.plus(Duration::from_secs(10));
        store.confirm_data(DataKind::Meals, now, now).await.unwrap();
        clock.advance(Duration::from_secs(3600));
        assert_eq!(told().await, expected(now, "meals=3590"));
    });
}

/// Fails if a school without a sync says something of its age.
#[tokio::test]
async fn nothing_is_said_where_nothing_is_known() {
    let api = school_fixtures::api().await;
    assert_eq!(get(&api, MEALS).await.header("x-data-as-of"), "");
    let ready = send(&api, request("GET", "/v1/health/ready", None)).await;
    assert_eq!(ready.header("x-data-age"), "");
}
