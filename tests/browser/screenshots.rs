//! Screenshots of the main pages for `docs/screens/`. `scripts/browser --screens` stores them;
//! other runs only check them.

use std::path::PathBuf;
use std::{env, fs};

use crate::browser::{Browser, Display};
use crate::harness::*;
use crate::prerequisites::needs_browser;

/// Maximum size of a screenshot, in bytes.
const LIMIT: usize = 100_000;

const DARK: Display = Display {
    is_dark: true,
    ..Display::WIDE
};

/// Screenshots of console pages, one per line: name, user, display and page.
const SCREENSHOTS: &[(&str, &str, Display, &str)] = &[
    ("start", EMAIL, Display::KOREAN, "/"),
    ("start-phone", EMAIL, Display::USUAL_PHONE, "/"),
    ("key", EMAIL, Display::WIDE, "/keys/{key}"),
    ("data", EMAIL, Display::WIDE, "/data/students?grade=2"),
    ("week", EMAIL, Display::KOREAN, "/week?grade=2&classNum=1"),
    ("meals-phone", EMAIL, Display::USUAL_PHONE, "/week/meals"),
    ("audit", ADMIN, DARK, "/admin/audit"),
];

#[tokio::test]
async fn pictures_of_the_main_pages_are_small() {
    needs_browser!();
    let (harness, kept) = (Harness::with_names(SCHOOL).await, folder());
    harness.connect().await;
    harness.use_key_for_a_month().await;
    let browser = Browser::with_display(Display::USUAL_PHONE).await;
    harness.ask(&browser, EMAIL).await;
    let mut pictures = vec![("consent-phone", browser.screenshot().await)];
    for (name, email, display, path) in SCREENSHOTS {
        browser.clear_cookies().await;
        browser.set_display(*display).await;
        harness.enter(&browser, email, "/").await;
        browser.go(&harness.console(&harness.filled(path))).await;
        pictures.push((name, browser.screenshot().await));
    }
    browser.close().await;
    for (name, picture) in pictures {
        assert!(
            picture.starts_with(b"RIFF") && picture.len() < LIMIT,
            "{name} has {} bytes",
            picture.len()
        );
        if let Some(folder) = &kept {
            fs::write(folder.join(name).with_extension("webp"), picture).unwrap();
        }
    }
}

/// Folder for the screenshots, if they are stored.
#[allow(
    clippy::disallowed_methods,
    reason = "the environment of the tests, not of the library"
)]
fn folder() -> Option<PathBuf> {
    env::var_os("LYCEUM_SCREENS").map(PathBuf::from)
}
