//! Every page, in each language, light and dark, wide and narrow.

use serde_json::json;

use crate::accessibility::examine;
use crate::browser::{Browser, Display};
use crate::harness::*;
use crate::page_list::Way::SendNothing;
use crate::page_list::Who::{Administrator, Nobody, Owner};
use crate::page_list::pages_of;
use crate::prerequisites::needs_browser;

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
    on_the_way_to_an_unverified_client(&harness, &browser, display).await;
    for who in [Nobody, Owner, Administrator] {
        browser.clear_cookies().await;
        match who {
            Nobody => {}
            Owner => harness.enter(&browser, EMAIL, "/").await,
            Administrator => harness.enter(&browser, ADMIN, "/").await,
        }
        for (way, path) in pages_of(who) {
            browser.go(&harness.console(&harness.filled(path))).await;
            if let SendNothing = way {
                send_nothing(&browser, "main form button.main").await;
            }
            examine(&browser, display, &format!("{path} for {who:?}, {way:?}")).await;
        }
        match who {
            Nobody => too_many_sign_ins(&harness, &browser, display).await,
            Owner => forms_of_the_owner(&harness, &browser, display).await,
            Administrator => forms_of_the_administrator(&harness, &browser, display).await,
        }
    }
    browser.clear_cookies().await;
    on_the_way_to_a_client(&harness, &browser, display).await;
    let reference = match display.language {
        "ko" => "/v1/docs/ko",
        _ => "/v1/docs",
    };
    browser.go(&format!("{}{reference}", harness.origin)).await;
    examine(&browser, display, reference).await;
    browser.close().await;
}

/// Empties the fields of a button's form and submits it.
async fn send_nothing(browser: &Browser, button: &str) {
    let script = "const { form } = document.querySelector(arguments[0]);
        form.noValidate = true;
        for (const field of form.elements) {
          if (['text', 'number', 'password', 'email'].includes(field.type) || field.localName === 'textarea') field.value = '';
        }";
    browser.run(script, json!([button])).await;
    browser.click(button).await;
    browser.wait_for("[role=alert]").await;
}

/// Sign-in pages of an account that was tried too often.
async fn too_many_sign_ins(harness: &Harness, browser: &Browser, display: Display) {
    let pages = [
        ("the console", harness.console("/sign-in")),
        ("a client", harness.authorize_all()),
    ];
    for (what, url) in pages {
        browser.go(&url).await;
        for _ in 0..20 {
            browser.fill("#email", "blocked@school.example").await;
            browser.fill("#password", "wrong").await;
            // The message of this page is not that of the next.
            let forget = "document.querySelectorAll('[role=alert]').forEach(it => it.remove())";
            browser.run(forget, json!([])).await;
            browser
                .click("form:has(#password) button:not([type])")
                .await;
            browser.wait_for("[role=alert], main strong.code").await;
            if browser.status().await == 429 {
                break;
            }
        }
        assert_eq!(browser.status().await, 429, "{what}");
        let page = format!("sign-in of {what} after too many attempts");
        examine(browser, display, &page).await;
    }
}

/// Pages that answer the forms of the client's owner.
async fn forms_of_the_owner(harness: &Harness, browser: &Browser, display: Display) {
    let open = async |path: &str| browser.go(&harness.console(&harness.filled(path))).await;
    let answers = [
        ("/keys/{key}/renew", "main form button.main", "#secret"),
        (
            "/keys/{key}",
            "form[action$='/calendars'] button",
            "main .once",
        ),
        (
            "/clients/{client}/secrets/new",
            "main form button",
            "#secret",
        ),
    ];
    for (path, button, shown) in answers {
        open(path).await;
        browser.press_button(button).await;
        browser.wait_for(shown).await;
        examine(browser, display, &format!("the secret of {path}")).await;
    }
    for path in [
        "/keys/{key}?done=shown-before",
        "/clients/{client}?done=shown-before",
        "/clients/{client}/secrets/older",
    ] {
        open(path).await;
        examine(browser, display, &format!("{path} with two secrets")).await;
    }
    let scope = harness.scope_with_approval().await;
    open("/clients/{client}/scopes").await;
    send_nothing(browser, "main form button.main").await;
    examine(browser, display, "a request for no scope").await;
    browser.click(&format!("#scope-{scope}")).await;
    browser.fill("#reason", "For the library").await;
    browser.click("main form button.main").await;
    browser.wait_for("main table.waits").await;
    examine(browser, display, "a request for a scope").await;
}

/// Pages that answer the forms of administrators.
async fn forms_of_the_administrator(harness: &Harness, browser: &Browser, display: Display) {
    let open = async |path: &str| browser.go(&harness.console(&harness.filled(path))).await;
    open("/admin/waiting").await;
    browser.click("details.refuse > summary").await;
    send_nothing(browser, "form[action$='/refuse'] button").await;
    examine(browser, display, "a refusal without a reason").await;
    open("/admin/waiting").await;
    browser.click("form[action$='/verify'] button").await;
    browser.wait_for_address("done=verified").await;
    examine(browser, display, "waiting, after a client was verified").await;

    open("/admin/people/{person}").await;
    browser.click("form[action$='/password'] button").await;
    browser.wait_for("#secret").await;
    examine(browser, display, "a generated password").await;
    open("/admin/people/invite").await;
    browser
        .fill("#addresses", "one@school.example\nno address")
        .await;
    browser.click("main form button.main").await;
    browser.wait_for("form[action$='/create']").await;
    examine(browser, display, "checked invitations").await;
    browser.click("form[action$='/create'] button.main").await;
    browser.wait_for("main .once, main table").await;
    examine(browser, display, "invitations").await;

    let table = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    std::fs::write(table.path(), "id,name\n1,\n").unwrap();
    open("/admin/school/clubs/import").await;
    browser
        .choose_file("#file", table.path().to_str().unwrap())
        .await;
    browser.click("main form button.main").await;
    browser
        .wait_for("main form[action$='/plan'], [role=alert]")
        .await;
    examine(browser, display, "the plan of an import").await;

    open("/admin/year/turn").await;
    browser.click("main form button.main").await;
    browser.wait_for_address("done=year-turned").await;
    examine(browser, display, "a turned school year").await;
    open("/admin/year/undo").await;
    examine(browser, display, "the way back from a turn").await;
}

/// Consent to a client that no administrator has verified, and its errors.
async fn on_the_way_to_an_unverified_client(
    harness: &Harness,
    browser: &Browser,
    display: Display,
) {
    let url = harness.authorize_client(harness.waiting_client, &[&harness.scopes[0]]);
    browser.go(&format!("{url}&prompt=none")).await;
    browser.wait_for("main a.button[rel=noreferrer]").await;
    examine(browser, display, "an error of an unverified client").await;
    browser.go(&url).await;
    harness.sign_in(browser, OTHER).await;
    browser.wait_for("button[value=allow]").await;
    assert!(browser.has(".registered .badge.warning").await);
    examine(browser, display, "consent to an unverified client").await;
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
    // The other user's password was replaced.
    harness.sign_in(browser, ADMIN).await;
    browser.wait_for("button[value=allow]").await;
    examine(browser, display, "consent").await;
    harness.ask(browser, EMAIL).await;
    browser.wait_for(".badge.new").await;
    examine(browser, display, "consent to more than before").await;
    browser.click("button[value=allow]").await;
    browser.wait_for_url(&harness.callback).await;
    let verified = harness.authorize_client(harness.waiting_client, &[&harness.scopes[0]]);
    browser.go(&verified).await;
    browser.click("main form button.main").await;
    browser.wait_for(".registered .badge.good").await;
    examine(browser, display, "consent to a verified client").await;
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
