//! Removal of accounts.

use http::StatusCode;
use lyceum::http::audit::{Change, EventKind, ManagedObject};

use super::{administrator, id};
use crate::fixtures::{client, is_revoked, key};
use crate::harness::*;
use crate::pages::assert_safe;

/// Removes the account with [`EMAIL`] by the page that says what follows.
async fn remove(harness: &Harness, browser: &mut Browser, token: &str, effect: &str) {
    let address = format!("/admin/people/{}/remove", id(harness, EMAIL).await);
    let page = browser.get(&address).await.body;
    assert!(page.contains(effect), "{page}");
    let answer = browser.post(&address, &[("form_token", token)]).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
}

// Proves: spec 3.25
/// Fails if a key of a removed account works.
#[tokio::test]
async fn removing_an_account_revokes_its_api_keys() {
    let harness = Harness::new().await;
    let (mut browser, token) = administrator(&harness).await;
    let (theirs, nobodys) = (
        key(&harness, 1, Some(&harness.person), "Lunch").await,
        key(&harness, 2, None, "Tower").await,
    );
    remove(&harness, &mut browser, &token, "API keys stop working").await;
    assert_eq!(
        (
            is_revoked(&harness, theirs).await,
            is_revoked(&harness, nobodys).await
        ),
        (true, false)
    );
}

// Proves: spec 3.25
/// Fails if a client of a removed account works, or an administrator cannot transfer it.
#[tokio::test]
async fn clients_of_a_removed_account_are_suspended_until_they_are_given_away() {
    let harness = Harness::new().await;
    let (mut browser, token) = administrator(&harness).await;
    let client = client(&harness, 1, "Lunch").await;
    assert!(
        harness
            .store
            .set_client_owner(client, harness.person.clone())
            .await
            .unwrap()
    );
    remove(&harness, &mut browser, &token, "Their client is suspended").await;
    let told = |change| move |event: &lyceum::http::audit::Event| matches!(&event.kind, EventKind::Managed { object: ManagedObject::Client(_), change: told, .. } if *told == change);
    assert!(harness.log.events().iter().any(told(Change::Suspended)));
    let page = format!("/clients/{client}");
    assert!(
        browser
            .get(&page)
            .await
            .body
            .contains("account can no longer be used.")
    );
    assert!(
        browser
            .get("/admin/clients")
            .await
            .body
            .contains("Suspended")
    );
    let again = browser
        .post(
            &format!("{page}/owner"),
            &[("form_token", &token), ("owner", "nobody@school.example")],
        )
        .await;
    assert_eq!(again.status, StatusCode::BAD_REQUEST);
    assert_safe(&again);
    assert!(
        again
            .body
            .contains("id=\"owner-fault\">There is no such user."),
        "{}",
        again.body
    );
    let answer = browser
        .post(
            &format!("{page}/owner"),
            &[("form_token", &token), ("owner", ADMIN)],
        )
        .await;
    assert_eq!(
        (answer.status, answer.location()),
        (
            StatusCode::SEE_OTHER,
            &*format!("/console{page}?done=client-given")
        )
    );
    assert!(
        !browser
            .follow()
            .await
            .body
            .contains("account can no longer be used.")
    );
    let kept = harness.store.client(client).await.unwrap().unwrap();
    assert_eq!(
        (kept.owner.clone(), kept.suspended_at),
        (id(&harness, ADMIN).await.into(), None)
    );
}

#[tokio::test]
async fn removing_an_account_asks_for_confirmation() {
    let harness = Harness::new().await;
    let (mut browser, token) = administrator(&harness).await;
    let account = id(&harness, EMAIL).await;
    let address = format!("/admin/people/{account}/remove");
    let page = browser.get(&address).await;
    assert_safe(&page);
    assert!(
        page.body.contains(EMAIL)
            && page
                .body
                .contains("Applications and scopes of the user are kept"),
        "{}",
        page.body
    );
    assert!(
        harness.store.account(account).await.unwrap().is_some(),
        "the confirmation page changes nothing"
    );
    let answer = browser.post(&address, &[("form_token", &token)]).await;
    assert_eq!(
        (answer.status, answer.location()),
        (
            StatusCode::SEE_OTHER,
            "/console/admin/people?done=account-removed"
        )
    );
    assert!(browser.follow().await.body.contains("Account deleted."));
    assert_eq!(browser.get(&address).await.status, StatusCode::NOT_FOUND);
    assert_eq!(
        browser
            .post(&address, &[("form_token", &token)])
            .await
            .status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        harness.browser().sign_in(EMAIL, PASSWORD).await.status,
        StatusCode::UNAUTHORIZED
    );
    let (by, object) = (
        id(&harness, ADMIN).await.into(),
        ManagedObject::Account(account),
    );
    let told = EventKind::Managed {
        by,
        object,
        change: Change::Deleted,
        fields: vec![],
    };
    assert!(harness.recorded(&told) > 0);
}
