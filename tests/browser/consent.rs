//! Authorization from the client through sign-in and consent back to the client.

use crate::browser::Browser;
use crate::harness::*;
use crate::prerequisites::needs_browser;
use crate::support::query_of;

/// From the client's link to tokens.
async fn the_whole_way(browser: Browser) {
    let harness = Harness::new().await;
    browser.go(&harness.authorize_all()).await;
    let page = browser.visible_text().await;
    for text in [
        "Sign in",
        "to continue to Timetable for telephones",
        "You have 10 minutes left to sign in.",
    ] {
        assert!(page.contains(text), "{text} is missing in {page}");
    }
    harness.sign_in(&browser, EMAIL).await;
    browser.wait_for("button[value=allow]").await;
    let page = browser.visible_text().await;
    let host = harness
        .callback
        .strip_prefix("http://")
        .unwrap()
        .strip_suffix("/callback")
        .unwrap();
    for text in [
        "Timetable for telephones wants to access your Haneul High School account",
        "kim.haneul@school.example",
        "An app by kim.haneul@school.example",
        "See your lessons",
        "Change your lessons",
        "from School timetable",
        &format!("You will be redirected to {host}."),
        "You have 10 minutes left to decide.",
    ] {
        assert!(page.contains(text), "{text} is missing in {page}");
    }
    assert_eq!(harness.codes_of_each(), [0, 0, 0]);
    browser.click("button[value=allow]").await;
    let address = browser.wait_for_url(&harness.callback).await;
    let query = query_of(&address);
    assert_eq!(
        (&*query["state"], &*query["iss"]),
        ("of-the-client", &*format!("{}/auth", harness.origin))
    );
    assert!(browser.visible_text().await.contains("Back at the client"));
    let tokens = harness.exchange(&address).await;
    assert_eq!(tokens.status, 200, "{}", tokens.body);
    assert!(tokens.json()["access_token"].is_string());
    assert_eq!(harness.codes_of_each(), [1, 0, 0]);
    browser.close().await;
}

#[tokio::test]
async fn a_user_signs_in_and_consents_to_a_client() {
    needs_browser!();
    the_whole_way(Browser::open().await).await;
}

/// Fails if a page needs its script.
#[tokio::test]
async fn the_same_works_without_scripts() {
    needs_browser!();
    the_whole_way(Browser::without_scripts().await).await;
}

#[tokio::test]
async fn consent_distinguishes_new_scopes_from_granted_ones() {
    needs_browser!();
    let (harness, browser) = (Harness::new().await, Browser::open().await);
    harness.connect().await;
    harness.ask(&browser, EMAIL).await;
    assert_eq!(
        browser.text("#new + ul").await,
        "Change your lessons New\nfrom School timetable"
    );
    browser.click("#known").await;
    assert_eq!(
        browser.text("#known + ul").await,
        "See your lessons\nfrom School timetable"
    );
    assert!(
        browser.text("#new").await == "New permissions"
            && browser.text("#known").await == "1 permission already allowed"
    );
    browser.close().await;
}

/// Fails if the first user's session or form is valid for the second user.
#[tokio::test]
async fn another_user_can_sign_in_on_the_consent_page() {
    needs_browser!();
    for browser in [Browser::open().await, Browser::without_scripts().await] {
        let harness = Harness::new().await;
        harness.ask(&browser, EMAIL).await;
        browser.click("button[value=switch]").await;
        browser.wait_for("#password").await;
        assert_eq!(browser.property("#email", "value").await, "");
        harness.sign_in(&browser, OTHER).await;
        browser.wait_for("button[value=allow]").await;
        assert!(browser.text(".who").await.contains(OTHER));
        browser.click("button[value=allow]").await;
        browser.wait_for_url(&harness.callback).await;
        assert_eq!(harness.codes_of_each(), [0, 1, 0]);
        browser.close().await;
    }
}

/// Fails if a user of the web interface has to sign in again for an app.
#[tokio::test]
async fn a_signed_in_user_continues_with_one_click() {
    needs_browser!();
    for browser in [Browser::open().await, Browser::without_scripts().await] {
        let harness = Harness::new().await;
        harness.enter(&browser, EMAIL, "/").await;
        browser.go(&harness.authorize_all()).await;
        browser.wait_for_text("Continue as").await;
        let button = browser.text("main form button.main").await;
        assert_eq!(button, format!("Continue as {EMAIL}"));
        browser.click("main form button.main").await;
        browser.wait_for("button[value=allow]").await;
        browser.close().await;
    }
}
