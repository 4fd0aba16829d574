use http::header::{ALLOW, CACHE_CONTROL};
use http::{Method, StatusCode};
use serde_json::json;

use crate::harness::*;

const AUTHORIZE: &str = "/v1/oauth/authorize";
const RESUME: &str = "/v1/oauth/authorize/resume";
const CONSENT: &str = "/v1/oauth/consent";

async fn world() -> World {
    World::with(|builder| builder.external_login("https://login.school.example/start")).await
}

async fn session(world: &World) -> String {
    begun(world, &[]).await.1
}

/// A browser that has been sent to the host's login page, and the token that the page is given.
async fn begun(world: &World, changes: &[(&'static str, &str)]) -> (Browser, String) {
    let mut browser = world.browser();
    let answer = browser.get(&world.authorize(changes)).await;
    assert!(answer.location().starts_with("https://login.school.example/start?token="), "{answer:?}");
    (browser, answer.sent_back("token").unwrap())
}

/// Where the login page, or its server, sends the browser after a sign-in.
async fn signed_in(world: &World, token: &str) -> String {
    let body = json!({"email": EMAIL, "password": PASSWORD, "token": token}).to_string();
    let answer = post_json(&world.server, AUTHORIZE, body).await;
    assert_eq!((answer.status, answer.header(CACHE_CONTROL)), (StatusCode::FOUND, "no-store"));
    let path = answer.location().strip_prefix(ISSUER).unwrap_or_else(|| panic!("{answer:?}")).to_owned();
    assert!(path.starts_with(&format!("{RESUME}?ticket=")), "{path}");
    path
}

#[tokio::test]
async fn an_external_login_page_signs_in_with_json_and_the_browser_that_began_goes_on_here() {
    let world = world().await;
    let (mut browser, token) = begun(&world, &[]).await;
    let path = signed_in(&world, &token).await;
    let onward = browser.get(&path).await;
    assert_eq!((onward.status, onward.location(), onward.header(CACHE_CONTROL)), (StatusCode::SEE_OTHER, CONSENT, "no-store"));
    let page = browser.get(CONSENT).await;
    assert!(page.status == StatusCode::OK && page.body.contains("Timetable &#60;Plus&#62;") && page.body.contains(EMAIL), "{page:?}");
    let answer = browser.decide("allow").await;
    assert!(answer.location().starts_with("https://app.example/callback?code="), "{answer:?}");
    assert_eq!((answer.sent_back("state").as_deref(), answer.sent_back("iss").as_deref()), (Some("xyz"), Some(ISSUER)));

    let body = json!({"email": EMAIL, "password": PASSWORD, "token": token}).to_string();
    let again = post_json(&world.server, AUTHORIZE, body).await;
    assert_eq!((again.status, again.json()["error"].as_str()), (StatusCode::UNAUTHORIZED, Some("invalid_session")));
}

/// Fails if the code, or the page that asks, comes to a browser without the cookie, or to one that has only the cookie: somebody sends the
/// address of the login page, with the token of a session of their own, to somebody else, who signs in.
#[tokio::test]
async fn neither_the_browser_that_began_nor_the_one_that_signed_in_gets_a_code_alone() {
    let world = world().await;
    for changes in [&[][..], &[("prompt", "consent")]] {
        // Everything was allowed before, so that a code would come without a question.
        let (mut browser, token) = begun(&world, changes).await;
        let path = signed_in(&world, &token).await;
        browser.get(&path).await;
        if browser.get(CONSENT).await.status == StatusCode::OK {
            browser.decide("allow").await;
        }

        let (mut attacker, token) = begun(&world, changes).await;
        let (mut victim, other_token) = begun(&world, changes).await;
        let path = signed_in(&world, &token).await;
        let other_path = signed_in(&world, &other_token).await;
        let refused = |answer: &Answer| {
            assert_eq!((answer.status, answer.location()), (StatusCode::UNAUTHORIZED, ""), "{answer:?}");
            assert!(!answer.body.contains(EMAIL) && !answer.body.contains("code="), "{answer:?}");
        };
        // Who signed in has the ticket, and the cookie of none or of another session.
        refused(&world.browser().get(&path).await);
        refused(&victim.get(&path).await);
        // Who began has the cookie, and no ticket or that of another session.
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
        refused(&attacker.post(CONSENT, &[("form_token", "x"), ("decision", "allow")]).await);
        // The login page, and who sees its address, know the token, which is not the cookie.
        let mut page = world.browser();
        page.cookies = vec![(attacker.cookies[0].0.clone(), token.clone())];
        refused(&page.get(&path).await);
        // None of this has ended the sign-in of the browser that has both.
        assert_eq!(victim.get(&other_path).await.status, StatusCode::SEE_OTHER);
        assert_eq!(attacker.get(&path).await.status, StatusCode::SEE_OTHER);
    }
}

#[tokio::test]
async fn a_ticket_is_good_once_and_only_looking_does_not_use_it_up() {
    let world = world().await;
    let (mut browser, token) = begun(&world, &[]).await;
    let path = signed_in(&world, &token).await;
    let cookies = browser.cookies.clone();
    for method in [Method::HEAD, Method::GET] {
        assert_eq!(browser.send(method, &path, None, "").await.status, StatusCode::SEE_OTHER);
    }
    assert_ne!(browser.cookies, cookies, "the session goes on under another cookie");
    assert_eq!(browser.get(&path).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(browser.get(CONSENT).await.status, StatusCode::OK, "a second look at the address ends nothing");
    browser.cookies = cookies;
    assert_eq!(browser.get(&path).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(browser.get(CONSENT).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(browser.send(Method::POST, &path, Some("application/json"), "{}").await.status, StatusCode::METHOD_NOT_ALLOWED);
}

/// Fails if there is a second place to sign in at.
#[tokio::test]
async fn with_an_external_login_page_the_built_in_one_is_not_there() {
    let world = world().await;
    let (mut browser, _) = begun(&world, &[]).await;
    let fields = [("form_token", "x"), ("email", EMAIL), ("password", PASSWORD)];
    for answer in [browser.get("/v1/oauth/login").await, browser.post("/v1/oauth/login", &fields).await] {
        assert_eq!((answer.status, answer.location()), (StatusCode::NOT_FOUND, ""));
    }
    let to_login = browser.get(CONSENT).await;
    assert!(to_login.location().starts_with("https://login.school.example/start?token="), "{to_login:?}");
    assert_eq!(get(&World::new().await.server, &format!("{RESUME}?ticket={CHALLENGE}")).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn another_account_signs_in_at_the_external_login_page_too() {
    let world = world().await;
    let (mut browser, token) = begun(&world, &[]).await;
    let path = signed_in(&world, &token).await;
    browser.get(&path).await;
    let switched = browser.decide("switch").await;
    assert!(switched.location().starts_with("https://login.school.example/start?token="), "{switched:?}");
    let fresh = switched.sent_back("token").unwrap();
    assert_ne!(fresh, token);
    assert_eq!(browser.get(CONSENT).await.location(), switched.location(), "nobody is signed in");
    let path = signed_in(&world, &fresh).await;
    assert_eq!(browser.get(&path).await.location(), CONSENT);
}

#[tokio::test]
async fn decision_3_6_unless_it_is_enabled_there_is_no_such_post() {
    let world = World::new().await;
    let token = world.browser_at_login().await.session().unwrap().to_owned();
    let body = json!({"email": EMAIL, "password": PASSWORD, "token": token}).to_string();
    let answer = post_json(&world.server, AUTHORIZE, body).await;
    assert_eq!((answer.status, answer.header(ALLOW)), (StatusCode::METHOD_NOT_ALLOWED, "GET, HEAD"));
}

#[tokio::test]
async fn decision_3_6_wrong_credentials_are_a_401_that_is_the_same_for_everyone() {
    let world = world().await;
    let token = session(&world).await;
    let mut answers = Vec::new();
    for email in [EMAIL, "lee.unknown@school.example", "not an address"] {
        let before = world.accounts.password_checks();
        let answer = post_json(&world.server, AUTHORIZE, json!({"email": email, "password": "wrong", "token": token}).to_string()).await;
        assert_eq!(world.accounts.password_checks(), before + 1);
        assert_eq!((answer.status, answer.json()["error"].as_str()), (StatusCode::UNAUTHORIZED, Some("invalid_credentials")));
        let mut headers = answer.headers;
        headers.remove("x-request-id");
        answers.push((answer.body, headers));
    }
    assert!(answers.windows(2).all(|two| two[0] == two[1]));
}

#[tokio::test]
async fn without_a_session_no_password_is_checked() {
    let world = world().await;
    let before = world.accounts.password_checks();
    for token in ["", "nonsense", CHALLENGE] {
        let answer = post_json(&world.server, AUTHORIZE, json!({"email": EMAIL, "password": PASSWORD, "token": token}).to_string()).await;
        assert_eq!((answer.status, answer.json()["error"].as_str()), (StatusCode::UNAUTHORIZED, Some("invalid_session")));
    }
    assert_eq!(world.accounts.password_checks(), before);
}

#[tokio::test]
async fn the_json_is_read_strictly() {
    let world = world().await;
    let token = session(&world).await;
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
        let answer = post_json(&world.server, AUTHORIZE, body.clone()).await;
        assert_eq!((answer.status, answer.json()["error"].as_str()), (StatusCode::BAD_REQUEST, Some("invalid_request")), "{body}");
    }
    for content_type in ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-16", "application/jsonx"] {
        let request = http::Request::post(AUTHORIZE).header(http::header::CONTENT_TYPE, content_type);
        let answer = ask(&world.server, request.body(sound.clone().into()).unwrap()).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{content_type}");
    }
    assert_eq!(post_json(&world.server, AUTHORIZE, sound).await.status, StatusCode::FOUND, "nothing of this ended the session");
}
