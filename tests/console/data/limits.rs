use http::StatusCode;
use http::header::RETRY_AFTER;
use lyceum::domain::Quota;

use super::*;
use crate::log_capture;
use crate::pages::assert_safe;

#[tokio::test]
async fn a_key_has_one_limit_here_and_at_the_data_api() {
    let (harness, api) =
        harness_with(|builder| builder.rate_limit(Quota::new(3, MINUTE, 3).unwrap())).await;
    let mut browser = browser(&harness).await;
    assert_eq!(browser.get("/data/students").await.status, StatusCode::OK);
    assert_eq!(
        browser.get("/data/students.csv").await.status,
        StatusCode::OK
    );
    assert_eq!(asked(&api, 1, "/v1/clubs", "*/*").await.0, StatusCode::OK);
    assert_eq!(
        asked(&api, 1, "/v1/clubs", "*/*").await.0,
        StatusCode::TOO_MANY_REQUESTS
    );
    for path in ["/data/students?name=%ED%95%98", "/data/students.csv"] {
        let page = browser.get(path).await;
        assert_safe(&page);
        assert_eq!(
            (page.status, page.header(RETRY_AFTER)),
            (StatusCode::TOO_MANY_REQUESTS, "20")
        );
        assert!(page.body.contains("has reached its rate limit") && rows(&page).is_empty());
    }
    harness.clock.advance(MINUTE);
    assert_eq!(browser.get("/data/students").await.status, StatusCode::OK);
}

// Proves: threats 26
/// Fails if a log contains search terms.
#[tokio::test]
async fn no_log_has_the_values_of_filters() {
    let (harness, _) = harness().await;
    let mut browser = browser(&harness).await;
    let id = key(&harness, 1).id.to_string();
    let (log, _listening) = log_capture::capture_log();
    for path in [
        "/data/students?name=haneul",
        "/data/students.csv?name=haneul",
        "/data/students?name=haneul&grade=haneul",
        "/data/meals?date=haneul",
    ] {
        browser.get(&format!("{path}&key={id}")).await;
    }
    let lines = log.lines();
    assert!(
        lines.iter().any(|line| line.contains("lyceum.request")),
        "{lines:?}"
    );
    assert!(
        !lines
            .iter()
            .any(|line| line.contains("haneul") || line.contains(&id)),
        "{lines:?}"
    );
}
