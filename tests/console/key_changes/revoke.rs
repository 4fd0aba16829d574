//! Revocation of API keys.

use http::StatusCode;
use lyceum::domain::ApiKeySecret;

use super::works;
use crate::fixtures::key;
use crate::harness::*;
use crate::page_assertions::{assert_page, send};

/// Fails if the preview revokes the key, or a revoked key works.
#[tokio::test]
async fn revoking_is_asked_first_and_says_whether_the_key_is_in_use() {
    let harness = Harness::new().await;
    let id = key(&harness, 1, Some(&harness.person), "<b>Lunch").await;
    let path = format!("/keys/{id}/revoke");
    let mut browser = harness.browser_of(EMAIL).await;
    assert!(
        assert_page(&harness, &mut browser, &path)
            .await
            .body
            .contains("It was not used in the last 7 days.")
    );
    let use_of = |day: &str, calls| lyceum::domain::ApiKeyDailyUsage {
        key: id,
        day: day.parse().unwrap(),
        calls,
        errors: 0,
        last_used_at: START,
    };
    harness
        .store
        .record_api_key_usage(vec![use_of("2025-12-26", 2), use_of("2025-12-25", 9)])
        .await
        .unwrap();
    assert!(
        browser
            .get(&path)
            .await
            .body
            .contains("It was used for 2 requests in the last 7 days.")
    );
    assert!(
        works(&harness, &ApiKeySecret::from_random([1; 16]))
            .await
            .is_some()
    );
    assert_eq!(
        send(&mut browser, &path, &[]).await.location(),
        "/console/keys?done=key-revoked"
    );
    assert!(browser.follow().await.body.contains("Key revoked."));
    assert!(
        works(&harness, &ApiKeySecret::from_random([1; 16]))
            .await
            .is_none()
    );
    assert_eq!(
        send(&mut browser, &path, &[]).await.status,
        StatusCode::NOT_FOUND
    );
}
