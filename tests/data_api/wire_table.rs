//! The reasons in `docs/wire.md`, compared with the service's responses.

use std::collections::BTreeSet;
use std::time::Duration;

use http::{HeaderValue, Request};
use lyceum::domain::{HiddenFields, Quota};
use lyceum::http::ClientAddress;
use lyceum::http::data_api::ErrorReason;
use serde_json::json;

use crate::client::{TestResponse, request, send, send_with};
use crate::hidden_fields;
use crate::school_fixtures::{self, CLUB_KEY, EXPIRED_KEY, FULL_KEY, UNKNOWN_KEY};
use crate::store_failures::{self, Fault};
use crate::wire_doc;

// Proves: spec 2.2
#[tokio::test]
async fn every_documented_reason_is_answered_and_every_answered_reason_is_documented() {
    let answered: BTreeSet<_> = failures()
        .await
        .iter()
        .map(|answer| (answer.status.as_u16(), answer.reason().0))
        .collect();
    assert_eq!(answered, wire_doc::refusals("Data API", "reason"));
}

// Proves: spec 2.2
/// Fails if a reason of the service's table has no row in `docs/wire.md`, another status there, or
/// a row there has no reason.
#[test]
fn the_page_has_the_rows_of_the_table() {
    let table = ErrorReason::ALL
        .iter()
        .map(|reason| (reason.status().as_u16(), reason.to_string()))
        .collect();
    assert_eq!(wire_doc::refusals("Data API", "reason"), table);
}

// Proves: spec 2.2
/// Fails if an error has no message, the wrong name for its status, or a parameter when none is at
/// fault.
#[tokio::test]
async fn every_failure_has_its_name_its_number_and_a_sentence() {
    for answer in failures().await {
        let json = answer.json();
        let name = answer
            .status
            .canonical_reason()
            .unwrap()
            .to_uppercase()
            .replace(' ', "_");
        assert_eq!(
            (&json["status"], &json["code"]),
            (&json!(name), &json!(answer.status.as_u16()))
        );
        let message = json["message"].as_str().unwrap();
        assert!(
            message.starts_with(|first: char| first.is_ascii_uppercase()) && message.ends_with('.'),
            "{message}"
        );
        let mut members: BTreeSet<_> = json
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        let is_at_fault = message.contains("the parameter ") || message.contains("The parameter ");
        assert_eq!(members.remove("parameter"), is_at_fault, "{json}");
        assert_eq!(
            members,
            BTreeSet::from(["status", "code", "message", "reason", "requestId"])
        );
    }
}

/// One response for each reason.
async fn failures() -> Vec<TestResponse> {
    let api = school_fixtures::api().await;
    let mut answers: Vec<TestResponse> = Vec::new();
    for (method, path, key) in [
        ("GET", "/v1/students?name=%", Some(FULL_KEY)),
        ("GET", "/v1/students?grades=1", Some(FULL_KEY)),
        ("GET", "/v1/students?grade=1&grade=2", Some(FULL_KEY)),
        ("GET", "/v1/students?grade=4", Some(FULL_KEY)),
        ("GET", "/v1/students?updatedSince=1-1-1", Some(FULL_KEY)),
        ("GET", "/v1/students", None),
        ("GET", "/v1/students", Some("nonsense")),
        ("GET", "/v1/students", Some(EXPIRED_KEY)),
        ("GET", "/v1/students", Some(CLUB_KEY)),
        ("GET", "/v1/teachers", Some(FULL_KEY)),
        ("POST", "/v1/students", Some(FULL_KEY)),
    ] {
        answers.push(send(&api, request(method, path, key)).await);
    }
    let mut twice: Request<()> = request("GET", "/v1/students", Some(FULL_KEY));
    twice
        .headers_mut()
        .append("x-api-key", HeaderValue::from_static(FULL_KEY));
    answers.push(send(&api, twice).await);
    for (name, value) in [("accept", "text/html"), ("if-match", "\"other\"")] {
        answers.push(send_with(&api, "GET", "/v1/students", &[(name, value)]).await);
    }
    let once = Quota::new(1, Duration::from_secs(60), 1).unwrap();
    let narrow = school_fixtures::builder()
        .await
        .rate_limit(once)
        .bad_key_limit(once)
        .build()
        .unwrap();
    for key in [FULL_KEY, UNKNOWN_KEY].into_iter().cycle().take(4) {
        let mut request = request("GET", "/v1/clubs", Some(key));
        request
            .extensions_mut()
            .insert(ClientAddress([192, 0, 2, 1].into()));
        answers.push(send(&narrow, request).await);
    }
    answers.retain(|answer| !answer.status.is_success());
    let (hiding, keys) = hidden_fields::api(&[HiddenFields::all()]).await;
    answers.push(
        send(
            &hiding,
            request("GET", "/v1/students?email=a", Some(&keys[0])),
        )
        .await,
    );
    for fault in [Fault::Failed, Fault::Unavailable] {
        answers.push(
            send(
                &store_failures::api(fault).await,
                request("GET", "/v1/students", Some(FULL_KEY)),
            )
            .await,
        );
    }
    answers
}
