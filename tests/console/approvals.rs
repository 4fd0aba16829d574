use http::StatusCode;
use lyceum::domain::ClientSettings;
use lyceum::store::{ClientUpdate, ScopePatch};

use crate::harness::*;
use crate::pages::assert_safe;
use crate::registry_fixtures::*;

/// A scope of [`EMAIL`] that needs approval, and a client of [`OTHER`] that requests it.
async fn wanted(harness: &Harness) -> (lyceum::domain::ScopeDefinition, lyceum::domain::ClientId) {
    let stranger = other(harness).await;
    let made = application(harness, 1, &harness.person, "Points").await;
    let read = scope(harness, 1, &made, "read").await;
    let change = ScopePatch {
        description: None,
        approval_required: Some(true),
    };
    let _ = harness.store.update_scope(read.id, change).await.unwrap();
    let client = client(harness, 1, &stranger, "<b>Lunch", &[]).await;
    (read, client)
}

// Proves: spec 4
#[tokio::test]
async fn a_scope_that_needs_approval_is_approved_by_its_owner_only() {
    let harness = Harness::new().await;
    let (read, lunch) = wanted(&harness).await;
    let (page, approve, id) = (
        scope_path(&read),
        format!("{}/approve", scope_path(&read)),
        lunch.to_string(),
    );
    let listed = async || {
        let seen = harness
            .store
            .client(lunch)
            .await
            .unwrap()
            .unwrap()
            .settings();
        let new = ClientSettings {
            allowed_scopes: scope_set(&[&read]),
            ..seen.clone()
        };
        harness
            .store
            .update_client(lunch, &seen, new)
            .await
            .unwrap()
    };
    let mut stranger = harness.browser_of(OTHER).await;
    let token = form_token(&stranger.get("/").await.body);
    let answer = stranger
        .post(&approve, &[("form_token", &*token), ("client_id", &*id)])
        .await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    assert_eq!(
        listed().await,
        ClientUpdate::NeedsApproval(read.scope.clone())
    );
    let mut owner = harness.browser_of(EMAIL).await;
    let shown = owner.get(&page).await;
    let answer = send(
        &mut owner,
        &shown,
        &approve,
        &[("client_id", &format!(" {id} "))],
    )
    .await;
    let approved = done(&mut owner, &answer, &format!("{page}?done=approved")).await;
    assert_safe(&approved);
    assert_says(
        &approved,
        &[
            "The client is approved.",
            "&#60;b&#62;Lunch",
            OTHER,
            "Approved",
            &id,
        ],
    );
    assert!(
        !approved.body.contains("Uses it"),
        "the client does not list the scope yet"
    );
    assert_eq!(listed().await, ClientUpdate::Updated);
    assert_says(&owner.get(&page).await, &["Uses it"]);
    let mut admin = harness.browser_of(ADMIN).await;
    let shown = admin.get(&page).await;
    let answer = send(&mut admin, &shown, &approve, &[("client_id", &id)]).await;
    assert_eq!(
        answer.status,
        StatusCode::SEE_OTHER,
        "a repeated approval succeeds, also by an administrator"
    );
}

#[tokio::test]
async fn an_unknown_client_is_an_error_beside_the_field() {
    let harness = Harness::new().await;
    let (read, _) = wanted(&harness).await;
    let (page, approve) = (scope_path(&read), format!("{}/approve", scope_path(&read)));
    let mut owner = harness.browser_of(EMAIL).await;
    for typed in ["", HOSTILE, "7d444840-9dc0-41d1-b245-5ffdce74fad2"] {
        let shown = owner.get(&page).await;
        let answer = send(&mut owner, &shown, &approve, &[("client_id", typed)]).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{typed}");
        assert_safe(&answer);
        assert_says(
            &answer,
            &[
                "id=\"client_id-fault\">There is no client with this ID.",
                "aria-invalid=\"true\"",
            ],
        );
        assert!(!answer.body.contains("<b>"));
    }
}

/// Fails if existing grants keep a withdrawn scope.
#[tokio::test]
async fn withdrawing_says_what_the_client_loses_and_takes_it() {
    let harness = Harness::new().await;
    let (read, lunch) = wanted(&harness).await;
    let write = scope(
        &harness,
        2,
        &harness
            .store
            .application(read.scope.application)
            .await
            .unwrap()
            .unwrap(),
        "write",
    )
    .await;
    let _ = harness
        .store
        .approve_scope(read.id, lunch, START)
        .await
        .unwrap();
    live_grant(&harness, 1, lunch, &[&read, &write]).await;
    live_grant(&harness, 2, lunch, &[&write]).await;
    let withdraw = format!("{}/clients/{lunch}/withdraw", scope_path(&read));
    let mut owner = harness.browser_of(EMAIL).await;
    let preview = owner.get(&withdraw).await;
    assert_safe(&preview);
    assert_says(
        &preview,
        &[
            "Withdraw the scope from &#60;b&#62;Lunch?",
            "This affects 1 connection in use.",
            "until you approve it again",
        ],
    );
    assert_eq!(
        harness
            .store
            .scope_usage(read.id, START)
            .await
            .unwrap()
            .unwrap()
            .grants
            .live,
        1,
        "the preview changes nothing"
    );

    live_grant(&harness, 3, lunch, &[&read]).await;
    let again = send(&mut owner, &preview, &withdraw, &[]).await;
    assert_eq!(again.status, StatusCode::CONFLICT);
    assert_safe(&again);
    assert_says(
        &again,
        &[
            "has changed since you saw it",
            "This affects 2 connections in use.",
        ],
    );
    let answer = send(&mut owner, &again, &withdraw, &[]).await;
    let page = done(
        &mut owner,
        &answer,
        &format!("{}?done=scope-withdrawn", scope_path(&read)),
    )
    .await;
    assert_says(
        &page,
        &[
            "The scope is withdrawn from the client.",
            "No client uses this scope.",
        ],
    );
    assert_eq!(
        harness
            .store
            .scope_usage(read.id, START)
            .await
            .unwrap()
            .unwrap()
            .grants
            .live,
        0
    );
    assert_eq!(
        harness
            .store
            .scope_usage(write.id, START)
            .await
            .unwrap()
            .unwrap()
            .grants
            .live,
        2,
        "the other scopes stay"
    );
    let gone = fill_in(&mut owner, &withdraw, &[]).await;
    assert_eq!(
        gone.status,
        StatusCode::NOT_FOUND,
        "there is no scope to withdraw"
    );
}

#[tokio::test]
async fn a_scope_without_approval_is_withdrawn_too_and_the_page_says_that_it_can_be_added_again() {
    let harness = Harness::new().await;
    let stranger = other(&harness).await;
    let made = application(&harness, 1, &harness.person, "Points").await;
    let read = scope(&harness, 1, &made, "read").await;
    let lunch = client(&harness, 1, &stranger, "Lunch", &[&read]).await;
    let mut owner = harness.browser_of(EMAIL).await;
    let withdraw = format!("{}/clients/{lunch}/withdraw", scope_path(&read));
    let preview = owner.get(&withdraw).await;
    assert_says(&preview, &["its owner can add it again"]);
    assert!(
        !preview.body.contains("connections in use."),
        "no grant is affected"
    );
    let answer = send(&mut owner, &preview, &withdraw, &[]).await;
    done(
        &mut owner,
        &answer,
        &format!("{}?done=scope-withdrawn", scope_path(&read)),
    )
    .await;
    assert!(
        harness
            .store
            .client(lunch)
            .await
            .unwrap()
            .unwrap()
            .allowed_scopes
            .is_empty()
    );
}
