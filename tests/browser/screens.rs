//! Pictures of the main pages, for `docs/screens/`. `scripts/browser --screens` keeps them; without that they are only looked at.

use std::path::PathBuf;
use std::{env, fs};

use crate::browser::{Browser, Look};
use crate::installed::needs_browser;
use crate::world::*;

/// What a picture may weigh, in bytes.
const LIMIT: usize = 100_000;

const DARK: Look = Look { is_dark: true, ..Look::WIDE };
const KOREAN: Look = Look { language: "ko", ..Look::WIDE };
const PHONE: Look = Look { language: "ko", is_dark: false, width: 390, height: 844 };

const SCHOOL: Names = Names {
    site: "하늘고등학교",
    application: "방과후 학교",
    client: "하늘고 동아리 앱",
    key: "급식실 화면에 점심 메뉴 보이기",
    scopes: [("lessons_read", "내 방과후 수업 보기"), ("lessons_write", "방과후 수업을 신청하고 취소하기")],
};

/// A line a picture of a page of the console: its name, who looks how at which page.
const PICTURES: &[(&str, &str, Look, &str)] = &[
    ("start", EMAIL, KOREAN, "/"),
    ("start-phone", EMAIL, PHONE, "/"),
    ("key", EMAIL, Look::WIDE, "/keys/{key}"),
    ("client", EMAIL, Look::WIDE, "/clients/{client}/edit"),
    ("delete-preview", EMAIL, KOREAN, "/applications/{application}/delete"),
    ("data", EMAIL, Look::WIDE, "/data/students?grade=2"),
    ("audit", ADMIN, DARK, "/admin/audit"),
];

#[tokio::test]
async fn pictures_of_the_main_pages_are_small() {
    needs_browser!();
    let (world, kept) = (World::named(SCHOOL).await, folder());
    world.connect().await;
    world.use_key_for_a_month().await;
    let browser = Browser::looking(PHONE).await;
    world.ask(&browser, EMAIL).await;
    let mut pictures = vec![("consent-phone", browser.picture().await)];
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
