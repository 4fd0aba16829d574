//! Consent that is not permitted, too late, repeated or from another browser.

use std::time::Duration;

use lyceum::http::Clock;
use serde_json::json;

use crate::browser::Browser;
use crate::harness::*;
use crate::prerequisites::needs_browser;
use crate::support::query_of;

const MINUTE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn denying_redirects_with_access_denied() {
    needs_browser!();
    for browser in [Browser::open().await, Browser::without_scripts().await] {
        let harness = Harness::new().await;
        harness.ask(&browser, EMAIL).await;
        browser.click("button[value=deny]").await;
        let query = query_of(&browser.wait_for_url(&harness.callback).await);
        assert_eq!(
            (&*query["error"], &*query["state"]),
            ("access_denied", "of-the-client")
        );
        assert!(!query.contains_key("code") && harness.codes_of_each() == [0, 0, 0]);
        // The consent was given, so its page cannot be shown again.
        browser.go(&harness.auth("/consent")).await;
        assert!(browser.visible_text().await.contains("Please start again"));
        browser.close().await;
    }
}

#[tokio::test]
async fn an_expired_session_asks_to_start_again() {
    needs_browser!();
    for browser in [Browser::open().await, Browser::without_scripts().await] {
        let harness = Harness::new().await;
        harness.ask(&browser, EMAIL).await;
        harness.clock.advance(11 * MINUTE);
        browser.click("button[value=allow]").await;
        browser.wait_for_text("Please start again").await;
        assert!(
            browser.address().await.starts_with(&harness.origin)
                && harness.codes_of_each() == [0, 0, 0]
        );

        browser.go(&harness.authorize_all()).await;
        harness.clock.advance(11 * MINUTE);
        harness.sign_in(&browser, EMAIL).await;
        browser.wait_for_text("Please start again").await;
        browser.close().await;
    }
}

/// Fails if an expired page still shows the remaining minutes.
#[tokio::test]
async fn the_page_itself_says_that_the_time_is_up() {
    needs_browser!();
    let (harness, browser) = (Harness::new().await, Browser::open().await);
    // By the browser's clock, the ten minutes are over.
    harness.clock.set(harness.clock.now().minus(20 * MINUTE));
    browser.go(&harness.authorize_all()).await;
    browser
        .wait_for_text("Time is up. Go back to the app and try again.")
        .await;
    browser.close().await;
}

// Proves: threats 22
/// Fails if a consent is bound to a URL, or any issued form is accepted.
#[tokio::test]
async fn the_consent_of_one_browser_is_worth_nothing_in_another() {
    needs_browser!();
    let (harness, one, other) = (
        Harness::new().await,
        Browser::open().await,
        Browser::open().await,
    );
    harness.ask(&one, EMAIL).await;
    let link = one.address().await;
    other.go(&link).await;
    assert!(other.visible_text().await.contains("Please start again"));

    harness.ask(&other, OTHER).await;
    for (mine, yours, person) in [(&one, &other, EMAIL), (&other, &one, OTHER)] {
        mine.go(&link).await;
        yours.go(&link).await;
        let token = yours.property("[name=form_token]", "value").await;
        mine.run(
            "document.getElementsByName('form_token')[0].value = arguments[0]",
            json!([token]),
        )
        .await;
        mine.click("button[value=allow]").await;
        mine.wait_for_text("This sign-in cannot continue").await;
        assert_eq!(
            harness.codes_of_each(),
            [0, 0, 0],
            "another browser's form gave consent for {person}"
        );
    }
    // Both can still submit their own form.
    one.go(&link).await;
    assert!(one.visible_text().await.contains(EMAIL) && !one.visible_text().await.contains(OTHER));
    one.click("button[value=allow]").await;
    let back = one.wait_for_url(&harness.callback).await;
    assert_eq!(harness.exchange(&back).await.status, 200);
    assert_eq!(harness.codes_of_each(), [1, 0, 0]);
    one.close().await;
    other.close().await;
}

/// Counts the submissions of a form whose main button is clicked twice. The submissions are
/// cancelled.
const SENT_OFF: &str = "let sent = 0;
    document.querySelector('form').addEventListener('submit', event => { sent += !event.defaultPrevented; event.preventDefault(); });
    for (const _ of [1, 2]) document.querySelector('button.main').click();
    return sent;";

/// Fails if the page's script does not suppress the second click.
#[tokio::test]
async fn a_double_click_consents_once() {
    needs_browser!();
    let (harness, browser) = (Harness::new().await, Browser::open().await);
    harness.ask(&browser, EMAIL).await;
    assert_eq!(browser.run(SENT_OFF, json!([])).await, 1);
    browser.go(&harness.auth("/consent")).await;
    browser.double_click("button[value=allow]").await;
    let back = browser.wait_for_url(&harness.callback).await;
    assert_eq!(harness.exchange(&back).await.status, 200);
    assert_eq!(harness.codes_of_each(), [1, 0, 0]);
    browser.close().await;
}

/// Without its script, the page cannot suppress the second click. The browser then shows the last
/// response.
#[tokio::test]
async fn a_double_click_without_scripts_consents_once() {
    needs_browser!();
    let (harness, browser) = (Harness::new().await, Browser::without_scripts().await);
    harness.ask(&browser, EMAIL).await;
    browser.double_click("button[value=allow]").await;
    browser.wait_for("html:not(:has(button))").await;
    assert!(
        browser.address().await.starts_with(&harness.callback)
            || browser
                .visible_text()
                .await
                .contains("or is already complete")
    );
    assert_eq!(harness.codes_of_each(), [1, 0, 0]);
    browser.close().await;
}

#[tokio::test]
async fn a_repeated_decision_says_so_and_changes_nothing() {
    needs_browser!();
    let (harness, browser) = (Harness::new().await, Browser::open().await);
    harness.ask(&browser, EMAIL).await;
    browser.click("button[value=allow]").await;
    browser.wait_for_url(&harness.callback).await;
    browser.back().await;
    browser.wait_for_url(&harness.origin).await;
    // The browser may restore the page, or request it again.
    if browser.has("button[value=allow]").await {
        browser.click("button[value=allow]").await;
    }
    browser.wait_for_text("or is already complete").await;
    assert_eq!(harness.codes_of_each(), [1, 0, 0]);
    browser.close().await;
}
