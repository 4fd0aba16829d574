use http::StatusCode;
use lyceum::domain::ClientSettings;
use lyceum::store::{ClientUpdate, ScopeChange};

use crate::harness::*;
use crate::pages::assert_safe;
use crate::registry::*;

/// A scope of [`EMAIL`]'s that needs approval, and a client of [`OTHER`]'s that wants it.
async fn wanted(world: &World) -> (lyceum::domain::ScopeDefinition, lyceum::domain::ClientId) {
    let stranger = other(world).await;
    let made = application(world, 1, &world.person, "Points").await;
    let read = scope(world, 1, &made, "read").await;
    let change = ScopeChange { description: None, approval_required: Some(true) };
    let _ = world.store.update_scope(read.id, change).await.unwrap();
    let client = client(world, 1, &stranger, "<b>Lunch", &[]).await;
    (read, client)
}

#[tokio::test]
async fn decision_4_a_scope_that_needs_approval_is_approved_by_its_owner_only() {
    let world = World::new().await;
    let (read, lunch) = wanted(&world).await;
    let (page, approve, id) = (page_of_scope(&read), format!("{}/approve", page_of_scope(&read)), lunch.to_string());
    let listed = async || {
        let seen = world.store.client(lunch).await.unwrap().unwrap().settings();
        let new = ClientSettings { allowed_scopes: set(&[&read]), ..seen.clone() };
        world.store.update_client(lunch, &seen, new).await.unwrap()
    };
    let mut stranger = world.browser_of(OTHER).await;
    let token = form_token(&stranger.get("/").await.body);
    let answer = stranger.post(&approve, &[("form_token", &*token), ("client_id", &*id)]).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    assert_eq!(listed().await, ClientUpdate::NeedsApproval(read.scope.clone()));
    let mut owner = world.browser_of(EMAIL).await;
    let shown = owner.get(&page).await;
    let answer = send(&mut owner, &shown, &approve, &[("client_id", &format!(" {id} "))]).await;
    let approved = done(&mut owner, &answer, &format!("{page}?done=approved")).await;
    assert_safe(&approved);
    assert_says(&approved, &["The client is approved.", "&#60;b&#62;Lunch", OTHER, "Approved", &id]);
    assert!(!approved.body.contains("Uses it"), "it does not list it yet");
    assert_eq!(listed().await, ClientUpdate::Updated);
    assert_says(&owner.get(&page).await, &["Uses it"]);
    let mut admin = world.browser_of(ADMIN).await;
    let shown = admin.get(&page).await;
    let answer = send(&mut admin, &shown, &approve, &[("client_id", &id)]).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "twice is as good, and administrators may");
}

#[tokio::test]
async fn a_client_that_is_not_there_is_told_beside_the_field() {
    let world = World::new().await;
    let (read, _) = wanted(&world).await;
    let (page, approve) = (page_of_scope(&read), format!("{}/approve", page_of_scope(&read)));
    let mut owner = world.browser_of(EMAIL).await;
    for typed in ["", HOSTILE, "7d444840-9dc0-41d1-b245-5ffdce74fad2"] {
        let shown = owner.get(&page).await;
        let answer = send(&mut owner, &shown, &approve, &[("client_id", typed)]).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{typed}");
        assert_safe(&answer);
        assert_says(&answer, &["id=\"client_id-fault\">There is no client with this ID.", "aria-invalid=\"true\""]);
        assert!(!answer.body.contains("<b>"));
    }
}

/// Fails if what is withdrawn goes on in the connections in use.
#[tokio::test]
async fn withdrawing_says_what_the_client_loses_and_takes_it() {
    let world = World::new().await;
    let (read, lunch) = wanted(&world).await;
    let write = scope(&world, 2, &world.store.application(read.scope.application).await.unwrap().unwrap(), "write").await;
    let _ = world.store.approve_scope(read.id, lunch, START).await.unwrap();
    live_grant(&world, 1, lunch, &[&read, &write]).await;
    live_grant(&world, 2, lunch, &[&write]).await;
    let withdraw = format!("{}/clients/{lunch}/withdraw", page_of_scope(&read));
    let mut owner = world.browser_of(EMAIL).await;
    let preview = owner.get(&withdraw).await;
    assert_safe(&preview);
    assert_says(
        &preview,
        &["Withdraw the scope from \u{2068}&#60;b&#62;Lunch\u{2069}?", "\u{2068}1 connection in use\u{2069}", "until you approve it again"],
    );
    assert_eq!(world.store.scope_usage(read.id, START).await.unwrap().unwrap().grants.live, 1, "a look changes nothing");

    live_grant(&world, 3, lunch, &[&read]).await;
    let again = send(&mut owner, &preview, &withdraw, &[]).await;
    assert_eq!(again.status, StatusCode::CONFLICT);
    assert_safe(&again);
    assert_says(&again, &["has changed since you saw it", "\u{2068}2 connections in use\u{2069}"]);
    let answer = send(&mut owner, &again, &withdraw, &[]).await;
    let page = done(&mut owner, &answer, &format!("{}?done=scope-withdrawn", page_of_scope(&read))).await;
    assert_says(&page, &["The scope is withdrawn from the client.", "No client uses this scope."]);
    assert_eq!(world.store.scope_usage(read.id, START).await.unwrap().unwrap().grants.live, 0);
    assert_eq!(world.store.scope_usage(write.id, START).await.unwrap().unwrap().grants.live, 2, "what else it has stays");
    let gone = fill_in(&mut owner, &withdraw, &[]).await;
    assert_eq!(gone.status, StatusCode::NOT_FOUND, "there is nothing left to withdraw");
}

#[tokio::test]
async fn a_scope_without_approval_is_withdrawn_too_and_the_page_says_that_it_can_be_added_again() {
    let world = World::new().await;
    let stranger = other(&world).await;
    let made = application(&world, 1, &world.person, "Points").await;
    let read = scope(&world, 1, &made, "read").await;
    let lunch = client(&world, 1, &stranger, "Lunch", &[&read]).await;
    let mut owner = world.browser_of(EMAIL).await;
    let withdraw = format!("{}/clients/{lunch}/withdraw", page_of_scope(&read));
    let preview = owner.get(&withdraw).await;
    assert_says(&preview, &["its owner can add it again"]);
    assert!(!preview.body.contains("connections in use\u{2069}"), "none is touched");
    let answer = send(&mut owner, &preview, &withdraw, &[]).await;
    done(&mut owner, &answer, &format!("{}?done=scope-withdrawn", page_of_scope(&read))).await;
    assert!(world.store.client(lunch).await.unwrap().unwrap().allowed_scopes.is_empty());
}
