//! Assertions about every page.

use http::{Method, StatusCode};

use crate::harness::*;
use crate::pages::assert_safe;

/// Asserts that a page exists in both languages, is read-only and requires a session.
pub async fn assert_page(harness: &Harness, browser: &mut Browser, path: &str) -> TestResponse {
    for language in ["ko", "en"] {
        browser.language = language;
        let page = browser.get(path).await;
        assert_eq!(page.status, StatusCode::OK, "{path}: {page:?}");
        assert_safe(&page);
        assert!(
            page.body.contains(&format!("<html lang=\"{language}\">"))
                && !page.body.contains("<b>"),
            "{path}: {}",
            page.body
        );
    }
    let (full, head) = (
        browser.get(path).await,
        browser.send(Method::HEAD, path, None, "").await,
    );
    assert_eq!((head.status, &*head.body), (StatusCode::OK, ""), "{path}");
    assert_eq!(
        browser.send(Method::DELETE, path, None, "").await.status,
        StatusCode::METHOD_NOT_ALLOWED,
        "{path}"
    );
    let stranger = harness.browser().get(path).await;
    assert_eq!(stranger.status, StatusCode::SEE_OTHER, "{path}");
    assert!(
        stranger.location().starts_with("/console/sign-in?"),
        "{path}: {}",
        stranger.location()
    );
    full
}

/// Asserts that a form has no effect without its session's token or with an unknown field.
pub async fn assert_guarded(
    browser: &mut Browser,
    other: &mut Browser,
    path: &str,
    fields: &[(&str, &str)],
) {
    let (own, others) = (token_of(browser).await, token_of(other).await);
    for token in [None, Some(""), Some(&*others)] {
        let fields: Vec<_> = token
            .map(|token| ("form_token", token))
            .into_iter()
            .chain(fields.iter().copied())
            .collect();
        let answer = browser.post(path, &fields).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}: {answer:?}");
        assert_safe(&answer);
    }
    let fields: Vec<_> = fields
        .iter()
        .copied()
        .chain([("form_token", &*own), ("owner", "me")])
        .collect();
    assert_eq!(
        browser.post(path, &fields).await.status,
        StatusCode::BAD_REQUEST,
        "{path}"
    );
}

/// Submits a form with the token of the browser's session.
pub async fn send(browser: &mut Browser, path: &str, fields: &[(&str, &str)]) -> TestResponse {
    let token = token_of(browser).await;
    let fields: Vec<_> = [("form_token", &*token)]
        .into_iter()
        .chain(fields.iter().copied())
        .collect();
    browser.post(path, &fields).await
}

async fn token_of(browser: &mut Browser) -> String {
    form_token(&browser.get("/").await.body)
}
