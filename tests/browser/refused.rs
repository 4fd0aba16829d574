//! What is not allowed, comes too late, twice, or from another browser.

use std::time::Duration;

use lyceum::http::Clock;
use serde_json::json;

use crate::browser::Browser;
use crate::installed::needs_browser;
use crate::support::query_of;
use crate::world::*;

const MINUTE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn who_denies_goes_back_and_the_client_is_told() {
    needs_browser!();
    for browser in [Browser::open().await, Browser::without_scripts().await] {
        let world = World::new().await;
        world.ask(&browser, EMAIL).await;
        browser.click("button[value=deny]").await;
        let query = query_of(&browser.arrives(&world.callback).await);
        assert_eq!((&*query["error"], &*query["state"]), ("access_denied", "of-the-client"));
        assert!(!query.contains_key("code") && world.codes_of_each() == [0, 0, 0]);
        // There is no way back to a consent that was answered.
        browser.go(&world.auth("/consent")).await;
        assert!(browser.says().await.contains("Please start again"));
        browser.close().await;
    }
}

#[tokio::test]
async fn whose_time_is_over_is_told_to_start_again() {
    needs_browser!();
    for browser in [Browser::open().await, Browser::without_scripts().await] {
        let world = World::new().await;
        world.ask(&browser, EMAIL).await;
        world.clock.advance(11 * MINUTE);
        browser.click("button[value=allow]").await;
        browser.waits_to_say("Please start again").await;
        assert!(browser.address().await.starts_with(&world.origin) && world.codes_of_each() == [0, 0, 0]);

        browser.go(&world.authorize_all()).await;
        world.clock.advance(11 * MINUTE);
        world.sign_in(&browser, EMAIL).await;
        browser.waits_to_say("Please start again").await;
        browser.close().await;
    }
}

/// Fails if the page goes on to say how many minutes are left.
#[tokio::test]
async fn the_page_itself_says_that_the_time_is_up() {
    needs_browser!();
    let (world, browser) = (World::new().await, Browser::open().await);
    // Ten minutes from then are over by the browser's own clock.
    world.clock.set(world.clock.now().minus(20 * MINUTE));
    browser.go(&world.authorize_all()).await;
    browser.waits_to_say("The time is up. Go back to the app and start again.").await;
    browser.close().await;
}

/// Fails if a consent belongs to an address, or to any form that was given out.
#[tokio::test]
async fn s22_the_consent_of_one_browser_is_worth_nothing_in_another() {
    needs_browser!();
    let (world, one, other) = (World::new().await, Browser::open().await, Browser::open().await);
    world.ask(&one, EMAIL).await;
    let link = one.address().await;
    other.go(&link).await;
    assert!(other.says().await.contains("Please start again"));

    world.ask(&other, OTHER).await;
    for (mine, yours, person) in [(&one, &other, EMAIL), (&other, &one, OTHER)] {
        mine.go(&link).await;
        yours.go(&link).await;
        let token = yours.property("[name=form_token]", "value").await;
        mine.run("document.getElementsByName('form_token')[0].value = arguments[0]", json!([token])).await;
        mine.click("button[value=allow]").await;
        mine.waits_to_say("This sign-in cannot go on").await;
        assert_eq!(world.codes_of_each(), [0, 0, 0], "the form of another allowed something to {person}");
    }
    // Both can still answer their own.
    one.go(&link).await;
    assert!(one.says().await.contains(EMAIL) && !one.says().await.contains(OTHER));
    one.click("button[value=allow]").await;
    let back = one.arrives(&world.callback).await;
    assert_eq!(world.exchange(&back).await.status, 200);
    assert_eq!(world.codes_of_each(), [1, 0, 0]);
    one.close().await;
    other.close().await;
}

/// How many forms a page sends off when its main button is pressed twice. They go nowhere.
const SENT_OFF: &str = "let sent = 0;
    document.querySelector('form').addEventListener('submit', event => { sent += !event.defaultPrevented; event.preventDefault(); });
    for (const _ of [1, 2]) document.querySelector('button.main').click();
    return sent;";

/// Fails if the page's script does not keep the second press back.
#[tokio::test]
async fn who_presses_twice_allows_once() {
    needs_browser!();
    let (world, browser) = (World::new().await, Browser::open().await);
    world.ask(&browser, EMAIL).await;
    assert_eq!(browser.run(SENT_OFF, json!([])).await, 1);
    browser.go(&world.auth("/consent")).await;
    browser.double_click("button[value=allow]").await;
    let back = browser.arrives(&world.callback).await;
    assert_eq!(world.exchange(&back).await.status, 200);
    assert_eq!(world.codes_of_each(), [1, 0, 0]);
    browser.close().await;
}

/// Without its script the page cannot keep the second press back. The browser then shows whichever answer came last.
#[tokio::test]
async fn who_presses_twice_without_scripts_allows_once_too() {
    needs_browser!();
    let (world, browser) = (World::new().await, Browser::without_scripts().await);
    world.ask(&browser, EMAIL).await;
    browser.double_click("button[value=allow]").await;
    browser.waits_for("html:not(:has(button))").await;
    assert!(browser.address().await.starts_with(&world.callback) || browser.says().await.contains("or was answered already"));
    assert_eq!(world.codes_of_each(), [1, 0, 0]);
    browser.close().await;
}

#[tokio::test]
async fn an_answer_that_is_given_again_says_so_and_changes_nothing() {
    needs_browser!();
    let (world, browser) = (World::new().await, Browser::open().await);
    world.ask(&browser, EMAIL).await;
    browser.click("button[value=allow]").await;
    browser.arrives(&world.callback).await;
    browser.back().await;
    browser.arrives(&world.origin).await;
    // The browser may show the page as it left it, or ask for it again.
    if browser.has("button[value=allow]").await {
        browser.click("button[value=allow]").await;
    }
    browser.waits_to_say("or was answered already").await;
    assert_eq!(world.codes_of_each(), [1, 0, 0]);
    browser.close().await;
}
