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
    assert_eq!(world.grants().await, 0);
    browser.click("button[value=allow]").await;
    let address = browser.arrives(&world.callback).await;
    let query = query_of(&address);
    assert_eq!((&*query["state"], &*query["iss"]), ("of-the-client", &*format!("{}/auth", world.origin)));
    assert!(browser.says().await.contains("Back at the client"));
    let tokens = world.exchange(&address).await;
    assert_eq!(tokens.status, 200, "{}", tokens.body);
    assert!(tokens.json()["access_token"].is_string());
    assert_eq!(world.grants().await, 1);
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
