//! What every request to the console has: an id, a log line, metrics and an event of a refusal.

use std::collections::BTreeSet;
use std::sync::Arc;

use http::header::{CONTENT_LENGTH, ETAG};
use http::{Method, Request, StatusCode};
use lyceum::http::audit::{EventKind, RefusalRule, RefusedRequest};
use lyceum::http::{Body, CustomPages, Page};

use crate::harness::*;
use crate::log_capture;
use crate::metrics_capture::capture_metrics;
use crate::pages::assert_safe;

/// The path of the stylesheet.
async fn stylesheet(harness: &Harness) -> String {
    let page = harness.browser().get("/sign-in").await.body;
    let (_, rest) = page.split_once("stylesheet\" href=\"/console").unwrap();
    rest.split_once('"').unwrap().0.to_owned()
}

/// Fails if a client chooses the id, or a response that is no refusal has none.
#[tokio::test]
async fn every_response_has_an_id_of_its_own() {
    let harness = Harness::new().await;
    let stylesheet = stylesheet(&harness).await;
    let mut ids = BTreeSet::from(["0123456789".to_owned()]);
    for (method, path, status) in [
        (Method::GET, "/sign-in", StatusCode::OK),
        (Method::HEAD, "/sign-in", StatusCode::OK),
        (Method::GET, &*stylesheet, StatusCode::OK),
        (Method::GET, "/", StatusCode::SEE_OTHER),
        (Method::GET, "/?language=ko", StatusCode::SEE_OTHER),
        (Method::POST, "/sign-out", StatusCode::SEE_OTHER),
        (Method::GET, "/nothing", StatusCode::NOT_FOUND),
        (Method::OPTIONS, "/", StatusCode::METHOD_NOT_ALLOWED),
    ] {
        let request = Request::builder()
            .method(&method)
            .uri(path)
            .header("x-request-id", "0123456789")
            .body(Body::empty())
            .unwrap();
        let answer = ask(&harness.console, request).await;
        assert_eq!(answer.status, status, "{method} {path}");
        let id = answer.header("x-request-id");
        assert_eq!(id.len(), 10, "{method} {path}");
        assert!(ids.insert(id.to_owned()), "{method} {path}");
    }
}

#[tokio::test]
async fn unknown_paths_and_other_methods_get_a_page_in_the_language_of_the_visitor() {
    let harness = Harness::new().await;
    for language in ["ko", "en"] {
        let mut browser = harness.browser();
        browser.language = language;
        for (method, path, status) in [
            (Method::GET, "/nothing", StatusCode::NOT_FOUND),
            (Method::OPTIONS, "/nothing", StatusCode::NOT_FOUND),
            (Method::DELETE, "/keys", StatusCode::METHOD_NOT_ALLOWED),
            (Method::OPTIONS, "/keys", StatusCode::METHOD_NOT_ALLOWED),
            (Method::GET, "/sign-out", StatusCode::METHOD_NOT_ALLOWED),
        ] {
            let page = browser.send(method.clone(), path, None, "").await;
            assert_eq!(page.status, status, "{method} {path}");
            assert_safe(&page);
            assert!(
                page.body.contains(&format!("<html lang=\"{language}\">"))
                    && page.body.contains(page.header("x-request-id")),
                "{method} {path}: {}",
                page.body
            );
        }
    }
}

/// Fails if a 304 to `HEAD` has the length of a body that `GET` would not have.
#[tokio::test]
async fn head_of_an_unchanged_file_has_no_length() {
    let harness = Harness::new().await;
    let path = stylesheet(&harness).await;
    let asset = harness.browser().get(&path).await;
    for method in [Method::GET, Method::HEAD] {
        let request = Request::builder()
            .method(&method)
            .uri(&path)
            .header("if-none-match", asset.header(ETAG))
            .body(Body::empty())
            .unwrap();
        let answer = ask(&harness.console, request).await;
        assert_eq!(
            (answer.status, answer.headers.get(CONTENT_LENGTH)),
            (StatusCode::NOT_MODIFIED, None),
            "{method}"
        );
    }
}

// Proves: threats 26
/// Fails if the target, the level or a field of the line is another, or it contains what was sent.
#[tokio::test]
async fn a_refusal_is_a_line_of_the_console_within_the_span_of_its_request() {
    let harness = Harness::new().await;
    let mut browser = harness.browser();
    let (log, subscriber_guard) = log_capture::capture_log();
    let path = "/keys/p-is-secret?q=q-is-secret";
    let answer = browser.send(Method::DELETE, path, None, "").await;
    drop(subscriber_guard);
    let (id, lines) = (answer.header("x-request-id"), log.lines());
    let line = lines
        .iter()
        .find(|line| line.contains(" lyceum::console: refused "))
        .unwrap_or_else(|| panic!("{lines:?}"));
    for part in [
        " INFO ",
        &format!(
            "lyceum.request{{service=\"console\" route=\"key\" method=\"DELETE\" request_id={id}"
        ),
        &format!(" request_id={id} endpoint=\"key\" rule=\"method_not_allowed\" status=405"),
    ] {
        assert!(line.contains(part), "{part}: {line}");
    }
    assert!(!format!("{lines:?}").contains("is-secret"), "{lines:?}");
}

#[test]
fn requests_and_refusals_are_counted_by_the_name_of_the_endpoint() {
    capture_metrics(async |metrics| {
        let harness = Harness::new().await;
        let mut browser = harness.browser();
        browser.get("/sign-in").await;
        browser.get("/keys/x").await;
        browser.send(Method::OPTIONS, "/keys/x", None, "").await;
        browser.get("/nothing").await;
        let text = metrics.text();
        for (route, status) in [
            ("sign_in", "200"),
            ("key", "303"),
            ("key", "405"),
            ("none", "404"),
        ] {
            assert_eq!(
                metrics.value("lyceum_requests_total", &["console", route, status]),
                1.0,
                "{route}: {text}"
            );
        }
        for reason in ["method_not_allowed", "not_found"] {
            assert_eq!(
                metrics.value("lyceum_refusals_total", &["console", reason]),
                1.0,
                "{reason}: {text}"
            );
        }
        assert_eq!(
            metrics.value("lyceum_request_duration_seconds_count", &["console", "key"]),
            2.0,
            "{text}"
        );
    });
}

/// Pages of a host that panic on one.
#[derive(Debug)]
struct Panicking;

impl CustomPages for Panicking {
    fn html(&self, page: &Page) -> Option<String> {
        assert_ne!(page.name(), "console/sign_in", "secret panic");
        None
    }
}

/// Fails if a panic closes the connection, or leaves no record.
#[tokio::test]
async fn a_panic_is_an_error_page_with_a_log_line_and_an_event() {
    let harness = Harness::with_auth(|auth| auth.pages(Arc::new(Panicking))).await;
    let mut browser = harness.browser();
    for method in [Method::GET, Method::HEAD] {
        let (log, subscriber_guard) = log_capture::capture_log();
        let answer = browser.send(method.clone(), "/sign-in", None, "").await;
        drop(subscriber_guard);
        assert_eq!(answer.status, StatusCode::INTERNAL_SERVER_ERROR);
        let id = answer.header("x-request-id");
        if method == Method::GET {
            assert_safe(&answer);
            assert!(answer.body.contains(id) && !answer.body.contains("panic"));
        } else {
            assert_eq!((&*answer.body, id.len()), ("", 10));
        }
        let event = harness.log.events().pop().unwrap();
        assert_eq!(event.request_id.as_str(), id);
        assert!(
            matches!(
                event.kind,
                EventKind::Refused(RefusedRequest {
                    rule: RefusalRule::Failed,
                    status: 500,
                    endpoint: "sign_in",
                    ..
                })
            ),
            "{event:?}"
        );
        let (lines, cause) = (log.lines(), "cause=a handler panicked");
        assert!(
            lines.iter().any(|line| line.contains("ERROR ")
                && line.contains(" lyceum::console: failed ")
                && line.contains(cause)),
            "{lines:?}"
        );
    }
}
