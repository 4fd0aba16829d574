//! Korean and English.

use crate::browser::{Browser, Look};
use crate::installed::needs_browser;
use crate::world::*;

const SWITCH: &str = "a[hreflang]";

/// Fails if the choice lasts for one page only, or the way to a client is lost by it.
#[tokio::test]
async fn pages_speak_what_the_browser_likes_until_somebody_chooses() {
    needs_browser!();
    for (language, question, other, other_question) in [
        ("ko", "Timetable for telephones에 접근을 허용할까요?", "en", "Allow Timetable for telephones?"),
        ("en", "Allow Timetable for telephones?", "ko", "Timetable for telephones에 접근을 허용할까요?"),
    ] {
        let (world, browser) = (World::new().await, Browser::looking(Look { language, ..Look::WIDE }).await);
        world.ask(&browser, EMAIL).await;
        assert_eq!((browser.text("h1").await, browser.property("html", "lang").await), (question.to_owned(), language.into()));
        browser.click(SWITCH).await;
        browser.waits_for(&format!("html[lang={other}]")).await;
        assert_eq!((browser.text("h1").await, browser.address().await), (other_question.to_owned(), world.auth("/consent")));
        browser.go(&world.console("/sign-in?next=%2F%3Fdone%3Dout")).await;
        assert_eq!(browser.property("html", "lang").await, other);
        browser.click(SWITCH).await;
        browser.waits_for(&format!("html[lang={language}]")).await;
        // What the address asked for besides is still there.
        world.sign_in(&browser, EMAIL).await;
        browser.waits_for("form[action$='/sign-out']").await;
        assert_eq!(browser.address().await, world.console("/?done=out"));
        browser.close().await;
    }
}
