//! CORS (Fetch Standard, "CORS protocol"): scripts of other origins, where the host allows them.

use std::sync::Arc;
use std::time::Duration;

use lyceum::DataApi;
use lyceum::domain::Quota;
use lyceum::testing::ManualClock;

use crate::client::{TestResponse, get, request, send, send_with};
use crate::school_fixtures::{self, FULL_KEY, UNKNOWN_KEY};
use crate::store_failures::{self, FailingStore, Fault};

const PATHS: [&str; 9] = [
    "/v1/students",
    "/v1/clubs",
    "/v1/projects",
    "/v1/neis/meals",
    "/v1/neis/schedules",
    "/v1/neis/timetables",
    "/v1/health",
    "/v1/health/ready",
    "/.well-known/oauth-protected-resource",
];

/// The CORS headers of a response, except for the list of exposed headers.
fn told(answer: &TestResponse) -> Vec<(&str, &str)> {
    let headers = answer
        .headers
        .iter()
        .filter(|(name, _)| name.as_str().starts_with("access-control-"));
    let headers = headers.filter(|(name, _)| *name != "access-control-expose-headers");
    let mut told: Vec<_> = headers
        .map(|(name, value)| (name.as_str(), value.to_str().unwrap()))
        .collect();
    told.sort_unstable();
    told
}

/// Responses of every kind, each with its expected status.
async fn answers(api: &DataApi) -> Vec<(u16, TestResponse)> {
    let tag = get(api, "/v1/clubs").await.header("etag").to_owned();
    vec![
        (200, get(api, "/v1/students?size=1&page=1").await),
        (
            200,
            send(api, request("HEAD", "/v1/clubs", Some(FULL_KEY))).await,
        ),
        (
            304,
            send_with(api, "GET", "/v1/clubs", &[("if-none-match", &tag)]).await,
        ),
        (400, get(api, "/v1/clubs?x=1").await),
        (401, send(api, request("GET", "/v1/clubs", None)).await),
        (
            403,
            send(
                api,
                request("GET", "/v1/students", Some(school_fixtures::CLUB_KEY)),
            )
            .await,
        ),
        (404, get(api, "/v1/nothing").await),
        (
            405,
            send(api, request("POST", "/v1/clubs", Some(FULL_KEY))).await,
        ),
        (
            406,
            send_with(api, "GET", "/v1/clubs", &[("accept", "image/png")]).await,
        ),
        (200, get(api, "/v1/health").await),
    ]
}

// Proves: spec 3.23
#[tokio::test]
async fn a_host_that_does_not_say_so_lets_no_script_of_another_origin_read() {
    let api = school_fixtures::api().await;
    for (status, answer) in answers(&api).await {
        assert_eq!(
            (answer.status.as_u16(), told(&answer)),
            (status, Vec::new())
        );
    }
    for path in PATHS {
        assert_eq!(
            told(&send(&api, request("OPTIONS", path, None)).await),
            [],
            "{path}"
        );
    }
}

#[tokio::test]
async fn a_preflight_of_every_origin_is_answered_without_a_key() {
    let builder = school_fixtures::builder()
        .await
        .public_url("https://school.example")
        .authorization_server("https://school.example/auth");
    let api = builder.allow_any_origin().build().unwrap();
    for path in PATHS {
        let answer = send(&api, request("OPTIONS", path, None)).await;
        assert_eq!(
            (
                answer.status.as_u16(),
                answer.header("allow"),
                &*answer.body
            ),
            (204, "GET, HEAD, OPTIONS", ""),
            "{path}"
        );
        let permitted = [
            ("access-control-allow-headers", "X-API-KEY, If-None-Match"),
            ("access-control-allow-methods", "GET, HEAD, OPTIONS"),
            ("access-control-allow-origin", "*"),
            ("access-control-max-age", "7200"),
        ];
        assert_eq!(told(&answer), permitted, "{path}");
    }
}

/// Fails if a new header is not exposed to scripts.
fn can_be_read(answer: &TestResponse) {
    // The last two are of no use to scripts; the others are always exposed.
    const NOT_EXPOSED: [&str; 7] = [
        "cache-control",
        "content-length",
        "content-type",
        "allow",
        "vary",
        "www-authenticate",
        "access-control-allow-origin",
    ];
    assert_eq!(
        told(answer),
        [("access-control-allow-origin", "*")],
        "{}",
        answer.status
    );
    let exposed: Vec<String> = answer
        .header("access-control-expose-headers")
        .split(", ")
        .map(str::to_lowercase)
        .collect();
    for name in answer.headers.keys().map(|name| name.as_str()) {
        let is_known = NOT_EXPOSED.contains(&name) || name == "access-control-expose-headers";
        assert!(
            is_known || exposed.iter().any(|exposed| exposed == name),
            "{name} is not exposed"
        );
    }
}

// Proves: spec 3.23
#[tokio::test]
async fn every_answer_and_its_headers_can_be_read_where_the_host_lets_scripts() {
    let api = school_fixtures::builder()
        .await
        .allow_any_origin()
        .build()
        .unwrap();
    for (status, answer) in answers(&api).await {
        assert_eq!(answer.status.as_u16(), status);
        can_be_read(&answer);
    }
    let once = Quota::new(1, Duration::from_secs(60), 1).unwrap();
    let limited = school_fixtures::builder()
        .await
        .allow_any_origin()
        .rate_limit(once)
        .bad_key_limit(once)
        .build()
        .unwrap();
    for key in [FULL_KEY, UNKNOWN_KEY] {
        let ask = async || send(&limited, request("GET", "/v1/clubs", Some(key))).await;
        can_be_read(&ask().await);
        can_be_read(&ask().await);
    }
}

#[tokio::test]
async fn a_failure_can_be_read_too() {
    for (fault, status) in [
        (Fault::Failed, 500),
        (Fault::Unavailable, 503),
        (Fault::Panic, 500),
    ] {
        let builder = store_failures::builder(
            Arc::new(FailingStore::with(fault)),
            &ManualClock::new(school_fixtures::NOW),
        )
        .await;
        let answer = get(&builder.allow_any_origin().build().unwrap(), "/v1/clubs").await;
        assert_eq!(answer.status.as_u16(), status);
        can_be_read(&answer);
    }
}
