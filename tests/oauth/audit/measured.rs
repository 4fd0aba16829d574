//! What operators are told of the authorization service: metrics, and the span around each request.

use http::Request;
use http::header::AUTHORIZATION;
use lyceum::http::Body;

use crate::harness::{self, CALLBACK, EMAIL, PASSWORD, World};
use crate::heard;
use crate::measuring::measured;
use crate::token::world::{Fields, VERIFIER, basic};

/// Seen to fail when events are not counted, and when a password keeps its place in the queue.
#[test]
fn a_sign_in_is_measured_from_the_password_to_the_tokens() {
    measured(async |measured| {
        let world = World::new().await;
        let mut browser = world.browser_at_login().await;
        assert_eq!(browser.sign_in(EMAIL, "a password that is wrong").await.status, 401);
        browser.sign_in(EMAIL, PASSWORD).await;
        let code = browser.decide("allow").await.sent_back("code").unwrap();
        let fields = [("grant_type", "authorization_code"), ("code", &*code), ("redirect_uri", CALLBACK), ("code_verifier", VERIFIER)];
        let exchange = || {
            let mut request = Fields::new(&fields).as_form();
            request.headers_mut().insert(AUTHORIZATION, basic(&world.client.id.to_string(), world.secret.expose()).parse().unwrap());
            request
        };
        for status in [200, 400] {
            assert_eq!(harness::ask(&world.server, exchange()).await.status, status);
        }
        harness::get(&world.server, "/v1/oauth/nowhere?state=secret").await;

        let text = measured.text();
        let events = |event: &str| measured.of("lyceum_events_total", &[event]);
        for event in ["sign_in_refused", "signed_in", "consent_given", "code_issued", "tokens_issued", "reuse_detected"] {
            assert_eq!(events(event), 1.0, "{event}: {text}");
        }
        assert_eq!(events("refused"), 0.0, "refusals have a metric of their own");
        for reason in ["credentials", "code_replayed", "not_found"] {
            assert_eq!(measured.of("lyceum_refusals_total", &["auth", reason]), 1.0, "{reason}: {text}");
        }
        for (route, status, requests) in [("token", "200", 1.0), ("token", "400", 1.0), ("login", "401", 1.0), ("none", "404", 1.0)] {
            assert_eq!(measured.of("lyceum_requests_total", &["auth", route, status]), requests, "{route}: {text}");
        }
        assert_eq!(measured.of("lyceum_request_duration_seconds_count", &["auth", "token"]), 2.0, "{text}");
        // Two for the account, which was made before: its new password is estimated and hashed. And two attempts.
        for stage in ["wait", "work"] {
            assert_eq!(measured.of("lyceum_password_duration_seconds_count", &[stage]), 4.0, "{text}");
        }
        assert!(text.contains("lyceum_password_queue_jobs 0\n"), "{text}");
        assert!(measured.of("lyceum_cache_lookups_total", &["signing_keys", "hit"]) >= 1.0, "{text}");
        for sent in [EMAIL, "kim.haneul", "nowhere", "secret=", &code] {
            assert!(!text.contains(sent), "{sent}: {text}");
        }
    });
}

/// Seen to fail when the id of the span is another one.
#[tokio::test]
async fn s26_each_request_runs_in_a_span_with_the_id_of_its_answer_and_without_what_was_sent() {
    let world = World::new().await;
    let (heard, listening) = heard::listen();
    let request = Request::get("/v1/oauth/sessions/p-is-secret?state=q-is-secret").header("cookie", "c-is-secret").body(Body::empty());
    let answer = harness::ask(&world.server, request.unwrap()).await;
    drop(listening);
    let (id, lines) = (answer.header("x-request-id"), heard.lines());
    let span = format!("lyceum.request{{service=\"auth\" route=\"session\" method=\"GET\" request_id={id}");
    assert!(lines.len() >= 2 && lines.iter().all(|line| line.contains(&span)), "{lines:?}");
    assert!(lines.last().unwrap().contains(&format!(" status={}}}", answer.status.as_u16())), "{lines:?}");
    assert!(!format!("{lines:?}").contains("is-secret"), "{lines:?}");
}
