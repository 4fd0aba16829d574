//! Application pages.

mod access;
mod form;

use http::header::ALLOW;
use http::{Method, StatusCode};
use lyceum::domain::Scope;

use crate::harness::*;
use crate::pages::assert_safe;
use crate::registry_fixtures::*;

#[tokio::test]
async fn the_list_has_own_applications_and_administrators_see_all() {
    let harness = Harness::new().await;
    let stranger = other(&harness).await;
    for number in 1..=21 {
        application(&harness, number, &harness.person, &format!("Mine {number}")).await;
    }
    application(&harness, 22, &stranger, "<b>Theirs").await;
    let mut mine = harness.browser_of(EMAIL).await;
    let list = mine.get("/applications").await;
    assert_safe(&list);
    assert_says(
        &list,
        &["21 entries", "href=\"/console/applications?page=1\""],
    );
    assert!(!list.body.contains("Theirs") && !list.body.contains("School account"));
    let second = mine.get("/applications?page=1").await.body;
    assert_eq!(
        (
            list.body.matches("Mine ").count(),
            second.matches("Mine ").count()
        ),
        (20, 1)
    );
    assert_eq!(
        mine.get("/admin/applications").await.status,
        StatusCode::FORBIDDEN
    );
    let mut admin = harness.browser_of(ADMIN).await;
    assert!(
        !admin.get("/applications").await.body.contains("Mine "),
        "only the administrator's own applications"
    );
    let everybodys = [
        admin.get("/admin/applications").await,
        admin.get("/admin/applications?page=1").await,
    ];
    let both = everybodys
        .iter()
        .map(|page| &*page.body)
        .collect::<String>();
    everybodys.iter().for_each(assert_safe);
    assert_eq!(both.matches("Mine ").count(), 21);
    assert!(
        both.contains("&#60;b&#62;Theirs")
            && both.contains(OTHER)
            && both.contains(EMAIL)
            && both.contains("School account")
    );
    assert!(both.contains("/console/admin/applications?page=0"));
}

#[tokio::test]
async fn the_services_own_application_is_shown_and_stays_as_it_is() {
    let harness = Harness::new().await;
    let mut admin = harness.browser_of(ADMIN).await;
    for browser in [&mut admin, &mut harness.browser_of(EMAIL).await] {
        let page = browser.get("/applications/service").await;
        assert_safe(&page);
        assert_says(
            &page,
            &["School account", "cannot be changed", "self_read", "manage"],
        );
        assert!(
            !page.body.contains("/edit") && !page.body.contains("/scopes/"),
            "{}",
            page.body
        );
    }
    let own = harness
        .store
        .scope_definitions(&[Scope::self_read()].into_iter().collect())
        .await
        .unwrap()
        .remove(0);
    let token = form_token(&admin.get("/").await.body);
    for path in [
        "edit",
        "delete",
        "scopes/new",
        &format!("scopes/{}/edit", own.id),
        &format!("scopes/{}/delete", own.id),
    ] {
        let path = format!("/applications/service/{path}");
        for answer in [
            admin.get(&path).await,
            admin.post(&path, &[("form_token", &*token)]).await,
        ] {
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
            assert_says(&answer, &["belongs to the service and cannot be changed"]);
        }
    }
    assert!(harness.store.scope(own.id).await.unwrap().is_some());
}

#[tokio::test]
async fn unknown_pages_are_404_and_other_methods_405() {
    let harness = Harness::new().await;
    let made = application(&harness, 1, &harness.person, "Points").await;
    let read = scope(&harness, 1, &made, "read").await;
    let elsewhere = application(&harness, 2, &harness.person, "Other").await;
    let mut browser = harness.browser_of(EMAIL).await;
    let (own, below, nobody) = (
        application_path(&made),
        scope_path(&read),
        "7d444840-9dc0-41d1-b245-5ffdce74fad2",
    );
    for path in [
        "/applications/".to_owned(),
        "/applications/nothing".to_owned(),
        format!("/applications/{nobody}"),
        format!("/applications/{nobody}/edit"),
        format!("{own}/scopes"),
        format!("{own}/scopes/{nobody}"),
        format!("{}/scopes/{}", application_path(&elsewhere), read.id),
        format!("{below}/clients/{nobody}/withdraw"),
        format!("{below}/clients/%22%3E%3Cb%3E/withdraw"),
        format!("{below}/nothing"),
    ] {
        assert_eq!(
            browser.get(&path).await.status,
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
    let edit = format!("{own}/edit");
    for (path, allow) in [
        ("/applications", "GET, HEAD"),
        (&*own, "GET, HEAD"),
        (&*edit, "GET, HEAD, POST"),
        ("/applications/requests/x/y/approve", "POST"),
    ] {
        let answer = browser.send(Method::DELETE, path, None, "").await;
        assert_eq!(
            (answer.status, answer.header(ALLOW)),
            (StatusCode::METHOD_NOT_ALLOWED, allow),
            "{path}"
        );
    }
    for path in ["/applications", "/applications/new", &*own, &*edit, &*below] {
        let head = browser.send(Method::HEAD, path, None, "").await;
        assert_eq!((head.status, &*head.body), (StatusCode::OK, ""), "{path}");
    }
    assert_eq!(
        harness.browser().get(&own).await.status,
        StatusCode::SEE_OTHER,
        "no page without a session"
    );
}

// Proves: threats 37
/// Fails if a name is not escaped on a page.
#[tokio::test]
async fn hostile_names_are_text_on_every_page_in_both_languages() {
    let harness = Harness::new().await;
    let made = application(&harness, 1, &harness.person, HOSTILE).await;
    let read = scope(&harness, 1, &made, "read").await;
    let user = client(&harness, 1, &harness.person, HOSTILE, &[&read]).await;
    live_grant(&harness, 1, user, &[&read]).await;
    let (own, below) = (application_path(&made), scope_path(&read));
    let mut browser = harness.browser_of(ADMIN).await;
    for (language, code) in [("en", "en"), ("ko", "ko")] {
        browser.language = language;
        for path in [
            "/applications".to_owned(),
            "/admin/applications".to_owned(),
            "/applications/new".to_owned(),
            own.clone(),
            format!("{own}/edit"),
            format!("{own}/delete"),
            format!("{own}/scopes/new"),
            below.clone(),
            format!("{below}/edit"),
            format!("{below}/delete"),
            format!("{below}/clients/{user}/withdraw"),
        ] {
            let page = browser.get(&path).await;
            assert_eq!(page.status, StatusCode::OK, "{path}");
            assert_safe(&page);
            assert!(page.body.contains(&format!("<html lang=\"{code}\">")));
            assert!(
                !page.body.contains("<b>")
                    && !page.body.contains("\">x")
                    && !page.body.contains("49"),
                "{path}: {}",
                page.body
            );
        }
    }
}
