use http::StatusCode;

use crate::given::{DAY, key};
use crate::harness::*;

#[tokio::test]
async fn the_start_page_counts_what_one_has_and_links_to_what_one_may_do() {
    let world = World::new().await;
    key(&world, 1, Some(&world.person), "Lunch").await;
    let page = world.browser_of(EMAIL).await.get("/").await;
    assert_eq!(page.status, StatusCode::OK);
    for text in ["1 key<", "0 clients", "0 apps connected", "0 applications", EMAIL, "/console/keys", "/console/apps"] {
        assert!(page.body.contains(text), "{text} is missing in {}", page.body);
    }
    assert!(!page.body.contains("/console/admin") && !page.body.contains("Needs your attention"));
    let admins = world.browser_of(ADMIN).await.get("/").await.body;
    assert!(admins.contains("/console/admin/people") && admins.contains("0 keys"), "an administrator's own: {admins}");
}

/// Fails if a key needs attention only when it has ended.
#[tokio::test]
async fn keys_that_end_soon_or_have_ended_need_attention() {
    let world = World::new().await;
    let id = key(&world, 1, Some(&world.person), "<b>Lunch</b>").await;
    world.clock.advance(22 * DAY);
    assert!(!world.browser_of(EMAIL).await.get("/").await.body.contains("Needs your attention"));
    world.clock.advance(DAY);
    let page = world.browser_of(EMAIL).await.get("/").await.body;
    assert!(page.contains("expires soon") && page.contains(&format!("/console/keys/{id}/renew")), "{page}");
    assert!(page.contains("&#60;b&#62;Lunch") && !page.contains("<b>Lunch"));
    world.clock.advance(8 * DAY);
    assert!(world.browser_of(EMAIL).await.get("/").await.body.contains("has expired"));
}
