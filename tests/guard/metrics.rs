//! Metrics and spans of a guard.

#[path = "../support/log_capture.rs"]
mod log_capture;
#[path = "../support/metrics_capture.rs"]
mod support;

use std::convert::Infallible;
use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response};
use lyceum::crypto::jwk_set;
use lyceum::http::Body;
use lyceum::http::guard::{CachedKeys, Caller};
use support::capture_metrics;
use tower::{Layer, ServiceExt, service_fn};

use crate::fixtures::{self, APPLICATION, NOW, builder, es256, guard, present, token};

/// Fails if a key look-up that waits for a fetch counts as a hit.
#[test]
fn requests_refusals_and_looks_for_keys_are_measured() {
    capture_metrics(async |metrics| {
        let signer = es256();
        let keys = Bytes::from(serde_json::to_vec(&jwk_set([&*signer])).unwrap());
        let keys = CachedKeys::new(move || {
            let keys = keys.clone();
            async move { Ok(keys) }
        });
        let guard = builder(Arc::new(keys)).build().unwrap();
        let expired = fixtures::signed(
            &*signer,
            &fixtures::header(&*signer),
            &fixtures::claims_with("exp", NOW.seconds().into()),
        );
        for shown in [&*token(&*signer), &token(&*signer), &expired, "nonsense"] {
            present(&guard, shown).await;
        }
        fixtures::ask(&guard, Request::get("/p-is-secret?q=q-is-secret")).await;
        let caller = present(&guard, &token(&*signer)).await.caller.unwrap();
        caller
            .require(&format!("{APPLICATION}:write").parse().unwrap())
            .unwrap_err()
            .into_response();
        let text = metrics.text();
        for (status, requests) in [("200", 3.0), ("401", 3.0)] {
            assert_eq!(
                metrics.value("lyceum_requests_total", &["guard", "guarded", status]),
                requests,
                "{status}: {text}"
            );
        }
        for reason in [
            "token_expired",
            "token_invalid",
            "token_missing",
            "scope_missing",
        ] {
            assert_eq!(
                metrics.value("lyceum_refusals_total", &["guard", reason]),
                1.0,
                "{reason}: {text}"
            );
        }
        let looks = ["hit", "miss"].map(|outcome| {
            metrics.value("lyceum_cache_lookups_total", &["published_keys", outcome])
        });
        assert_eq!(looks, [3.0, 1.0], "{text}");
        assert!(!text.contains("secret"), "{text}");
    });
}

// Proves: threats 26
/// Fails if the service is called outside of the span.
#[tokio::test]
async fn the_service_runs_in_the_span_of_its_request_and_prints_no_header_that_holds_a_secret() {
    let signer = es256();
    let inner = service_fn(async |request: Request<String>| {
        tracing::info!(headers = ?request.headers(), "within");
        let (caller, write) = (
            request.extensions().get::<Caller>().unwrap(),
            format!("{APPLICATION}:write"),
        );
        Ok::<_, Infallible>(caller.require(&write.parse().unwrap()).map_or_else(
            |refused| refused.into_response(),
            |()| Response::new(Body::empty()),
        ))
    });
    let request = Request::get("/p-is-secret?q=q-is-secret")
        .header("authorization", format!("Bearer {}", token(&*signer)));
    let request = request
        .header("cookie", "c-is-secret")
        .header("x-api-key", "k-is-secret")
        .header("accept", "text/plain");
    let (log, subscriber_guard) = log_capture::capture_log();
    let answer = guard(&*signer)
        .layer(inner)
        .oneshot(request.body(String::new()).unwrap())
        .await
        .unwrap();
    drop(subscriber_guard);
    let (id, lines) = (
        answer.headers()["x-request-id"].to_str().unwrap(),
        log.lines(),
    );
    let [within, refused, closed] = &lines[..] else {
        panic!("{lines:?}")
    };
    let span = format!(
        "lyceum.request{{service=\"guard\" route=\"guarded\" method=\"GET\" request_id={id}"
    );
    assert!(lines.iter().all(|line| line.contains(&span)), "{lines:?}");
    assert!(
        within.contains("\"authorization\": Sensitive") && within.contains("text/plain"),
        "{within}"
    );
    assert!(
        refused.contains(&format!(" request_id={id} ")) && closed.contains(" status=403}"),
        "{lines:?}"
    );
    assert!(
        !format!("{lines:?}").contains("is-secret")
            && !format!("{lines:?}").contains(&token(&*signer)),
        "{lines:?}"
    );
}
