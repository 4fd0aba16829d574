use http::StatusCode;

use lyceum::domain::Client;

use crate::client_fixtures::client;
use crate::fixtures::{DAY, key};
use crate::harness::*;

#[tokio::test]
async fn the_start_page_lists_own_records_and_links_to_allowed_actions() {
    let harness = Harness::new().await;
    key(&harness, 1, Some(&harness.person), "Lunch").await;
    client(&harness, 1, |client| Client {
        name: "Lunch screen".parse().unwrap(),
        ..client
    })
    .await;
    let page = harness.browser_of(EMAIL).await.get("/").await;
    assert_eq!(page.status, StatusCode::OK);
    for text in [
        "1 key<",
        "1 client<",
        "Lunch screen",
        "No apps are connected",
        "Nothing needs your attention.",
        EMAIL,
        "/console/keys",
        "/console/apps",
    ] {
        assert!(
            page.body.contains(text),
            "{text} is missing in {}",
            page.body
        );
    }
    assert!(!page.body.contains("/console/admin"));
    let admins = harness.browser_of(ADMIN).await.get("/").await.body;
    assert!(
        admins.contains("/console/admin/people") && !admins.contains("Lunch screen"),
        "only the administrator's own records: {admins}"
    );
}

/// Fails if only expired keys need attention.
#[tokio::test]
async fn keys_that_end_soon_or_have_ended_need_attention() {
    let harness = Harness::new().await;
    let id = key(&harness, 1, Some(&harness.person), "<b>Lunch</b>").await;
    harness.clock.advance(22 * DAY);
    assert!(
        !harness
            .browser_of(EMAIL)
            .await
            .get("/")
            .await
            .body
            .contains("Needs your attention")
    );
    harness.clock.advance(DAY);
    let page = harness.browser_of(EMAIL).await.get("/").await.body;
    assert!(
        page.contains("expires soon") && page.contains(&format!("/console/keys/{id}/renew")),
        "{page}"
    );
    assert!(page.contains("&#60;b&#62;Lunch") && !page.contains("<b>Lunch"));
    harness.clock.advance(8 * DAY);
    assert!(
        harness
            .browser_of(EMAIL)
            .await
            .get("/")
            .await
            .body
            .contains("has expired")
    );
}
