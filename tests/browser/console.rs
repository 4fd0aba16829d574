//! Sign-in and sign-out of the console.

use std::time::Duration;

use crate::browser::{Browser, Display};
use crate::harness::*;
use crate::prerequisites::needs_browser;

#[tokio::test]
async fn a_user_signs_in_and_out_with_and_without_scripts() {
    needs_browser!();
    let harness = Harness::new().await;
    for browser in [Browser::open().await, Browser::without_scripts().await] {
        browser.go(&harness.console("/")).await;
        assert!(
            browser.address().await.contains("/console/sign-in")
                && browser.title().await.contains("Haneul High School")
        );
        browser.fill("#email", EMAIL).await;
        browser.fill("#password", "wrong").await;
        browser.click("button.main").await;
        browser
            .wait_for_text("Incorrect email address or password.")
            .await;
        assert_eq!(
            (
                browser.property("#email", "value").await,
                browser.property("#password", "value").await
            ),
            (EMAIL.into(), "".into())
        );
        harness.sign_in(&browser, EMAIL).await;
        browser.wait_for_text("Home").await;
        assert_eq!(browser.address().await, harness.console("/"));
        assert!(browser.text(".side").await.contains(EMAIL));
        browser.click(".side form button").await;
        browser.wait_for_text("You are signed out").await;
        browser.go(&harness.console("/")).await;
        assert!(browser.address().await.contains("/console/sign-in"));
        browser.close().await;
    }
}

#[tokio::test]
async fn an_ended_session_leads_to_the_sign_in_page() {
    needs_browser!();
    let (harness, browser) = (Harness::new().await, Browser::open().await);
    harness.enter(&browser, EMAIL, "/").await;
    harness.clock.advance(Duration::from_secs(31 * 60));
    browser.click(".side form button").await;
    browser.wait_for("#password").await;
    assert!(
        browser.address().await.ends_with("done=ended"),
        "{}",
        browser.address().await
    );
    harness.sign_in(&browser, EMAIL).await;
    browser.wait_for("form[action$='/sign-out']").await;
    browser.close().await;
}

#[tokio::test]
async fn a_user_signs_in_and_out_by_keyboard_alone() {
    needs_browser!();
    const TAB: &str = "\u{e004}";
    const ENTER: &str = "\u{e007}";
    let (harness, browser) = (
        Harness::new().await,
        Browser::with_display(Display {
            language: "en",
            ..Display::PHONE
        })
        .await,
    );
    browser.go(&harness.console("/")).await;
    // The page begins at its first field.
    browser.wait_for("#email:focus").await;
    browser.press(EMAIL).await;
    browser.press(TAB).await;
    browser.wait_for("#password:focus").await;
    browser.press(PASSWORD).await;
    browser.press(ENTER).await;
    browser.wait_for("main#content").await;
    // Skips the navigation bar.
    browser.press(TAB).await;
    browser.wait_for(".skip:focus").await;
    browser.press(ENTER).await;
    browser.wait_for_url(&harness.console("/#content")).await;
    browser.go(&harness.console("/")).await;
    for stop in [".skip:focus", ".brand:focus", ".tabbar > a:focus"] {
        browser.press(TAB).await;
        browser.wait_for(stop).await;
    }
    browser.press(&TAB.repeat(4)).await;
    browser.wait_for(".menu > summary:focus").await;
    browser.press(ENTER).await;
    browser.wait_for("details.menu[open]").await;
    let links = browser
        .run(
            "return document.querySelectorAll('.everything a').length",
            serde_json::json!([]),
        )
        .await
        .as_u64()
        .unwrap();
    browser.press(&TAB.repeat(links as usize + 1)).await;
    browser.wait_for(".everything button:focus").await;
    browser.press(ENTER).await;
    browser.wait_for_text("You are signed out").await;
    browser.close().await;
}
