//! The password, which is asked for again before what outlasts the session.

use http::{Method, StatusCode};
use lyceum::domain::{PageRequest, Quota, Role};

use crate::client_fixtures::hidden;
use crate::fixtures::id_of;
use crate::harness::*;
use crate::lifetimes::keep_signed_in;
use crate::pages::assert_safe;
use crate::routes::ROUTES;

/// The heading of the sign-in page for a signed-in user.
const HEADING: &str = "<h1>Confirm access</h1>";

/// Endpoints that need a recent sign-in.
const PROTECTED: [&str; 19] = [
    "key_new",
    "key_renew",
    "new_client",
    "new_client_secret",
    "new_person",
    "invite_create",
    "person_role",
    "person_password",
    "person_link",
    "person_remove",
    "invite",
    "client_owner",
    "verify_client",
    "edit_client",
    "key_calendars",
    "key_edit",
    "key_fields",
    "scope_edit",
    "scope_request_approve",
];

/// Types the password on the page that asks for it, and follows the way back.
async fn confirm(browser: &mut Browser, page: &TestResponse, email: &str) -> TestResponse {
    let answer = send_password(browser, page, email, PASSWORD).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    browser.follow().await
}

async fn send_password(
    browser: &mut Browser,
    page: &TestResponse,
    email: &str,
    password: &str,
) -> TestResponse {
    let next = page.body.split("name=\"next\" value=\"").nth(1).unwrap();
    let next = next.split('"').next().unwrap();
    let fields = [
        ("form_token", &*form_token(&page.body)),
        ("email", email),
        ("password", password),
        ("next", next),
        // As the page has ticked it.
        ("keep", "true"),
    ];
    browser.submit("/sign-in", &fields).await
}

// Proves: threats 56
/// Fails if an open session is enough for a secret that outlasts it, or the password is asked for
/// although it has just been typed.
#[tokio::test]
async fn a_user_who_signed_in_long_ago_types_the_password_before_a_new_secret() {
    let harness = Harness::new().await;
    let mut browser = keep_signed_in(&harness, EMAIL).await;
    harness.clock.advance(59 * MINUTE);
    assert_eq!(browser.get("/keys/new").await.status, StatusCode::OK);
    let session = browser.session().unwrap().to_owned();
    harness.clock.advance(MINUTE);
    let asked = browser.get("/keys/new").await;
    let address = "/console/sign-in?next=%2Fkeys%2Fnew&done=confirm";
    assert_eq!(
        (asked.status, asked.location()),
        (StatusCode::SEE_OTHER, address)
    );
    let page = browser.follow().await;
    assert_safe(&page);
    for part in [
        HEADING,
        // The session stays a kept one.
        "For your security, enter your password again",
        &format!("value=\"{EMAIL}\""),
        "name=\"keep\" value=\"true\" aria-describedby=\"keep-hint\" checked",
    ] {
        assert!(page.body.contains(part), "{part}: {}", page.body);
    }
    let refused = send_password(&mut browser, &page, EMAIL, "not this one").await;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
    assert!(refused.body.contains(HEADING), "{}", refused.body);
    assert_eq!(browser.get("/keys/new").await.location(), address);
    let form = confirm(&mut browser, &refused, EMAIL).await;
    assert_eq!(form.status, StatusCode::OK);
    assert!(form.body.contains("action=\"/console/keys/new\""));
    // The session is a new one, and the old one has ended.
    assert_ne!(browser.session(), Some(&*session));
    let mut old = harness.browser();
    old.cookies = vec![("__Host-lyceum-console".to_owned(), session)];
    let status = old.get("/account").await.status;
    assert_eq!(status, StatusCode::SEE_OTHER);
    // The address of the page asks once.
    let again = browser.get("/sign-in?next=/keys&done=confirm").await;
    assert_eq!(again.location(), "/console/keys");
}

// Proves: threats 56
/// Fails if a protected form is carried out, or an endpoint is protected that need not be.
#[tokio::test]
async fn what_outlasts_the_session_or_touches_another_account_needs_the_password() {
    let many = Quota::new(1000, MINUTE, 1000).unwrap();
    let harness = Harness::with_every_page(|auth| auth.management_limit(many)).await;
    let mut browser = keep_signed_in(&harness, ADMIN).await;
    let token = form_token(&browser.get("/account").await.body);
    harness.clock.advance(60 * MINUTE);
    for &(path, methods, endpoint) in ROUTES {
        if matches!(
            endpoint,
            "sign_in" | "password_link" | "sign_out" | "sign_out_everywhere" | "asset"
        ) {
            continue;
        }
        for method in [Method::GET, Method::HEAD, Method::POST] {
            if !methods.contains(method.as_str()) {
                continue;
            }
            let answer = match method {
                Method::POST => browser.submit(path, &[("form_token", &token)]).await,
                _ => browser.send(method.clone(), path, None, "").await,
            };
            let is_asked = answer.location().ends_with("done=confirm");
            let is_protected = PROTECTED.contains(&endpoint);
            assert_eq!(is_asked, is_protected, "{method} {path}: {answer:?}");
            assert!(!answer.location().ends_with("done=confirm-form"), "{path}");
        }
    }
}

// Proves: threats 56
/// Fails if a form of an old session changes something, or what was typed is lost without a word.
#[tokio::test]
async fn a_form_of_an_old_session_comes_back_after_the_password_and_changes_nothing() {
    let harness = Harness::new().await;
    let mut browser = keep_signed_in(&harness, ADMIN).await;
    let person = id_of(&harness, EMAIL).await;
    let person = format!("/admin/people/{}", person.as_str());
    let token = form_token(&browser.get(&person).await.body);
    harness.clock.advance(60 * MINUTE);
    let fields = [("form_token", &*token), ("role", "ADMIN")];
    browser.submit(&format!("{person}/role"), &fields).await;
    let page = browser.follow().await;
    assert!(page.body.contains(HEADING), "{}", page.body);
    let back = confirm(&mut browser, &page, ADMIN).await;
    let chosen = "value=\"ADMIN\" aria-describedby=\"role-ADMIN-hint\" checked";
    assert!(back.body.contains(chosen), "{}", back.body);
    let address = EMAIL.parse().unwrap();
    let account = harness.store.account_by_email(&address).await.unwrap();
    assert_eq!(account.unwrap().role, Role::User);
    // A form that no page shows again is said to be lost.
    let token = form_token(&back.body);
    harness.clock.advance(60 * MINUTE);
    let fields = [("form_token", &*token), ("revoke_keys", "true")];
    browser.submit(&format!("{person}/password"), &fields).await;
    let page = browser.follow().await;
    let lost = "Then fill in the form again: it could not be kept";
    assert!(
        page.body.contains(HEADING) && page.body.contains(lost),
        "{}",
        page.body
    );
}

// Proves: threats 56
/// Fails if the next person at a computer gets on with what the last one began.
#[tokio::test]
async fn another_user_who_signs_in_instead_gets_nothing_of_the_form() {
    let harness = Harness::new().await;
    let mut browser = keep_signed_in(&harness, EMAIL).await;
    let token = form_token(&browser.get("/keys/new").await.body);
    harness.clock.advance(60 * MINUTE);
    let fields = [("form_token", &*token), ("description", "Of the last user")];
    browser.submit("/keys/new", &fields).await;
    let page = browser.follow().await;
    let form = confirm(&mut browser, &page, ADMIN).await;
    assert!(!form.body.contains("Of the last user"), "{}", form.body);
    let keys = harness.store.api_keys(None, PageRequest::LARGEST).await;
    assert_eq!(keys.unwrap().total, 0);
}

// Proves: threats 56
/// Fails if a user believes that a button worked which only led to the password.
#[tokio::test]
async fn a_button_without_entries_says_after_the_password_that_nothing_has_changed() {
    let harness = Harness::new().await;
    let mut browser = keep_signed_in(&harness, ADMIN).await;
    let person = format!("/admin/people/{}", harness.person.as_str());
    let token = form_token(&browser.get(&person).await.body);
    harness.clock.advance(60 * MINUTE);
    browser
        .submit(&format!("{person}/link"), &[("form_token", &token)])
        .await;
    let page = browser.follow().await;
    let back = confirm(&mut browser, &page, ADMIN).await;
    assert!(
        back.body.contains("Nothing has changed yet"),
        "{}",
        back.body
    );
}

// Proves: threats 56
/// Fails if the forms of other tabs are lost with the session that a new sign-in replaces, or those
/// of another user are accepted.
#[tokio::test]
async fn a_form_of_another_tab_is_accepted_after_the_password_of_the_same_user_alone() {
    for (email, status) in [
        (EMAIL, StatusCode::SEE_OTHER),
        (ADMIN, StatusCode::FORBIDDEN),
    ] {
        let harness = Harness::new().await;
        let mut browser = keep_signed_in(&harness, EMAIL).await;
        let token = form_token(&browser.get("/applications/new").await.body);
        harness.clock.advance(60 * MINUTE);
        browser.get("/keys/new").await;
        let page = browser.follow().await;
        confirm(&mut browser, &page, email).await;
        let fields = [("form_token", &*token), ("name", "Of another tab")];
        let answer = browser.submit("/applications/new", &fields).await;
        assert_eq!(answer.status, status, "{email}: {answer:?}");
        // A browser without the cookie of the former session has none of its forms.
        browser.cookies.retain(|(name, _)| !name.contains("former"));
        let answer = browser.submit("/applications/new", &fields).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{answer:?}");
    }
}

// Proves: threats 56
/// Fails if a form that is carried out is taken for one that waits for the password.
#[tokio::test]
async fn a_form_that_is_carried_out_asks_for_no_password_when_it_is_sent_again() {
    let harness = Harness::new().await;
    let mut browser = keep_signed_in(&harness, EMAIL).await;
    let page = browser.get("/keys/new").await.body;
    let (token, id) = (form_token(&page), hidden(&page, "form_id"));
    let fields = [
        ("form_token", &*token),
        ("form_id", &id),
        ("description", "Lunch"),
        ("scopes", "NEIS_READ"),
    ];
    let made = browser.submit("/keys/new", &fields).await;
    assert!(made.location().contains("/shown?"), "{made:?}");
    harness.clock.advance(60 * MINUTE);
    let again = browser.submit("/keys/new", &fields).await;
    assert_eq!(again.location(), "/console/keys?done=created-before");
    // Also after the session has ended.
    harness.clock.advance(15 * 24 * 60 * MINUTE);
    let late = browser.submit("/keys/new", &fields).await;
    assert!(late.location().ends_with("done=ended"), "{late:?}");
    assert!(!late.cookies().concat().contains("typed"), "{late:?}");
}

// Proves: threats 53
/// Fails if what was typed in a tab of a former session is lost without a word.
#[tokio::test]
async fn a_form_of_another_tab_comes_back_after_the_next_password_too() {
    let harness = Harness::new().await;
    let mut browser = keep_signed_in(&harness, EMAIL).await;
    let token = form_token(&browser.get("/keys/new").await.body);
    for _ in 0..2 {
        harness.clock.advance(60 * MINUTE);
        browser.get("/keys/new").await;
        let page = browser.follow().await;
        confirm(&mut browser, &page, EMAIL).await;
    }
    harness.clock.advance(60 * MINUTE);
    let fields = [("form_token", &*token), ("description", "Of another tab")];
    browser.submit("/keys/new", &fields).await;
    let page = browser.follow().await;
    let form = confirm(&mut browser, &page, EMAIL).await;
    assert!(form.body.contains("Of another tab"), "{}", form.body);
    // Signing out ends the forms, too.
    let token = form_token(&form.body);
    let fields = [("form_token", &*token)];
    let out = browser.submit("/sign-out", &fields).await;
    assert_eq!(out.status, StatusCode::SEE_OTHER, "{out:?}");
    browser.sign_in(EMAIL, PASSWORD).await;
    let fields = [("form_token", &*token), ("name", "Late")];
    let answer = browser.submit("/applications/new", &fields).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN, "{answer:?}");
}

/// Fails if an administrator who approves something returns to another list.
#[tokio::test]
async fn a_decision_in_a_list_leads_back_to_the_list_after_the_password() {
    let harness = Harness::new().await;
    let mut browser = keep_signed_in(&harness, ADMIN).await;
    let token = form_token(&browser.get("/account").await.body);
    harness.clock.advance(60 * MINUTE);
    for path in ["/applications/requests/x/y/approve", "/admin/keys/x/fields"] {
        let decides = path.ends_with("fields");
        let fields = [
            ("form_token", &*token),
            ("back", "waiting"),
            ("decision", "show"),
        ];
        let fields = if decides { &fields[..] } else { &fields[..2] };
        let answer = browser.submit(path, fields).await;
        assert_eq!(
            answer.location(),
            "/console/sign-in?next=%2Fadmin%2Fwaiting%3Fdone%3Dconfirmed&done=confirm",
            "{path}"
        );
    }
}

/// Fails if the page asks for the password of a session that has ended, or keeps a typing mistake.
#[tokio::test]
async fn the_page_for_the_password_is_that_of_a_live_session_and_its_address() {
    let harness = Harness::new().await;
    let mut browser = harness.browser();
    for (asked, instead) in [("confirm", "ended"), ("confirm-form", "ended-form")] {
        let answer = browser
            .get(&format!("/sign-in?next=/keys&done={asked}"))
            .await;
        let address = format!("/console/sign-in?next=%2Fkeys&done={instead}");
        assert_eq!(answer.location(), address);
    }
    let mut browser = keep_signed_in(&harness, EMAIL).await;
    harness.clock.advance(60 * MINUTE);
    browser.get("/keys/new").await;
    let page = browser.follow().await;
    assert!(page.body.contains(" readonly"), "{}", page.body);
    let typo = send_password(&mut browser, &page, "kim@schol.example", PASSWORD).await;
    assert_eq!(typo.status, StatusCode::UNAUTHORIZED);
    assert!(!typo.body.contains(" readonly"), "{}", typo.body);
}
