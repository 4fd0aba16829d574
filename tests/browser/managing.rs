//! What people manage in the console.

use serde_json::{Value, json};

use crate::browser::{Browser, Look};
use crate::examined::examine;
use crate::installed::needs_browser;
use crate::support;
use crate::world::*;

/// A browser whose user has signed in.
async fn browser_of(world: &World, email: &str) -> Browser {
    let browser = Browser::open().await;
    world.enter(&browser, email, "/").await;
    browser
}

async fn open(world: &World, browser: &Browser, path: &str) {
    browser.go(&world.console(&world.filled(path))).await;
}

/// What is seen of a selector, one text an element.
async fn seen(browser: &Browser, selector: &str) -> Vec<String> {
    let script =
        "return [...document.querySelectorAll(arguments[0])].filter(one => one.checkVisibility()).map(one => one.innerText.trim())";
    let texts = browser.run(script, json!([selector])).await;
    texts.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// The data API's answer to a key.
async fn clubs(world: &World, key: &str) -> support::Answer {
    support::Client::new().get(&format!("{}/v1/clubs", world.origin), &[("x-api-key", key)]).await
}

/// Fails if a page is shown to everybody who knows its address.
#[tokio::test]
async fn what_is_somebody_elses_is_not_shown() {
    needs_browser!();
    let world = World::new().await;
    let browser = browser_of(&world, OTHER).await;
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
        open(&world, &browser, path).await;
        let title = browser.text("h1").await;
        assert!(title == "You may not see this" || title == "Nothing here", "{path}: {title}");
    }
    browser.close().await;
}

#[tokio::test]
async fn whom_a_deletion_touches_is_said_before_it() {
    needs_browser!();
    let world = World::new().await;
    world.connect().await;
    let browser = browser_of(&world, EMAIL).await;
    open(&world, &browser, "/applications/{application}").await;
    browser.click("main .head a.danger").await;
    browser.waits_to_say("Delete the application").await;
    assert_eq!(seen(&browser, ".confirm th[scope=row]").await, ["Timetable for telephones"]);
    assert_eq!(seen(&browser, ".confirm td.number").await, ["1"]);
    browser.click(".confirm a.button").await;
    browser.waits_for("#application-id").await;
    browser.click("main .head a.danger").await;
    browser.waits_for("button.danger.solid").await;
    browser.click("button.danger.solid").await;
    browser.waits_to_say("Deleted.").await;
    open(&world, &browser, "/applications/{application}").await;
    assert_eq!(browser.text("h1").await, "Nothing here");
    browser.close().await;
}

/// Fails if a key can be seen again, or what is copied is not the key.
#[tokio::test]
async fn a_new_key_is_shown_once_and_can_be_copied() {
    needs_browser!();
    let world = World::new().await;
    let browser = browser_of(&world, EMAIL).await;
    let permissions = json!({ "origin": world.origin, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] });
    browser.devtools("Browser.grantPermissions", permissions).await;
    open(&world, &browser, "/keys/new").await;
    browser.fill("#description", "Clubs on the notice board").await;
    browser.click("input[name=scopes][value=CLUB_READ]").await;
    browser.click("main form button.main").await;
    browser.waits_for("#secret").await;
    examine(&browser, Look::WIDE, "a key that is shown once").await;
    let key = browser.text("#secret").await;
    assert_eq!(clubs(&world, &key).await.status, 200);
    browser.click("button[data-copy=secret]").await;
    browser.waits_to_say("Copied").await;
    let copied =
        browser.run_long("navigator.clipboard.readText().then(arguments[0], error => arguments[0](String(error)))", json!([])).await;
    assert_eq!(copied, Value::from(key.clone()));
    browser.click("main > p > a.button.main").await;
    browser.waits_to_say("Clubs on the notice board").await;
    let html = browser.run("return document.documentElement.outerHTML", json!([])).await;
    assert!(!html.as_str().unwrap().contains(&key), "the key is still to be seen");
    browser.close().await;
}

#[tokio::test]
async fn without_scripts_there_is_no_button_that_does_nothing() {
    needs_browser!();
    let (world, browser) = (World::new().await, Browser::without_scripts().await);
    world.enter(&browser, EMAIL, "/").await;
    open(&world, &browser, "/clients/{client}").await;
    assert_eq!(seen(&browser, "button.copy").await, Vec::<String>::new());
    open(&world, &browser, "/clients/new").await;
    assert_eq!(seen(&browser, ".find").await, Vec::<String>::new());
    browser.close().await;
}

#[tokio::test]
async fn a_renewed_key_overlaps_with_the_one_before() {
    needs_browser!();
    let world = World::new().await;
    let browser = browser_of(&world, EMAIL).await;
    let mut values = Vec::new();
    for overlap in ["day", "day", "none"] {
        open(&world, &browser, "/keys/{key}/renew").await;
        browser.click(&format!("#overlap option[value={overlap}]")).await;
        browser.click("main form button.main").await;
        browser.waits_for("#secret").await;
        values.push(browser.text("#secret").await);
    }
    // The first has a day from the second renewal on, which the third does not cut; the second has no overlap with the third.
    let mut statuses = Vec::new();
    for value in &values {
        statuses.push(clubs(&world, value).await.status.as_u16());
    }
    assert_eq!(statuses, [200, 401, 200]);
    open(&world, &browser, "/keys/{key}/renew").await;
    browser.click("#overlap option[value=day]").await;
    browser.click("main form button.main").await;
    browser.waits_for("#secret").await;
    let newest = browser.text("#secret").await;
    for value in [&values[2], &newest] {
        assert_eq!(clubs(&world, value).await.status, 200);
    }
    browser.close().await;
}

#[tokio::test]
async fn the_scope_picker_shows_what_matches() {
    needs_browser!();
    let world = World::new().await;
    let browser = browser_of(&world, EMAIL).await;
    open(&world, &browser, "/clients/new").await;
    let all = seen(&browser, "#scope-groups label").await;
    assert!(all.contains(&"See your lessons".to_owned()) && all.len() >= 2, "{all:?}");
    browser.fill("#scope-filter", "CHANGE your").await;
    assert_eq!(seen(&browser, "#scope-groups label").await, ["Change your lessons"]);
    // By the name of the application all of its own are shown.
    browser.fill("#scope-filter", "school timetable").await;
    assert_eq!(seen(&browser, "#scope-groups label").await.len(), 2);
    browser.fill("#scope-filter", "nothing like this").await;
    assert_eq!(seen(&browser, "#scope-groups label").await, Vec::<String>::new());
    browser.waits_to_say("Nothing found.").await;
    // Leaving a form that was begun would ask; it is not left so here.
    browser.run("for (const form of document.forms) form.dispatchEvent(new Event('submit'))", json!([])).await;
    browser.close().await;
}

/// Fails if the page and the server disagree.
#[tokio::test]
async fn redirect_addresses_are_checked_as_they_are_typed() {
    needs_browser!();
    let world = World::new().await;
    let browser = browser_of(&world, EMAIL).await;
    open(&world, &browser, "/clients/new").await;
    browser.fill("#redirect_uris", "https://app.example/callback\nhttp://app.example/callback").await;
    browser.waits_to_say("Line 2: It must begin with https://").await;
    browser.fill("#name", "A new client").await;
    browser.click("main form button.main").await;
    browser.waits_for("#redirect_uris-fault").await;
    examine(&browser, Look::WIDE, "a form for a client with a fault").await;
    browser.fill("#redirect_uris", "https://app.example/callback\nhttp://127.0.0.1/callback").await;
    browser.waits_to_say("All addresses can be used.").await;
    browser.click("main form button.main").await;
    browser.waits_for("#secret, #client-id").await;
    browser.close().await;
}

#[tokio::test]
async fn signing_out_everywhere_ends_every_session() {
    needs_browser!();
    let world = World::new().await;
    world.connect().await;
    let (here, there) = (browser_of(&world, EMAIL).await, browser_of(&world, EMAIL).await);
    open(&world, &here, "/account").await;
    assert_eq!(seen(&here, "section[aria-labelledby=sessions] tbody tr").await.len(), 2);
    here.click("a[href$='/account/sign-out-everywhere']").await;
    here.waits_for("button.danger.solid").await;
    here.click("button.danger.solid").await;
    here.waits_for("#password").await;
    open(&world, &there, "/account").await;
    assert!(there.address().await.contains("/sign-in?"), "{}", there.address().await);
    world.sign_in(&here, EMAIL).await;
    here.waits_for("form[action$='/sign-out']").await;
    open(&world, &here, "/apps").await;
    assert!(here.says().await.contains("Not connected now"), "{}", here.says().await);
    here.close().await;
    there.close().await;
}

#[tokio::test]
async fn connected_apps_are_withdrawn() {
    needs_browser!();
    let world = World::new().await;
    world.connect().await;
    let browser = browser_of(&world, EMAIL).await;
    open(&world, &browser, "/apps").await;
    assert!(browser.says().await.contains("See your lessons"));
    browser.click("main a.danger").await;
    browser.waits_for("button.danger.solid").await;
    browser.click("button.danger.solid").await;
    browser.waits_to_say("No app has access to your account.").await;
    browser.close().await;
}

/// Fails if a filter is lost on the second page.
#[tokio::test]
async fn the_schools_data_is_filtered_and_turned_over_page_by_page() {
    needs_browser!();
    let world = World::new().await;
    let browser = browser_of(&world, EMAIL).await;
    open(&world, &browser, "/data/students").await;
    let rows = "main table.cards tbody tr";
    let first = seen(&browser, rows).await;
    assert!(!first.is_empty());
    browser.click(".pager a[rel=next]").await;
    browser.waits_for(".pager a[rel=prev]").await;
    let second = seen(&browser, rows).await;
    assert!(!second.is_empty() && first != second);
    browser.click(".pager a[rel=prev]").await;
    browser.waits_for(".pager a[rel=next]").await;
    assert_eq!(seen(&browser, rows).await, first);
    browser.fill("#grade", "2").await;
    browser.click("form.filters button.main").await;
    browser.waits_for("#grade[value='2']").await;
    let filtered = seen(&browser, rows).await;
    assert!(!filtered.is_empty() && filtered != first);
    browser.click(".pager a[rel=next]").await;
    browser.waits_for(".pager a[rel=prev]").await;
    assert_eq!(browser.property("#grade", "value").await, "2");
    // A sort by another column is another order; the request as curl says so too.
    browser.click("main table.cards thead a").await;
    browser.waits_for("th[aria-sort]").await;
    assert!(browser.says().await.contains("/v1/students?"));
    open(&world, &browser, "/data/clubs").await;
    assert!(!seen(&browser, rows).await.is_empty());
    browser.close().await;
}

#[tokio::test]
async fn an_administrator_makes_somebody_an_administrator() {
    needs_browser!();
    let world = World::new().await;
    let (admin, other) = (browser_of(&world, ADMIN).await, browser_of(&world, OTHER).await);
    open(&world, &admin, "/admin/people").await;
    admin.fill("#email", "lee.bada").await;
    admin.click("form.filters button.main").await;
    admin.waits_for("input#email[value='lee.bada']").await;
    assert_eq!(seen(&admin, "tbody th[scope=row] a").await, [OTHER]);
    admin.click("tbody th[scope=row] a").await;
    admin.waits_for("#role-ADMIN").await;
    admin.click("#role-ADMIN").await;
    admin.click("form[action$='/role'] button").await;
    admin.waits_to_say("The role is changed.").await;
    // The sessions of before are over.
    open(&world, &other, "/").await;
    assert!(other.address().await.contains("/sign-in?"));
    world.sign_in(&other, OTHER).await;
    other.waits_for("a[href$='/admin/people']").await;
    admin.close().await;
    other.close().await;
}

#[tokio::test]
async fn the_id_of_a_refusal_is_explained_to_administrators() {
    needs_browser!();
    let world = World::new().await;
    let (admin, other) = (browser_of(&world, ADMIN).await, browser_of(&world, OTHER).await);
    open(&world, &other, "/admin/people").await;
    let id = other.text("strong.code").await;
    assert!(world.trail.flush().await);
    open(&world, &admin, "/admin/audit").await;
    admin.fill("#id", &id).await;
    admin.click("form[action$='/explain'] button").await;
    admin.waits_for("h1 .code").await;
    assert!(admin.says().await.contains("Only an administrator may"), "{}", admin.says().await);
    examine(&admin, Look::WIDE, "an explained id").await;
    admin.close().await;
    other.close().await;
}
