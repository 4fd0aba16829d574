//! Paths and methods.

use std::sync::Arc;

use lyceum::DataApi;
use lyceum::store::Storage;

use crate::client::{get, request, send};
use crate::school_fixtures::{self, FULL_KEY};

const PATHS: [&str; 8] = [
    "/v1/students",
    "/v1/clubs",
    "/v1/projects",
    "/v1/neis/meals",
    "/v1/neis/schedules",
    "/v1/neis/timetables",
    "/v1/health",
    "/v1/health/ready",
];

#[tokio::test]
async fn an_unknown_path_is_404_in_the_error_shape() {
    let api = school_fixtures::api().await;
    for path in [
        "/",
        "/v1",
        "/v1/",
        "/v1/students/",
        "/v1/students/1",
        "/v1/Students",
        "//v1/students",
        "/v1/neis",
        "/v2/students",
    ] {
        let answer = get(&api, path).await;
        assert_eq!(
            (answer.status.as_u16(), answer.reason().0.as_str()),
            (404, "not_found"),
            "{path}"
        );
    }
    let asterisk = send(&api, request("OPTIONS", "*", None)).await;
    assert_eq!(asterisk.status, 404);
}

#[tokio::test]
async fn a_path_is_compared_after_percent_decoding() {
    let api = school_fixtures::api().await;
    assert_eq!(get(&api, "/v1/%73tudents").await.ids(), [1, 2, 3, 4, 5]);
    assert_eq!(get(&api, "/%761/neis/meal%73").await.status, 200);
    for path in [
        "/v1%2Fstudents",
        "/v1/%ff",
        "/v1/students%2F",
        "/v1/%2573tudents",
        "/v1/student%",
    ] {
        assert_eq!(get(&api, path).await.status, 404, "{path}");
    }
}

// Proves: spec 2.20
#[tokio::test]
async fn other_methods_are_405_with_allow() {
    let api = school_fixtures::api().await;
    for path in PATHS {
        for method in [
            "POST", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "get", "PROPFIND", "options",
        ] {
            let answer = send(&api, request(method, path, Some(FULL_KEY))).await;
            assert_eq!(answer.status, 405, "{method} {path}");
            assert_eq!(answer.header("allow"), "GET, HEAD, OPTIONS");
            assert_eq!(answer.reason().0, "method_not_allowed");
        }
    }
}

#[tokio::test]
async fn options_lists_the_methods_without_a_key() {
    let described = school_fixtures::builder()
        .await
        .public_url("https://school.example")
        .authorization_server("https://school.example/auth");
    let api = described.build().unwrap();
    for path in PATHS.into_iter().chain([
        "/v1/clubs?x=%",
        "/v1/%73tudents",
        "/.well-known/oauth-protected-resource",
    ]) {
        for key in [None, Some(school_fixtures::EXPIRED_KEY), Some(FULL_KEY)] {
            let answer = send(&api, request("OPTIONS", path, key)).await;
            assert_eq!(
                (answer.status.as_u16(), answer.body.as_str()),
                (204, ""),
                "{path}"
            );
            let mut headers: Vec<_> = answer
                .headers
                .iter()
                .map(|(name, value)| (name.as_str(), value.to_str().unwrap()))
                .collect();
            headers.sort_unstable();
            assert_eq!(
                headers,
                [
                    ("allow", "GET, HEAD, OPTIONS"),
                    ("cache-control", "no-store")
                ],
                "{path}"
            );
        }
    }
    for path in ["/v1/nothing", "/v1/students/", "/", "*"] {
        let answer = send(&api, request("OPTIONS", path, None)).await;
        assert_eq!(
            (answer.status.as_u16(), answer.reason().0.as_str()),
            (404, "not_found"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn head_has_the_headers_of_get_and_no_body() {
    let api = school_fixtures::builder()
        .await
        .without_rate_limit()
        .build()
        .unwrap();
    for path in PATHS.into_iter().chain(["/v1/nothing", "/v1/clubs?x=1"]) {
        let got = get(&api, path).await;
        let headed = send(&api, request("HEAD", path, Some(FULL_KEY))).await;
        assert_eq!(
            (headed.status, &headed.headers),
            (got.status, &got.headers),
            "{path}"
        );
        assert_eq!(got.header("content-length"), got.body.len().to_string());
        assert!(headed.body.is_empty() && !got.body.is_empty(), "{path}");
    }
}

#[tokio::test]
async fn the_service_reads_from_a_store_behind_dyn_too() {
    let storage: Arc<dyn Storage> = school_fixtures::store().await;
    let api = DataApi::builder(school_fixtures::directory(storage.clone()).await, storage)
        .clock(Arc::new(school_fixtures::FixedClock))
        .build()
        .unwrap();
    assert_eq!(get(&api, "/v1/students").await.ids(), [1, 2, 3, 4, 5]);
}
