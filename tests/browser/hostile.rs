//! Hostile texts in every field.

use serde_json::json;

use crate::accessibility::{examine, examine_structure};
use crate::browser::{Browser, Display};
use crate::harness::*;
use crate::prerequisites::needs_browser;
use crate::support::{encode, query_of};

const IMAGE: &str = "\"><img src=x onerror=alert(1)><script>alert(2)</script>";
const BRACES: &str = "{{7*7}}${7*7}<%= 7*7 %>{% raw %}'-alert(3)-'";
const TURNED: &str = "\u{202e}gpj.tpircs\u{202d} \u{2066}exe";
/// Of maximum length, without a place to break.
const LONG: &str = concat!(
    "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww",
    "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww",
    "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww",
);

/// Console pages that show names. Names in braces stand for ids of the harness.
const PAGES: &[&str] = &[
    "/",
    "/apps",
    "/apps/{client}/withdraw",
    "/keys",
    "/keys/{key}",
    "/keys/{key}/renew",
    "/keys/{key}/revoke",
    "/applications",
    "/applications/{application}",
    "/applications/{application}/edit",
    "/applications/{application}/delete",
    "/applications/{application}/scopes/{scope}",
    "/applications/{application}/scopes/{scope}/delete",
    "/clients",
    "/clients/new",
    "/clients/{client}",
    "/clients/{client}/edit",
    "/clients/{client}/delete",
];

// Proves: threats 37
/// Fails if a name is interpreted as markup, changes the direction of the text around it, or breaks
/// the layout on a phone.
#[tokio::test]
async fn names_are_only_names() {
    needs_browser!();
    let display = Display {
        language: "en",
        ..Display::PHONE
    };
    let browser = Browser::with_display(display).await;
    for text in [IMAGE, BRACES, TURNED, LONG] {
        let scopes = [("lessons_read", text), ("lessons_write", text)];
        let harness = Harness::with_names(Names {
            site: text,
            application: text,
            client: text,
            key: text,
            scopes,
        })
        .await;
        harness.ask(&browser, EMAIL).await;
        let page = browser
            .run("return document.body.textContent", json!([]))
            .await;
        // The client's name twice, each scope and the name of its application.
        assert!(
            page.as_str().unwrap().matches(text).count() >= 6,
            "{text:?} in {page}"
        );
        examine(&browser, display, "consent to a hostile client").await;
        browser.click("button[value=allow]").await;
        let back = browser.wait_for_url(&harness.callback).await;
        assert_eq!(harness.exchange(&back).await.status, 200);
        // The sign-in for the client was one to the console too.
        browser.go(&harness.console("/")).await;
        for path in PAGES {
            browser.go(&harness.console(&harness.filled(path))).await;
            assert!(
                browser
                    .run("return document.body.textContent", json!([]))
                    .await
                    .as_str()
                    .unwrap()
                    .contains(text),
                "{text:?} on {path}"
            );
            examine(&browser, display, &format!("{path} full of hostile names")).await;
        }
        browser.clear_cookies().await;
    }
    browser.close().await;
}

/// Fills every field of the page's forms except the form token, without the browser's validation.
const FILL: &str = "for (const form of document.forms) form.noValidate = true;
    for (const field of document.querySelectorAll('input:not([name=form_token]), textarea')) {
      field.removeAttribute('maxlength');
      if (field.type !== 'checkbox' && field.type !== 'radio') field.value = arguments[0];
    }";

/// Console pages whose form is submitted with a text in every field.
const FORMS: &[(&str, Option<&str>)] = &[
    ("/sign-in", None),
    ("/account/password", Some(EMAIL)),
    ("/applications/{application}/scopes/new", Some(EMAIL)),
    ("/clients/new", Some(EMAIL)),
    ("/admin/people/new", Some(ADMIN)),
];

// Proves: threats 37
#[tokio::test]
async fn any_form_value_is_shown_again_as_text() {
    needs_browser!();
    let (harness, display) = (Harness::new().await, Display::WIDE);
    let browser = Browser::with_display(display).await;
    let endless = "w".repeat(10_000);
    let texts = [IMAGE, BRACES, TURNED, &*endless];
    for text in texts {
        browser.go(&harness.authorize_all()).await;
        browser.run(FILL, json!([text])).await;
        browser.click("button.main").await;
        browser.wait_for("[role=alert]").await;
        assert_eq!(browser.property("#email", "value").await, text);
        examine_structure(&browser, display, "sign-in with hostile fields").await;
    }
    for (path, email) in FORMS {
        browser.clear_cookies().await;
        let path = &harness.filled(path);
        if let Some(email) = email {
            harness.enter(&browser, email, "/").await;
        }
        for text in texts {
            browser.go(&harness.console(path)).await;
            browser.run(FILL, json!([text])).await;
            browser.click("main form button.main").await;
            browser.wait_for("[role=alert]").await;
            examine_structure(&browser, display, &format!("{path} with hostile fields")).await;
        }
    }
    browser.close().await;
}

// Proves: threats 37
/// Fails if a page contains an unescaped parameter, or a client does not get its own parameters
/// back unchanged.
#[tokio::test]
async fn addresses_do_nothing_either() {
    needs_browser!();
    let (harness, display) = (Harness::new().await, Display::WIDE);
    let browser = Browser::with_display(display).await;
    for text in [IMAGE, BRACES, TURNED] {
        for name in [
            "client_id",
            "redirect_uri",
            "scope",
            "state",
            "prompt",
            "response_type",
            "language",
            text,
        ] {
            let more = encode(&[(name, text)]);
            browser
                .go(&harness.auth(&format!("/authorize?{more}")))
                .await;
            examine_structure(&browser, display, &format!("a link to authorize?{more}")).await;
        }
        for path in [
            "/sign-in?next=",
            "/sign-in?done=",
            "/sign-in?language=",
            "/nothing/",
            "/?done=",
        ] {
            let more = encode(&[("", text)]);
            browser
                .go(&harness.console(&format!("{path}{}", more.trim_start_matches('='))))
                .await;
            examine_structure(&browser, display, path).await;
        }
        let link = harness.authorize_all().replace(
            "of-the-client",
            encode(&[("", text)]).trim_start_matches('='),
        );
        browser.go(&link).await;
        harness.sign_in(&browser, EMAIL).await;
        browser.wait_for("button[value=allow]").await;
        browser.click("button[value=allow]").await;
        assert_eq!(
            query_of(&browser.wait_for_url(&harness.callback).await)["state"],
            text
        );
        browser.clear_cookies().await;
    }
    browser.close().await;
}
