use http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, ETAG, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use http::{Method, Request, StatusCode};
use lyceum::http::Body;

use crate::harness::*;

/// Asserts the headers and the markup of every page.
pub fn assert_safe(answer: &TestResponse) {
    let policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
    assert_eq!(answer.header(CONTENT_SECURITY_POLICY), policy, "{answer:?}");
    assert_eq!(answer.header("x-frame-options"), "DENY");
    assert_eq!(answer.header(REFERRER_POLICY), "no-referrer");
    assert_eq!(answer.header(CACHE_CONTROL), "no-store");
    assert_eq!(answer.header(X_CONTENT_TYPE_OPTIONS), "nosniff");
    assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(answer.header("x-request-id").len(), 10);
    for forbidden in [
        " style=",
        "<style",
        " onclick=",
        "javascript:",
        "http-equiv",
        "<High>",
    ] {
        assert!(
            !answer.body.contains(forbidden),
            "{forbidden} in {}",
            answer.body
        );
    }
    let scripts: Vec<&str> = answer.body.split("<script").skip(1).collect();
    assert!(
        scripts.len() == 1
            && scripts[0].starts_with(" src=\"/console/assets/script-")
            && scripts[0].contains("defer></script>")
    );
    assert!(answer.body.contains("Haneul &#60;High&#62; School"));
}

/// Fails if a user cannot see whose error it is.
#[tokio::test]
async fn errors_show_the_school() {
    let harness = Harness::new().await;
    let error = harness.browser_of(EMAIL).await.get("/nothing").await;
    assert_eq!(error.status, StatusCode::NOT_FOUND);
    assert!(
        error.body.contains("<p class=\"school\">"),
        "{}",
        error.body
    );
}

// Proves: threats 24, threats 26
/// Fails if any page, or an error page, has no `frame-ancestors`.
#[tokio::test]
async fn every_page_forbids_frames_referrers_and_caches() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    let mut pages = vec![
        (StatusCode::OK, browser.get("/").await),
        (StatusCode::FORBIDDEN, browser.post("/sign-out", &[]).await),
        (
            StatusCode::BAD_REQUEST,
            browser.post("/sign-out", &[("<b>", "")]).await,
        ),
        (StatusCode::NOT_FOUND, browser.get("/%3Cb%3E").await),
        (
            StatusCode::METHOD_NOT_ALLOWED,
            browser.send(Method::DELETE, "/", None, "").await,
        ),
        (
            StatusCode::PAYLOAD_TOO_LARGE,
            browser
                .send(Method::POST, "/sign-out", None, &"x".repeat(65 * 1024))
                .await,
        ),
        (
            StatusCode::OK,
            harness.browser().get("/sign-in?next=%22%3E%3Cb%3E").await,
        ),
        (
            StatusCode::UNAUTHORIZED,
            harness.browser().sign_in("\"><b>@y", "wrong").await,
        ),
        (
            StatusCode::FORBIDDEN,
            harness.browser().post("/sign-in", &[]).await,
        ),
    ];
    for _ in 0..10 {
        harness
            .browser()
            .sign_in("blocked@school.example", "wrong")
            .await;
    }
    pages.push((
        StatusCode::TOO_MANY_REQUESTS,
        harness
            .browser()
            .sign_in("blocked@school.example", "wrong")
            .await,
    ));
    for (status, page) in pages {
        assert_eq!(page.status, status, "{page:?}");
        assert_safe(&page);
        assert!(!page.body.contains("<b>"), "{}", page.body);
        assert!(
            status.is_success()
                || status == 401
                || page.body.contains(page.header("x-request-id"))
                || page.body.contains("form_token")
        );
    }
}

// Proves: threats 26
/// Fails if a response body contains a session token.
#[tokio::test]
async fn no_page_holds_a_token_and_redirects_pass_no_referrer() {
    let harness = Harness::new().await;
    let mut browser = harness.browser();
    let mut answers = vec![browser.get("/").await, browser.get("/sign-in").await];
    let mut tokens: Vec<String> = browser
        .cookies
        .iter()
        .map(|(_, token)| token.clone())
        .collect();
    answers.push(browser.sign_in(EMAIL, PASSWORD).await);
    tokens.push(browser.session().unwrap().to_owned());
    answers.push(browser.get("/").await);
    for answer in &answers {
        assert_eq!(
            (answer.header(REFERRER_POLICY), answer.header(CACHE_CONTROL)),
            ("no-referrer", "no-store"),
            "{answer:?}"
        );
        for secret in tokens.iter().map(|token| &**token).chain([PASSWORD]) {
            assert!(!answer.body.contains(secret) && !answer.location().contains(secret));
        }
        for cookie in answer.headers.get_all("set-cookie") {
            assert!(cookie.is_sensitive());
        }
    }
}

#[tokio::test]
async fn other_paths_are_404_and_other_methods_405_with_allow() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    for path in [
        "/sign-in/",
        "//",
        "/Sign-in",
        "/%73ign-in",
        "/console/",
        "/assets",
        "/assets/style.css",
        "/assets/../sign-in",
        "/nothing",
    ] {
        assert_eq!(
            browser.get(path).await.status,
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
    for (path, allow) in [
        ("/", "GET, HEAD"),
        ("/sign-in", "GET, HEAD, POST"),
        ("/assets/x", "GET, HEAD"),
    ] {
        for method in [
            Method::PUT,
            Method::DELETE,
            Method::OPTIONS,
            Method::PATCH,
            Method::TRACE,
        ] {
            let answer = browser.send(method.clone(), path, None, "").await;
            assert_eq!(
                (answer.status, answer.header(ALLOW)),
                (StatusCode::METHOD_NOT_ALLOWED, allow),
                "{method} {path}"
            );
        }
    }
    let answer = browser.get("/sign-out").await;
    assert_eq!(
        (answer.status, answer.header(ALLOW)),
        (StatusCode::METHOD_NOT_ALLOWED, "POST")
    );
}

#[tokio::test]
async fn head_answers_as_get_without_the_body() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    for path in ["/", "/nothing"] {
        let (full, head) = (
            browser.get(path).await,
            browser.send(Method::HEAD, path, None, "").await,
        );
        assert_eq!((head.status, &*head.body), (full.status, ""), "{path}");
        assert_eq!(head.header(CONTENT_LENGTH), full.body.len().to_string());
    }
}

#[tokio::test]
async fn the_stylesheet_and_the_script_are_kept_for_ever_under_names_of_their_digests() {
    let harness = Harness::new().await;
    let page = harness.browser().get("/sign-in").await.body;
    for (before, content_type) in [
        ("stylesheet\" href=\"", "text/css; charset=utf-8"),
        ("<script src=\"", "text/javascript; charset=utf-8"),
    ] {
        let address = page
            .split(before)
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap();
        let path = address.strip_prefix("/console").unwrap();
        let mut browser = harness.browser();
        let asset = browser.get(path).await;
        assert_eq!(
            (asset.status, asset.header("content-type")),
            (StatusCode::OK, content_type)
        );
        assert!(
            asset.header(CACHE_CONTROL).contains("immutable")
                && asset.header(X_CONTENT_TYPE_OPTIONS) == "nosniff"
        );
        let head = browser.send(Method::HEAD, path, None, "").await;
        assert_eq!(
            (head.header(CONTENT_LENGTH), &*head.body),
            (&*asset.body.len().to_string(), "")
        );
        for (tag, status) in [
            (asset.header(ETAG), StatusCode::NOT_MODIFIED),
            ("\"x\"", StatusCode::OK),
        ] {
            let request = Request::get(path)
                .header("if-none-match", tag)
                .body(Body::empty())
                .unwrap();
            let answer = ask(&harness.console, request).await;
            assert_eq!(
                (answer.status, answer.body.is_empty()),
                (status, status == StatusCode::NOT_MODIFIED)
            );
            assert!(answer.header(CACHE_CONTROL).contains("immutable"));
        }
    }
}

#[tokio::test]
async fn at_the_root_of_a_host_links_begin_there() {
    let harness = Harness::with_settings(
        "https://console.school.example",
        |builder| builder,
        |builder| builder,
    )
    .await;
    let page = harness.browser_of(EMAIL).await.get("/").await;
    assert!(
        page.body.contains("href=\"/account\"") && page.body.contains("action=\"/sign-out\""),
        "{}",
        page.body
    );
}
