//! Access to applications, and form tokens.

use http::StatusCode;
use lyceum::domain::PageRequest;

use crate::harness::*;
use crate::pages::assert_safe;
use crate::registry_fixtures::*;

// Proves: spec 4
/// Fails if a page checks only for a session, not for the owner.
#[tokio::test]
async fn anyone_sees_an_application_and_its_owner_and_administrators_change_it() {
    let harness = Harness::new().await;
    other(&harness).await;
    let made = application(&harness, 1, &harness.person, "Points").await;
    let read = scope(&harness, 1, &made, "read").await;
    let user = client(&harness, 1, &harness.person, "App", &[&read]).await;
    let (own, below) = (application_path(&made), scope_path(&read));
    let withdraw = format!("{below}/clients/{user}/withdraw");
    let mut stranger = harness.browser_of(OTHER).await;
    let page = stranger.get(&own).await;
    assert_eq!(page.status, StatusCode::OK);
    assert_says(
        &page,
        &[
            "This application belongs to another user",
            "&#60;b&#62;points",
            DEVELOPER,
            ">read<",
        ],
    );
    assert!(
        !page.body.contains("/edit")
            && !page.body.contains("/delete")
            && !page.body.contains("/scopes/")
    );
    assert!(
        !page.body.contains("data-label=\"Clients\""),
        "only the owner sees the use of a scope"
    );
    assert_eq!(stranger.get(&below).await.status, StatusCode::FORBIDDEN);
    let token = form_token(&page.body);
    let decision = format!("/applications/requests/{}/x", read.id);
    let changes = [
        (format!("{own}/edit"), vec![("name", "Mine")]),
        (format!("{own}/delete"), vec![]),
        (
            format!("{own}/scopes/new"),
            vec![("scope_name", "mine"), ("description", "Mine")],
        ),
        (format!("{below}/edit"), vec![("description", "Mine")]),
        (format!("{below}/delete"), vec![]),
        (withdraw, vec![]),
        (format!("{decision}/approve"), vec![]),
        (format!("{decision}/refuse"), vec![("reason", "x")]),
    ];
    for (path, fields) in &changes {
        if !path.starts_with(&decision) {
            assert_eq!(
                stranger.get(path).await.status,
                StatusCode::FORBIDDEN,
                "{path}"
            );
        }
        let answer = stranger
            .post(path, &[&[("form_token", &*token)], &fields[..]].concat())
            .await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
        assert_safe(&answer);
        assert_says(&answer, &["This belongs to another user."]);
    }
    assert_eq!(
        harness.store.application(made.id).await.unwrap(),
        Some(made.clone())
    );
    assert_eq!(
        harness.store.scope(read.id).await.unwrap(),
        Some(read.clone())
    );
    let mut admin = harness.browser_of(ADMIN).await;
    assert!(
        !admin
            .get(&own)
            .await
            .body
            .contains("belongs to another user")
    );
    let answer = fill_in(&mut admin, &format!("{own}/edit"), &[("name", "Renamed")]).await;
    done(&mut admin, &answer, &format!("{own}?done=saved")).await;
    assert_eq!(
        harness
            .store
            .application(made.id)
            .await
            .unwrap()
            .unwrap()
            .owner,
        harness.person,
        "the owner does not change"
    );
}

// Proves: threats 22
/// Fails if the token of another session is accepted.
#[tokio::test]
async fn forms_of_another_session_change_nothing() {
    let harness = Harness::new().await;
    let made = application(&harness, 1, &harness.person, "Points").await;
    let read = scope(&harness, 1, &made, "read").await;
    let user = client(&harness, 1, &harness.person, "App", &[&read]).await;
    let (mut mine, mut yours) = (
        harness.browser_of(EMAIL).await,
        harness.browser_of(ADMIN).await,
    );
    let token = form_token(&yours.get("/applications/new").await.body);
    let (own, below) = (application_path(&made), scope_path(&read));
    let id = user.to_string();
    for (path, fields) in [
        ("/applications/new".to_owned(), vec![("name", "New")]),
        (format!("{own}/edit"), vec![("name", "New")]),
        (format!("{own}/delete"), vec![]),
        (
            format!("{own}/scopes/new"),
            vec![("scope_name", "new"), ("description", "New")],
        ),
        (format!("{below}/edit"), vec![("description", "New")]),
        (format!("{below}/delete"), vec![]),
        (
            format!("/applications/requests/{}/{id}/approve", read.id),
            vec![],
        ),
        (format!("{below}/clients/{user}/withdraw"), vec![]),
    ] {
        for token in [&*token, "", "x"] {
            let answer = mine
                .post(&path, &[&[("form_token", token)], &fields[..]].concat())
                .await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
            assert_says(&answer, &["This form has expired"]);
        }
        assert_eq!(
            mine.post(&path, &fields).await.status,
            StatusCode::FORBIDDEN,
            "{path}"
        );
        let right = form_token(&mine.get("/").await.body);
        let more = [
            &[("form_token", &*right), ("owner", "somebody")],
            &fields[..],
        ]
        .concat();
        assert_eq!(
            mine.post(&path, &more).await.status,
            StatusCode::BAD_REQUEST,
            "threats 36: a field that the form does not have"
        );
    }
    let kept = harness
        .store
        .applications(None, PageRequest::LARGEST)
        .await
        .unwrap()
        .items;
    assert!(kept.len() == 2 && kept.contains(&made), "{kept:?}");
    assert_eq!(
        harness
            .store
            .scopes(Some(made.id), PageRequest::LARGEST)
            .await
            .unwrap()
            .items,
        std::slice::from_ref(&read)
    );
    let users = harness
        .store
        .clients_of_scope(read.id, PageRequest::LARGEST)
        .await
        .unwrap()
        .items;
    assert!(users.len() == 1 && !users[0].approved && users[0].listed);
}
