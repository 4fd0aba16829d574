//! Forms that are sent after their session has ended.

use std::collections::BTreeSet;

use http::{Method, StatusCode};
use lyceum::directory::WriteOutcome;
use lyceum::domain::{PageRequest, Quota};
use lyceum::store::ScopePatch;

use crate::fixtures::{id_of, key};
use crate::harness::*;
use crate::pages::assert_safe;
use crate::registry_fixtures::{application, scope};
use crate::routes::ROUTES;
use crate::school_fixtures;

const COOKIE: &str = "__Host-lyceum-typed";
const BACK: &str = "You are signed in again. Your entries are restored";
/// The notice of the sign-in page about a form that is lost.
const LOST: &str = "the form could not be kept";

fn kept(browser: &Browser) -> Option<&str> {
    let found = browser.cookies.iter().find(|(name, _)| name == COOKIE);
    found.map(|(_, value)| &**value)
}

/// Sends a form after its session has ended.
async fn send_late(
    harness: &Harness,
    browser: &mut Browser,
    path: &str,
    fields: &[(&str, &str)],
) -> TestResponse {
    send_late_from(path, harness, browser, path, fields).await
}

/// Sends the form of another page.
async fn send_late_from(
    page: &str,
    harness: &Harness,
    browser: &mut Browser,
    path: &str,
    fields: &[(&str, &str)],
) -> TestResponse {
    let token = form_token(&browser.get(page).await.body);
    harness.clock.advance(31 * MINUTE);
    let fields = [&[("form_token", &*token)], fields].concat();
    let answer = browser.submit(path, &fields).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    answer
}

/// Signs in on the page that the browser is led to, and follows the way back.
async fn sign_in_again(browser: &mut Browser, email: &str) -> TestResponse {
    let page = browser.follow().await;
    assert_safe(&page);
    let token = form_token(&page.body);
    let next = page.body.split("name=\"next\" value=\"").nth(1).unwrap();
    let next = next.split('"').next().unwrap().to_owned();
    let fields = [
        ("form_token", &*token),
        ("email", email),
        ("password", PASSWORD),
        ("next", &next),
    ];
    let answer = browser.submit("/sign-in", &fields).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    browser.follow().await
}

async fn keys(harness: &Harness) -> u64 {
    let keys = harness.store.api_keys(None, PageRequest::LARGEST).await;
    keys.unwrap().total
}

// Proves: threats 53
/// Fails if what was typed is lost, if a key is created without the user, or the form comes back
/// twice.
#[tokio::test]
async fn a_form_sent_after_its_session_is_back_after_the_sign_in_and_makes_nothing() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    let typed = [
        ("description", "Lunch \"><b>"),
        ("scopes", "NEIS_READ"),
        ("scopes", "CLUB_READ"),
        ("unknown", "x"),
    ];
    let answer = send_late(&harness, &mut browser, "/keys/new", &typed).await;
    let cookies = answer.cookies().concat();
    assert!(
        cookies.contains(COOKIE) && cookies.contains("HttpOnly"),
        "{cookies}"
    );
    assert!(!cookies.contains("Lunch") && !answer.location().contains("Lunch"));
    let page = sign_in_again(&mut browser, EMAIL).await;
    assert_eq!(page.status, StatusCode::OK);
    assert_safe(&page);
    assert!(
        page.body.contains(BACK) && page.body.contains("value=\"Lunch &#34;&#62;&#60;b&#62;\""),
        "{}",
        page.body
    );
    for scope in ["NEIS_READ", "CLUB_READ"] {
        let field = format!("value=\"{scope}\" checked");
        assert!(page.body.contains(&field), "{scope}: {}", page.body);
    }
    assert!(!page.body.contains("value=\"STUDENT_READ\" checked"));
    assert_eq!((keys(&harness).await, kept(&browser)), (0, None));
    let again = browser.get("/keys/new").await;
    assert!(!again.body.contains(BACK) && !again.body.contains("Lunch &#34;"));
}

// Proves: threats 53
/// Fails if the next person at a computer sees what the last one typed.
#[tokio::test]
async fn another_user_does_not_see_what_was_typed() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    send_late(
        &harness,
        &mut browser,
        "/keys/new",
        &[("description", "Mine")],
    )
    .await;
    let page = sign_in_again(&mut browser, ADMIN).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(
        !page.body.contains("Mine") && !page.body.contains(BACK),
        "{}",
        page.body
    );
}

// Proves: threats 53
/// Fails if another site fills a form, or a password is kept.
#[tokio::test]
async fn a_form_without_its_token_or_with_a_password_is_not_kept() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    browser.get("/keys/new").await;
    harness.clock.advance(31 * MINUTE);
    // Of another site, whose forms come without the cookie of the session.
    let mut elsewhere = harness.browser();
    elsewhere
        .submit("/keys/new", &[("form_token", "x"), ("description", "Evil")])
        .await;
    assert_eq!(kept(&elsewhere), None);
    // A token of another session.
    let mut other = harness.browser_of(ADMIN).await;
    let token = form_token(&other.get("/keys/new").await.body);
    browser
        .submit(
            "/keys/new",
            &[("form_token", &token), ("description", "Evil")],
        )
        .await;
    let page = sign_in_again(&mut browser, EMAIL).await;
    assert!(
        !page.body.contains("Evil") && !page.body.contains(BACK),
        "{}",
        page.body
    );

    let fields = [
        ("old_password", "hunter2hunter2"),
        ("new_password", "x"),
        ("repeated", "x"),
    ];
    send_late(&harness, &mut browser, "/account/password", &fields).await;
    assert!(!kept(&browser).is_some_and(|cookie| cookie.contains("hunter2")));
    let page = sign_in_again(&mut browser, EMAIL).await;
    assert!(
        !page.body.contains("hunter2") && !page.body.contains(BACK),
        "{}",
        page.body
    );
}

// Proves: threats 53
/// Fails if a form that no cookie holds vanishes without a word, or an older one comes in its place.
#[tokio::test]
async fn the_sign_in_page_says_that_a_form_is_too_long_to_be_kept() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    let token = form_token(&browser.get("/keys/new").await.body);
    harness.clock.advance(31 * MINUTE);
    let long = "x".repeat(5000);
    for (description, is_kept) in [("Older", true), (&*long, false)] {
        let fields = [("form_token", &*token), ("description", description)];
        browser.submit("/keys/new", &fields).await;
        assert_eq!(kept(&browser).is_some(), is_kept);
    }
    let page = browser.follow().await;
    assert_safe(&page);
    assert!(page.body.contains(LOST), "{}", page.body);
}

// Proves: threats 53
/// Fails if the form of the second tab is lost because the first one has forgotten the session, or
/// one form takes the place of the other.
#[tokio::test]
async fn the_forms_of_two_tabs_are_both_kept() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    let token = form_token(&browser.get("/keys/new").await.body);
    harness.clock.advance(31 * MINUTE);
    for (path, field, value) in [
        ("/keys/new", "description", "Of the first tab"),
        ("/clients/new", "name", "Of the second tab"),
        ("/keys/new", "description", "Of the first tab, again"),
    ] {
        let fields = [("form_token", &*token), (field, value)];
        let answer = browser.submit(path, &fields).await;
        assert!(answer.location().ends_with("done=ended"), "{answer:?}");
    }
    let page = sign_in_again(&mut browser, EMAIL).await;
    assert!(
        page.body.contains(BACK) && page.body.contains("value=\"Of the first tab, again\""),
        "{}",
        page.body
    );
    let page = browser.get("/clients/new").await;
    assert!(
        page.body.contains(BACK) && page.body.contains("value=\"Of the second tab\""),
        "{}",
        page.body
    );
    assert_eq!(kept(&browser), None);
}

/// Endpoints whose page shows a form again, which
/// `other_forms_come_back_too_and_an_edit_is_still_about_what_it_showed` tries.
const RESTORED: [&str; 18] = [
    "application_edit",
    "application_new",
    "client_scopes",
    "edit_client",
    "invite",
    "invite_create",
    "key_edit",
    "key_new",
    "key_renew",
    "new_client",
    "new_person",
    "person_role",
    "school_change",
    "school_new",
    "school_record",
    "school_year_turn",
    "scope_edit",
    "scope_new",
];

// Proves: threats 53
/// Fails if a form is lost without a word, or a form that is kept has no test.
#[tokio::test]
async fn every_other_form_is_said_to_be_lost_and_leads_to_its_page() {
    let harness = Harness::with_every_page(|auth| auth).await;
    let mut browser = harness.browser_of(ADMIN).await;
    let token = form_token(&browser.get("/account").await.body);
    harness.clock.advance(31 * MINUTE);
    let mut restored = BTreeSet::new();
    for &(path, methods, endpoint) in ROUTES {
        let is_public = matches!(endpoint, "sign_in" | "password_link");
        if !methods.contains("POST") || is_public {
            continue;
        }
        let fields = [("form_token", &*token), ("note", "Typed")];
        let answer = browser.submit(path, &fields).await;
        let done = if kept(&browser).is_some() {
            restored.insert(endpoint);
            "done=ended"
        } else {
            "done=ended-form"
        };
        assert!(answer.location().ends_with(done), "{path}: {answer:?}");
        let is_led_back = answer.location().contains("next=");
        assert_eq!(is_led_back, endpoint != "sign_out", "{path}: {answer:?}");
        browser.cookies.retain(|(name, _)| name != COOKIE);
        // Nothing was typed in a form that only confirms.
        let fields = [("form_token", &*token), ("seen", "x"), ("apply", "x")];
        let answer = browser.submit(path, &fields).await;
        assert!(answer.location().ends_with("done=ended"), "{path}");
        assert_eq!(kept(&browser), None, "{path}");
    }
    assert_eq!(restored, BTreeSet::from(RESTORED));
    let file = "--x\r\ncontent-disposition: form-data; name=\"file\"\r\n\r\nid\r\n--x--\r\n";
    let media_type = Some("multipart/form-data; boundary=x");
    let import = "/admin/school/students/import";
    let answer = browser.send(Method::POST, import, media_type, file).await;
    assert!(answer.location().ends_with("done=ended-form"), "{answer:?}");
}

/// Fails if a form that comes back is about newer settings than it showed.
#[tokio::test]
async fn other_forms_come_back_too_and_an_edit_is_still_about_what_it_showed() {
    let many = Quota::new(1000, MINUTE, 1000).unwrap();
    let harness = Harness::with_every_page(|auth| auth.management_limit(many)).await;
    let written = harness.directory.write(school_fixtures::changes()).await;
    assert!(matches!(written.unwrap(), WriteOutcome::Written(_)));
    let admin = id_of(&harness, ADMIN).await;
    let cafeteria = application(&harness, 1, &admin, "Cafeteria").await;
    let own = cafeteria.id;
    let mut browser = harness.browser_of(ADMIN).await;
    let uri = "https://app.example/callback";
    for (path, fields) in [
        (
            format!("/applications/{own}/edit"),
            &[("name", "Typed name")][..],
        ),
        ("/applications/new".to_owned(), &[("name", "Typed name")]),
        (
            format!("/applications/{own}/scopes/new"),
            &[("scope_name", "typed"), ("description", "Typed name")],
        ),
        (
            "/clients/new".to_owned(),
            &[("name", "Typed name"), ("redirect_uris", uri)],
        ),
        (
            "/admin/people/new".to_owned(),
            &[("email", "Typed name"), ("password", "hunter2hunter2")],
        ),
        (
            "/admin/people/invite".to_owned(),
            &[("addresses", "Typed name")],
        ),
        (
            "/admin/school/students/new".to_owned(),
            &[("name", "Typed name")],
        ),
    ] {
        send_late(&harness, &mut browser, &path, fields).await;
        let page = sign_in_again(&mut browser, ADMIN).await;
        assert_eq!(page.status, StatusCode::OK, "{path}");
        assert!(
            page.body.contains(BACK) && page.body.contains("Typed name"),
            "{path}: {}",
            page.body
        );
        assert!(!page.body.contains("hunter2"), "{path}");
    }
    // A version that the form did not have any more is refused when it is sent.
    let client = crate::client_fixtures::client(&harness, 1, |client| client).await;
    let meals = scope(&harness, 1, &cafeteria, "meals").await;
    let change = ScopePatch {
        description: None,
        approval_required: Some(true),
        description_translations: None,
    };
    let _ = harness.store.update_scope(meals.id, change).await.unwrap();
    let lunch = key(&harness, 1, Some(&harness.person), "Lunch").await;
    let seen = "name=\"seen\" value=\"older\"";
    let name = "Typed name";
    let scope_id = meals.id.to_string();
    let change = "/admin/school/students/change";
    let person = format!("/admin/people/{}", harness.person.as_str());
    let invite = "/admin/people/invite";
    for (page, path, fields, back) in [
        (
            String::new(),
            format!("/clients/{}/edit", client.id),
            &[("name", name), ("seen", "older"), ("redirect_uris", uri)][..],
            &[name, seen][..],
        ),
        (
            String::new(),
            format!("/keys/{lunch}/edit"),
            &[
                ("description", name),
                ("seen", "older"),
                ("hidden_fields", "SEX"),
                ("rate_limit", "7"),
            ],
            &[name, seen, "value=\"SEX\" checked", "value=\"7\""],
        ),
        (
            String::new(),
            format!("/keys/{lunch}/renew"),
            &[("overlap", "week"), ("seen", "older")],
            &["value=\"week\" selected", seen],
        ),
        (
            String::new(),
            format!("/clients/{}/scopes", client.id),
            &[("scope", &*scope_id), ("reason", name)],
            &[name, &*scope_id],
        ),
        (
            String::new(),
            format!("/applications/{own}/scopes/{}/edit", meals.id),
            &[("description", name), ("seen", "older")],
            &[name, seen],
        ),
        (
            String::new(),
            "/admin/school/students/1".to_owned(),
            &[("name", name), ("seen", "older")],
            &[name, seen],
        ),
        (
            format!("{change}?id=1"),
            change.to_owned(),
            &[
                ("id", "1"),
                ("action", "class"),
                ("grade", "3"),
                ("classNum", "2"),
            ],
            &["김하늘", "name=\"classNum\" value=\"2\""],
        ),
        (
            person.clone(),
            format!("{person}/role"),
            &[("role", "ADMIN")],
            &["value=\"ADMIN\" aria-describedby=\"role-ADMIN-hint\" checked"],
        ),
        (
            String::new(),
            "/admin/year/turn".to_owned(),
            &[("reset_roles", "true"), ("apply", "older")],
            &["name=\"reset_roles\" value=\"true\""],
        ),
        (
            String::new(),
            invite.to_owned(),
            &[("grade", "all"), ("class", "1")],
            &["value=\"all\" selected", "value=\"1\" selected"],
        ),
        (
            invite.to_owned(),
            format!("{invite}/create"),
            &[("addresses", "lee@school.example"), ("as", "page")],
            &["lee@school.example</textarea>"],
        ),
    ] {
        let page = if page.is_empty() { &path } else { &page };
        send_late_from(page, &harness, &mut browser, &path, fields).await;
        let page = sign_in_again(&mut browser, ADMIN).await;
        assert_eq!(page.status, StatusCode::OK, "{path}");
        assert_safe(&page);
        for text in [BACK].iter().chain(back) {
            assert!(page.body.contains(text), "{path}: {text}: {}", page.body);
        }
        assert_eq!(kept(&browser), None, "{path}");
    }
}

/// Fails if a page claims to show a form that it does not show.
#[tokio::test]
async fn a_page_that_does_not_show_the_form_claims_nothing_and_leaves_it() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    let fields = [("description", "Typed name")];
    send_late(&harness, &mut browser, "/keys/new", &fields).await;
    let answer = browser.sign_in(EMAIL, PASSWORD).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    for path in ["/", "/keys", "/account", "/clients/new"] {
        let page = browser.get(path).await;
        assert!(!page.body.contains(BACK), "{path}");
        assert!(kept(&browser).is_some(), "{path}");
    }
}
