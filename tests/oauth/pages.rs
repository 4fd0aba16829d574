use http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use http::{Method, StatusCode};

use crate::harness::*;

/// Checks the properties that every page has.
pub fn assert_safe(answer: &TestResponse) {
    assert!(answer.is_page(), "{answer:?}");
    let policy = answer.header(CONTENT_SECURITY_POLICY);
    for directive in [
        "default-src 'none'",
        "style-src 'self'",
        "script-src 'self'",
        "img-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    ] {
        assert!(
            policy.contains(directive),
            "{directive} is missing in {policy}"
        );
    }
    assert!(!policy.contains("unsafe"));
    assert_eq!(answer.header(REFERRER_POLICY), "no-referrer");
    assert_eq!(answer.header(CACHE_CONTROL), "no-store");
    assert_eq!(answer.header(X_CONTENT_TYPE_OPTIONS), "nosniff");
    assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    // The one script is an external file.
    let scripts: Vec<&str> = answer.body.split("<script").skip(1).collect();
    assert!(
        scripts.len() == 1 && scripts[0].starts_with(" src=\"/v1/oauth/assets/script-"),
        "{}",
        answer.body
    );
    assert!(
        scripts[0]
            .split_once('>')
            .unwrap()
            .1
            .starts_with("</script>"),
        "{}",
        answer.body
    );
    for forbidden in [
        " style=",
        "<style",
        " onclick=",
        "javascript:",
        "http-equiv",
    ] {
        assert!(
            !answer.body.contains(forbidden),
            "{forbidden} in {}",
            answer.body
        );
    }
}

/// A page of every kind, with its name and status.
async fn every_page(harness: &Harness) -> Vec<(&'static str, StatusCode, TestResponse)> {
    let mut stranger = harness.browser();
    let mut at_login = harness.browser_at_login().await;
    let mut at_consent = harness.browser_at_consent().await;
    let mut blocked = harness.browser_at_login().await;
    for _ in 0..10 {
        blocked.sign_in("blocked@school.example", "wrong").await;
    }
    let token = at_consent.form_token("/v1/oauth/consent").await;
    vec![
        (
            "login",
            StatusCode::OK,
            at_login.get("/v1/oauth/login").await,
        ),
        (
            "login again",
            StatusCode::UNAUTHORIZED,
            at_login.sign_in("x\"><b>@y", "wrong").await,
        ),
        (
            "consent",
            StatusCode::OK,
            at_consent.get("/v1/oauth/consent").await,
        ),
        (
            "too many attempts",
            StatusCode::TOO_MANY_REQUESTS,
            blocked.sign_in("blocked@school.example", "wrong").await,
        ),
        (
            "unknown client",
            StatusCode::BAD_REQUEST,
            stranger
                .get(&harness.authorize(&[("client_id", "x")]))
                .await,
        ),
        (
            "bad scope",
            StatusCode::BAD_REQUEST,
            stranger.get(&harness.authorize(&[("scope", "<b>")])).await,
        ),
        (
            "repeated",
            StatusCode::BAD_REQUEST,
            stranger
                .get("/v1/oauth/authorize?%3Cb%3E=1&%3Cb%3E=2")
                .await,
        ),
        (
            "no session",
            StatusCode::UNAUTHORIZED,
            stranger.get("/v1/oauth/consent").await,
        ),
        (
            "foreign form",
            StatusCode::FORBIDDEN,
            at_consent
                .post("/v1/oauth/consent", &[("decision", "allow")])
                .await,
        ),
        (
            "no decision",
            StatusCode::BAD_REQUEST,
            at_consent
                .post("/v1/oauth/consent", &[("form_token", &token)])
                .await,
        ),
        (
            "not found",
            StatusCode::NOT_FOUND,
            stranger.get("/v1/oauth/%3Cb%3E").await,
        ),
        (
            "other method",
            StatusCode::METHOD_NOT_ALLOWED,
            stranger
                .send(Method::DELETE, "/v1/oauth/login", None, "")
                .await,
        ),
    ]
}

// Proves: threats 24, threats 26
/// Fails if some pages have no `frame-ancestors`, or some responses no `Referrer-Policy`.
#[tokio::test]
async fn every_page_forbids_frames_referrers_and_caches() {
    let harness = Harness::new().await;
    for (name, status, page) in every_page(&harness).await {
        assert_eq!(page.status, status, "{name}: {page:?}");
        assert_safe(&page);
        assert!(!page.body.contains("<b>"), "{name}: {}", page.body);
    }
}

// Proves: threats 26
/// Fails if redirects have no `Referrer-Policy`.
#[tokio::test]
async fn no_page_holds_the_sessions_token_and_no_redirect_passes_a_referrer() {
    let harness = Harness::new().await;
    let mut browser = harness.browser();
    let mut answers = vec![browser.get(&harness.authorize(&[])).await];
    let mut tokens = vec![browser.session().unwrap().to_owned()];
    answers.push(browser.get("/v1/oauth/login").await);
    answers.push(browser.sign_in(EMAIL, PASSWORD).await);
    tokens.push(browser.session().unwrap().to_owned());
    answers.push(browser.get("/v1/oauth/consent").await);
    answers.push(browser.decide("allow").await);
    for answer in &answers {
        assert_eq!(
            (answer.header(REFERRER_POLICY), answer.header(CACHE_CONTROL)),
            ("no-referrer", "no-store"),
            "{answer:?}"
        );
        for token in &tokens {
            assert!(!answer.body.contains(token) && !answer.location().contains(token));
        }
        assert!(!answer.body.contains(PASSWORD));
    }
}

#[tokio::test]
async fn no_policy_holds_the_forms_back_that_may_end_at_the_client() {
    let harness = Harness::new().await;
    let login = harness
        .browser_at_login()
        .await
        .get("/v1/oauth/login")
        .await;
    let consent = harness
        .browser_at_consent()
        .await
        .get("/v1/oauth/consent")
        .await;
    for page in [login, consent] {
        assert!(!page.header(CONTENT_SECURITY_POLICY).contains("form-action"));
    }
    let error = harness.browser().get("/v1/oauth/consent").await;
    assert!(
        error
            .header(CONTENT_SECURITY_POLICY)
            .contains("form-action 'self'")
    );
}

#[tokio::test]
async fn the_stylesheet_and_the_script_lie_at_addresses_of_their_digests_and_may_be_kept() {
    let harness = Harness::with_issuer("https://school.example/auth", |builder| builder).await;
    let page = harness
        .browser_at_login()
        .await
        .get("/v1/oauth/login")
        .await;
    let address = page
        .body
        .split("<link rel=\"stylesheet\" href=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let path = address.strip_prefix("/auth").unwrap();
    assert!(page.body.contains("action=\"/auth/v1/oauth/login\""));
    let style = get(&harness.server, path).await;
    let script = page
        .body
        .split("<script src=\"/auth")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let script = get(&harness.server, script).await;
    assert_eq!(
        (script.status, script.header("content-type")),
        (StatusCode::OK, "text/javascript; charset=utf-8")
    );
    assert!(script.header(CACHE_CONTROL).contains("immutable"));
    assert_eq!(
        (style.status, style.header("content-type")),
        (StatusCode::OK, "text/css; charset=utf-8")
    );
    assert!(style.header(CACHE_CONTROL).contains("immutable"));
    assert_eq!(
        get(
            &harness.server,
            "/v1/oauth/assets/style-0000000000000000.css"
        )
        .await
        .status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        get(&harness.server, "/v1/oauth/assets/../login")
            .await
            .status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn other_paths_are_not_found_as_json_and_as_a_page() {
    let harness = Harness::new().await;
    for path in [
        "/",
        "/v1",
        "/v1/oauth",
        "/v1/oauth/",
        "/v1/oauth/login/",
        "/v1/oauth/authorize/session/x",
        "/v1/oauth/sessions",
        "/V1/oauth/login",
        "/v1/oauth//login",
        "/v1/oauth/%6Cogin",
    ] {
        let json = get(&harness.server, path).await;
        assert_eq!(
            (json.status, json.json()["error"].as_str()),
            (StatusCode::NOT_FOUND, Some("not_found")),
            "{path}"
        );
        let page = harness.browser().get(path).await;
        assert!(
            page.status == StatusCode::NOT_FOUND && page.is_page(),
            "{path}"
        );
    }
}

// Proves: spec 2.20
#[tokio::test]
async fn other_methods_are_405_with_allow() {
    let harness = Harness::new().await;
    for (path, allow) in [
        ("/v1/oauth/authorize", "GET, HEAD"),
        ("/v1/oauth/authorize/session", "GET, HEAD"),
        ("/v1/oauth/sessions/x", "GET, HEAD"),
        ("/v1/oauth/login", "GET, HEAD, POST"),
        ("/v1/oauth/consent", "GET, HEAD, POST"),
    ] {
        for method in [
            Method::PUT,
            Method::DELETE,
            Method::OPTIONS,
            Method::PATCH,
            Method::TRACE,
        ] {
            let answer = harness.browser().send(method.clone(), path, None, "").await;
            assert_eq!(
                (answer.status, answer.header(ALLOW)),
                (StatusCode::METHOD_NOT_ALLOWED, allow),
                "{method} {path}"
            );
        }
    }
}

#[tokio::test]
async fn head_answers_as_get_without_the_body() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_at_consent().await;
    for path in [
        "/v1/oauth/login",
        "/v1/oauth/consent",
        "/v1/oauth/authorize/session",
        "/v1/oauth/nothing",
    ] {
        let (full, head) = (
            browser.get(path).await,
            browser.send(Method::HEAD, path, None, "").await,
        );
        assert_eq!((head.status, &*head.body), (full.status, ""), "{path}");
        assert_eq!(head.header(CONTENT_LENGTH), full.body.len().to_string());
        assert_eq!(head.header("content-type"), full.header("content-type"));
    }
}

/// Fails if the pages are only in English.
#[tokio::test]
async fn pages_speak_korean_to_a_browser_that_likes_it() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_at_login().await;
    let switch = browser.get("/v1/oauth/login?language=ko").await;
    assert_eq!(
        (switch.status, switch.location()),
        (StatusCode::SEE_OTHER, "/v1/oauth/login")
    );
    assert!(
        switch
            .header("set-cookie")
            .starts_with("lyceum-language=ko; Path=/; "),
        "{switch:?}"
    );
    for (status, page) in [
        (StatusCode::OK, browser.get("/v1/oauth/login").await),
        (
            StatusCode::UNAUTHORIZED,
            browser.sign_in(EMAIL, "wrong").await,
        ),
        (
            StatusCode::BAD_REQUEST,
            browser
                .get(&harness.authorize(&[("redirect_uri", "https://evil.example/")]))
                .await,
        ),
        (
            StatusCode::NOT_FOUND,
            browser.get("/v1/oauth/nowhere").await,
        ),
    ] {
        assert_eq!(
            (page.status, page.header("content-language")),
            (status, "ko"),
            "{page:?}"
        );
        assert!(page.body.contains("<html lang=\"ko\">"), "{}", page.body);
        assert_safe(&page);
    }
    browser.sign_in(EMAIL, PASSWORD).await;
    let consent = browser.get("/v1/oauth/consent").await;
    assert!(
        consent.body.contains("허용")
            && consent
                .body
                .contains("href=\"/v1/oauth/consent?language=en\""),
        "{}",
        consent.body
    );
}

/// Fails if the language switch loses the request, or opens a session.
#[tokio::test]
async fn the_switch_of_a_refused_request_leads_back_to_it() {
    let harness = Harness::new().await;
    let mut browser = harness.browser();
    let address = harness.authorize(&[("client_id", "x")]);
    let refused = browser.get(&address).await;
    let switch = refused
        .body
        .split("href=\"")
        .find(|rest| rest.contains("language=ko\""))
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let answer = browser.get(&switch.replace("&#38;", "&")).await;
    assert_eq!(
        (answer.status, answer.location()),
        (StatusCode::SEE_OTHER, &*address)
    );
    assert!(
        browser.session().is_none()
            && browser
                .get(&address)
                .await
                .body
                .contains("<html lang=\"ko\">")
    );
}
