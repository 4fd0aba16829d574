//! The way from a client through sign-in and consent back to it.

use crate::browser::Browser;
use crate::installed::needs_browser;
use crate::support::query_of;
use crate::world::*;

/// From the client's link to tokens.
async fn the_whole_way(browser: Browser) {
    let world = World::new().await;
    browser.go(&world.authorize_all()).await;
    let page = browser.says().await;
    for text in ["Sign in", "to continue to Timetable for telephones", "You have 10 minutes left to sign in."] {
        assert!(page.contains(text), "{text} is missing in {page}");
    }
    world.sign_in(&browser, EMAIL).await;
    browser.waits_for("button[value=allow]").await;
    let page = browser.says().await;
    let host = world.callback.strip_prefix("http://").unwrap().strip_suffix("/callback").unwrap();
    for text in [
        "Allow Timetable for telephones?",
        "You are signed in as kim.haneul@school.example.",
        "See your lessons",
        "Change your lessons",
        "from School timetable",
        &format!("After this you return to {host}."),
        "You have 10 minutes left to decide.",
    ] {
        assert!(page.contains(text), "{text} is missing in {page}");
    }
    assert_eq!(world.codes_of_each(), [0, 0, 0]);
    browser.click("button[value=allow]").await;
    let address = browser.arrives(&world.callback).await;
    let query = query_of(&address);
    assert_eq!((&*query["state"], &*query["iss"]), ("of-the-client", &*format!("{}/auth", world.origin)));
    assert!(browser.says().await.contains("Back at the client"));
    let tokens = world.exchange(&address).await;
    assert_eq!(tokens.status, 200, "{}", tokens.body);
    assert!(tokens.json()["access_token"].is_string());
    assert_eq!(world.codes_of_each(), [1, 0, 0]);
    browser.close().await;
}

#[tokio::test]
async fn somebody_signs_in_and_allows_what_a_client_asks_for() {
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
async fn what_is_new_since_last_time_is_told_from_what_was_allowed() {
    needs_browser!();
    let (world, browser) = (World::new().await, Browser::open().await);
    world.connect().await;
    world.ask(&browser, EMAIL).await;
    assert_eq!(browser.text("#new + ul").await, "Change your lessons New\nfrom School timetable");
    assert_eq!(browser.text("#known + ul").await, "See your lessons\nfrom School timetable");
    assert!(browser.text("#new").await == "New since last time" && browser.text("#known").await == "Allowed before");
    browser.close().await;
}

/// Fails if the first one's sign-in, or form, is good for the second.
#[tokio::test]
async fn somebody_else_takes_over_on_the_consent_page() {
    needs_browser!();
    for browser in [Browser::open().await, Browser::without_scripts().await] {
        let world = World::new().await;
        world.ask(&browser, EMAIL).await;
        browser.click("button[value=switch]").await;
        browser.waits_for("#password").await;
        assert_eq!(browser.property("#email", "value").await, "");
        world.sign_in(&browser, OTHER).await;
        browser.waits_for("button[value=allow]").await;
        assert!(browser.says().await.contains(OTHER) && !browser.says().await.contains(EMAIL));
        browser.click("button[value=allow]").await;
        browser.arrives(&world.callback).await;
        assert_eq!(world.codes_of_each(), [0, 1, 0]);
        browser.close().await;
    }
}
