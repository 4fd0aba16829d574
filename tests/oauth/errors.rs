//! Error responses when the host's users or a handler fail.

use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use http::header::RETRY_AFTER;
use lyceum::http::auth_server::{AuthServerBuilder, AuthenticationOutcome};
use lyceum::store::StorageError;

use crate::harness::*;
use crate::limits::{Always, harness_with_authenticator};

#[tokio::test]
async fn a_broken_backend_is_a_500_and_an_absent_one_a_503_and_neither_says_why() {
    let broken = harness_with_authenticator(|| {
        Err(StorageError::failed(
            "the users table is damaged",
            "row 7 of db-17.internal",
        ))
    })
    .await;
    let absent = harness_with_authenticator(|| {
        Err(StorageError::unavailable(
            "the users cannot be reached",
            "db-17.internal refused",
        ))
    })
    .await;
    for (harness, status, retry_after) in [
        (&broken, StatusCode::INTERNAL_SERVER_ERROR, ""),
        (&absent, StatusCode::SERVICE_UNAVAILABLE, "5"),
    ] {
        let answer = harness
            .browser_at_login()
            .await
            .sign_in(EMAIL, PASSWORD)
            .await;
        assert_eq!(
            (answer.status, answer.header(RETRY_AFTER)),
            (status, retry_after)
        );
        assert!(answer.is_page() && answer.has_cause);
        for secret in ["users", "db-17", "damaged", "refused"] {
            assert!(!answer.body.contains(secret), "{}", answer.body);
        }
    }
}

// Proves: threats 41
/// Fails if panics are not caught.
#[tokio::test]
async fn a_panicking_handler_answers_500_as_a_page_and_the_server_continues() {
    let harness = harness_with_authenticator(|| panic!("planted")).await;
    let mut browser = harness.browser_at_login().await;
    let answer = browser.sign_in(EMAIL, PASSWORD).await;
    assert_eq!(answer.status, StatusCode::INTERNAL_SERVER_ERROR);
    assert!(answer.is_page() && answer.has_cause && !answer.body.contains("planted"));
    crate::pages::assert_safe(&answer);
    assert_eq!(browser.get("/v1/oauth/login").await.status, StatusCode::OK);
}

// Proves: spec 3.22
#[tokio::test]
async fn errors_are_json_unless_html_is_accepted() {
    type Case = (
        fn() -> Result<AuthenticationOutcome, StorageError>,
        StatusCode,
        &'static str,
        &'static str,
    );
    let wait = || {
        Ok(AuthenticationOutcome::TooManyAttempts {
            retry_after: Duration::from_secs(7),
        })
    };
    let cases: [Case; 5] = [
        (
            || Ok(AuthenticationOutcome::Busy),
            StatusCode::SERVICE_UNAVAILABLE,
            "temporarily_unavailable",
            "2",
        ),
        (
            wait,
            StatusCode::TOO_MANY_REQUESTS,
            "too_many_requests",
            "7",
        ),
        (
            || Err(StorageError::corrupt("planted")),
            StatusCode::INTERNAL_SERVER_ERROR,
            "server_error",
            "",
        ),
        (
            || Err(StorageError::unavailable("planted", "planted")),
            StatusCode::SERVICE_UNAVAILABLE,
            "temporarily_unavailable",
            "5",
        ),
        (
            || panic!("planted"),
            StatusCode::INTERNAL_SERVER_ERROR,
            "server_error",
            "",
        ),
    ];
    for (answer, status, error, retry_after) in cases {
        let settings = |builder: AuthServerBuilder| {
            builder
                .authenticator(Arc::new(Always(answer)))
                .external_login("https://login.school.example/")
        };
        let harness = Harness::with_settings(settings).await;
        let token = get(&harness.server, &harness.authorize(&[]))
            .await
            .sent_back("token")
            .unwrap();
        let body =
            serde_json::json!({"email": EMAIL, "password": PASSWORD, "token": token}).to_string();
        let answer = post_json(&harness.server, "/v1/oauth/authorize", body).await;
        assert_eq!(
            (answer.status, answer.header(RETRY_AFTER)),
            (status, retry_after)
        );
        assert_eq!(answer.json()["error"], error);
        assert_eq!(answer.header("cache-control"), "no-store");
        assert!(answer.json()["error_description"].is_string() && !answer.body.contains("planted"));
    }
}
