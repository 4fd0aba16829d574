//! Calendar feeds on the page of an API key.

use std::sync::Arc;

use http::{Request, StatusCode};
use lyceum::DataApi;
use lyceum::domain::*;
use lyceum::http::Body;
use lyceum::http::audit::{Change, EventKind, ManagedObject};
use lyceum::store::memory::MemoryStore;
use lyceum::store::*;
use tower::ServiceExt;

use crate::harness::*;
use crate::page_assertions::{assert_guarded, assert_page, send};
use crate::pages::assert_safe;

const API: &str = "https://school.example/api";

/// A console whose keys and feeds are in a store of their own, and the data API over it.
async fn harness() -> (Harness, Arc<MemoryStore>, DataApi) {
    let keys = Arc::new(MemoryStore::new());
    let (of_auth, of_console) = (keys.clone(), keys.clone());
    let harness = Harness::with_settings(
        ADDRESS,
        |auth| auth.api_keys(of_auth),
        |console| console.calendar_feeds(of_console, API),
    )
    .await;
    let api = DataApi::builder(harness.directory.clone(), keys.clone())
        .clock(Arc::new(harness.clock.clone()))
        .calendar_feeds(keys.clone())
        .build()
        .unwrap();
    (harness, keys, api)
}

async fn key(
    keys: &MemoryStore,
    number: u8,
    owner: &SubjectId,
    scopes: ApiScopes,
) -> (ApiKeyId, String) {
    let secret = ApiKeySecret::from_random([number; 16]);
    let id = ApiKeyId::from_random([number; 16]);
    let key = ApiKey {
        owner: Some(owner.clone()),
        ..ApiKey::new(id, &secret, "Lunch".parse().unwrap(), scopes, START)
    };
    assert_eq!(keys.create_api_key(key).await.unwrap(), Creation::Created);
    (id, format!("/keys/{id}"))
}

/// The addresses that a page shows, each once.
fn addresses(page: &str) -> Vec<String> {
    let before = format!(">{API}");
    let shown = page.split(&*before).skip(1);
    shown
        .map(|rest| rest.split('<').next().unwrap().to_owned())
        .collect()
}

async fn status(api: &DataApi, path: &str) -> StatusCode {
    let request = Request::get(path).body(Body::empty()).unwrap();
    api.clone().oneshot(request).await.unwrap().status()
}

// Proves: spec 2.22
/// Fails if the shown addresses do not work, are shown again, or a revoked one still works.
#[tokio::test]
async fn a_feed_is_created_shown_once_listed_and_revoked() {
    let (harness, keys, api) = harness().await;
    let (id, path) = key(&keys, 1, &harness.person, ApiScopes::built_in()).await;
    let mut browser = harness.browser_of(EMAIL).await;
    let page = assert_page(&harness, &mut browser, &path).await.body;
    assert!(page.contains("Calendar feeds") && page.contains(&format!("{path}/calendars\"")));
    let created = send(&mut browser, &format!("{path}/calendars"), &[]).await;
    assert_eq!(created.status, StatusCode::OK, "{created:?}");
    assert_safe(&created);
    let shown = addresses(&created.body);
    assert_eq!(
        shown.len(),
        2 + 3 * 4,
        "two calendars, and one of each class: {created:?}"
    );
    for path in &shown {
        assert_eq!(status(&api, path).await, StatusCode::OK, "{path}");
        let webcal = format!("href=\"webcal://school.example/api{path}\"");
        assert!(created.body.contains(&webcal), "{webcal}");
    }
    let token = shown[0].split('/').nth(3).unwrap();
    let feed = keys.calendar_feeds(id).await.unwrap().remove(0);
    // Midnight of 1 March 2026 in Seoul.
    assert_eq!(feed.expires_at, Timestamp::from_seconds(1_772_290_800));
    assert!(token.ends_with(&feed.hint));

    let page = assert_page(&harness, &mut browser, &path).await.body;
    assert!(
        page.contains(&format!("…{}<", feed.hint)) && !page.contains(token),
        "{page}"
    );
    let revoke = format!("{path}/calendars/{}/revoke", feed.id);
    let revoked = send(&mut browser, &revoke, &[]).await;
    assert_eq!(revoked.status, StatusCode::SEE_OTHER, "{revoked:?}");
    let page = browser.follow().await.body;
    assert!(
        page.contains("Calendar feed revoked.") && !page.contains(&feed.hint),
        "{page}"
    );
    assert_eq!(status(&api, &shown[0]).await, StatusCode::NOT_FOUND);
    let again = send(&mut browser, &revoke, &[]).await;
    assert_eq!(again.status, StatusCode::NOT_FOUND);

    let changes: Vec<_> = harness
        .log
        .events()
        .into_iter()
        .filter_map(|event| match event.kind {
            EventKind::Managed { object, change, .. } => Some((object, change)),
            _ => None,
        })
        .collect();
    let object = || ManagedObject::CalendarFeed {
        key: id,
        feed: feed.id,
    };
    assert_eq!(
        changes,
        [(object(), Change::Created), (object(), Change::Deleted)]
    );
    assert!(!format!("{:?}", harness.log.events()).contains(token));
}

#[tokio::test]
async fn only_the_owner_and_administrators_manage_the_feeds_of_a_key() {
    let (harness, keys, _) = harness().await;
    let (_, path) = key(
        &keys,
        1,
        &"stranger".parse().unwrap(),
        ApiScopes::built_in(),
    )
    .await;
    let (mut browser, mut admin) = (
        harness.browser_of(EMAIL).await,
        harness.browser_of(ADMIN).await,
    );
    let create = format!("{path}/calendars");
    assert_eq!(
        send(&mut browser, &create, &[]).await.status,
        StatusCode::FORBIDDEN
    );
    assert_eq!(send(&mut admin, &create, &[]).await.status, StatusCode::OK);
    assert_guarded(&mut admin, &mut browser, &create, &[]).await;
    // A feed is found only under its own key.
    let (mine, own_path) = key(&keys, 2, &harness.person, ApiScopes::built_in()).await;
    let theirs = keys
        .calendar_feeds(ApiKeyId::from_random([1; 16]))
        .await
        .unwrap()
        .remove(0);
    let revoke = format!("{own_path}/calendars/{}/revoke", theirs.id);
    assert_eq!(
        send(&mut browser, &revoke, &[]).await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(keys.calendar_feeds(theirs.key).await.unwrap(), [theirs]);
    assert!(keys.calendar_feeds(mine).await.unwrap().is_empty());
}

/// Fails if a key gets calendars that its scopes do not allow, or more feeds than one may have.
#[tokio::test]
async fn feeds_are_for_keys_that_read_the_calendars_and_ten_for_each() {
    let (harness, keys, _) = harness().await;
    let clubs = [ApiScope::CLUB_READ].into_iter().collect();
    let (_, without) = key(&keys, 1, &harness.person, clubs).await;
    let (id, path) = key(&keys, 2, &harness.person, ApiScopes::built_in()).await;
    let mut browser = harness.browser_of(EMAIL).await;
    assert!(!browser.get(&without).await.body.contains("Calendar feeds"));
    let create = format!("{without}/calendars");
    assert_eq!(
        send(&mut browser, &create, &[]).await.status,
        StatusCode::NOT_FOUND
    );
    for _ in 0..10 {
        let created = send(&mut browser, &format!("{path}/calendars"), &[]).await;
        assert_eq!(created.status, StatusCode::OK);
    }
    let refused = send(&mut browser, &format!("{path}/calendars"), &[]).await;
    assert_eq!(refused.status, StatusCode::SEE_OTHER);
    assert!(
        browser
            .follow()
            .await
            .body
            .contains("This key already has ten feeds")
    );
    assert_eq!(keys.calendar_feeds(id).await.unwrap().len(), 10);
}

/// Fails if a feed of a key that has ended looks as if it worked, or another one is created.
#[tokio::test]
async fn feeds_pause_with_their_key_and_none_is_created_meanwhile() {
    let (harness, keys, _) = harness().await;
    let (id, path) = key(&keys, 1, &harness.person, ApiScopes::built_in()).await;
    let mut browser = harness.browser_of(EMAIL).await;
    let create = format!("{path}/calendars");
    assert_eq!(
        send(&mut browser, &create, &[]).await.status,
        StatusCode::OK
    );
    let section = |page: &str| page.split("id=\"calendars\"").nth(1).unwrap().to_owned();
    // The key ends 30 days after the start of the test; pages show times of Seoul.
    let end = "2026-01-31T09:00:00+09:00";
    let page = section(&browser.get(&path).await.body);
    assert!(
        page.contains(end) && page.contains(&format!("{create}\"")),
        "the earlier end: {page}"
    );
    harness.clock.advance(ApiKey::VALIDITY);
    let mut browser = harness.browser_of(EMAIL).await;
    let page = section(&browser.get(&path).await.body);
    assert!(
        page.contains("its feeds are paused") && !page.contains(&format!("{create}\"")),
        "{page}"
    );
    let refused = send(&mut browser, &create, &[]).await;
    assert_eq!(refused.status, StatusCode::SEE_OTHER);
    assert!(browser.follow().await.body.contains("Renew the key first."));
    assert_eq!(keys.calendar_feeds(id).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_console_without_a_store_of_feeds_has_none() {
    let harness = Harness::new().await;
    let id = crate::fixtures::key(&harness, 1, Some(&harness.person), "Lunch").await;
    let mut browser = harness.browser_of(EMAIL).await;
    let path = format!("/keys/{id}");
    assert!(!browser.get(&path).await.body.contains("Calendar feeds"));
    let create = format!("{path}/calendars");
    assert_eq!(
        send(&mut browser, &create, &[]).await.status,
        StatusCode::NOT_FOUND
    );
}
