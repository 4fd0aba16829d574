//! Korean and English pages.

use crate::browser::{Browser, Display};
use crate::harness::*;
use crate::prerequisites::needs_browser;

const SWITCH: &str = "a[hreflang]";

/// Fails if the choice of a language applies to one page only, or loses the authorization request.
#[tokio::test]
async fn pages_follow_accept_language_until_the_user_chooses() {
    needs_browser!();
    for (language, question, other, other_question) in [
        (
            "ko",
            "Timetable for telephones 앱이 내 Haneul High School 계정에 접근하도록 허용할까요?",
            "en",
            "Timetable for telephones wants to access your Haneul High School account",
        ),
        (
            "en",
            "Timetable for telephones wants to access your Haneul High School account",
            "ko",
            "Timetable for telephones 앱이 내 Haneul High School 계정에 접근하도록 허용할까요?",
        ),
    ] {
        let (harness, browser) = (
            Harness::new().await,
            Browser::with_display(Display {
                language,
                ..Display::WIDE
            })
            .await,
        );
        harness.ask(&browser, EMAIL).await;
        assert_eq!(
            (
                browser.text("h1").await,
                browser.property("html", "lang").await
            ),
            (question.to_owned(), language.into())
        );
        browser.click(SWITCH).await;
        browser.wait_for(&format!("html[lang={other}]")).await;
        assert_eq!(
            (browser.text("h1").await, browser.address().await),
            (other_question.to_owned(), harness.auth("/consent"))
        );
        browser.go(&harness.console("/")).await;
        browser.click(".side form button").await;
        browser.wait_for("#password").await;
        browser
            .go(&harness.console("/sign-in?next=%2F%3Fdone%3Dout"))
            .await;
        assert_eq!(browser.property("html", "lang").await, other);
        browser.click(SWITCH).await;
        browser.wait_for(&format!("html[lang={language}]")).await;
        // The other query parameters stay.
        harness.sign_in(&browser, EMAIL).await;
        browser.wait_for("form[action$='/sign-out']").await;
        assert_eq!(browser.address().await, harness.console("/?done=out"));
        browser.close().await;
    }
}
