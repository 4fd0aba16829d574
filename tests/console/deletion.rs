//! Previews before a removal that affects other users.

use http::StatusCode;
use lyceum::domain::{Application, ClientSettings, ScopeDefinition};
use lyceum::store::ClientUpdate;

use crate::harness::*;
use crate::pages::assert_safe;
use crate::registry_fixtures::*;

/// An application with two scopes, two clients of different owners that list them, and live grants
/// of three clients.
async fn used(harness: &Harness) -> (Application, ScopeDefinition, ScopeDefinition) {
    let stranger = other(harness).await;
    let made = application(harness, 1, &harness.person, "Points").await;
    let (read, write) = (
        scope(harness, 1, &made, "read").await,
        scope(harness, 2, &made, "write").await,
    );
    let lunch = client(harness, 1, &stranger, "<b>Lunch", &[&read]).await;
    let club = client(harness, 2, &harness.person, "Club", &[&write]).await;
    let former = client(harness, 3, &stranger, "Former", &[&read]).await;
    for number in 1..=2 {
        live_grant(harness, number, lunch, &[&read]).await;
    }
    harness.clock.advance(MINUTE);
    live_grant(harness, 3, former, &[&read, &write]).await;
    let _ = club;
    let seen = harness
        .store
        .client(former)
        .await
        .unwrap()
        .unwrap()
        .settings();
    let new = ClientSettings {
        allowed_scopes: scope_set(&[]),
        ..seen.clone()
    };
    assert_eq!(
        harness
            .store
            .update_client(former, &seen, new)
            .await
            .unwrap(),
        ClientUpdate::Updated
    );
    (made, read, write)
}

fn row<'a>(page: &'a TestResponse, name: &str) -> &'a str {
    page.body
        .split("<tr>")
        .find(|row| row.contains(name))
        .unwrap_or_else(|| panic!("{name} is missing in {}", page.body))
}

/// Fails if an unaffected client is listed, or one with live grants is not.
#[tokio::test]
async fn an_applications_deletion_names_the_clients_and_counts_the_grants_that_it_touches() {
    let harness = Harness::new().await;
    let (made, read, _) = used(&harness).await;
    let delete = format!("{}/delete", application_path(&made));
    let mut owner = harness.browser_of(EMAIL).await;
    let preview = owner.get(&delete).await;
    assert_safe(&preview);
    assert_says(
        &preview,
        &[
            "Delete the application Points?",
            "This affects 3 clients, 3 active connections.",
        ],
    );
    for (name, owner, live, last) in [
        ("&#60;b&#62;Lunch", DEVELOPER, 2, "2026-01-01 09:00"),
        ("Club", EMAIL, 0, "Never"),
        ("Former", DEVELOPER, 1, "2026-01-01 09:01"),
    ] {
        let row = row(&preview, name);
        assert!(
            row.contains(owner)
                && row.contains(&format!("class=\"number\">{live}</td>"))
                && row.contains(last),
            "{row}"
        );
    }
    assert!(
        harness.store.application(made.id).await.unwrap().is_some(),
        "the preview changes nothing"
    );
    let answer = send(&mut owner, &preview, &delete, &[]).await;
    let list = done(&mut owner, &answer, "/applications?done=deleted").await;
    assert_says(&list, &["Deleted.", "You have no applications yet"]);
    assert_eq!(harness.store.application(made.id).await.unwrap(), None);
    assert_eq!(harness.store.scope(read.id).await.unwrap(), None);
    assert_eq!(owner.get(&delete).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_scopes_deletion_is_about_that_scope_alone() {
    let harness = Harness::new().await;
    let (made, read, write) = used(&harness).await;
    let delete = format!("{}/delete", scope_path(&write));
    let mut owner = harness.browser_of(EMAIL).await;
    let preview = owner.get(&delete).await;
    assert_safe(&preview);
    assert_says(
        &preview,
        &[
            "Delete the scope write?",
            "This affects 2 clients, 1 active connection.",
        ],
    );
    assert!(
        !preview.body.contains("Lunch"),
        "the client does not use this scope"
    );
    assert!(
        row(&preview, "Club").contains(">0</td>") && row(&preview, "Former").contains(">1</td>")
    );
    let answer = send(&mut owner, &preview, &delete, &[]).await;
    let page = done(
        &mut owner,
        &answer,
        &format!("{}?done=deleted", application_path(&made)),
    )
    .await;
    assert_says(&page, &["Deleted.", ">read<"]);
    assert!(!page.body.contains(">write<"));
    assert_eq!(harness.store.scope(write.id).await.unwrap(), None);
    assert!(harness.store.scope(read.id).await.unwrap().is_some());
}

/// Fails if a removal affects other records than the preview showed.
#[tokio::test]
async fn a_deletion_that_affects_more_than_was_shown_is_shown_again() {
    let harness = Harness::new().await;
    let (made, read, _) = used(&harness).await;
    let mut owner = harness.browser_of(EMAIL).await;
    for delete in [
        format!("{}/delete", scope_path(&read)),
        format!("{}/delete", application_path(&made)),
    ] {
        let number = u8::from(delete.contains("/scopes/")) + 10;
        let before = owner.get(&delete).await;
        let newcomer = client(&harness, number, &harness.person, "Newcomer", &[&read]).await;
        let again = send(&mut owner, &before, &delete, &[]).await;
        assert_eq!(again.status, StatusCode::CONFLICT, "{delete}");
        assert_safe(&again);
        assert_says(
            &again,
            &[
                "has changed since you opened the page",
                "role=\"alert\"",
                "Newcomer",
            ],
        );
        live_grant(&harness, number, newcomer, &[&read]).await;
        let twice = send(&mut owner, &again, &delete, &[]).await;
        assert_eq!(twice.status, StatusCode::CONFLICT, "{delete}");
        let token = form_token(&twice.body);
        for fields in [
            vec![("form_token", &*token)],
            vec![("form_token", &*token), ("seen", "")],
            vec![("form_token", &*token), ("seen", HOSTILE)],
        ] {
            let answer = owner.post(&delete, &fields).await;
            assert_eq!(
                answer.status,
                StatusCode::CONFLICT,
                "a form without a version shows the preview again"
            );
            assert!(!answer.body.contains("<b>"));
        }
        assert!(harness.store.scope(read.id).await.unwrap().is_some());
        owner.language = "ko";
        assert_says(
            &send(&mut owner, &before, &delete, &[]).await,
            &["영향을 받는 대상이 바뀌었어요"],
        );
        owner.language = "en";
    }
    let delete = format!("{}/delete", application_path(&made));
    let answer = fill_in(&mut owner, &delete, &[]).await;
    done(&mut owner, &answer, "/applications?done=deleted").await;
}

#[tokio::test]
async fn a_deletion_that_affects_no_user_says_so() {
    let harness = Harness::new().await;
    let made = application(&harness, 1, &harness.person, "Points").await;
    let read = scope(&harness, 1, &made, "read").await;
    let mut admin = harness.browser_of(ADMIN).await;
    for delete in [
        format!("{}/delete", scope_path(&read)),
        format!("{}/delete", application_path(&made)),
    ] {
        let preview = admin.get(&delete).await;
        assert_says(&preview, &["nothing is affected"]);
        assert!(!preview.body.contains("<table"));
        let answer = send(&mut admin, &preview, &delete, &[]).await;
        assert_eq!(
            answer.status,
            StatusCode::SEE_OTHER,
            "administrators delete applications of all owners"
        );
    }
    assert_eq!(harness.store.application(made.id).await.unwrap(), None);
}

/// Fails if the preview lists any number of clients.
#[tokio::test]
async fn of_many_clients_the_first_are_named_and_all_are_counted() {
    let harness = Harness::new().await;
    let made = application(&harness, 1, &harness.person, "Points").await;
    let read = scope(&harness, 1, &made, "read").await;
    for number in 1..=52 {
        client(
            &harness,
            number,
            &harness.person,
            &format!("App {number}!"),
            &[&read],
        )
        .await;
    }
    let mut owner = harness.browser_of(EMAIL).await;
    let preview = owner
        .get(&format!("{}/delete", application_path(&made)))
        .await;
    assert_says(
        &preview,
        &["This affects 52 clients, 0 active connections."],
    );
    assert_eq!(preview.body.matches("!</bdi>").count(), 50);
    let pages = [
        owner.get(&scope_path(&read)).await,
        owner.get(&format!("{}?page=2", scope_path(&read))).await,
    ];
    assert_eq!(
        pages.map(|page| page.body.matches("!</bdi>").count()),
        [20, 12]
    );
}
