//! One-time links to set a password.

use std::time::Duration;

use base64ct::{Base64UrlUnpadded, Encoding};
use http::header::{CONTENT_TYPE, COOKIE};
use http::{Request, StatusCode};
use lyceum::domain::{AccountId, Password, Role, SubjectId};
use lyceum::http::audit::{Change, EventKind, ManagedObject};
use lyceum::http::auth_server::AccountCreationOutcome;
use lyceum::http::console::{Console, InvitationOptions};
use lyceum::http::{Body, ClientAddress};
use lyceum::store::ApiKeyAction;

use crate::fixtures::{is_revoked, key};
use crate::harness::*;

const NEW: &str = "four words that fit together";

/// Path of a link for an account, below the console.
async fn link_for(harness: &Harness, id: AccountId) -> String {
    let options = InvitationOptions::default().lifetime(Console::PASSWORD_LINK_LIFETIME);
    let (console, by) = (&harness.console, SubjectId::service());
    let made = console.password_link(&by, id, &options).await;
    let link = made.unwrap().unwrap().link.unwrap();
    link.strip_prefix(ADDRESS).unwrap().to_owned()
}

fn person(harness: &Harness) -> AccountId {
    harness.person.as_str().parse().unwrap()
}

/// Posts the form of a page.
async fn set(browser: &mut Browser, link: &str, page: &str, password: &str) -> TestResponse {
    let token = form_token(page);
    let fields = [
        ("form_token", &*token),
        ("new_password", password),
        ("repeated", password),
    ];
    browser.post(link, &fields).await
}

/// The link with another character in its HMAC.
fn tampered(link: &str) -> String {
    let (before, after) = link.split_at(link.len() - 20);
    let other = if after.starts_with('A') { 'B' } else { 'A' };
    format!("{before}{other}{}", &after[1..])
}

/// The page of an invalid link, without the id of the request and the language switch, which has
/// the same address.
async fn refused(harness: &Harness, link: &str) -> String {
    let answer = harness.browser().get(link).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND, "{}", answer.body);
    let id = answer.header("x-request-id").to_owned();
    let page = answer.body.replace(&id, "");
    let (page, _) = page.split_once("<p class=\"quiet foot\">").unwrap();
    page.to_owned()
}

// Proves: threats 43
/// Fails if a link needs a cookie, works twice or signs its user in.
#[tokio::test]
async fn an_account_without_a_password_gets_one_by_a_link_that_works_once() {
    let harness = Harness::new().await;
    let email = "lee@school.example";
    let created = harness
        .accounts
        .create_without_password(email.parse().unwrap(), Role::User)
        .await
        .unwrap();
    let AccountCreationOutcome::Created(id) = created else {
        panic!("{created:?}")
    };
    let link = link_for(&harness, id).await;
    let mut browser = harness.browser();
    let page = browser.get(&link).await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.body);
    assert!(
        !page.body.contains("revoke_keys"),
        "an account without a password has no keys"
    );
    assert!(page.body.contains(email) && page.body.contains("Set your password"));
    assert_eq!(page.header("referrer-policy"), "no-referrer");
    assert_eq!(page.header("cache-control"), "no-store");
    assert!(page.cookies().is_empty(), "{:?}", page.cookies());
    let answer = set(&mut browser, &link, &page.body, NEW).await;
    assert_eq!(answer.location(), "/console/sign-in?done=password-set");
    assert!(browser.session().is_none());
    let by = SubjectId::from(id);
    let changed = EventKind::Managed {
        by: by.clone(),
        object: ManagedObject::Password(id),
        change: Change::Changed,
        fields: vec!["apiKeys"],
    };
    assert!(harness.recorded(&changed) > 0);
    let again = set(&mut browser, &link, &page.body, PASSWORD).await;
    assert_eq!(again.status, StatusCode::NOT_FOUND);
    refused(&harness, &link).await;
    let answer = browser.sign_in(email, NEW).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
}

/// Fails if a link leaves a session of somebody who knew the old password.
#[tokio::test]
async fn a_link_ends_what_the_old_password_opened() {
    let harness = Harness::new().await;
    let mut before = harness.browser_of(EMAIL).await;
    let link = link_for(&harness, person(&harness)).await;
    let mut browser = harness.browser();
    let page = browser.get(&link).await;
    set(&mut browser, &link, &page.body, NEW).await;
    assert_eq!(before.get("/").await.status, StatusCode::SEE_OTHER);
    let answer = harness.browser().sign_in(EMAIL, PASSWORD).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
}

/// Fails if a link revokes the keys of an account without asking, or keeps them by default.
#[tokio::test]
async fn the_form_of_a_password_link_asks_whether_to_revoke_the_api_keys() {
    for (choice, is_kept) in [(&[("revoke_keys", "true")][..], false), (&[], true)] {
        let harness = Harness::new().await;
        let key = key(&harness, 7, Some(&harness.person), "Lunch display").await;
        let link = link_for(&harness, person(&harness)).await;
        let mut browser = harness.browser();
        let page = browser.get(&link).await.body;
        assert!(
            page.contains("name=\"revoke_keys\" value=\"true\" checked"),
            "on by default: {page}"
        );
        let token = form_token(&page);
        let fields = [
            ("form_token", &*token),
            ("new_password", NEW),
            ("repeated", NEW),
        ];
        let answer = browser.post(&link, &[&fields, choice].concat()).await;
        assert_eq!(answer.location(), "/console/sign-in?done=password-set");
        assert_eq!(is_revoked(&harness, key).await, !is_kept);
    }
}

// Proves: threats 43
/// Fails if an old link outlives the state that it was made for, or the page tells why it is void.
#[tokio::test]
async fn every_change_of_the_account_and_time_void_a_link_without_saying_why() {
    let harness = Harness::new().await;
    let (admin, id) = (SubjectId::service(), person(&harness));
    let mut pages = Vec::new();

    let promoted = link_for(&harness, id).await;
    let _ = harness.accounts.set_role(&admin, id, Role::Admin).await;
    pages.push(refused(&harness, &promoted).await);

    let changed = link_for(&harness, id).await;
    let new = Password::new(NEW).unwrap();
    let keys = ApiKeyAction::Keep;
    let _ = harness.accounts.set_password(&admin, id, &new, keys).await;
    pages.push(refused(&harness, &changed).await);

    let expired = link_for(&harness, id).await;
    let last = Console::PASSWORD_LINK_LIFETIME - Duration::from_secs(1);
    harness.clock.advance(last);
    assert_eq!(harness.browser().get(&expired).await.status, 200);
    harness.clock.advance(Duration::from_secs(1));
    pages.push(refused(&harness, &expired).await);

    let removed = link_for(&harness, id).await;
    pages.push(refused(&harness, &tampered(&removed)).await);
    let _ = harness.accounts.remove(&admin, id).await;
    pages.push(refused(&harness, &removed).await);
    for nothing in ["", "?token=", "?token=x", "?other=x"] {
        pages.push(refused(&harness, &format!("/password-link{nothing}")).await);
    }
    let long = "A".repeat(75);
    pages.push(refused(&harness, &format!("/password-link?token={long}")).await);
    assert!(pages.iter().all(|page| *page == pages[0]), "{pages:#?}");
    let (by, options) = (SubjectId::service(), InvitationOptions::default());
    let gone = harness.console.password_link(&by, id, &options).await;
    assert!(gone.unwrap().is_none());
}

// Proves: threats 43
/// Fails if invalid links are not counted, or valid ones are.
#[tokio::test]
async fn invalid_links_are_limited_like_sign_ins() {
    let harness = Harness::new().await;
    let link = link_for(&harness, person(&harness)).await;
    let tampered = tampered(&link);
    for _ in 0..20 {
        assert_eq!(harness.browser().get(&link).await.status, 200);
    }
    for _ in 0..10 {
        refused(&harness, &tampered).await;
    }
    for link in [&tampered, &link] {
        let answer = harness.browser().get(link).await;
        assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
        assert!(answer.header("retry-after").parse::<u64>().unwrap() > 0);
    }
    let limited = EventKind::SignInLimited { client: None };
    assert!(harness.recorded(&limited) > 0);
    harness.clock.advance(15 * MINUTE);
    assert_eq!(harness.browser().get(&link).await.status, 200);
}

/// Fails if pupils who open used links again keep their school from signing in.
#[tokio::test]
async fn invalid_links_are_no_attempts_of_their_network() {
    let harness = Harness::new().await;
    let school = ClientAddress([203, 0, 113, 7].into());
    for number in 0..60 {
        let token = Base64UrlUnpadded::encode_string(&[number; 56]);
        let mut request = Request::get(format!("/password-link?token={token}"))
            .body(Body::default())
            .unwrap();
        request.extensions_mut().insert(school);
        let answer = ask(&harness.console, request).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{number}");
    }
    let mut browser = harness.browser();
    let token = form_token(&browser.get("/sign-in").await.body);
    let cookies = browser
        .cookies
        .iter()
        .map(|(name, value)| format!("{name}={value}"));
    let mut request = Request::post("/sign-in")
        .header(COOKIE, cookies.collect::<Vec<_>>().join("; "))
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(Body::from(form_body(&[
            ("form_token", &*token),
            ("email", EMAIL),
            ("password", PASSWORD),
            ("next", "/"),
        ])))
        .unwrap();
    request.extensions_mut().insert(school);
    let answer = ask(&harness.console, request).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
}

/// Fails if another site's form, or the form of another link, sets a password.
#[tokio::test]
async fn the_form_belongs_to_its_link() {
    let harness = Harness::new().await;
    let link = link_for(&harness, person(&harness)).await;
    harness.clock.advance(MINUTE);
    let other = link_for(&harness, person(&harness)).await;
    let mut browser = harness.browser();
    let other_page = browser.get(&other).await;
    let foreign = set(&mut browser, &link, &other_page.body, NEW).await;
    assert_eq!(foreign.status, StatusCode::FORBIDDEN);
    let fields = [("new_password", NEW), ("repeated", NEW)];
    let bare = browser.post(&link, &fields).await;
    assert_eq!(bare.status, StatusCode::FORBIDDEN);
    harness.browser_of(EMAIL).await;
}

/// Fails if a password that the policy refuses is set, or uses the link up.
#[tokio::test]
async fn a_refused_password_leaves_the_link_valid() {
    let harness = Harness::new().await;
    let link = link_for(&harness, person(&harness)).await;
    let mut browser = harness.browser();
    let page = browser.get(&link).await;
    for (password, message) in [
        ("", "This field is required"),
        ("short", "at least 10 characters"),
        (EMAIL, "must not be your email address"),
    ] {
        let answer = set(&mut browser, &link, &page.body, password).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST);
        assert!(answer.body.contains(message), "{}", answer.body);
        assert!(answer.body.contains("form_token"), "{}", answer.body);
    }
    let token = form_token(&page.body);
    let fields = [
        ("form_token", &*token),
        ("new_password", NEW),
        ("repeated", PASSWORD),
    ];
    let answer = browser.post(&link, &fields).await;
    assert!(answer.body.contains("The new passwords do not match"));
    let answer = set(&mut browser, &link, &page.body, NEW).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
}

// Proves: threats 43
/// Fails if two uses at the same moment both set a password.
#[tokio::test]
async fn of_two_concurrent_uses_one_succeeds() {
    let harness = Harness::new().await;
    let link = link_for(&harness, person(&harness)).await;
    let mut browsers = [harness.browser(), harness.browser()];
    let page = browsers[0].get(&link).await.body;
    let [one, other] = &mut browsers;
    let (one, other) = tokio::join!(
        set(one, &link, &page, NEW),
        set(other, &link, &page, "other words that fit together"),
    );
    let mut statuses = [one.status.as_u16(), other.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [303, 404]);
}
