//! Selectable scopes of the form.

use http::StatusCode;
use lyceum::domain::Scope;

use super::{PUBLIC, posted, with};
use crate::client_fixtures::*;
use crate::harness::*;
use crate::pages::assert_safe;

#[tokio::test]
async fn the_picker_has_the_scopes_of_all_applications_and_marks_those_that_require_approval() {
    let harness = Harness::new().await;
    let other = other(&harness).await;
    let own = application(
        &harness,
        &harness.person,
        1,
        "Own <App>",
        &[("points", true)],
    )
    .await;
    let theirs = application(
        &harness,
        &other,
        2,
        "Theirs",
        &[("free", false), ("kept_back", true)],
    )
    .await;
    let mut browser = harness.browser_of(EMAIL).await;
    let page = browser.get("/clients/new").await;
    assert_safe(&page);
    let box_of = |page: &str, scope: &str| {
        let rest = page
            .split(&format!("id=\"scope-{scope}\""))
            .nth(1)
            .unwrap_or_else(|| panic!("no {scope}"))
            .to_owned();
        rest.split("</div>").next().unwrap().to_owned()
    };
    for (scope, can_be_chosen, note) in [
        (own[0].to_string(), true, None),
        (theirs[0].to_string(), true, None),
        (theirs[1].to_string(), false, Some("Needs approval")),
        (Scope::self_read().to_string(), true, None),
        (
            Scope::manage().to_string(),
            false,
            Some("First-party clients only"),
        ),
    ] {
        let tick = box_of(&page.body, &scope);
        assert_eq!(!tick.contains(" disabled"), can_be_chosen, "{tick}");
        assert_eq!(tick.contains("badge warning"), note.is_some(), "{tick}");
        assert!(note.is_none_or(|note| tick.contains(note)), "{tick}");
    }
    assert!(
        page.body.contains("Own &#60;App&#62;")
            && page.body.contains("&#60;i&#62;points")
            && !page.body.contains("<i>")
    );
    let admins = harness
        .browser_of(ADMIN)
        .await
        .get("/clients/new")
        .await
        .body;
    assert!(!box_of(&admins, "service:manage").contains(" disabled"));

    // A form with an unavailable scope gets an error.
    let scope = theirs[1].to_string();
    let page = posted(
        &mut browser,
        "/clients/new",
        &with(&PUBLIC, &[("scopes", &scope)]),
    )
    .await;
    assert_eq!(page.status, StatusCode::FORBIDDEN);
    for text in [
        "scopes-fault",
        "needs approval first",
        "value=\"Campus App\"",
    ] {
        assert!(
            page.body.contains(text),
            "{text} is missing in {}",
            page.body
        );
    }
    assert!(
        box_of(&page.body, &scope).contains(" checked")
            && !box_of(&page.body, &scope).contains(" disabled")
    );
    let page = posted(
        &mut browser,
        "/clients/new",
        &with(&PUBLIC, &[("scopes", "service:manage")]),
    )
    .await;
    assert!(
        page.status == StatusCode::BAD_REQUEST && page.body.contains("can have service:manage"),
        "{}",
        page.body
    );
    let page = posted(
        &mut browser,
        "/clients/new",
        &with(&PUBLIC, &[("scopes", "service:nothing")]),
    )
    .await;
    assert!(
        page.status == StatusCode::BAD_REQUEST && page.body.contains("no longer exists"),
        "{}",
        page.body
    );
    assert!(stored_clients(&harness).await.is_empty());

    // After its approval, an existing client adds the scope.
    let client = client(&harness, 1, |client| client).await;
    let id = harness
        .store
        .scope_definitions(&[theirs[1].clone()].into_iter().collect())
        .await
        .unwrap()[0]
        .id;
    let path = format!("/clients/{}/edit", client.id);
    let fields = [
        ("name", "Timetable 1"),
        ("policy", "secret"),
        ("scopes", &*scope),
    ];
    assert_eq!(
        posted(&mut browser, &path, &fields).await.status,
        StatusCode::FORBIDDEN
    );
    let _ = harness
        .store
        .approve_scope(id, client.id, START)
        .await
        .unwrap();
    assert_eq!(
        posted(&mut browser, &path, &fields).await.status,
        StatusCode::SEE_OTHER
    );
    assert!(
        stored_client(&harness, client.id)
            .await
            .allowed_scopes
            .contains(&theirs[1])
    );
    assert!(
        !box_of(&browser.get(&path).await.body, &scope).contains("badge"),
        "the client lists it already"
    );
}
