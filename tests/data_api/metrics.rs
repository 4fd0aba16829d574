//! Metrics and spans of requests.

#[path = "../support/metrics_capture.rs"]
pub mod support;

use std::future::Future;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Waker};
use std::time::Duration;

use async_trait::async_trait;
use lyceum::crypto::Entropy;
use lyceum::domain::{Quota, RateLimitDecision, RateLimitKey, Timestamp};
use lyceum::http::ClientAddress;
use lyceum::http::data_api::LimiterFailureMode;
use lyceum::store::{RateLimiter, StorageError};
use tower::ServiceExt;

use crate::client::{get, request, send, send_with};
use crate::log_capture;
use crate::school_fixtures::{self, FULL_KEY, UNKNOWN_KEY};
use support::capture_metrics;

const REQUESTS: &str = "lyceum_requests_total";

/// Fails if the path is used as the route label.
#[test]
fn requests_are_counted_by_service_route_and_status_and_never_by_their_path() {
    capture_metrics(async |metrics| {
        let api = school_fixtures::api().await;
        for path in [
            "/v1/students",
            "/v1/%73tudents?name=%EA%B9%80",
            "/v1/students?grade=9",
            "/v1/nowhere",
            "/v1/else/where",
            "/",
        ] {
            get(&api, path).await;
        }
        send(&api, request("DELETE", "/v1/students", Some(FULL_KEY))).await;
        send(&api, request("OPTIONS", "/v1/clubs", None)).await;
        send(&api, request("GET", "/v1/health", None)).await;
        for (route, status, requests) in [
            ("students", "200", 2),
            ("students", "400", 1),
            ("students", "405", 1),
            ("clubs", "204", 1),
            ("health", "200", 1),
            ("none", "404", 3),
        ] {
            assert_eq!(
                metrics.value(REQUESTS, &["data", route, status]),
                f64::from(requests),
                "{route} {status}: {}",
                metrics.text()
            );
        }
        assert_eq!(
            metrics.value(
                "lyceum_request_duration_seconds_count",
                &["data", "students"]
            ),
            4.0
        );
        assert_eq!(
            metrics.value("lyceum_refusals_total", &["data", "parameter_invalid"]),
            1.0
        );
        assert_eq!(
            metrics.value("lyceum_refusals_total", &["data", "not_found"]),
            3.0
        );
        for sent in ["nowhere", "where", "73tudents", FULL_KEY, "김"] {
            assert!(!metrics.text().contains(sent), "{sent}");
        }
    });
}

/// Fails if a cancelled request is not counted.
#[test]
fn a_request_that_is_given_up_is_counted_without_a_status() {
    capture_metrics(async |metrics| {
        let api = school_fixtures::builder()
            .await
            .rate_limiter(Arc::new(Limiter::Hangs))
            .build()
            .unwrap();
        let mut given_up = Box::pin(api.oneshot(request("GET", "/v1/students", Some(FULL_KEY))));
        assert!(
            given_up
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()))
                .is_pending()
        );
        drop(given_up);
        assert_eq!(
            metrics.value(REQUESTS, &["data", "students", "none"]),
            1.0,
            "{}",
            metrics.text()
        );
        assert_eq!(
            metrics.value(
                "lyceum_request_duration_seconds_count",
                &["data", "students"]
            ),
            0.0
        );
    });
}

/// Fails if a panic skips the count.
#[test]
fn a_handler_that_panics_is_counted_as_500() {
    capture_metrics(async |metrics| {
        let api = school_fixtures::builder()
            .await
            .rate_limiter(Arc::new(Limiter::Panics))
            .build()
            .unwrap();
        assert_eq!(get(&api, "/v1/students").await.status, 500);
        assert_eq!(
            metrics.value(REQUESTS, &["data", "students", "500"]),
            1.0,
            "{}",
            metrics.text()
        );
        assert_eq!(
            metrics.value("lyceum_refusals_total", &["data", "internal_error"]),
            1.0
        );
    });
}

// Proves: spec 2.13
/// Fails if a skipped limiter query is not counted.
#[test]
fn what_the_limits_come_to_is_measured_also_while_nobody_answers() {
    capture_metrics(async |metrics| {
        let verdicts = |limit: &str, verdict: &str| {
            metrics.value("lyceum_rate_limit_decisions_total", &[limit, verdict])
        };
        let one = Quota::new(1, Duration::from_secs(60), 1).unwrap();
        let api = school_fixtures::builder()
            .await
            .rate_limit(one)
            .bad_key_limit(one)
            .build()
            .unwrap();
        for _ in 0..3 {
            get(&api, "/v1/clubs").await;
            let mut bad = request("GET", "/v1/clubs", Some(UNKNOWN_KEY));
            bad.extensions_mut()
                .insert(ClientAddress([192, 0, 2, 1].into()));
            send(&api, bad).await;
        }
        assert_eq!(
            (
                verdicts("api_key", "allowed"),
                verdicts("api_key", "denied")
            ),
            (1.0, 2.0),
            "{}",
            metrics.text()
        );
        assert_eq!(
            (
                verdicts("bad_keys", "allowed"),
                verdicts("bad_keys", "denied")
            ),
            (1.0, 2.0),
            "{}",
            metrics.text()
        );
        for choice in [LimiterFailureMode::FailOpen, LimiterFailureMode::FailClosed] {
            let before = verdicts("api_key", "unanswered");
            let api = school_fixtures::builder()
                .await
                .rate_limiter(Arc::new(Limiter::Fails))
                .on_limiter_failure(choice)
                .build()
                .unwrap();
            for _ in 0..3 {
                get(&api, "/v1/clubs").await;
            }
            assert_eq!(
                verdicts("api_key", "unanswered") - before,
                3.0,
                "{choice:?}: {}",
                metrics.text()
            );
        }
    });
}

// Proves: spec 2.14
#[cfg(feature = "compression")]
#[test]
fn client_and_server_cache_hits_are_measured() {
    capture_metrics(async |metrics| {
        let lookups = |cache: &str| {
            ["hit", "miss"]
                .map(|outcome| metrics.value("lyceum_cache_lookups_total", &[cache, outcome]))
        };
        let api = school_fixtures::api().await;
        let tag = get(&api, "/v1/students").await.header("etag").to_owned();
        assert_eq!(lookups("client"), [0.0, 0.0], "no conditional request yet");
        for condition in [&*tag, &tag, "\"other\""] {
            send_with(&api, "GET", "/v1/students", &[("if-none-match", condition)]).await;
        }
        assert_eq!(lookups("client"), [2.0, 1.0], "{}", metrics.text());
        for _ in 0..3 {
            let mut compressed = request("GET", "/v1/students", Some(FULL_KEY));
            compressed
                .headers_mut()
                .insert("accept-encoding", "gzip, identity;q=0".parse().unwrap());
            assert_eq!(
                api.clone().oneshot(compressed).await.unwrap().headers()["content-encoding"],
                "gzip"
            );
        }
        assert_eq!(lookups("answers"), [3.0, 2.0], "{}", metrics.text());
    });
}

// Proves: threats 26
/// Fails if the span contains the path.
#[tokio::test]
async fn each_request_runs_in_a_span_with_its_route_and_the_id_that_a_refusal_tells_and_without_what_was_sent()
 {
    let ids = Arc::new(CountingEntropy::default());
    let api = school_fixtures::builder()
        .await
        .entropy(ids.clone())
        .build()
        .unwrap();
    let ask = async |path: &str| {
        send_with(
            &api,
            "GET",
            path,
            &[
                ("cookie", "c-is-secret"),
                ("authorization", "Bearer a-is-secret"),
            ],
        )
        .await
    };
    ask("/v1/students?name=q-is-secret").await;
    assert_eq!(
        ids.0.load(Ordering::Relaxed),
        0,
        "no span is recorded and nothing is refused, so no id is generated"
    );
    let (log, subscriber_guard) = log_capture::capture_log();
    ask("/v1/students?name=q-is-secret").await;
    let refused = ask("/v1/p-is-secret").await;
    drop(subscriber_guard);
    let id = refused.header("x-request-id");
    assert_eq!(refused.json()["requestId"], id);
    let (lines, text) = (log.lines(), log.lines().join("\n"));
    let [found, refusal, missing] = &lines[..] else {
        panic!("{text}")
    };
    let span = |route: &str, id: &str| {
        format!("lyceum.request{{service=\"data\" route=\"{route}\" method=\"GET\" request_id={id}")
    };
    assert!(
        found.contains(&span("students", ""))
            && found.contains(" status=200}")
            && !found.contains(id),
        "{text}"
    );
    assert!(
        refusal.contains(&span("none", id)) && refusal.contains("rule=\"not_found\""),
        "{text}"
    );
    assert!(
        missing.contains(&span("none", id)) && missing.contains(" status=404}"),
        "{text}"
    );
    for secret in ["is-secret", FULL_KEY] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
}

/// Limiters that never return, or fail.
#[derive(Debug)]
enum Limiter {
    Hangs,
    Panics,
    Fails,
}

#[async_trait]
impl RateLimiter for Limiter {
    async fn take_many(
        &self,
        _: &RateLimitKey,
        _: Quota,
        _: NonZeroU32,
        _: Timestamp,
    ) -> Result<RateLimitDecision, StorageError> {
        match self {
            Self::Hangs => std::future::pending().await,
            Self::Panics => panic!("planted"),
            Self::Fails => Err(StorageError::unavailable(
                "the limiter is down",
                "on purpose",
            )),
        }
    }
}

/// Bytes of a different letter at each call.
#[derive(Debug, Default)]
struct CountingEntropy(AtomicU8);

impl Entropy for CountingEntropy {
    fn fill(&self, buffer: &mut [u8]) {
        buffer.fill(self.0.fetch_add(1, Ordering::Relaxed));
    }
}
