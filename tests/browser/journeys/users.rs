//! What the five users do.

use std::time::Duration;

use super::Visit;
use crate::browser::Browser;
use crate::harness::*;
use crate::support;

/// Looks at the school's data, and signs out of everything.
pub(super) async fn student(visit: Visit) {
    let (harness, browser) = (&visit.harness, &visit.browser);
    visit.enter(EMAIL).await;
    // The home of a student names the student.
    visit.expect("main .head h1 bdi").await;
    assert!(browser.has("main a[href^='/console/keys/']").await);

    visit.menu("/data/students", "main .sheet tbody th a").await;
    browser.click(".filtering > summary").await;
    browser.fill("#grade", "2").await;
    visit
        .follow("form.filters button.main", ".chips .chip.on bdi")
        .await;
    assert_eq!(browser.text(".chips .chip.on bdi").await, "2");
    let name = browser.text("main .sheet tbody th a").await;
    visit
        .follow("main .sheet tbody th a", "main dl.facts")
        .await;
    assert_eq!(browser.text("h1").await, name);
    visit.follow("main .back a", "main .sheet tbody th a").await;

    visit.menu("/week", "main .week-head a[rel=next]").await;
    let week = browser.text(".week-head p").await;
    visit
        .follow("main .week-head a[rel=next]", "main .week-head a[rel=prev]")
        .await;
    assert_ne!(browser.text(".week-head p").await, week);
    visit
        .follow("main .subnav a[href*='/month']", "main table.month")
        .await;
    let month = browser.text("h1").await;
    visit
        .follow("main .week-head a[rel=prev]", "main table.month")
        .await;
    assert_ne!(browser.text("h1").await, month);

    visit.sign_out().await;
    assert!(browser.address().await.ends_with("done=out"));
    browser.go(&harness.authorize_all()).await;
    visit.expect("#password").await;
    assert!(
        !browser.has("details.other").await,
        "still signed in for apps"
    );
    visit.end().await;
}

/// Makes an application, a client and a key, and asks for the scope of another user.
pub(super) async fn developer(visit: Visit) {
    let (harness, browser) = (&visit.harness, &visit.browser);
    let asked = harness.scope_with_approval().await;
    visit.enter(EMAIL).await;

    visit.menu("/applications", "main .head a.main").await;
    visit.follow("main .head a.main", "#name").await;
    browser.fill("#name", "School marks").await;
    visit.decide("main form button.main", "created").await;
    visit
        .follow("main .head a[href$='/scopes/new']", "#scope_name")
        .await;
    browser.fill("#scope_name", "marks_read").await;
    browser.fill("#description", "See your marks").await;
    visit.decide("main form button.main", "created").await;
    let scope = browser.text("#full-scope").await;

    visit.menu("/clients", "main .head a.main").await;
    let clients = visit.count("main tbody tr").await;
    visit.follow("main .head a.main", "#redirect_uris").await;
    browser.fill("#name", "Marks on the phone").await;
    browser
        .fill("#redirect_uris", "https://app.example/callback")
        .await;
    browser
        .click(&format!("input[name=scopes][value='{scope}']"))
        .await;
    browser.click("main form button.main").await;
    visit.keep_secret().await;
    let client = browser.text("#client-id").await;
    visit.menu("/clients", "main tbody tr").await;
    assert_eq!(visit.count("main tbody tr").await, clients + 1);

    visit.menu("/keys", "main .head a.main").await;
    visit.follow("main .head a.main", "#description").await;
    browser.fill("#description", "Clubs in the hall").await;
    browser.click("input[name=scopes][value=CLUB_READ]").await;
    browser.click("main form button.main").await;
    let key = visit.keep_secret().await;
    let clubs = format!("{}/v1/clubs", harness.origin);
    let answer = support::Client::new()
        .get(&clubs, &[("x-api-key", &key)])
        .await;
    assert_eq!(answer.status, 200);
    visit
        .follow("main .head a[href$='/edit']", "#description")
        .await;
    browser.fill("#description", "Clubs at the door").await;
    visit.decide("main form button.main", "saved").await;
    assert_eq!(browser.text("h1").await, "Clubs at the door");
    visit
        .follow("main a[href$='/activity']", "main #days")
        .await;
    visit.menu("/keys", "main tbody tr").await;
    assert_eq!(visit.count("main tbody tr").await, 2);

    visit.menu("/clients", "main tbody tr").await;
    let page = format!("a[href$='/clients/{client}']");
    visit
        .follow(&format!("main tbody {page}"), "#client-id")
        .await;
    visit.follow("main a[href$='/scopes']", "#reason").await;
    browser.click(&format!("#scope-{asked}")).await;
    browser.fill("#reason", "Parents want to see them").await;
    visit.decide("main form button.main", "request-sent").await;
    assert_eq!(visit.count("main table.waits tbody tr").await, 1);
    visit
        .follow(&format!("main .back {page}"), "#client-id")
        .await;
    visit
        .follow("main a[href$='/activity']", "main #days")
        .await;
    visit.end().await;
}

/// Lets an app do more than before, and then nothing more.
pub(super) async fn another_user(visit: Visit) {
    let (harness, browser) = (&visit.harness, &visit.browser);
    harness.connect_user(1).await;
    browser.go(&harness.authorize_all()).await;
    visit.expect("#password").await;
    harness.sign_in(browser, OTHER).await;
    visit.expect("button[value=allow]").await;
    assert_eq!(visit.count("#new + ul > li").await, 1);
    assert_eq!(visit.count("#known").await, 1);
    browser.click("button[value=allow]").await;
    let back = browser.wait_for_url(&harness.callback).await;
    assert_eq!(harness.exchange(&back).await.status, 200);

    // The sign-in for the app was one to the console too.
    browser.go(&harness.console("/")).await;
    visit.expect("main .head h1").await;
    visit.menu("/apps", "main li.card a.danger").await;
    assert_eq!(visit.count("main li.card .asked li").await, 2);
    visit
        .follow("main li.card a.danger", "button.danger.solid")
        .await;
    visit.decide("button.danger.solid", "withdrawn").await;
    assert_eq!(visit.count("main .empty").await, 1);

    browser.go(&harness.authorize_all()).await;
    visit
        .follow("main form button.main", "button[value=allow]")
        .await;
    assert_eq!(visit.count("#known").await, 0);
    visit.end().await;
}

/// Decides about what waits, ends the sessions of a user, and reads what happened.
pub(super) async fn administrator(visit: Visit) {
    let (harness, browser) = (&visit.harness, &visit.browser);
    let user = Browser::with_display(visit.display).await;
    harness.enter(&user, EMAIL, "/").await;
    visit.enter(ADMIN).await;
    visit.expect("#waiting").await;

    // Two clients and a request for a scope.
    for (form, notice) in [
        ("verify", "verified"),
        ("verify", "verified"),
        ("approve", "approved"),
    ] {
        visit.menu("/admin/waiting", "main table.waits").await;
        visit
            .decide(&format!("form[action$='/{form}'] button"), notice)
            .await;
    }
    // The request for fields of a key, which its page decides.
    assert_eq!(visit.count("main table.waits").await, 1);
    visit.menu("/admin/keys", "main tbody .badge.warning").await;
    browser
        .go(&harness.console(&harness.filled("/keys/{waiting key}")))
        .await;
    visit
        .decide("button[name=decision][value=approve]", "fields-shown")
        .await;

    visit.menu("/admin/people", "main table.people").await;
    // One of the three people is a student.
    let class = browser.text("main tr:has(th small) td").await;
    browser.fill("#q", &class).await;
    visit
        .follow("form.filters button.main", &format!("#q[value='{class}']"))
        .await;
    assert_eq!(visit.count("main tbody tr").await, 1);
    assert_eq!(browser.text("main tbody th small").await, EMAIL);
    visit
        .follow("main tbody th a", "form[action$='/sessions/end'] button")
        .await;
    visit
        .decide("form[action$='/sessions/end'] button", "sessions-ended")
        .await;
    user.go(&harness.console("/keys")).await;
    user.wait_for("#password").await;
    user.close().await;

    assert!(harness.trail.flush().await);
    visit.menu("/admin/audit", "main table.cards").await;
    let all = visit.count("main table.cards tbody tr").await;
    // Filters are folded away on a phone.
    browser
        .run(
            "document.querySelector('details.fold').open = true",
            serde_json::json!([]),
        )
        .await;
    browser.fill("#by", ADMIN).await;
    visit
        .follow(
            "form.filters:has(#by) button.main",
            &format!("#by[value='{ADMIN}']"),
        )
        .await;
    let own = visit.count("main table.cards tbody tr").await;
    assert!(0 < own && own < all, "{own} of {all}");
    let table = browser.download("main a[href*='/admin/audit.csv']").await;
    assert_eq!(table.trim_end().lines().count() as u64, own + 1, "{table}");
    visit.end().await;
}

/// Gets back to a form after the session has expired, and is told what is not shown.
pub(super) async fn refused_user(visit: Visit) {
    let (harness, browser) = (&visit.harness, &visit.browser);
    visit.enter(OTHER).await;
    visit.menu("/keys", "main .head a.main").await;
    visit.follow("main .head a.main", "#description").await;
    browser.fill("#description", "Meals at the door").await;
    browser.click("input[name=scopes][value=NEIS_READ]").await;
    harness.clock.advance(Duration::from_secs(31 * 60));
    visit
        .follow("main form button.main", "main form #password")
        .await;
    assert!(browser.address().await.contains("done=ended"));
    harness.sign_in(browser, OTHER).await;
    visit
        .expect("#description[value='Meals at the door']")
        .await;
    let is_on = browser
        .property("input[name=scopes][value=NEIS_READ]", "checked")
        .await;
    assert_eq!(is_on, true);
    browser.click("main form button.main").await;
    visit.keep_secret().await;

    for (path, status) in [
        ("/admin/people", 403),
        ("/keys/{key}", 403),
        ("/nothing-is-here", 404),
    ] {
        browser.go(&harness.console(&harness.filled(path))).await;
        visit.expect("main strong.code").await;
        assert_eq!(browser.status().await, status, "{path}");
        visit.follow("main a.button.main", "main .head h1").await;
    }

    // A consent that came too late.
    browser.go(&harness.authorize_all()).await;
    visit
        .follow("main form button.main", "button[value=allow]")
        .await;
    harness.clock.advance(Duration::from_secs(11 * 60));
    visit
        .follow("button[value=allow]", "main:has(strong.code)")
        .await;
    assert!(browser.address().await.starts_with(&harness.origin));
    assert_eq!(harness.codes_of_each(), [0, 0, 0]);
    visit.end().await;
}
