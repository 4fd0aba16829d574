use http::StatusCode;
use lyceum::domain::{Password, Role};
use lyceum::store::{AccountChange, OwnedApiKeys};

use crate::harness::*;

/// Fails if use does not keep a session, or keeps it for ever.
#[tokio::test]
async fn a_session_ends_idle_after_half_an_hour_and_altogether_after_half_a_day() {
    let world = World::new().await;
    let (mut busy, mut idle) = (world.browser_of(EMAIL).await, world.browser_of(EMAIL).await);
    for minute in (29..=719).step_by(29) {
        world.clock.advance(29 * MINUTE);
        assert_eq!(busy.get("/").await.status, StatusCode::OK, "after {minute} minutes");
    }
    assert_eq!(idle.get("/").await.status, StatusCode::SEE_OTHER);
    world.clock.advance(29 * MINUTE);
    assert_eq!(busy.get("/").await.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn a_host_may_say_how_long_sessions_last() {
    let world = World::at(ADDRESS, |auth| auth, |console| console.session_lifetimes(2 * MINUTE, 3 * MINUTE)).await;
    let mut browser = world.browser_of(EMAIL).await;
    world.clock.advance(MINUTE);
    assert_eq!(browser.get("/").await.status, StatusCode::OK);
    world.clock.advance(2 * MINUTE);
    assert_eq!(browser.get("/").await.status, StatusCode::SEE_OTHER);
}

/// Fails if what is used all the time ends, for its use is written down too seldom.
#[tokio::test]
async fn a_session_in_use_lives_however_short_it_may_be_idle() {
    let world = World::at(ADDRESS, |auth| auth, |console| console.session_lifetimes(MINUTE, 30 * MINUTE)).await;
    let mut browser = world.browser_of(EMAIL).await;
    for second in (20..=600).step_by(20) {
        world.clock.advance(MINUTE / 3);
        assert_eq!(browser.get("/").await.status, StatusCode::OK, "after {second} seconds");
    }
    world.clock.advance(MINUTE);
    assert_eq!(browser.get("/").await.status, StatusCode::SEE_OTHER);
}

/// Fails if a session outlives what it was opened with.
#[tokio::test]
async fn s23_a_new_password_a_new_role_and_a_removed_account_end_sessions() {
    let world = World::new().await;
    let id = world.person.as_str().parse().unwrap();
    let by = world.person.clone();
    let (old, new) = (Password::new(PASSWORD).unwrap(), Password::new("another horse").unwrap());
    let mut browser = world.browser_of(EMAIL).await;
    let verdict = world.accounts.change_password(id, &old, &new, OwnedApiKeys::Revoke, None).await.unwrap();
    assert!(format!("{verdict:?}") == "Changed" && browser.get("/").await.status == StatusCode::SEE_OTHER);
    assert_eq!(browser.sign_in(EMAIL, "another horse").await.status, StatusCode::SEE_OTHER);
    assert_eq!(world.accounts.set_role(&by, id, Role::Admin).await.unwrap(), AccountChange::Done);
    assert_eq!(browser.get("/").await.status, StatusCode::SEE_OTHER);
    assert_eq!(browser.sign_in(EMAIL, "another horse").await.status, StatusCode::SEE_OTHER);
    assert!(browser.get("/").await.body.contains("/console/admin/people"));
    assert_eq!(world.accounts.remove(&by, id).await.unwrap(), AccountChange::Done);
    assert_eq!(browser.get("/").await.status, StatusCode::SEE_OTHER);
    assert_eq!(browser.sign_in(EMAIL, "another horse").await.status, StatusCode::UNAUTHORIZED);
}
