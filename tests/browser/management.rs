//! Management of records in the console.

use serde_json::{Value, json};

use crate::accessibility::examine;
use crate::browser::{Browser, Display};
use crate::harness::*;
use crate::prerequisites::needs_browser;
use crate::support;

/// A browser with a signed-in user.
async fn browser_of(harness: &Harness, email: &str) -> Browser {
    let browser = Browser::open().await;
    harness.enter(&browser, email, "/").await;
    browser
}

async fn open(harness: &Harness, browser: &Browser, path: &str) {
    browser.go(&harness.console(&harness.filled(path))).await;
}

/// Visible texts of the elements that match.
async fn seen(browser: &Browser, selector: &str) -> Vec<String> {
    let script = "return [...document.querySelectorAll(arguments[0])].filter(one => one.checkVisibility()).map(one => one.innerText.trim())";
    let texts = browser.run(script, json!([selector])).await;
    texts
        .as_array()
        .unwrap()
        .iter()
        .map(|text| text.as_str().unwrap().to_owned())
        .collect()
}

/// The data API's response to a key.
async fn clubs(harness: &Harness, key: &str) -> support::TestResponse {
    support::Client::new()
        .get(
            &format!("{}/v1/clubs", harness.origin),
            &[("x-api-key", key)],
        )
        .await
}

/// Fails if a page depends only on knowledge of its URL.
#[tokio::test]
async fn records_of_other_users_are_not_shown() {
    needs_browser!();
    let harness = Harness::new().await;
    let browser = browser_of(&harness, OTHER).await;
    for path in [
        "/applications/{application}/edit",
        "/applications/{application}/delete",
        "/applications/{application}/scopes/{scope}",
        "/applications/{application}/scopes/{scope}/delete",
        "/clients/{client}/edit",
        "/clients/{client}/delete",
        "/clients/{client}/secrets/new",
        "/keys/{key}",
        "/keys/{key}/renew",
        "/admin/people",
        "/admin/people/{person}",
        "/admin/keys",
        "/admin/applications",
        "/admin/clients",
        "/admin/audit",
    ] {
        open(&harness, &browser, path).await;
        let title = browser.text("h1").await;
        assert!(
            title == "Access denied" || title == "Page not found",
            "{path}: {title}"
        );
    }
    browser.close().await;
}

#[tokio::test]
async fn a_deletion_page_names_the_affected_clients() {
    needs_browser!();
    let harness = Harness::new().await;
    harness.connect().await;
    let browser = browser_of(&harness, EMAIL).await;
    open(&harness, &browser, "/applications/{application}").await;
    browser.click("main .head a.danger").await;
    browser.wait_for_text("Delete the application").await;
    assert_eq!(
        seen(&browser, ".confirm th[scope=row]").await,
        ["Timetable for telephones", "Timetable for telephones"]
    );
    let mut grants = seen(&browser, ".confirm td.number").await;
    grants.sort();
    assert_eq!(grants, ["0", "1"]);
    browser.click(".confirm a.button").await;
    browser.wait_for("#application-id").await;
    browser.click("main .head a.danger").await;
    browser.wait_for("button.danger.solid").await;
    browser.click("button.danger.solid").await;
    browser.wait_for_text("Deleted.").await;
    open(&harness, &browser, "/applications/{application}").await;
    assert_eq!(browser.text("h1").await, "Page not found");
    browser.close().await;
}

/// Fails if a key is shown again, or the clipboard has another text.
#[tokio::test]
async fn a_new_key_is_shown_once_and_can_be_copied() {
    needs_browser!();
    let harness = Harness::new().await;
    let browser = browser_of(&harness, EMAIL).await;
    let permissions = json!({ "origin": harness.origin, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] });
    browser
        .devtools("Browser.grantPermissions", permissions)
        .await;
    open(&harness, &browser, "/keys/new").await;
    browser
        .fill("#description", "Clubs on the notice board")
        .await;
    browser.click("input[name=scopes][value=CLUB_READ]").await;
    browser.click("main form button.main").await;
    browser.wait_for("#secret").await;
    examine(&browser, Display::WIDE, "a key that is shown once").await;
    let key = browser.text("#secret").await;
    assert_eq!(clubs(&harness, &key).await.status, 200);
    browser.click("button[data-copy=secret]").await;
    browser.wait_for_text("Copied").await;
    let copied =
        browser.run_long("navigator.clipboard.readText().then(arguments[0], error => arguments[0](String(error)))", json!([])).await;
    assert_eq!(copied, Value::from(key.clone()));
    browser.click("main > p > a.button").await;
    browser.wait_for_text("Clubs on the notice board").await;
    let html = browser
        .run("return document.documentElement.outerHTML", json!([]))
        .await;
    assert!(
        !html.as_str().unwrap().contains(&key),
        "the key is still visible"
    );
    browser.close().await;
}

#[tokio::test]
async fn without_scripts_there_is_no_button_that_does_nothing() {
    needs_browser!();
    let (harness, browser) = (Harness::new().await, Browser::without_scripts().await);
    harness.enter(&browser, EMAIL, "/").await;
    open(&harness, &browser, "/clients/{client}").await;
    assert_eq!(seen(&browser, "button.copy").await, Vec::<String>::new());
    open(&harness, &browser, "/clients/new").await;
    assert_eq!(seen(&browser, ".find").await, Vec::<String>::new());
    browser.close().await;
}

/// Fails if the faults of a form are not read first, or a menu stays open.
#[tokio::test]
async fn faults_of_a_form_get_the_focus_and_escape_closes_an_open_menu() {
    needs_browser!();
    let harness = Harness::new().await;
    let browser = browser_of(&harness, EMAIL).await;
    open(&harness, &browser, "/keys/new").await;
    let unchecked = "document.querySelector('main form').noValidate = true";
    browser.run(unchecked, json!([])).await;
    browser.click("main form button.main").await;
    browser.wait_for("#form-errors").await;
    let focused = "return document.activeElement.id";
    assert_eq!(browser.run(focused, json!([])).await, "form-errors");
    browser.click("#form-errors a").await;
    assert_eq!(browser.run(focused, json!([])).await, "description");
    let menu = "document.querySelector('main').insertAdjacentHTML('beforeend', '<details class=pick open><summary id=pick>Pick</summary></details>')";
    browser.run(menu, json!([])).await;
    let escape = "dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' })); return [document.querySelector('.pick').open, document.activeElement.id]";
    assert_eq!(browser.run(escape, json!([])).await, json!([false, "pick"]));
    let elsewhere = "const pick = document.querySelector('.pick'); pick.open = true; document.body.click(); return pick.open";
    assert_eq!(browser.run(elsewhere, json!([])).await, false);
    browser.close().await;
}

#[tokio::test]
async fn a_renewed_key_overlaps_with_the_one_before() {
    needs_browser!();
    let harness = Harness::new().await;
    let browser = browser_of(&harness, EMAIL).await;
    let mut values = Vec::new();
    for overlap in ["day", "day", "none"] {
        open(&harness, &browser, "/keys/{key}/renew").await;
        browser
            .click(&format!("#overlap option[value={overlap}]"))
            .await;
        browser.click("main form button.main").await;
        browser.wait_for("#secret").await;
        values.push(browser.text("#secret").await);
    }
    // The first value works for a day from the second renewal on, which the third renewal does not
    // shorten; the second value ends at the third renewal.
    let mut statuses = Vec::new();
    for value in &values {
        statuses.push(clubs(&harness, value).await.status.as_u16());
    }
    assert_eq!(statuses, [200, 401, 200]);
    open(&harness, &browser, "/keys/{key}/renew").await;
    browser.click("#overlap option[value=day]").await;
    browser.click("main form button.main").await;
    browser.wait_for("#secret").await;
    let newest = browser.text("#secret").await;
    for value in [&values[2], &newest] {
        assert_eq!(clubs(&harness, value).await.status, 200);
    }
    browser.close().await;
}

#[tokio::test]
async fn the_scope_picker_shows_what_matches() {
    needs_browser!();
    let harness = Harness::new().await;
    let browser = browser_of(&harness, EMAIL).await;
    open(&harness, &browser, "/clients/new").await;
    let all = seen(&browser, "#scope-groups label").await;
    assert!(
        all.contains(&"See your lessons".to_owned()) && all.len() >= 2,
        "{all:?}"
    );
    browser.fill("#scope-filter", "CHANGE your").await;
    assert_eq!(
        seen(&browser, "#scope-groups label").await,
        ["Change your lessons"]
    );
    // The application's name matches all of its scopes.
    browser.fill("#scope-filter", "school timetable").await;
    assert_eq!(seen(&browser, "#scope-groups label").await.len(), 2);
    browser.fill("#scope-filter", "nothing like this").await;
    assert_eq!(
        seen(&browser, "#scope-groups label").await,
        Vec::<String>::new()
    );
    browser.wait_for_text("No results found.").await;
    // Prevents the browser's warning about unsaved input.
    browser
        .run(
            "for (const form of document.forms) form.dispatchEvent(new Event('submit'))",
            json!([]),
        )
        .await;
    browser.close().await;
}

/// Fails if the page and the server judge a redirect URI differently.
#[tokio::test]
async fn redirect_addresses_are_checked_as_they_are_typed() {
    needs_browser!();
    let harness = Harness::new().await;
    let browser = browser_of(&harness, EMAIL).await;
    open(&harness, &browser, "/clients/new").await;
    browser
        .fill(
            "#redirect_uris",
            "https://app.example/callback\nhttp://app.example/callback",
        )
        .await;
    browser
        .wait_for_text("Line 2: It must begin with https://")
        .await;
    browser.fill("#name", "A new client").await;
    browser.click("main form button.main").await;
    browser.wait_for("#redirect_uris-fault").await;
    examine(&browser, Display::WIDE, "a form for a client with a fault").await;
    browser
        .fill(
            "#redirect_uris",
            "https://app.example/callback\nhttp://127.0.0.1/callback",
        )
        .await;
    browser.wait_for_text("All redirect URIs are valid.").await;
    browser.click("main form button.main").await;
    browser.wait_for("#secret, #client-id").await;
    browser.close().await;
}

#[tokio::test]
async fn signing_out_everywhere_ends_every_session() {
    needs_browser!();
    let harness = Harness::new().await;
    harness.connect().await;
    let (here, there) = (
        browser_of(&harness, EMAIL).await,
        browser_of(&harness, EMAIL).await,
    );
    open(&harness, &here, "/account").await;
    assert_eq!(
        seen(&here, "section[aria-labelledby=sessions] tbody tr")
            .await
            .len(),
        2
    );
    here.click("a[href$='/account/sign-out-everywhere']").await;
    here.wait_for("button.danger.solid").await;
    here.click("button.danger.solid").await;
    here.wait_for("#password").await;
    open(&harness, &there, "/account").await;
    assert!(
        there.address().await.contains("/sign-in?"),
        "{}",
        there.address().await
    );
    harness.sign_in(&here, EMAIL).await;
    here.wait_for("form[action$='/sign-out']").await;
    open(&harness, &here, "/apps").await;
    assert!(
        here.visible_text().await.contains("Not connected now"),
        "{}",
        here.visible_text().await
    );
    here.close().await;
    there.close().await;
}

#[tokio::test]
async fn authorized_apps_are_revoked() {
    needs_browser!();
    let harness = Harness::new().await;
    harness.connect().await;
    let browser = browser_of(&harness, EMAIL).await;
    open(&harness, &browser, "/apps").await;
    assert!(browser.visible_text().await.contains("See your lessons"));
    browser.click("main a.danger").await;
    browser.wait_for("button.danger.solid").await;
    browser.click("button.danger.solid").await;
    browser
        .wait_for_text("No apps are connected to your account.")
        .await;
    browser.close().await;
}

/// Fails if the second page loses a filter.
#[tokio::test]
async fn the_schools_data_is_filtered_and_turned_over_page_by_page() {
    needs_browser!();
    let harness = Harness::new().await;
    let browser = browser_of(&harness, EMAIL).await;
    open(&harness, &browser, "/data/students").await;
    let rows = "main .sheet tbody tr";
    let first = seen(&browser, rows).await;
    assert!(!first.is_empty());
    browser.click(".pager a[rel=next]").await;
    browser.wait_for(".pager a[rel=prev]").await;
    let second = seen(&browser, rows).await;
    assert!(!second.is_empty() && first != second);
    browser.click(".pager a[rel=prev]").await;
    browser.wait_for(".pager a[rel=next]").await;
    assert_eq!(seen(&browser, rows).await, first);
    browser.click(".filtering > summary").await;
    browser.fill("#grade", "2").await;
    browser.click("form.filters button.main").await;
    browser.wait_for("#grade[value='2']").await;
    let filtered = seen(&browser, rows).await;
    assert!(!filtered.is_empty() && filtered != first);
    browser.click(".pager a[rel=next]").await;
    browser.wait_for(".pager a[rel=prev]").await;
    assert_eq!(browser.property("#grade", "value").await, "2");
    // Sorting by another column also changes the request in the curl sample.
    browser.click("main .sheet thead a").await;
    browser.wait_for("th[aria-sort]").await;
    browser.click(".request > summary").await;
    assert!(browser.visible_text().await.contains("/v1/students?"));
    open(&harness, &browser, "/data/clubs").await;
    assert!(!seen(&browser, rows).await.is_empty());
    browser.close().await;
}

#[tokio::test]
async fn an_administrator_gives_another_user_the_role() {
    needs_browser!();
    let harness = Harness::new().await;
    let (admin, other) = (
        browser_of(&harness, ADMIN).await,
        browser_of(&harness, OTHER).await,
    );
    open(&harness, &admin, "/admin/people").await;
    admin.fill("#q", "lee.bada").await;
    admin.click("form.filters button.main").await;
    admin.wait_for("input#q[value='lee.bada']").await;
    assert_eq!(seen(&admin, "tbody th[scope=row] a").await, [OTHER]);
    admin.click("tbody th[scope=row] a").await;
    admin.wait_for("#role-ADMIN").await;
    admin.click("#role-ADMIN").await;
    admin.click("form[action$='/role'] button").await;
    admin.wait_for_text("Role changed.").await;
    // The older sessions have ended.
    open(&harness, &other, "/").await;
    assert!(other.address().await.contains("/sign-in?"));
    harness.sign_in(&other, OTHER).await;
    other.wait_for("a[href$='/admin/people']").await;
    admin.close().await;
    other.close().await;
}

#[tokio::test]
async fn the_id_of_a_refusal_is_explained_to_administrators() {
    needs_browser!();
    let harness = Harness::new().await;
    let (admin, other) = (
        browser_of(&harness, ADMIN).await,
        browser_of(&harness, OTHER).await,
    );
    open(&harness, &other, "/admin/people").await;
    let id = other.text("strong.code").await;
    assert!(harness.trail.flush().await);
    open(&harness, &admin, "/admin/audit").await;
    admin.fill("#id", &id).await;
    admin.click("form[action$='/explain'] button").await;
    admin.wait_for("h1 .code").await;
    assert!(
        admin
            .visible_text()
            .await
            .contains("Only administrators can"),
        "{}",
        admin.visible_text().await
    );
    examine(&admin, Display::WIDE, "an explained id").await;
    admin.close().await;
    other.close().await;
}
