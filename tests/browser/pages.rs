//! Every page, in each language, light and dark, wide and narrow.

use serde_json::json;

use crate::accessibility::examine;
use crate::browser::{Browser, Display};
use crate::harness::*;
use crate::prerequisites::needs_browser;

/// User of a console page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    Nobody,
    /// Owner of the application, the client and the key.
    Owner,
    Administrator,
}

/// Method of opening a page.
#[derive(Debug, Clone, Copy)]
enum Way {
    /// By its URL.
    Open,
    /// By submitting its form empty, without the browser's validation.
    SendNothing,
}

use Way::{Open, SendNothing};
use Who::{Administrator, Nobody, Owner};

/// Console pages, one per line. `{application}`, `{scope}`, `{client}`, `{key}`, `{person}` and
/// `{password link}` stand for what the harness has.
const PAGES: &[(Who, Way, &str)] = &[
    (Nobody, Open, "/sign-in?next=%2F&done=first"),
    (Nobody, SendNothing, "/sign-in"),
    (Nobody, Open, "{password link}"),
    (Nobody, SendNothing, "{password link}"),
    (Nobody, Open, "/password-link?token=none"), // 404
    (Owner, Open, "/"),
    (Owner, Open, "/nothing-is-here"),
    (Owner, Open, "/apps"),
    (Owner, Open, "/apps/{client}/withdraw"),
    (Owner, Open, "/account"),
    (Owner, Open, "/account/password"),
    (Owner, SendNothing, "/account/password"),
    (Owner, Open, "/account/sign-out-everywhere"),
    (Owner, Open, "/keys"),
    (Owner, Open, "/keys/new"),
    (Owner, SendNothing, "/keys/new"),
    (Owner, Open, "/keys/{key}"),
    (Owner, Open, "/keys/{key}/renew"),
    (Owner, Open, "/keys/{key}/edit"),
    (Owner, Open, "/keys/{key}/revoke"),
    (Owner, Open, "/applications"),
    (Owner, Open, "/applications/new"),
    (Owner, SendNothing, "/applications/new"),
    (Owner, Open, "/applications/{application}?done=created"),
    (Owner, Open, "/applications/{application}/edit"),
    (Owner, Open, "/applications/{application}/delete"),
    (Owner, Open, "/applications/{application}/scopes/new"),
    (Owner, SendNothing, "/applications/{application}/scopes/new"),
    (Owner, Open, "/applications/{application}/scopes/{scope}"),
    (
        Owner,
        Open,
        "/applications/{application}/scopes/{scope}/edit",
    ),
    (
        Owner,
        Open,
        "/applications/{application}/scopes/{scope}/delete",
    ),
    (
        Owner,
        Open,
        "/applications/{application}/scopes/{scope}/clients/{client}/withdraw",
    ),
    (Owner, Open, "/clients"),
    (Owner, Open, "/clients/new"),
    (Owner, SendNothing, "/clients/new"),
    (Owner, Open, "/clients/{client}"),
    (Owner, Open, "/clients/{client}/edit"),
    (Owner, Open, "/clients/{client}/scopes"),
    (Owner, Open, "/applications/requests"),
    (Owner, Open, "/clients/{client}/activity"),
    (Owner, Open, "/keys/{key}/activity"),
    (Owner, Open, "/requests?id=nothing"),
    (Owner, Open, "/clients/{client}/delete"),
    (Owner, Open, "/clients/{client}/secrets/new"),
    (Owner, Open, "/data/students"),
    (Owner, Open, "/data/students?grade=2&_rows=dense&size=2"), // with chips and a pager
    (Owner, Open, "/data/students?grade=nine"),                 // 400
    (Owner, Open, "/data/students?name=nobody"),                // empty
    (Owner, Open, "/data/students/1"),
    (Owner, Open, "/data/clubs/1"),
    (Owner, Open, "/data/projects/1"),
    (Owner, Open, "/data/clubs"),
    (Owner, Open, "/data/projects"),
    (Owner, Open, "/data/meals"),
    (Owner, Open, "/data/schedules"),
    (Owner, Open, "/data/timetables"),
    (Owner, Open, "/week"),
    (Owner, Open, "/week/meals"),
    (Owner, Open, "/month"),
    (Owner, Open, "/admin/people"), // 403
    (Administrator, Open, "/"),
    (Administrator, Open, "/data/students"), // without a key
    (Administrator, Open, "/week"),          // without a key
    (Administrator, Open, "/keys"),          // empty
    (Administrator, Open, "/keys/new"),      // with a limit
    (Administrator, Open, "/clients"),       // empty
    (Administrator, Open, "/applications"),  // empty
    (Administrator, Open, "/apps"),          // empty
    (Administrator, Open, "/clients/new"),   // with the settings of administrators
    (Administrator, Open, "/admin/people"),
    (Administrator, Open, "/admin/people?q=nobody-has-this"),
    (Administrator, Open, "/admin/people/new"),
    (Administrator, SendNothing, "/admin/people/new"),
    (Administrator, Open, "/admin/people/{person}"),
    (Administrator, Open, "/admin/people/{person}/remove"),
    (Administrator, Open, "/admin/school/students"),
    (Administrator, Open, "/admin/school/clubs"),
    (Administrator, Open, "/admin/school/students?grade=9"),
    (Administrator, Open, "/admin/school/students/new"),
    (Administrator, SendNothing, "/admin/school/students/new"),
    (Administrator, Open, "/admin/school/students/1"),
    (Administrator, Open, "/admin/school/clubs/1"),
    (Administrator, Open, "/admin/school/projects/1"),
    (Administrator, Open, "/admin/school/students/change"), // nothing selected
    (
        Administrator,
        Open,
        "/admin/school/students/change?id=1&id=2",
    ),
    (
        Administrator,
        Open,
        "/admin/school/students/change?id=1&action=graduate",
    ),
    (Administrator, Open, "/admin/school/students?grade=2"),
    (
        Administrator,
        Open,
        "/admin/school/students/change?all=true&filter=grade%3D2&count=1&version=0",
    ),
    (Administrator, Open, "/admin/school/students/import"),
    (Administrator, Open, "/admin/year"),
    (Administrator, Open, "/admin/year/turn?reset_roles=true"),
    (Administrator, Open, "/admin/school/history"), // empty
    (Administrator, Open, "/admin/school/history?class=x"),
    (Administrator, Open, "/admin/keys"),
    (Administrator, Open, "/admin/applications"),
    (Administrator, Open, "/admin/clients"),
    (Administrator, Open, "/admin/waiting"),
    (Administrator, Open, "/clients/{client}/verify"),
    (Administrator, Open, "/clients/{client}/unverify"),
    (Administrator, Open, "/admin/sync"), // 404
    (Administrator, Open, "/admin/audit"),
    (Administrator, Open, "/admin/audit/explain?id=7z"),
];

/// Together, these tests cover each pair of a language, a brightness and a width.
#[tokio::test]
async fn every_page_in_english_light_and_wide() {
    needs_browser!();
    every_page(Display {
        language: "en",
        is_dark: false,
        width: 1280,
        height: 800,
    })
    .await;
}

#[tokio::test]
async fn every_page_in_korean_dark_and_wide() {
    needs_browser!();
    every_page(Display {
        language: "ko",
        is_dark: true,
        width: 1280,
        height: 800,
    })
    .await;
}

#[tokio::test]
async fn every_page_in_korean_light_and_narrow() {
    needs_browser!();
    every_page(Display {
        language: "ko",
        is_dark: false,
        width: 320,
        height: 640,
    })
    .await;
}

#[tokio::test]
async fn every_page_in_english_dark_and_narrow() {
    needs_browser!();
    every_page(Display {
        language: "en",
        is_dark: true,
        width: 390,
        height: 844,
    })
    .await;
}

async fn every_page(display: Display) {
    let harness = Harness::new().await;
    harness.connect().await;
    let browser = Browser::with_display(display).await;
    for who in [Nobody, Owner, Administrator] {
        match who {
            Nobody => {}
            Owner => harness.enter(&browser, EMAIL, "/").await,
            Administrator => {
                browser.clear_cookies().await;
                harness.enter(&browser, ADMIN, "/").await;
            }
        }
        for (_, way, path) in PAGES.iter().filter(|(whose, ..)| *whose == who) {
            browser.go(&harness.console(&harness.filled(path))).await;
            if let SendNothing = way {
                browser
                    .run(
                        "for (const form of document.forms) form.noValidate = true;",
                        json!([]),
                    )
                    .await;
                browser.click("main form button.main").await;
                browser.wait_for("[role=alert]").await;
            }
            examine(&browser, display, &format!("{path} for {who:?}, {way:?}")).await;
        }
    }
    browser.clear_cookies().await;
    on_the_way_to_a_client(&harness, &browser, display).await;
    browser.close().await;
}

/// Pages of the authorization server.
async fn on_the_way_to_a_client(harness: &Harness, browser: &Browser, display: Display) {
    browser.go(&harness.authorize_all()).await;
    examine(browser, display, "sign-in on the way to a client").await;
    browser.fill("#email", "nobody@school.example").await;
    browser.fill("#password", "wrong").await;
    browser.click("button.main").await;
    browser.wait_for("[role=alert]").await;
    examine(browser, display, "sign-in after a wrong password").await;
    harness.sign_in(browser, OTHER).await;
    browser.wait_for("button[value=allow]").await;
    examine(browser, display, "consent").await;
    harness.ask(browser, EMAIL).await;
    browser.wait_for(".badge.new").await;
    examine(browser, display, "consent to more than before").await;
    browser.go(&harness.authorize_all()).await;
    browser.wait_for("details.other").await;
    examine(browser, display, "sign-in of a user who is signed in").await;
    browser.clear_cookies().await;
    browser.go(&harness.auth("/consent")).await;
    examine(browser, display, "a sign-in that has ended").await;
    browser
        .go(&harness.auth("/authorize?client_id=nobody"))
        .await;
    examine(browser, display, "a link that asks for nonsense").await;
}
