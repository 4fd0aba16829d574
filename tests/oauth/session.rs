use http::header::{CACHE_CONTROL, COOKIE, SET_COOKIE};
use http::{Request, StatusCode};
use lyceum::domain::SessionToken;
use lyceum::http::{Body, Clock};
use serde_json::json;

use crate::harness::*;

const PATH: &str = "/v1/oauth/authorize/session";

// Proves: spec 3.5
#[tokio::test]
async fn the_cookie_is_bound_to_the_host_and_hidden_from_scripts() {
    let harness = Harness::new().await;
    let answer = harness.browser().get(&harness.authorize(&[])).await;
    let cookie = answer.header(SET_COOKIE);
    assert!(cookie.starts_with("__Host-lyceum-session="), "{cookie}");
    for attribute in [
        "; Secure",
        "; Path=/;",
        "; HttpOnly",
        "; SameSite=Lax",
        "; Max-Age=600",
    ] {
        assert!(cookie.contains(attribute), "{cookie}");
    }
    assert!(!cookie.contains("Domain"));
}

// Proves: spec 3.5
#[tokio::test]
async fn on_loopback_without_tls_the_cookie_has_a_plain_name() {
    let harness = Harness::with_issuer("http://127.0.0.1:8080/auth", |builder| builder).await;
    let answer = harness.browser().get(&harness.authorize(&[])).await;
    assert!(answer.header(SET_COOKIE).starts_with("lyceum-session="));
    assert!(!answer.header(SET_COOKIE).contains("Secure"));
    assert_eq!(answer.location(), "/auth/v1/oauth/login");
}

// Proves: spec 3.5
#[tokio::test]
async fn the_store_knows_the_session_by_digest_alone_for_ten_minutes() {
    let harness = Harness::new().await;
    let browser = harness.browser_at_login().await;
    let token = SessionToken::parse(browser.session().unwrap()).unwrap();
    let kept = harness
        .store
        .session(&token.digest(), harness.clock.now())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(kept.expires_at, START.plus(10 * MINUTE));
    assert_eq!(
        (kept.client, &*kept.redirect_uri, kept.state.as_deref()),
        (harness.client.id, CALLBACK, Some("xyz"))
    );
    assert!(kept.subject.is_none());
    assert!(!format!("{kept:?}{:?}", harness.server).contains(token.expose()));
}

// Proves: spec 3.5
#[tokio::test]
async fn the_session_is_shown_unwrapped_with_its_real_expiry_in_seconds() {
    let harness = Harness::new().await;
    let mut browser = harness.browser();
    browser
        .get(&harness.authorize(&[(
            "scope",
            &format!("{}:write service:self_read", harness.application),
        )]))
        .await;
    harness.clock.advance(MINUTE);
    let answer = browser.get(PATH).await;
    assert_eq!(
        (answer.status, answer.header(CACHE_CONTROL)),
        (StatusCode::OK, "no-store")
    );
    let expected = json!({
        "serviceName": "Timetable <Plus>",
        "expiresAt": START.seconds() + 600,
        "requestedScopes": [
            {"scope": format!("{}:write", harness.application), "description": "Change your timetable", "applicationName": "Timetable & Friends"},
            {"scope": "service:self_read", "description": "Read your basic information and student details", "applicationName": "School account"},
        ],
    });
    assert_eq!(answer.json(), expected);
    let wrapped = get(
        &harness.server,
        &format!("/v1/oauth/sessions/{}", browser.session().unwrap()),
    )
    .await;
    assert_eq!(
        wrapped.json(),
        json!({"status": "OK", "code": 200, "message": "OK", "data": expected})
    );
    assert_eq!(wrapped.header(CACHE_CONTROL), "no-store");
}

// Proves: spec 3.5
#[tokio::test]
async fn no_session_and_an_expired_one_are_both_401() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_at_login().await;
    let token = browser.session().unwrap().to_owned();
    harness.clock.advance(10 * MINUTE);
    let expired = browser.get(PATH).await;
    let absent = get(&harness.server, PATH).await;
    for answer in [&expired, &absent] {
        assert_eq!(
            (answer.status, answer.header(CACHE_CONTROL)),
            (StatusCode::UNAUTHORIZED, "no-store")
        );
        assert_eq!(answer.json()["error"], "invalid_session");
    }
    assert_eq!(expired.body, absent.body);
    for token in [&*token, "nonsense"] {
        let answer = get(&harness.server, &format!("/v1/oauth/sessions/{token}")).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
        let json = answer.json();
        assert_eq!(
            (&json["status"], &json["code"], &json["reason"]),
            (
                &json!("UNAUTHORIZED"),
                &json!(401),
                &json!("invalid_session")
            )
        );
        assert!(
            json["message"]
                .as_str()
                .is_some_and(|message| !message.is_empty())
                && json.get("data").is_none()
        );
    }
}

// Proves: spec 3.5
#[tokio::test]
async fn the_last_second_still_counts() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_at_login().await;
    harness
        .clock
        .advance(10 * MINUTE - std::time::Duration::from_secs(1));
    assert_eq!(browser.get(PATH).await.status, StatusCode::OK);
}

// Proves: spec 3.5
#[tokio::test]
async fn a_token_in_the_query_works_only_where_the_host_enabled_it() {
    let closed = Harness::new().await;
    let token = closed
        .browser_at_login()
        .await
        .session()
        .unwrap()
        .to_owned();
    assert_eq!(
        get(&closed.server, &format!("{PATH}?token={token}"))
            .await
            .status,
        StatusCode::UNAUTHORIZED
    );

    let open = Harness::with_settings(|builder| {
        builder.external_login("https://login.school.example/start?lang=ko")
    })
    .await;
    let answer = get(&open.server, &open.authorize(&[])).await;
    assert!(
        answer
            .location()
            .starts_with("https://login.school.example/start?lang=ko&token="),
        "{answer:?}"
    );
    let token = answer.sent_back("token").unwrap();
    assert_eq!(
        get(&open.server, &format!("{PATH}?token={token}"))
            .await
            .json()["serviceName"],
        "Timetable <Plus>"
    );
    assert_eq!(
        get(&open.server, &format!("{PATH}?token={token}&token={token}"))
            .await
            .status,
        StatusCode::BAD_REQUEST
    );
    assert_eq!(
        get(&open.server, &format!("{PATH}?token=nonsense"))
            .await
            .status,
        StatusCode::UNAUTHORIZED
    );
}

// Proves: threats 23
/// Fails if the first of two cookies is used.
#[tokio::test]
async fn a_cookie_that_a_subdomain_tossed_in_is_no_session() {
    let harness = Harness::new().await;
    let (victim, attacker) = (
        harness.browser_at_login().await,
        harness.browser_at_login().await,
    );
    let (mine, planted) = (victim.session().unwrap(), attacker.session().unwrap());
    let status = async |cookies: &str| {
        let request = Request::get(PATH)
            .header(COOKIE, cookies)
            .body(Body::empty())
            .unwrap();
        ask(&harness.server, request).await.status
    };
    assert_eq!(
        status(&format!("__Host-lyceum-session={mine}")).await,
        StatusCode::OK
    );
    assert_eq!(
        status(&format!("a=b; __Host-lyceum-session={mine}; c")).await,
        StatusCode::OK
    );
    assert_eq!(
        status(&format!(
            "__Host-lyceum-session={mine}; __Host-lyceum-session={planted}"
        ))
        .await,
        StatusCode::UNAUTHORIZED
    );
    assert_eq!(
        status(&format!(
            "__Host-lyceum-session={mine}; __Host-lyceum-session="
        ))
        .await,
        StatusCode::UNAUTHORIZED
    );
    // A subdomain can plant a cookie of the name without the prefix.
    assert_eq!(
        status(&format!("lyceum-session={planted}")).await,
        StatusCode::UNAUTHORIZED
    );
    assert_eq!(
        status(&format!("__host-lyceum-session={planted}")).await,
        StatusCode::UNAUTHORIZED
    );
    for malformed in [
        format!("__Host-lyceum-session=\"{mine}\""),
        format!("__Host-lyceum-session={mine}x"),
        "__Host-lyceum-session".to_owned(),
    ] {
        assert_eq!(
            status(&malformed).await,
            StatusCode::UNAUTHORIZED,
            "{malformed}"
        );
    }
    let two_headers = Request::get(PATH)
        .header(COOKIE, format!("__Host-lyceum-session={mine}"))
        .header(COOKIE, format!("__Host-lyceum-session={planted}"));
    assert_eq!(
        ask(&harness.server, two_headers.body(Body::empty()).unwrap())
            .await
            .status,
        StatusCode::UNAUTHORIZED
    );
}

// Proves: spec 2.2
#[tokio::test]
async fn an_error_in_the_envelope_has_a_request_id() {
    let harness = Harness::new().await;
    let answer = get(&harness.server, "/v1/oauth/sessions/stale").await;
    let body = answer.json();
    let names: Vec<&str> = body
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(names, ["code", "message", "reason", "requestId", "status"]);
    assert_eq!(
        (body["status"].as_str(), body["reason"].as_str()),
        (Some("UNAUTHORIZED"), Some("invalid_session"))
    );
}
