//! Changes of API keys by their owners and by administrators.

mod edit;
mod new;
mod renew;
mod requested_fields;
mod revoke;

use std::sync::Arc;

use http::StatusCode;
use lyceum::domain::{ApiKey, ApiKeySecret, PageRequest};
use lyceum::http::Clock;

use crate::client_fixtures::hidden;
use crate::fixtures::{id_of, key};
use crate::harness::*;
use crate::page_assertions::{assert_guarded, send};
use crate::pages::assert_safe;

const NEW: &str = "/keys/new";

/// The key value that a response shows.
fn shown(answer: &TestResponse) -> ApiKeySecret {
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    assert_safe(answer);
    let rest = answer
        .body
        .split("id=\"secret\"")
        .nth(1)
        .unwrap_or_else(|| panic!("nothing is shown in {}", answer.body));
    ApiKeySecret::parse(rest.split_once('>').unwrap().1.split('<').next().unwrap()).unwrap()
}

/// The key that this value currently authenticates.
async fn works(harness: &Harness, secret: &ApiKeySecret) -> Option<Arc<ApiKey>> {
    let found = harness.store.api_key(&secret.digest()).await.unwrap();
    found.filter(|key| key.is_valid(&secret.digest(), harness.clock.now()))
}

/// Renews a key with the form of its page.
async fn renew(browser: &mut Browser, path: &str, fields: &[(&str, &str)]) -> TestResponse {
    let page = browser.get(path).await.body;
    let seen = hidden(&page, "seen");
    let fields: Vec<_> = fields.iter().copied().chain([("seen", &*seen)]).collect();
    send(browser, path, &fields).await
}

async fn count(harness: &Harness) -> u64 {
    harness
        .store
        .api_keys(None, PageRequest::LARGEST)
        .await
        .unwrap()
        .total
}

/// Fails if another user can change a key by its id, or an administrator cannot.
#[tokio::test]
async fn only_owners_and_administrators_change_a_key() {
    let harness = Harness::new().await;
    let admins = id_of(&harness, ADMIN).await;
    let (mine, theirs) = (
        key(&harness, 1, Some(&harness.person), "Lunch").await,
        key(&harness, 2, Some(&admins), "Tower").await,
    );
    let (mut browser, mut admin) = (
        harness.browser_of(EMAIL).await,
        harness.browser_of(ADMIN).await,
    );
    assert_eq!(
        send(
            &mut browser,
            &format!("/keys/{theirs}/renew"),
            &[("overlap", "none")]
        )
        .await
        .status,
        StatusCode::FORBIDDEN
    );
    assert_eq!(
        send(&mut browser, &format!("/keys/{theirs}/revoke"), &[])
            .await
            .status,
        StatusCode::FORBIDDEN
    );
    assert!(
        works(&harness, &ApiKeySecret::from_random([2; 16]))
            .await
            .is_some()
    );
    let renewed = shown(
        &renew(
            &mut admin,
            &format!("/keys/{mine}/renew"),
            &[("overlap", "none")],
        )
        .await,
    );
    assert_eq!(
        works(&harness, &renewed).await.unwrap().owner.as_ref(),
        Some(&harness.person)
    );
    let answer = send(&mut admin, &format!("/keys/{mine}/revoke"), &[]).await;
    assert_eq!(answer.location(), "/console/admin/keys?done=key-revoked");
    assert!(works(&harness, &renewed).await.is_none());
}

// Proves: threats 22
#[tokio::test]
async fn no_other_page_makes_renews_or_revokes_a_key() {
    let harness = Harness::new().await;
    let id = key(&harness, 1, Some(&harness.person), "Lunch").await;
    let (mut mine, mut yours) = (
        harness.browser_of(EMAIL).await,
        harness.browser_of(ADMIN).await,
    );
    assert_guarded(
        &mut mine,
        &mut yours,
        NEW,
        &[("description", "x"), ("scopes", "CLUB_READ")],
    )
    .await;
    assert_guarded(
        &mut mine,
        &mut yours,
        &format!("/keys/{id}/renew"),
        &[("overlap", "none")],
    )
    .await;
    assert_guarded(&mut mine, &mut yours, &format!("/keys/{id}/revoke"), &[]).await;
    assert_guarded(
        &mut mine,
        &mut yours,
        &format!("/keys/{id}/edit"),
        &[("description", "x"), ("scopes", "CLUB_READ")],
    )
    .await;
    assert!(
        count(&harness).await == 1
            && works(&harness, &ApiKeySecret::from_random([1; 16]))
                .await
                .is_some()
    );
}
