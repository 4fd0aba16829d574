//! Errors as problem details (RFC 9457), for clients that accept them: spec 2.2.

use http::Request;
use insta::assert_snapshot;

use crate::client::{send, send_with};
use crate::school_fixtures;
use crate::store_failures::{self, Fault};

const PROBLEM: (&str, &str) = ("accept", "application/json, application/problem+json");

// Proves: spec 2.2
#[tokio::test]
async fn an_error_is_problem_json_if_accept_names_the_type() {
    let api = school_fixtures::builder()
        .await
        .without_rate_limit()
        .build()
        .unwrap();
    let answer = send_with(&api, "GET", "/v1/students?grade=9", &[PROBLEM]).await;
    assert_eq!(
        (answer.status.as_u16(), answer.header("content-type")),
        (400, "application/problem+json")
    );
    assert_eq!(answer.header("x-request-id"), school_fixtures::REQUEST_ID);
    assert_eq!(answer.header("vary"), "X-API-KEY, Accept, Accept-Encoding");
    assert_snapshot!(answer.pretty(), @r#"
    {
      "type":"about:blank",
      "title":"Bad Request",
      "status":400,
      "detail":"The parameter grade must be a whole number from 1 to 3.",
      "reason":"parameter_invalid",
      "parameter":"grade",
      "requestId":"7777777777"
    }
    "#);
    let headed = send_with(&api, "HEAD", "/v1/students?grade=9", &[PROBLEM]).await;
    assert_eq!((headed.headers, headed.body.as_str()), (answer.headers, ""));
}

// Proves: spec 2.2
#[tokio::test]
async fn problem_and_envelope_say_the_same_of_every_failure() {
    let api = school_fixtures::api().await;
    let (failed, away, panics) = (
        store_failures::api(Fault::Failed).await,
        store_failures::api(Fault::Unavailable).await,
        store_failures::api(Fault::Panic).await,
    );
    for (api, method, path, other) in [
        (&api, "GET", "/v1/nothing", ("x-none", "")),
        (&api, "POST", "/v1/clubs", ("x-none", "")),
        (&api, "GET", "/v1/clubs?x=1", ("x-none", "")),
        (&api, "GET", "/v1/clubs?x=%", ("x-none", "")),
        (
            &api,
            "GET",
            "/v1/clubs",
            ("x-api-key", school_fixtures::CLUB_KEY),
        ),
        (&api, "GET", "/v1/clubs", ("if-match", "\"a\"")),
        (&failed, "GET", "/v1/clubs", ("x-none", "")),
        (&away, "GET", "/v1/health/ready", ("x-none", "")),
        (&panics, "GET", "/v1/clubs", ("x-none", "")),
    ] {
        let plain = send_with(api, method, path, &[other]).await;
        let answer = send_with(api, method, path, &[other, PROBLEM]).await;
        assert_eq!(answer.status, plain.status, "{path}");
        assert_eq!(
            answer.header("content-type"),
            "application/problem+json",
            "{path}"
        );
        let (problem, envelope) = (answer.json(), plain.json());
        assert_eq!(problem["type"], "about:blank");
        assert_eq!(problem["title"], plain.status.canonical_reason().unwrap());
        assert_eq!(
            (&problem["status"], &problem["detail"]),
            (&envelope["code"], &envelope["message"]),
            "{path}"
        );
        for name in ["reason", "parameter", "requestId"] {
            assert_eq!(problem.get(name), envelope.get(name), "{path}");
        }
        assert!(!answer.body.contains("secret"));
    }
}

// Proves: spec 2.2
#[tokio::test]
async fn an_error_is_in_the_envelope_without_the_problem_type_also_for_other_formats() {
    let api = school_fixtures::api().await;
    for accept in [
        "application/json",
        "*/*",
        "application/*",
        "text/csv",
        "application/x-ndjson",
        "text/html",
        "application/problem+json;q=0",
    ] {
        let request = Request::get("/v1/students").header("accept", accept);
        let answer = send(&api, request.body(()).unwrap()).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("content-type")),
            (401, "application/json"),
            "{accept}"
        );
        assert_eq!(answer.reason().0, "api_key_missing");
    }
    let request = Request::get("/v1/health")
        .header("accept", "text/html")
        .body(())
        .unwrap();
    assert_eq!(send(&api, request).await.status, 200);
}
