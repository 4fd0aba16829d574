use std::time::Duration;

use http::StatusCode;
use lyceum::domain::{Password, Role, SigningAlgorithm};
use lyceum::http::auth_server::{AuthServer, AuthServerBuilder};
use lyceum::http::console::Console;
use lyceum::store::{AccountChange, ApiKeyAction};
use lyceum::testing::master_key;

use crate::harness::*;

/// Opens a page a number of times, each a step later.
async fn use_for(harness: &Harness, browser: &mut Browser, step: Duration, times: u32) {
    for time in 1..=times {
        harness.clock.advance(step);
        let status = browser.get("/").await.status;
        assert_eq!(status, StatusCode::OK, "after {:?}", time * step);
    }
}

/// Fails if use does not extend a session, or extends it forever.
#[tokio::test]
async fn a_session_ends_idle_after_half_an_hour_and_altogether_after_half_a_day() {
    let harness = Harness::new().await;
    let (mut busy, mut idle) = (
        harness.browser_of(EMAIL).await,
        harness.browser_of(EMAIL).await,
    );
    use_for(&harness, &mut busy, 29 * MINUTE, 24).await;
    assert_eq!(idle.get("/").await.status, StatusCode::SEE_OTHER);
    harness.clock.advance(29 * MINUTE);
    assert_eq!(busy.get("/").await.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn a_host_may_say_how_long_sessions_last() {
    let harness =
        Harness::with_console(|console| console.session_lifetimes(2 * MINUTE, 3 * MINUTE)).await;
    let mut browser = harness.browser_of(EMAIL).await;
    harness.clock.advance(MINUTE);
    assert_eq!(browser.get("/").await.status, StatusCode::OK);
    harness.clock.advance(2 * MINUTE);
    assert_eq!(browser.get("/").await.status, StatusCode::SEE_OTHER);
}

/// Signs in with the tick at "Keep me signed in".
pub async fn keep_signed_in(harness: &Harness, email: &str) -> Browser {
    let mut browser = harness.browser();
    let keep = [("keep", "true")];
    let answer = browser.sign_in_with(email, PASSWORD, &keep).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    browser
}

/// Fails if "Keep me signed in" keeps the cookie only, or a session without it lasts longer.
#[tokio::test]
async fn a_kept_session_lasts_two_weeks_idle_and_a_month_altogether() {
    const DAY: Duration = MINUTE.saturating_mul(24 * 60);
    let harness = Harness::new().await;
    let mut other = harness.browser_of(EMAIL).await;
    let (mut busy, mut idle) = (
        keep_signed_in(&harness, EMAIL).await,
        keep_signed_in(&harness, EMAIL).await,
    );
    harness.clock.advance(60 * MINUTE);
    assert_eq!(other.get("/").await.status, StatusCode::SEE_OTHER);
    let account = busy.get("/account").await;
    assert_eq!(account.status, StatusCode::OK);
    let sessions = account.body.matches("/account/sessions/").count();
    assert_eq!(sessions, 1, "the other kept one: {}", account.body);
    harness.clock.advance(13 * DAY);
    // A change checks at its end that the session is live.
    let fields = [("name", "Lunch")];
    let made = crate::page_assertions::send(&mut busy, "/applications/new", &fields).await;
    assert!(made.location().contains("done=created"), "{made:?}");
    harness.clock.advance(13 * DAY);
    assert_eq!(busy.get("/").await.status, StatusCode::OK);
    assert_eq!(idle.get("/").await.status, StatusCode::SEE_OTHER);
    harness.clock.advance(4 * DAY);
    assert_eq!(busy.get("/").await.status, StatusCode::SEE_OTHER);
}

/// Fails if a new password makes a kept session an ordinary one.
#[tokio::test]
async fn a_session_is_still_kept_after_a_change_of_the_password() {
    for is_kept in [false, true] {
        let harness = Harness::new().await;
        let mut browser = match is_kept {
            true => keep_signed_in(&harness, EMAIL).await,
            false => harness.browser_of(EMAIL).await,
        };
        let fields = [
            ("old_password", PASSWORD),
            ("new_password", "another horse"),
            ("repeated", "another horse"),
        ];
        let path = "/account/password";
        let changed = crate::page_assertions::send(&mut browser, path, &fields).await;
        assert_eq!(changed.status, StatusCode::SEE_OTHER, "{changed:?}");
        let is_long = changed.cookies().concat().contains("Max-Age=2678400");
        assert_eq!(is_long, is_kept);
        harness.clock.advance(60 * MINUTE);
        let status = browser.get("/").await.status;
        assert_eq!(status == StatusCode::OK, is_kept);
    }
}

/// Fails if a host cannot lower the lifetimes of kept sessions, or they are shorter than others.
#[tokio::test]
async fn a_host_may_say_how_long_kept_sessions_last() {
    for (idle, absolute, [first, second]) in [(60, 90, [50, 41]), (5, 10, [29, 12])] {
        let harness = Harness::with_console(|console| {
            console
                .session_lifetimes(30 * MINUTE, 40 * MINUTE)
                .kept_session_lifetimes(idle * MINUTE, absolute * MINUTE)
        })
        .await;
        let mut browser = keep_signed_in(&harness, EMAIL).await;
        harness.clock.advance(first * MINUTE);
        assert_eq!(browser.get("/").await.status, StatusCode::OK, "{idle}");
        harness.clock.advance(second * MINUTE);
        let status = browser.get("/").await.status;
        assert_eq!(status, StatusCode::SEE_OTHER, "{idle}");
    }
    let harness = Harness::new().await;
    let builder = Console::builder(harness.auth.management(), ADDRESS);
    let refused = builder.kept_session_lifetimes(MINUTE, 31 * 24 * 60 * MINUTE);
    assert!(refused.build().is_err());
}

/// Fails if a session's end has a fraction of a second, which not every store keeps.
#[tokio::test]
async fn a_session_lasts_for_whole_seconds() {
    let length = 2 * MINUTE + MINUTE / 120;
    let harness = Harness::with_console(|console| console.session_lifetimes(length, length)).await;
    let mut browser = harness.browser_of(EMAIL).await;
    harness.clock.advance(2 * MINUTE);
    assert_eq!(browser.get("/").await.status, StatusCode::SEE_OTHER);
}

/// Fails if a session in constant use ends because its use is stored too seldom.
#[tokio::test]
async fn a_session_in_use_lives_however_short_it_may_be_idle() {
    let harness =
        Harness::with_console(|console| console.session_lifetimes(MINUTE, 30 * MINUTE)).await;
    let mut browser = harness.browser_of(EMAIL).await;
    use_for(&harness, &mut browser, MINUTE / 3, 30).await;
    harness.clock.advance(MINUTE);
    assert_eq!(browser.get("/").await.status, StatusCode::SEE_OTHER);
}

// Proves: threats 23
/// Fails if a session outlives the credentials with which it was opened.
#[tokio::test]
async fn a_new_password_a_new_role_and_a_removed_account_end_sessions() {
    let harness = Harness::new().await;
    let id = harness.person.as_str().parse().unwrap();
    let by = harness.person.clone();
    let (old, new) = (
        Password::new(PASSWORD).unwrap(),
        Password::new("another horse").unwrap(),
    );
    let mut browser = harness.browser_of(EMAIL).await;
    let verdict = harness
        .accounts
        .change_password(id, &old, &new, ApiKeyAction::Revoke, None)
        .await
        .unwrap();
    assert!(
        format!("{verdict:?}") == "Changed"
            && browser.get("/").await.status == StatusCode::SEE_OTHER
    );
    assert_eq!(
        browser.sign_in(EMAIL, "another horse").await.status,
        StatusCode::SEE_OTHER
    );
    assert_eq!(
        harness
            .accounts
            .set_role(&by, id, Role::Admin)
            .await
            .unwrap(),
        AccountChange::Done
    );
    assert_eq!(browser.get("/").await.status, StatusCode::SEE_OTHER);
    assert_eq!(
        browser.sign_in(EMAIL, "another horse").await.status,
        StatusCode::SEE_OTHER
    );
    assert!(
        browser
            .get("/")
            .await
            .body
            .contains("/console/admin/people")
    );
    assert_eq!(
        harness.accounts.remove(&by, id).await.unwrap(),
        AccountChange::Done
    );
    assert_eq!(browser.get("/").await.status, StatusCode::SEE_OTHER);
    assert_eq!(
        browser.sign_in(EMAIL, "another horse").await.status,
        StatusCode::UNAUTHORIZED
    );
}

/// Fails if a console is built without a store that its pages need, and then has none of them.
#[tokio::test]
async fn a_console_without_its_stores_is_refused() {
    let harness = Harness::new().await;
    let builder = || {
        AuthServer::protocol_builder(
            harness.store.clone(),
            harness.accounts.clone(),
            "https://school.example/auth",
            master_key(3),
        )
        .signing_algorithm(SigningAlgorithm::Es256)
    };
    let whole = |builder: AuthServerBuilder| {
        builder
            .consents(harness.store.clone())
            .management(harness.store.clone())
    };
    for (auth, missing) in [
        (builder(), "management"),
        (builder().management(harness.store.clone()), "consents"),
        (whole(builder()), "user_sessions"),
    ] {
        let management = auth.build().await.unwrap().management();
        let refused = Console::builder(management, ADDRESS).build().unwrap_err();
        assert_eq!(
            refused.to_string(),
            format!("the console needs the store of `AuthServerBuilder::{missing}`")
        );
    }
    let auth = whole(builder()).user_sessions(harness.store.clone());
    let management = auth.build().await.unwrap().management();
    assert!(Console::builder(management, ADDRESS).build().is_ok());
}
