use http::StatusCode;
use lyceum::domain::SessionToken;
use lyceum::http::Clock;

use crate::harness::*;

const LOGIN: &str = "/v1/oauth/login";

// Proves: spec 3.6
#[tokio::test]
async fn the_right_password_leads_to_consent() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_at_login().await;
    let answer = browser.sign_in(EMAIL, PASSWORD).await;
    assert_eq!(
        (answer.status, answer.location()),
        (StatusCode::SEE_OTHER, "/v1/oauth/consent")
    );
    let token = SessionToken::parse(browser.session().unwrap()).unwrap();
    let session = harness
        .store
        .session(&token.digest(), harness.clock.now())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(session.subject.unwrap().email.as_str(), EMAIL);
}

// Proves: spec 3.6
#[tokio::test]
async fn an_unknown_address_and_a_wrong_password_look_and_work_the_same() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_at_login().await;
    let mut bodies = Vec::new();
    for (email, password) in [
        (EMAIL, "wrong"),
        ("lee.unknown@school.example", "wrong"),
        ("not an address", "wrong"),
    ] {
        let before = harness.accounts.password_checks();
        let answer = browser.sign_in(email, password).await;
        assert_eq!(
            harness.accounts.password_checks(),
            before + 1,
            "{email} was worked on differently"
        );
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
        assert!(
            answer.is_page() && answer.body.contains(email),
            "{answer:?}"
        );
        let headers = answer
            .headers
            .iter()
            .filter(|(name, _)| *name != "x-request-id");
        let mut headers: Vec<String> = headers
            .map(|(name, value)| format!("{name}: {value:?}"))
            .collect();
        headers.sort();
        bodies.push((answer.body.replace(email, ""), headers));
    }
    assert_eq!(bodies[0], bodies[1]);
    assert_eq!(bodies[0], bodies[2]);
}

// Proves: spec 3.6
#[tokio::test]
async fn the_address_is_found_in_any_case_and_the_password_is_not() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_at_login().await;
    assert_eq!(
        browser
            .sign_in(EMAIL, &PASSWORD.to_uppercase())
            .await
            .status,
        StatusCode::UNAUTHORIZED
    );
    assert_eq!(
        browser
            .sign_in(&EMAIL.to_uppercase(), PASSWORD)
            .await
            .status,
        StatusCode::SEE_OTHER
    );
}

#[tokio::test]
async fn an_empty_or_endless_password_is_wrong() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_at_login().await;
    for password in [String::new(), "x".repeat(1025)] {
        assert_eq!(
            browser.sign_in(EMAIL, &password).await.status,
            StatusCode::UNAUTHORIZED
        );
    }
}

// Proves: spec 3.6
#[tokio::test]
async fn a_login_without_its_form_token_is_refused() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_at_login().await;
    let before = harness.accounts.password_checks();
    let credentials = [("email", EMAIL), ("password", PASSWORD)];
    for extra in [
        None,
        Some(("form_token", "")),
        Some(("form_token", CHALLENGE)),
    ] {
        let fields: Vec<_> = credentials.iter().copied().chain(extra).collect();
        let answer = browser.post(LOGIN, &fields).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{extra:?}");
        assert!(answer.is_page());
    }
    assert_eq!(
        harness.accounts.password_checks(),
        before,
        "no password was checked"
    );
}

// Proves: threats 22
/// Fails if any well-formed token is accepted.
#[tokio::test]
async fn the_form_of_another_browser_is_refused() {
    let harness = Harness::new().await;
    let (mut victim, mut attacker) = (
        harness.browser_at_login().await,
        harness.browser_at_login().await,
    );
    let token = attacker.form_token(LOGIN).await;
    let answer = victim
        .post(
            LOGIN,
            &[
                ("form_token", &token),
                ("email", EMAIL),
                ("password", PASSWORD),
            ],
        )
        .await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
}

// Proves: threats 23
/// Fails if the session token is not replaced, or the cookie's name lacks `__Host-`.
#[tokio::test]
async fn signing_in_gives_the_session_a_new_id() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_at_login().await;
    let planted = browser.session().unwrap().to_owned();
    browser.sign_in(EMAIL, PASSWORD).await;
    let current = browser.session().unwrap().to_owned();
    assert_ne!(planted, current);
    browser.cookies = vec![("__Host-lyceum-session".to_owned(), planted)];
    assert_eq!(
        browser.get("/v1/oauth/consent").await.status,
        StatusCode::UNAUTHORIZED
    );
    browser.cookies = vec![("__Host-lyceum-session".to_owned(), current)];
    assert_eq!(
        browser.get("/v1/oauth/consent").await.status,
        StatusCode::OK
    );
}

#[tokio::test]
async fn the_new_cookie_lives_no_longer_than_the_session() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_at_login().await;
    harness.clock.advance(4 * MINUTE);
    let answer = browser.sign_in(EMAIL, PASSWORD).await;
    assert!(
        answer
            .header(http::header::SET_COOKIE)
            .contains("Max-Age=360;"),
        "{answer:?}"
    );
}

#[tokio::test]
async fn without_a_session_there_is_no_login_page() {
    let harness = Harness::new().await;
    let mut browser = harness.browser();
    for answer in [
        browser.get(LOGIN).await,
        browser
            .post(LOGIN, &[("email", EMAIL), ("password", PASSWORD)])
            .await,
    ] {
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
        assert!(answer.is_page());
    }
}

#[tokio::test]
async fn a_login_form_is_read_strictly() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_at_login().await;
    let token = browser.form_token(LOGIN).await;
    let sound = encoded(&[
        ("form_token", token.clone()),
        ("email", EMAIL.to_owned()),
        ("password", PASSWORD.to_owned()),
    ]);
    let form = Some("application/x-www-form-urlencoded");
    for (content_type, body) in [
        (None, sound.clone()),
        (Some("application/json"), sound.clone()),
        (
            Some("application/x-www-form-urlencoded; charset=euc-kr"),
            sound.clone(),
        ),
        (form, format!("{sound}&email=x%40y")),
        (form, format!("{sound}&role=ADMIN")),
        (form, format!("{sound}&x=%zz")),
        (form, format!("form_token={token}")),
        (form, format!("{sound}&password2={}", "x".repeat(32 * 1024))),
    ] {
        let answer = browser
            .send(http::Method::POST, LOGIN, content_type, &body)
            .await;
        assert_eq!(
            answer.status,
            StatusCode::BAD_REQUEST,
            "{content_type:?} {answer:?}"
        );
    }
    let answer = browser
        .send(
            http::Method::POST,
            LOGIN,
            Some("application/x-www-form-urlencoded; charset=UTF-8"),
            &sound,
        )
        .await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
}
