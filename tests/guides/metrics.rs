//! The table of metrics, and the page that Prometheus reads.

#[path = "../support/metrics_capture.rs"]
mod support;

use std::sync::Arc;

use http::Request;
use http_body_util::BodyExt;
use lyceum::DataApi;
use lyceum::directory::Directory;
use lyceum::domain::{ApiKey, ApiKeyId, ApiKeySecret, ApiScopes, Timestamp};
use lyceum::http::{Body, Clock};
use lyceum::metrics::ALL;
use lyceum::store::sql::SqlStore;
use lyceum::store::{ApiKeyStore, Creation, DirectoryStore};
use lyceum::testing::ManualClock;
use support::capture_metrics;
use tower::ServiceExt;

use crate::{OPERATIONS, block, prometheus};

/// Fails if a label is missing in the table.
#[test]
fn every_metric_is_in_the_table_as_it_is_and_nothing_else_is() {
    let table = OPERATIONS
        .split("| Metric | Kind | Labels | What it tells |\n")
        .nth(1)
        .unwrap();
    let rows: Vec<String> = table
        .lines()
        .skip(1)
        .take_while(|line| line.starts_with('|'))
        .map(str::to_owned)
        .collect();
    let expected = ALL.iter().map(|metric| {
        let labels: Vec<String> = metric
            .labels
            .iter()
            .map(|label| format!("`{label}`"))
            .collect();
        format!(
            "| `{}` | {} | {} |",
            metric.name,
            format!("{:?}", metric.kind).to_lowercase(),
            labels.join(", ")
        )
        .replace("|  |", "| |")
    });
    let expected: Vec<String> = expected.collect();
    assert_eq!(rows.len(), expected.len(), "{rows:#?}");
    for (row, expected) in rows.iter().zip(expected) {
        assert!(row.starts_with(&expected), "{row}\nis not\n{expected}");
    }
}

#[test]
fn names_are_those_of_prometheus() {
    for metric in ALL {
        let units: &[&str] = match metric.kind {
            lyceum::metrics::MetricKind::Counter => &["_total"],
            lyceum::metrics::MetricKind::Gauge => &["_jobs", "_keys", "_seconds"],
            lyceum::metrics::MetricKind::Histogram => &["_seconds"],
        };
        assert!(
            metric.name.starts_with("lyceum_")
                && units.iter().any(|unit| metric.name.ends_with(unit)),
            "{metric:?}"
        );
        assert!(
            metric
                .name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'_'),
            "{metric:?}"
        );
    }
}

/// Fails if metrics are not described.
#[tokio::test]
async fn the_example_is_that_of_the_page_and_shows_what_was_measured() {
    assert_eq!(
        block(OPERATIONS, "rust", "PrometheusBuilder"),
        include_str!("../../examples/server/src/metrics.rs")
    );
    let page = prometheus::metrics().unwrap();
    let store = Arc::new(lyceum::store::memory::MemoryStore::new());
    let api = DataApi::builder(Directory::open(store.clone()).await.unwrap(), store)
        .build()
        .unwrap();
    api.oneshot(Request::get("/v1/health").body(()).unwrap())
        .await
        .unwrap();
    let answer = page
        .oneshot(
            Request::get("/metrics")
                .body(axum::body::Body::empty())
                .unwrap(),
        )
        .await
        .unwrap();
    let text = String::from_utf8(
        answer
            .into_body()
            .collect()
            .await
            .unwrap()
            .to_bytes()
            .to_vec(),
    )
    .unwrap();
    for line in [
        "# HELP lyceum_requests_total Requests that were answered or given up.",
        "# TYPE lyceum_requests_total counter",
        "lyceum_requests_total{service=\"data\",route=\"health\",status=\"200\"} 1",
        "# TYPE lyceum_request_duration_seconds histogram",
        "lyceum_request_duration_seconds_bucket{service=\"data\",route=\"health\",le=\"5\"} 1",
    ] {
        assert!(
            text.lines().any(|found| found == line),
            "{line} is not in\n{text}"
        );
    }
}

/// Fails if a call is recorded under another method, or if no wait is recorded.
#[test]
fn calls_to_a_store_are_measured_by_method_with_their_waits_and_errors() {
    capture_metrics(async |metrics| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("school.db");
        let store = SqlStore::sqlite(&path).unwrap();
        let (calls, waits) = (
            "lyceum_store_duration_seconds_count",
            "lyceum_store_wait_seconds_count",
        );
        let clock = ManualClock::new(Timestamp::from_seconds(1_790_000_000));
        let secret = ApiKeySecret::from_random([7; 16]);
        let key = ApiKey::new(
            ApiKeyId::from_random([7; 16]),
            &secret,
            "test".parse().unwrap(),
            ApiScopes::built_in(),
            clock.now(),
        );
        assert_eq!(store.create_api_key(key).await.unwrap(), Creation::Created);
        let shared = Arc::new(store.clone());
        let directory = Directory::builder(shared.clone())
            .clock(Arc::new(clock.clone()))
            .open()
            .await
            .unwrap();
        let api = DataApi::builder(directory, shared.clone())
            .rate_limiter(shared)
            .clock(Arc::new(clock.clone()))
            .build()
            .unwrap();
        for _ in 0..2 {
            clock.advance(std::time::Duration::from_secs(1));
            let request = Request::get("/v1/students")
                .header("X-API-KEY", secret.expose())
                .body(Body::empty())
                .unwrap();
            assert_eq!(api.clone().oneshot(request).await.unwrap().status(), 200);
        }
        for (method, number) in [
            ("create_api_key", 1.0),
            ("api_key", 1.0),
            ("take_many", 2.0),
            ("load_directory", 1.0),
            ("directory_version", 2.0),
        ] {
            assert_eq!(
                metrics.value(calls, &["sqlite", method]),
                number,
                "{method}: {}",
                metrics.text()
            );
        }
        assert_eq!(
            ["read", "list", "write"].map(|access| metrics.value(waits, &["sqlite", access])),
            [3.0, 1.0, 3.0],
            "{}",
            metrics.text()
        );
        let errors = || {
            ["failed", "unavailable"]
                .map(|kind| metrics.value("lyceum_store_errors_total", &["sqlite", kind]))
        };
        assert_eq!(errors(), [0.0, 0.0]);
        rusqlite::Connection::open(&path)
            .unwrap()
            .execute_batch("DROP TABLE directory_version")
            .unwrap();
        assert!(store.directory_version().await.is_err());
        assert_eq!(errors(), [1.0, 0.0], "{}", metrics.text());
    });
}
