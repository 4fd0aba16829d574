//! Metrics and request spans of the authorization service.

use http::Request;
use http::header::AUTHORIZATION;
use lyceum::http::Body;

use crate::harness::{self, CALLBACK, EMAIL, Harness, PASSWORD};
use crate::log_capture;
use crate::metrics_capture::capture_metrics;
use crate::token::harness::{Fields, VERIFIER, basic};

/// Fails if events are not counted, or a password is not removed from the queue gauge.
#[test]
fn a_sign_in_is_measured_from_the_password_to_the_tokens() {
    capture_metrics(async |metrics| {
        let harness = Harness::new().await;
        let mut browser = harness.browser_at_login().await;
        assert_eq!(
            browser
                .sign_in(EMAIL, "a password that is wrong")
                .await
                .status,
            401
        );
        browser.sign_in(EMAIL, PASSWORD).await;
        let code = browser.decide("allow").await.sent_back("code").unwrap();
        let fields = [
            ("grant_type", "authorization_code"),
            ("code", &*code),
            ("redirect_uri", CALLBACK),
            ("code_verifier", VERIFIER),
        ];
        let exchange = || {
            let mut request = Fields::new(&fields).as_form();
            request.headers_mut().insert(
                AUTHORIZATION,
                basic(&harness.client.id.to_string(), harness.secret.expose())
                    .parse()
                    .unwrap(),
            );
            request
        };
        for status in [200, 400] {
            assert_eq!(
                harness::ask(&harness.server, exchange()).await.status,
                status
            );
        }
        harness::get(&harness.server, "/v1/oauth/nowhere?state=secret").await;

        let text = metrics.text();
        let events = |event: &str| metrics.value("lyceum_events_total", &[event]);
        for event in [
            "sign_in_refused",
            "signed_in",
            "consent_given",
            "code_issued",
            "tokens_issued",
            "reuse_detected",
        ] {
            assert_eq!(events(event), 1.0, "{event}: {text}");
        }
        assert_eq!(
            events("refused"),
            0.0,
            "refusals have a metric of their own"
        );
        for reason in ["credentials", "code_replayed", "not_found"] {
            assert_eq!(
                metrics.value("lyceum_refusals_total", &["auth", reason]),
                1.0,
                "{reason}: {text}"
            );
        }
        for (route, status, requests) in [
            ("token", "200", 1.0),
            ("token", "400", 1.0),
            ("login", "401", 1.0),
            ("none", "404", 1.0),
        ] {
            assert_eq!(
                metrics.value("lyceum_requests_total", &["auth", route, status]),
                requests,
                "{route}: {text}"
            );
        }
        assert_eq!(
            metrics.value("lyceum_request_duration_seconds_count", &["auth", "token"]),
            2.0,
            "{text}"
        );
        // Two for the created account, whose new password is estimated and hashed, and two for the
        // login attempts.
        for stage in ["wait", "work"] {
            assert_eq!(
                metrics.value("lyceum_password_duration_seconds_count", &[stage]),
                4.0,
                "{text}"
            );
        }
        assert!(text.contains("lyceum_password_queue_jobs 0\n"), "{text}");
        assert!(
            metrics.value("lyceum_cache_lookups_total", &["signing_keys", "hit"]) >= 1.0,
            "{text}"
        );
        for sent in [EMAIL, "kim.haneul", "nowhere", "secret=", &code] {
            assert!(!text.contains(sent), "{sent}: {text}");
        }
    });
}

// Proves: threats 26
/// Fails if the span has another id.
#[tokio::test]
async fn each_request_runs_in_a_span_with_the_id_of_its_answer_and_without_what_was_sent() {
    let harness = Harness::new().await;
    let (log, subscriber_guard) = log_capture::capture_log();
    let request = Request::get("/v1/oauth/sessions/p-is-secret?state=q-is-secret")
        .header("cookie", "c-is-secret")
        .body(Body::empty());
    let answer = harness::ask(&harness.server, request.unwrap()).await;
    drop(subscriber_guard);
    let (id, lines) = (answer.header("x-request-id"), log.lines());
    let span = format!(
        "lyceum.request{{service=\"auth\" route=\"session\" method=\"GET\" request_id={id}"
    );
    assert!(
        lines.len() >= 2 && lines.iter().all(|line| line.contains(&span)),
        "{lines:?}"
    );
    assert!(
        lines
            .last()
            .unwrap()
            .contains(&format!(" status={}}}", answer.status.as_u16())),
        "{lines:?}"
    );
    assert!(!format!("{lines:?}").contains("is-secret"), "{lines:?}");
}
