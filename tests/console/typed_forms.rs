//! Forms that are sent after their session has ended.

use http::StatusCode;
use lyceum::domain::PageRequest;

use crate::fixtures::id_of;
use crate::harness::*;
use crate::pages::assert_safe;
use crate::registry_fixtures::application;

const COOKIE: &str = "__Host-lyceum-typed";
const BACK: &str = "You are signed in again. Your entries are restored";

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
    let token = form_token(&browser.get(path).await.body);
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
    assert_eq!(kept(&browser), None, "nothing but passwords was typed");
    let page = sign_in_again(&mut browser, EMAIL).await;
    assert!(!page.body.contains("hunter2"));
    let long = "x".repeat(5000);
    send_late(
        &harness,
        &mut browser,
        "/keys/new",
        &[("description", &long)],
    )
    .await;
    assert_eq!(
        kept(&browser),
        None,
        "no browser keeps a cookie of this length"
    );
}

/// Fails if a form that comes back is about newer settings than it showed.
#[tokio::test]
async fn other_forms_come_back_too_and_an_edit_is_still_about_what_it_showed() {
    let harness = Harness::with_school_editor(|auth| auth).await;
    let admin = id_of(&harness, ADMIN).await;
    let own = application(&harness, 1, &admin, "Cafeteria").await.id;
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
    let path = format!("/clients/{}/edit", client.id);
    let typed = [
        ("name", "Typed name"),
        ("seen", "older"),
        ("redirect_uris", uri),
    ];
    send_late(&harness, &mut browser, &path, &typed).await;
    let page = sign_in_again(&mut browser, ADMIN).await;
    assert!(
        page.body.contains("name=\"seen\" value=\"older\""),
        "{}",
        page.body
    );
}
