//! Signing in to the console and out of it.

use std::time::Duration;

use crate::browser::{Browser, Look};
use crate::installed::needs_browser;
use crate::world::*;

#[tokio::test]
async fn somebody_signs_in_and_out_with_and_without_scripts() {
    needs_browser!();
    let world = World::new().await;
    for browser in [Browser::open().await, Browser::without_scripts().await] {
        browser.go(&world.console("/")).await;
        assert!(browser.address().await.contains("/console/sign-in") && browser.title().await.contains("Haneul High School"));
        browser.fill("#email", EMAIL).await;
        browser.fill("#password", "wrong").await;
        browser.click("button.main").await;
        browser.waits_to_say("The e-mail address or the password is wrong.").await;
        assert_eq!((browser.property("#email", "value").await, browser.property("#password", "value").await), (EMAIL.into(), "".into()));
        world.sign_in(&browser, EMAIL).await;
        browser.waits_to_say("Start").await;
        assert_eq!(browser.address().await, world.console("/"));
        assert!(browser.text(".bar").await.contains(EMAIL));
        browser.click(".bar > .inside > .person form button").await;
        browser.waits_to_say("You are signed out").await;
        browser.go(&world.console("/")).await;
        assert!(browser.address().await.contains("/console/sign-in"));
        browser.close().await;
    }
}

#[tokio::test]
async fn whose_session_has_ended_signs_in_again() {
    needs_browser!();
    let (world, browser) = (World::new().await, Browser::open().await);
    world.enter(&browser, EMAIL, "/").await;
    world.clock.advance(Duration::from_secs(31 * 60));
    browser.click(".bar > .inside > .person form button").await;
    browser.waits_for("#password").await;
    assert!(browser.address().await.ends_with("done=ended"), "{}", browser.address().await);
    world.sign_in(&browser, EMAIL).await;
    browser.waits_for("form[action$='/sign-out']").await;
    browser.close().await;
}

#[tokio::test]
async fn somebody_signs_in_and_out_by_keyboard_alone() {
    needs_browser!();
    const TAB: &str = "\u{e004}";
    const ENTER: &str = "\u{e007}";
    let (world, browser) = (World::new().await, Browser::looking(Look { language: "en", ..Look::PHONE }).await);
    browser.go(&world.console("/")).await;
    for (stop, typed) in [("#email:focus", EMAIL), ("#password:focus", PASSWORD)] {
        browser.press(TAB).await;
        browser.waits_for(stop).await;
        browser.press(typed).await;
    }
    browser.press(ENTER).await;
    browser.waits_for("main#content").await;
    // Past the bar at once.
    browser.press(TAB).await;
    browser.waits_for(".skip:focus").await;
    browser.press(ENTER).await;
    browser.arrives(&world.console("/#content")).await;
    browser.go(&world.console("/")).await;
    for stop in [".skip:focus", ".brand:focus", ".menu > summary:focus"] {
        browser.press(TAB).await;
        browser.waits_for(stop).await;
    }
    browser.press(ENTER).await;
    browser.waits_for("details.menu[open]").await;
    let links = browser.run("return document.querySelectorAll('.sheet a').length", serde_json::json!([])).await.as_u64().unwrap();
    browser.press(&TAB.repeat(links as usize + 1)).await;
    browser.waits_for(".sheet button:focus").await;
    browser.press(ENTER).await;
    browser.waits_to_say("You are signed out").await;
    browser.close().await;
}
