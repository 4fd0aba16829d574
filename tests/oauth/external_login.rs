use http::StatusCode;
use http::header::{ALLOW, CACHE_CONTROL};
use lyceum::domain::AuthorizationCode;
use serde_json::json;

use crate::harness::*;

const AUTHORIZE: &str = "/v1/oauth/authorize";

async fn world() -> World {
    World::with(|builder| builder.external_login("https://login.school.example/start")).await
}

async fn session(world: &World) -> String {
    get(&world.server, &world.authorize(&[])).await.sent_back("token").unwrap()
}

#[tokio::test]
async fn decision_3_6_an_external_login_page_signs_in_with_json_and_gets_a_302() {
    let world = world().await;
    let token = session(&world).await;
    let body = json!({"email": EMAIL, "password": PASSWORD, "token": token}).to_string();
    let answer = post_json(&world.server, AUTHORIZE, body.clone()).await;
    assert_eq!((answer.status, answer.header(CACHE_CONTROL)), (StatusCode::FOUND, "no-store"));
    assert!(answer.location().starts_with("https://app.example/callback?code="));
    assert_eq!((answer.sent_back("state").as_deref(), answer.sent_back("iss").as_deref()), (Some("xyz"), Some(ISSUER)));
    let code = AuthorizationCode::presented(&answer.sent_back("code").unwrap()).unwrap();
    assert!(world.store.code_binding(&code.digest()).await.unwrap().is_some());

    let again = post_json(&world.server, AUTHORIZE, body).await;
    assert_eq!((again.status, again.json()["error"].as_str()), (StatusCode::UNAUTHORIZED, Some("invalid_session")));
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
