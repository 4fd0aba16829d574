//! One session for the console and the authorization pages of its origin.

use http::{Method, StatusCode};
use lyceum::domain::{ClientId, Scope};
use lyceum::http::audit::EventKind;

use crate::fixtures::client;
use crate::harness::*;

const LOGIN: &str = "/v1/oauth/login";
const CONSENT: &str = "/v1/oauth/consent";

/// Opens an authorization of the client and returns its sign-in page.
async fn authorize(harness: &Harness, browser: &mut Browser, client: ClientId) -> TestResponse {
    authorize_with(harness, browser, client, "service:self_read").await
}

/// The same with a scope and what may follow it in the query.
async fn authorize_with(
    harness: &Harness,
    browser: &mut Browser,
    client: ClientId,
    scope: &str,
) -> TestResponse {
    let path = format!(
        "/v1/oauth/authorize?client_id={client}&redirect_uri=https://app.example/callback\
         &response_type=code&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM\
         &code_challenge_method=S256&scope={scope}"
    );
    let answer = browser.visit(&harness.auth, Method::GET, &path, &[]).await;
    assert!(answer.location().ends_with(LOGIN), "{answer:?}");
    browser.visit(&harness.auth, Method::GET, LOGIN, &[]).await
}

/// The fields of the page's button to continue.
fn continuing(page: &str) -> [(&'static str, String); 2] {
    let session = page.split("name=\"session\" value=\"").nth(1);
    let session = session.unwrap_or_else(|| panic!("no button to continue in {page}"));
    let session = session.split('"').next().unwrap().to_owned();
    [("form_token", form_token(page)), ("session", session)]
}

async fn post(
    harness: &Harness,
    browser: &mut Browser,
    path: &str,
    fields: &[(&str, String)],
) -> TestResponse {
    let fields: Vec<_> = fields
        .iter()
        .map(|(name, value)| (*name, &**value))
        .collect();
    browser
        .visit(&harness.auth, Method::POST, path, &fields)
        .await
}

/// Posts the password form of the sign-in page.
async fn sign_in(
    harness: &Harness,
    browser: &mut Browser,
    page: &TestResponse,
    keep: bool,
) -> TestResponse {
    let mut fields = vec![
        ("form_token", form_token(&page.body)),
        ("email", EMAIL.to_owned()),
        ("password", PASSWORD.to_owned()),
    ];
    if keep {
        fields.push(("keep", "true".to_owned()));
    }
    post(harness, browser, LOGIN, &fields).await
}

/// Presses a button of the consent page.
async fn decide(
    harness: &Harness,
    browser: &mut Browser,
    page: &TestResponse,
    decision: &str,
) -> TestResponse {
    let fields = [
        ("form_token", form_token(&page.body)),
        ("decision", decision.to_owned()),
    ];
    post(harness, browser, CONSENT, &fields).await
}

/// The cookie of the console's session that a response sets.
fn session_cookie(answer: &TestResponse) -> &str {
    let mut cookies = answer.cookies().into_iter();
    let is_its = |cookie: &&str| cookie.starts_with("__Host-lyceum-console=");
    cookies.find(is_its).unwrap()
}

#[tokio::test]
async fn a_user_of_the_console_continues_at_an_app_without_a_password() {
    let harness = Harness::new().await;
    let lunch = client(&harness, 1, "Lunch").await;
    let mut browser = harness.browser_of(EMAIL).await;
    let page = authorize(&harness, &mut browser, lunch).await;
    assert!(
        page.body
            .contains("Continue as <bdi>kim.haneul@school.example</bdi>")
            && page.body.contains("<summary>Use another account</summary>"),
        "{}",
        page.body
    );
    let answer = post(&harness, &mut browser, LOGIN, &continuing(&page.body)).await;
    assert_eq!(answer.location(), "/auth/v1/oauth/consent", "{answer:?}");
    let signed_in = EventKind::SignedIn {
        subject: harness.person.clone(),
        client: Some(lunch),
    };
    assert!(harness.recorded(&signed_in) > 0);
    let page = browser
        .visit(&harness.auth, Method::GET, CONSENT, &[])
        .await;
    let answer = decide(&harness, &mut browser, &page, "allow").await;
    assert!(
        answer
            .location()
            .starts_with("https://app.example/callback?code="),
        "{answer:?}"
    );
    assert_eq!(browser.get("/").await.status, StatusCode::OK);
}

#[tokio::test]
async fn signing_in_for_an_app_signs_in_to_the_console() {
    let harness = Harness::new().await;
    let lunch = client(&harness, 1, "Lunch").await;
    for (keep, attributes) in [
        (false, "; Path=/; HttpOnly; SameSite=Lax; Secure"),
        (
            true,
            "; Path=/; Max-Age=2678400; HttpOnly; SameSite=Lax; Secure",
        ),
    ] {
        let mut browser = harness.browser();
        let page = authorize(&harness, &mut browser, lunch).await;
        assert!(
            !page.body.contains("Continue as") && page.body.contains("Keep me signed in"),
            "{}",
            page.body
        );
        let answer = sign_in(&harness, &mut browser, &page, keep).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
        let cookie = session_cookie(&answer);
        assert!(cookie.ends_with(attributes), "{cookie}");
        let home = browser.get("/").await;
        assert!(
            home.status == StatusCode::OK && home.body.contains(EMAIL),
            "{home:?}"
        );
    }
}

#[tokio::test]
async fn a_session_ends_with_the_browser_unless_the_user_keeps_it() {
    let harness = Harness::new().await;
    for (keep, expected) in [("true", true), ("", false), ("no", false)] {
        let mut browser = harness.browser();
        let keep = [("keep", keep)];
        let answer = browser.sign_in_with(EMAIL, PASSWORD, &keep).await;
        let cookie = session_cookie(&answer);
        assert_eq!(cookie.contains("Max-Age=2678400"), expected, "{cookie}");
    }
}

/// Fails if whoever sits at a signed-in browser gets what the password protects.
#[tokio::test]
async fn a_prompt_for_login_and_the_scope_to_manage_ask_for_the_password() {
    let harness = Harness::new().await;
    let lunch = client(&harness, 1, "Lunch").await;
    let manager = crate::client_fixtures::client(&harness, 2, |client| lyceum::domain::Client {
        first_party: true,
        allowed_scopes: [Scope::manage(), Scope::self_read()].into_iter().collect(),
        ..client
    })
    .await
    .id;
    for (client, scope) in [
        (lunch, "service:self_read&prompt=login"),
        (manager, "service:self_read%20service:manage"),
    ] {
        let mut browser = harness.browser_of(EMAIL).await;
        let page = authorize(&harness, &mut browser, lunch).await;
        let [_, session] = continuing(&page.body);
        let page = authorize_with(&harness, &mut browser, client, scope).await;
        assert!(!page.body.contains("Continue as"), "{}", page.body);
        let fields = [("form_token", form_token(&page.body)), session];
        let answer = post(&harness, &mut browser, LOGIN, &fields).await;
        assert_eq!(answer.location(), "/auth/v1/oauth/login", "{answer:?}");
        let answer = sign_in(&harness, &mut browser, &page, false).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER);
        assert_ne!(answer.location(), "/auth/v1/oauth/login");
    }
}

// Proves: threats 50
/// Fails if the next user of a shared computer can allow what the last one was asked.
#[tokio::test]
async fn signing_out_of_the_console_ends_an_authorization_that_waits_for_consent() {
    let harness = Harness::new().await;
    let lunch = client(&harness, 1, "Lunch").await;
    let mut browser = harness.browser_of(EMAIL).await;
    let page = authorize(&harness, &mut browser, lunch).await;
    post(&harness, &mut browser, LOGIN, &continuing(&page.body)).await;
    let page = browser
        .visit(&harness.auth, Method::GET, CONSENT, &[])
        .await;
    assert_eq!(page.status, StatusCode::OK);
    let token = form_token(&browser.get("/").await.body);
    browser.post("/sign-out", &[("form_token", &token)]).await;
    let answer = decide(&harness, &mut browser, &page, "allow").await;
    assert_eq!(
        (answer.status, answer.location()),
        (StatusCode::SEE_OTHER, "/auth/v1/oauth/login"),
        "{answer:?}"
    );
    let answer = browser
        .visit(&harness.auth, Method::GET, CONSENT, &[])
        .await;
    assert_eq!(
        answer.location(),
        "/auth/v1/oauth/login",
        "nobody is signed in"
    );
}

// Proves: threats 50
/// Fails if a button that names one account signs another one in.
#[tokio::test]
async fn a_page_for_one_account_does_not_continue_as_another() {
    let harness = Harness::new().await;
    let lunch = client(&harness, 1, "Lunch").await;
    let mut browser = harness.browser_of(EMAIL).await;
    let page = authorize(&harness, &mut browser, lunch).await;
    let fields = continuing(&page.body);
    browser
        .cookies
        .retain(|(name, _)| name != "__Host-lyceum-console");
    assert_eq!(
        browser.sign_in(ADMIN, PASSWORD).await.status,
        StatusCode::SEE_OTHER
    );
    let answer = post(&harness, &mut browser, LOGIN, &fields).await;
    assert_eq!(answer.location(), "/auth/v1/oauth/login", "{answer:?}");
    let page = browser.visit(&harness.auth, Method::GET, LOGIN, &[]).await;
    assert!(
        page.body
            .contains("Continue as <bdi>admin@school.example</bdi>"),
        "{}",
        page.body
    );
}

// Proves: threats 50
/// Fails if another site or browser can press the button.
#[tokio::test]
async fn the_form_of_another_browser_continues_nothing() {
    let harness = Harness::new().await;
    let lunch = client(&harness, 1, "Lunch").await;
    let (mut victim, mut attacker) = (
        harness.browser_of(EMAIL).await,
        harness.browser_of(ADMIN).await,
    );
    let page = authorize(&harness, &mut victim, lunch).await;
    let other = authorize(&harness, &mut attacker, lunch).await;
    let [(_, _), session] = continuing(&page.body);
    let fields = [("form_token", form_token(&other.body)), session];
    let answer = post(&harness, &mut victim, LOGIN, &fields).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN, "{answer:?}");
    let planted = (
        "__Host-lyceum-console".to_owned(),
        attacker.session().unwrap().to_owned(),
    );
    victim.cookies.push(planted);
    let page = victim.visit(&harness.auth, Method::GET, LOGIN, &[]).await;
    assert!(
        !page.body.contains("Continue as"),
        "one of two cookies may be planted: {}",
        page.body
    );
}

// Proves: threats 50
/// Fails if the next person can only continue, or sign in beside the last one.
#[tokio::test]
async fn the_next_person_at_a_computer_signs_the_last_one_out() {
    let harness = Harness::new().await;
    let lunch = client(&harness, 1, "Lunch").await;
    let mut browser = harness.browser_of(EMAIL).await;
    let before = browser.cookies.clone();
    let page = authorize(&harness, &mut browser, lunch).await;
    assert!(page.body.contains("Not your account?"), "{}", page.body);
    let [token, session] = continuing(&page.body);
    let fields = [token, session, ("sign_out", "true".to_owned())];
    let answer = post(&harness, &mut browser, LOGIN, &fields).await;
    assert_eq!(answer.location(), "/auth/v1/oauth/login", "{answer:?}");
    assert!(browser.session().is_none());
    let page = browser.visit(&harness.auth, Method::GET, LOGIN, &[]).await;
    assert!(!page.body.contains("Continue as"), "{}", page.body);
    browser.cookies = before;
    assert_eq!(browser.get("/").await.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn other_origins_and_external_login_pages_share_no_session() {
    let apart = Harness::with_issuer(
        "https://auth.school.example",
        ADDRESS,
        |builder| builder,
        |builder| builder,
    )
    .await;
    let lunch = client(&apart, 1, "Lunch").await;
    let mut browser = apart.browser_of(EMAIL).await;
    let page = authorize(&apart, &mut browser, lunch).await;
    assert!(
        !page.body.contains("Continue as") && !page.body.contains("Keep me signed in"),
        "{}",
        page.body
    );
    let mut browser = apart.browser();
    let page = authorize(&apart, &mut browser, lunch).await;
    sign_in(&apart, &mut browser, &page, true).await;
    assert!(browser.session().is_none(), "{:?}", browser.cookies);
    let page = browser.visit(&apart.auth, Method::GET, CONSENT, &[]).await;
    assert_eq!(page.status, StatusCode::OK, "consent needs no session");

    let external =
        Harness::with_auth(|builder| builder.external_login("https://login.school.example/")).await;
    let mut browser = external.browser_of(EMAIL).await;
    let page = browser.visit(&external.auth, Method::GET, LOGIN, &[]).await;
    assert_eq!(page.status, StatusCode::NOT_FOUND);
}

/// Fails if "use another account" signs the user out of the console.
#[tokio::test]
async fn another_account_replaces_the_session_only_once_it_has_signed_in() {
    let harness = Harness::new().await;
    let lunch = client(&harness, 1, "Lunch").await;
    let mut browser = harness.browser_of(ADMIN).await;
    let before = browser.cookies.clone();
    let page = authorize(&harness, &mut browser, lunch).await;
    post(&harness, &mut browser, LOGIN, &continuing(&page.body)).await;
    let page = browser
        .visit(&harness.auth, Method::GET, CONSENT, &[])
        .await;
    decide(&harness, &mut browser, &page, "switch").await;
    assert_eq!(browser.get("/").await.status, StatusCode::OK);
    let page = browser.visit(&harness.auth, Method::GET, LOGIN, &[]).await;
    sign_in(&harness, &mut browser, &page, false).await;
    assert!(browser.get("/account").await.body.contains(EMAIL));
    browser.cookies = before;
    assert_eq!(
        browser.get("/").await.status,
        StatusCode::SEE_OTHER,
        "the administrator's session has ended"
    );
}
