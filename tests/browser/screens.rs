//! Pictures of the main pages, for `docs/screens/`. `scripts/browser --screens` keeps them; without that they are only looked at.

use std::path::PathBuf;
use std::{env, fs};

use crate::browser::{Browser, Look};
use crate::installed::needs_browser;
use crate::world::*;

/// What a picture may weigh, in bytes.
const LIMIT: usize = 100_000;

const PHONE: Look = Look { language: "ko", is_dark: false, width: 390, height: 844 };

/// A line a picture of a page of the console: its name, who looks how at which page.
const PICTURES: &[(&str, &str, Look, &str)] = &[("start", EMAIL, Look::WIDE, "/"), ("start-phone", EMAIL, PHONE, "/")];

#[tokio::test]
async fn pictures_of_the_main_pages_are_small() {
    needs_browser!();
    let (world, kept) = (World::new().await, folder());
    let browser = Browser::open().await;
    world.ask(&browser, EMAIL).await;
    let mut pictures = vec![("consent", browser.picture().await)];
    for (name, email, look, path) in PICTURES {
        browser.forget().await;
        browser.look(*look).await;
        world.enter(&browser, email, "/").await;
        browser.go(&world.console(&world.filled(path))).await;
        pictures.push((name, browser.picture().await));
    }
    browser.close().await;
    for (name, picture) in pictures {
        assert!(picture.starts_with(b"RIFF") && picture.len() < LIMIT, "{name} has {} bytes", picture.len());
        if let Some(folder) = &kept {
            fs::write(folder.join(name).with_extension("webp"), picture).unwrap();
        }
    }
}

/// Where the pictures are kept, if they are.
#[allow(clippy::disallowed_methods, reason = "the environment of the tests, not of the library")]
fn folder() -> Option<PathBuf> {
    env::var_os("LYCEUM_SCREENS").map(PathBuf::from)
}
