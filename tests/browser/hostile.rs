//! Texts that want to be more than text, in every field.

use serde_json::json;

use crate::browser::{Browser, Look};
use crate::examined::{examine, glance};
use crate::installed::needs_browser;
use crate::support::{encode, query_of};
use crate::world::*;

const IMAGE: &str = "\"><img src=x onerror=alert(1)><script>alert(2)</script>";
const BRACES: &str = "{{7*7}}${7*7}<%= 7*7 %>{% raw %}'-alert(3)-'";
const TURNED: &str = "\u{202e}gpj.tpircs\u{202d} \u{2066}exe";
/// As long as a name may be, and nowhere to break.
const LONG: &str = concat!(
    "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww",
    "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww",
    "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww",
);

/// Pages of the console that show names. In an address, names in braces stand for ids of the world's.
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

/// Fails if a page puts a name where it is more than text, lets it turn what stands around it, or breaks on a phone.
#[tokio::test]
async fn s37_names_are_only_names() {
    needs_browser!();
    let look = Look { language: "en", ..Look::PHONE };
    let browser = Browser::looking(look).await;
    for text in [IMAGE, BRACES, TURNED, LONG] {
        let scopes = [("lessons_read", text), ("lessons_write", text)];
        let world = World::named(Names { site: text, application: text, client: text, key: text, scopes }).await;
        world.ask(&browser, EMAIL).await;
        let page = browser.run("return document.body.textContent", json!([])).await;
        // The client's twice, each scope's and its application's.
        assert!(page.as_str().unwrap().matches(text).count() >= 6, "{text:?} in {page}");
        examine(&browser, look, "consent to a hostile client").await;
        browser.click("button[value=allow]").await;
        let back = browser.arrives(&world.callback).await;
        assert_eq!(world.exchange(&back).await.status, 200);
        world.enter(&browser, EMAIL, "/").await;
        for path in PAGES {
            browser.go(&world.console(&world.filled(path))).await;
            assert!(
                browser.run("return document.body.textContent", json!([])).await.as_str().unwrap().contains(text),
                "{text:?} on {path}"
            );
            examine(&browser, look, &format!("{path} full of hostile names")).await;
        }
        browser.forget().await;
    }
    browser.close().await;
}

/// Puts a text into every field of the page's forms but the form token, past what the browser would let a person type.
const FILL: &str = "for (const form of document.forms) form.noValidate = true;
    for (const field of document.querySelectorAll('input:not([name=form_token]), textarea')) {
      field.removeAttribute('maxlength');
      if (field.type !== 'checkbox' && field.type !== 'radio') field.value = arguments[0];
    }";

/// Pages of the console whose form is sent with a text in every field.
const FORMS: &[(&str, Option<&str>)] = &[
    ("/sign-in", None),
    ("/account/password", Some(EMAIL)),
    ("/applications/{application}/scopes/new", Some(EMAIL)),
    ("/clients/new", Some(EMAIL)),
    ("/admin/people/new", Some(ADMIN)),
];

#[tokio::test]
async fn s37_whatever_is_typed_into_a_form_comes_back_as_text() {
    needs_browser!();
    let (world, look) = (World::new().await, Look::WIDE);
    let browser = Browser::looking(look).await;
    let endless = "w".repeat(10_000);
    for text in [IMAGE, BRACES, TURNED, &*endless] {
        browser.go(&world.authorize_all()).await;
        browser.run(FILL, json!([text])).await;
        browser.click("button.main").await;
        browser.waits_for("[role=alert]").await;
        assert_eq!(browser.property("#email", "value").await, text);
        glance(&browser, look, "sign-in with hostile fields").await;
        for (path, email) in FORMS {
            browser.forget().await;
            let path = &world.filled(path);
            match email {
                Some(email) => world.enter(&browser, email, path).await,
                None => browser.go(&world.console(path)).await,
            }
            browser.run(FILL, json!([text])).await;
            browser.click("main form button.main").await;
            browser.waits_for("[role=alert]").await;
            glance(&browser, look, &format!("{path} with hostile fields")).await;
        }
    }
    browser.close().await;
}

/// Fails if an address is written into a page unescaped, or what is a client's own does not come back to it as it was.
#[tokio::test]
async fn s37_addresses_do_nothing_either() {
    needs_browser!();
    let (world, look) = (World::new().await, Look::WIDE);
    let browser = Browser::looking(look).await;
    for text in [IMAGE, BRACES, TURNED] {
        for name in ["client_id", "redirect_uri", "scope", "state", "prompt", "response_type", "language", text] {
            let more = encode(&[(name, text)]);
            browser.go(&world.auth(&format!("/authorize?{more}"))).await;
            glance(&browser, look, &format!("a link to authorize?{more}")).await;
        }
        for path in ["/sign-in?next=", "/sign-in?done=", "/sign-in?language=", "/nothing/", "/?done="] {
            let more = encode(&[("", text)]);
            browser.go(&world.console(&format!("{path}{}", more.trim_start_matches('=')))).await;
            glance(&browser, look, path).await;
        }
        let link = world.authorize_all().replace("of-the-client", encode(&[("", text)]).trim_start_matches('='));
        browser.go(&link).await;
        world.sign_in(&browser, EMAIL).await;
        browser.waits_for("button[value=allow]").await;
        browser.click("button[value=allow]").await;
        assert_eq!(query_of(&browser.arrives(&world.callback).await)["state"], text);
        browser.forget().await;
    }
    browser.close().await;
}
