use http::StatusCode;
use http::header::{CONTENT_LANGUAGE, VARY};

use crate::harness::*;

#[tokio::test]
async fn pages_speak_the_language_that_the_browser_likes_best() {
    let harness = Harness::new().await;
    for (liked, code, words) in [
        ("ko-KR,ko;q=0.9,en;q=0.8", "ko", "로그인"),
        ("en-US,ko;q=0.5", "en", "Sign in"),
        ("fr", "en", "Sign in"),
    ] {
        let mut browser = harness.browser();
        browser.language = liked;
        let page = browser.get("/sign-in").await;
        assert!(
            page.body.contains(&format!("<html lang=\"{code}\">")) && page.body.contains(words),
            "{liked}: {}",
            page.body
        );
        assert_eq!(
            (page.header(CONTENT_LANGUAGE), page.header(VARY)),
            (code, "accept-language, cookie")
        );
    }
}

#[tokio::test]
async fn the_switch_is_remembered_and_leads_back_to_the_page() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    let page = browser.get("/?x=1").await;
    assert!(
        page.body.contains("href=\"/console/?x=1&#38;language=ko\""),
        "{}",
        page.body
    );
    let answer = browser.get("/?x=1&language=ko").await;
    assert_eq!(
        (answer.status, answer.location()),
        (StatusCode::SEE_OTHER, "/console/?x=1")
    );
    assert!(answer.cookies()[0].starts_with("lyceum-language=ko; Path=/; "));
    let page = browser.follow().await;
    assert!(page.body.contains("<html lang=\"ko\">") && page.body.contains("language=en"));
    // Also without a session, and after a form with an error.
    let failed = harness.browser().sign_in(EMAIL, "wrong").await;
    assert!(
        failed
            .body
            .contains("href=\"/console/sign-in?language=ko\""),
        "{}",
        failed.body
    );
}

// Proves: threats 14
/// Fails if the switch redirects to any path.
#[tokio::test]
async fn the_language_switch_redirects_to_own_pages_only() {
    let harness = Harness::new().await;
    for path in [
        "//evil.example/?language=ko",
        "/nowhere?language=ko",
        "/assets/x?language=ko",
    ] {
        let answer = harness.browser().get(path).await;
        assert_eq!(
            (answer.status, answer.location()),
            (StatusCode::NOT_FOUND, ""),
            "{path}"
        );
    }
    let answer = harness.browser().get("/sign-in?language=xx").await;
    assert_eq!(answer.status, StatusCode::OK, "the language is unknown");
}
