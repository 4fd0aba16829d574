use http::header::{ALLOW, CACHE_CONTROL};
use http::{Method, StatusCode};
use serde_json::json;

use crate::harness::*;

const AUTHORIZE: &str = "/v1/oauth/authorize";
const RESUME: &str = "/v1/oauth/authorize/resume";
const CONSENT: &str = "/v1/oauth/consent";

async fn harness() -> Harness {
    Harness::with_settings(|builder| builder.external_login("https://login.school.example/start"))
        .await
}

async fn session(harness: &Harness) -> String {
    begun(harness, &[]).await.1
}

/// A browser that was redirected to the external login page, and the token in its URL.
async fn begun(harness: &Harness, changes: &[(&'static str, &str)]) -> (Browser, String) {
    let mut browser = harness.browser();
    let answer = browser.get(&harness.authorize(changes)).await;
    assert!(
        answer
            .location()
            .starts_with("https://login.school.example/start?token="),
        "{answer:?}"
    );
    (browser, answer.sent_back("token").unwrap())
}

/// The path to which the login page or its server sends the browser after a sign-in.
async fn signed_in(harness: &Harness, token: &str) -> String {
    let body = json!({"email": EMAIL, "password": PASSWORD, "token": token}).to_string();
    let answer = post_json(&harness.server, AUTHORIZE, body).await;
    assert_eq!(
        (answer.status, answer.header(CACHE_CONTROL)),
        (StatusCode::FOUND, "no-store")
    );
    let path = answer
        .location()
        .strip_prefix(ISSUER)
        .unwrap_or_else(|| panic!("{answer:?}"))
        .to_owned();
    assert!(path.starts_with(&format!("{RESUME}?ticket=")), "{path}");
    path
}

#[tokio::test]
async fn an_external_login_page_signs_in_with_json_and_the_browser_that_began_goes_on_here() {
    let harness = harness().await;
    let (mut browser, token) = begun(&harness, &[]).await;
    let path = signed_in(&harness, &token).await;
    let onward = browser.get(&path).await;
    assert_eq!(
        (
            onward.status,
            onward.location(),
            onward.header(CACHE_CONTROL)
        ),
        (StatusCode::SEE_OTHER, CONSENT, "no-store")
    );
    let page = browser.get(CONSENT).await;
    assert!(
        page.status == StatusCode::OK
            && page.body.contains("Timetable &#60;Plus&#62;")
            && page.body.contains(EMAIL),
        "{page:?}"
    );
    let answer = browser.decide("allow").await;
    assert!(
        answer
            .location()
            .starts_with("https://app.example/callback?code="),
        "{answer:?}"
    );
    assert_eq!(
        (
            answer.sent_back("state").as_deref(),
            answer.sent_back("iss").as_deref()
        ),
        (Some("xyz"), Some(ISSUER))
    );

    let body = json!({"email": EMAIL, "password": PASSWORD, "token": token}).to_string();
    let again = post_json(&harness.server, AUTHORIZE, body).await;
    assert_eq!(
        (again.status, again.json()["error"].as_str()),
        (StatusCode::UNAUTHORIZED, Some("invalid_session"))
    );
}

/// Fails if a browser without the cookie, or with only the cookie, gets the code or the consent
/// page. In the attack, an attacker sends the login page's URL with the token of the attacker's
/// session to a victim, who signs in.
#[tokio::test]
async fn neither_the_browser_that_began_nor_the_one_that_signed_in_gets_a_code_alone() {
    let harness = harness().await;
    for changes in [&[][..], &[("prompt", "consent")]] {
        // Everything was consented to before, so a code would be issued without a question.
        let (mut browser, token) = begun(&harness, changes).await;
        let path = signed_in(&harness, &token).await;
        browser.get(&path).await;
        if browser.get(CONSENT).await.status == StatusCode::OK {
            browser.decide("allow").await;
        }

        let (mut attacker, token) = begun(&harness, changes).await;
        let (mut victim, other_token) = begun(&harness, changes).await;
        let path = signed_in(&harness, &token).await;
        let other_path = signed_in(&harness, &other_token).await;
        let refused = |answer: &TestResponse| {
            assert_eq!(
                (answer.status, answer.location()),
                (StatusCode::UNAUTHORIZED, ""),
                "{answer:?}"
            );
            assert!(
                !answer.body.contains(EMAIL) && !answer.body.contains("code="),
                "{answer:?}"
            );
        };
        // The victim who signed in has the ticket, but no cookie or that of another session.
        refused(&harness.browser().get(&path).await);
        refused(&victim.get(&path).await);
        // The attacker who began has the cookie, but no ticket or that of another session.
        for path in [
            RESUME,
            &format!("{RESUME}?ticket="),
            &format!("{RESUME}?ticket={CHALLENGE}"),
            &format!("{RESUME}?ticket={token}"),
            &other_path,
        ] {
            refused(&attacker.get(path).await);
        }
        refused(&attacker.get(CONSENT).await);
        refused(
            &attacker
                .post(CONSENT, &[("form_token", "x"), ("decision", "allow")])
                .await,
        );
        // The login page knows the token, which differs from the cookie.
        let mut page = harness.browser();
        page.cookies = vec![(attacker.cookies[0].0.clone(), token.clone())];
        refused(&page.get(&path).await);
        // None of this ends the sign-in of a browser that has both.
        assert_eq!(victim.get(&other_path).await.status, StatusCode::SEE_OTHER);
        assert_eq!(attacker.get(&path).await.status, StatusCode::SEE_OTHER);
    }
}

#[tokio::test]
async fn a_ticket_is_good_once_and_only_looking_does_not_use_it_up() {
    let harness = harness().await;
    let (mut browser, token) = begun(&harness, &[]).await;
    let path = signed_in(&harness, &token).await;
    let cookies = browser.cookies.clone();
    for method in [Method::HEAD, Method::GET] {
        assert_eq!(
            browser.send(method, &path, None, "").await.status,
            StatusCode::SEE_OTHER
        );
    }
    assert_ne!(
        browser.cookies, cookies,
        "the session continues under another cookie"
    );
    assert_eq!(browser.get(&path).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(
        browser.get(CONSENT).await.status,
        StatusCode::OK,
        "a repeated request ends nothing"
    );
    browser.cookies = cookies;
    assert_eq!(browser.get(&path).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(browser.get(CONSENT).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(
        browser
            .send(Method::POST, &path, Some("application/json"), "{}")
            .await
            .status,
        StatusCode::METHOD_NOT_ALLOWED
    );
}

/// Fails if the built-in login page also accepts sign-ins.
#[tokio::test]
async fn with_an_external_login_page_the_built_in_one_is_not_there() {
    let harness = harness().await;
    let (mut browser, _) = begun(&harness, &[]).await;
    let fields = [
        ("form_token", "x"),
        ("email", EMAIL),
        ("password", PASSWORD),
    ];
    for answer in [
        browser.get("/v1/oauth/login").await,
        browser.post("/v1/oauth/login", &fields).await,
    ] {
        assert_eq!(
            (answer.status, answer.location()),
            (StatusCode::NOT_FOUND, "")
        );
    }
    let to_login = browser.get(CONSENT).await;
    assert!(
        to_login
            .location()
            .starts_with("https://login.school.example/start?token="),
        "{to_login:?}"
    );
    assert_eq!(
        get(
            &Harness::new().await.server,
            &format!("{RESUME}?ticket={CHALLENGE}")
        )
        .await
        .status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn another_account_signs_in_at_the_external_login_page_too() {
    let harness = harness().await;
    let (mut browser, token) = begun(&harness, &[]).await;
    let path = signed_in(&harness, &token).await;
    browser.get(&path).await;
    let switched = browser.decide("switch").await;
    assert!(
        switched
            .location()
            .starts_with("https://login.school.example/start?token="),
        "{switched:?}"
    );
    let fresh = switched.sent_back("token").unwrap();
    assert_ne!(fresh, token);
    assert_eq!(
        browser.get(CONSENT).await.location(),
        switched.location(),
        "no user is signed in"
    );
    let path = signed_in(&harness, &fresh).await;
    assert_eq!(browser.get(&path).await.location(), CONSENT);
}

// Proves: spec 3.6
#[tokio::test]
async fn unless_it_is_enabled_there_is_no_such_post() {
    let harness = Harness::new().await;
    let token = harness
        .browser_at_login()
        .await
        .session()
        .unwrap()
        .to_owned();
    let body = json!({"email": EMAIL, "password": PASSWORD, "token": token}).to_string();
    let answer = post_json(&harness.server, AUTHORIZE, body).await;
    assert_eq!(
        (answer.status, answer.header(ALLOW)),
        (StatusCode::METHOD_NOT_ALLOWED, "GET, HEAD")
    );
}

// Proves: spec 3.6
#[tokio::test]
async fn wrong_credentials_are_a_401_that_is_the_same_for_everyone() {
    let harness = harness().await;
    let token = session(&harness).await;
    let mut answers = Vec::new();
    for email in [EMAIL, "lee.unknown@school.example", "not an address"] {
        let before = harness.accounts.password_checks();
        let answer = post_json(
            &harness.server,
            AUTHORIZE,
            json!({"email": email, "password": "wrong", "token": token}).to_string(),
        )
        .await;
        assert_eq!(harness.accounts.password_checks(), before + 1);
        assert_eq!(
            (answer.status, answer.json()["error"].as_str()),
            (StatusCode::UNAUTHORIZED, Some("invalid_credentials"))
        );
        let mut headers = answer.headers;
        headers.remove("x-request-id");
        answers.push((answer.body, headers));
    }
    assert!(answers.windows(2).all(|two| two[0] == two[1]));
}

#[tokio::test]
async fn without_a_session_no_password_is_checked() {
    let harness = harness().await;
    let before = harness.accounts.password_checks();
    for token in ["", "nonsense", CHALLENGE] {
        let answer = post_json(
            &harness.server,
            AUTHORIZE,
            json!({"email": EMAIL, "password": PASSWORD, "token": token}).to_string(),
        )
        .await;
        assert_eq!(
            (answer.status, answer.json()["error"].as_str()),
            (StatusCode::UNAUTHORIZED, Some("invalid_session"))
        );
    }
    assert_eq!(harness.accounts.password_checks(), before);
}

#[tokio::test]
async fn the_json_is_read_strictly() {
    let harness = harness().await;
    let token = session(&harness).await;
    let sound = json!({"email": EMAIL, "password": PASSWORD, "token": token}).to_string();
    let inside = sound.strip_suffix('}').unwrap();
    for body in [
        String::new(),
        "null".to_owned(),
        "[]".to_owned(),
        json!([EMAIL, PASSWORD, token]).to_string(),
        format!("{inside},\"email\":\"a@b\"}}"),
        format!("{inside},\"role\":\"ADMIN\"}}"),
        format!("{sound}x"),
        format!("\u{feff}{sound}"),
        json!({"email": EMAIL, "password": PASSWORD}).to_string(),
        json!({"email": [EMAIL], "password": PASSWORD, "token": token}).to_string(),
        json!({"email": EMAIL, "password": 1, "token": token}).to_string(),
        json!({"email": EMAIL, "password": null, "token": token}).to_string(),
        json!({"email": EMAIL, "password": "x".repeat(40_000), "token": token}).to_string(),
    ] {
        let answer = post_json(&harness.server, AUTHORIZE, body.clone()).await;
        assert_eq!(
            (answer.status, answer.json()["error"].as_str()),
            (StatusCode::BAD_REQUEST, Some("invalid_request")),
            "{body}"
        );
    }
    for content_type in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/json; charset=utf-16",
        "application/jsonx",
    ] {
        let request =
            http::Request::post(AUTHORIZE).header(http::header::CONTENT_TYPE, content_type);
        let answer = ask(&harness.server, request.body(sound.clone().into()).unwrap()).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{content_type}");
    }
    assert_eq!(
        post_json(&harness.server, AUTHORIZE, sound).await.status,
        StatusCode::FOUND,
        "nothing of this ended the session"
    );
}
