//! Changes of roles and passwords.

use http::StatusCode;
use lyceum::domain::Role;
use lyceum::http::audit::{Change, EventKind, ManagedObject};

use super::{NEW, account, add, add_user, administrator, id};
use crate::fixtures::{is_revoked, key};
use crate::harness::*;
use crate::pages::assert_safe;

#[tokio::test]
async fn a_role_is_changed_and_ends_the_sessions_that_had_the_old_one() {
    let harness = Harness::new().await;
    let (mut browser, token) = administrator(&harness).await;
    let mut theirs = harness.browser_of(EMAIL).await;
    let address = format!("/admin/people/{}", id(&harness, EMAIL).await);
    let page = browser.get(&address).await;
    assert_safe(&page);
    assert!(
        page.body.matches("/sessions/").count() == 2,
        "{}",
        page.body
    );
    for wrong in [
        &[("form_token", &*token), ("role", "KING")][..],
        &[("form_token", &token)],
    ] {
        let answer = browser.post(&format!("{address}/role"), wrong).await;
        assert!(
            answer.status == StatusCode::BAD_REQUEST && answer.body.contains("id=\"role-fault\""),
            "{}",
            answer.body
        );
        assert_safe(&answer);
    }
    let answer = browser
        .post(
            &format!("{address}/role"),
            &[("form_token", &token), ("role", "ADMIN")],
        )
        .await;
    assert_eq!(
        (answer.status, answer.location()),
        (
            StatusCode::SEE_OTHER,
            &*format!("/console{address}?done=role")
        )
    );
    assert_eq!(account(&harness, EMAIL).await.unwrap().role, Role::Admin);
    assert_eq!(
        theirs.get("/").await.status,
        StatusCode::SEE_OTHER,
        "a user with a new role signs in again"
    );
    let told = EventKind::Managed {
        by: id(&harness, ADMIN).await.into(),
        object: ManagedObject::Account(id(&harness, EMAIL).await),
        change: Change::Changed,
        fields: vec!["role"],
    };
    assert_eq!(harness.recorded(&told), 1);
}

/// The password that a page shows once.
fn shown_password(page: &str) -> String {
    let rest = page.split("<code id=\"secret\"").nth(1).unwrap();
    let rest = rest.split('>').nth(1).unwrap();
    rest.split('<').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_generated_password_is_shown_once_and_ends_sessions_and_grants() {
    let harness = Harness::new().await;
    let (mut browser, token) = administrator(&harness).await;
    let mut theirs = harness.browser_of(EMAIL).await;
    let account = id(&harness, EMAIL).await;
    let address = format!("/admin/people/{account}");
    let page = browser.get(&address).await;
    assert!(!page.body.contains("type=\"password\""), "{}", page.body);
    let typed = [("form_token", &*token), ("password", NEW)];
    let answer = browser.post(&format!("{address}/password"), &typed).await;
    assert_eq!(
        answer.status,
        StatusCode::BAD_REQUEST,
        "no administrator types a password for somebody"
    );
    let answer = browser
        .post(&format!("{address}/password"), &[("form_token", &token)])
        .await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_safe(&answer);
    let made = shown_password(&answer.body);
    assert_eq!(made.len(), 23, "{made}");
    assert!(!browser.get(&address).await.body.contains(&made));
    assert_eq!(theirs.get("/").await.status, StatusCode::SEE_OTHER);
    assert_eq!(
        harness.browser().sign_in(EMAIL, PASSWORD).await.status,
        StatusCode::UNAUTHORIZED
    );
    assert_eq!(
        harness.browser().sign_in(EMAIL, &made).await.status,
        StatusCode::SEE_OTHER
    );
    let (by, object) = (
        id(&harness, ADMIN).await.into(),
        ManagedObject::Password(account),
    );
    let told = EventKind::Managed {
        by,
        object,
        change: Change::Changed,
        fields: vec![],
    };
    assert!(harness.recorded(&told) > 0);
}

/// Fails if a session of somebody else cannot be ended, or another one ends with it.
#[tokio::test]
async fn administrators_end_one_session_of_a_person_or_all() {
    let harness = Harness::new().await;
    let (mut browser, token) = administrator(&harness).await;
    let mut first = harness.browser_of(EMAIL).await;
    harness.clock.advance(MINUTE);
    let mut second = harness.browser_of(EMAIL).await;
    let account = id(&harness, EMAIL).await;
    let address = format!("/admin/people/{account}");
    let page = browser.get(&address).await;
    assert_safe(&page);
    let ends: Vec<String> = page
        .body
        .split(&format!("action=\"/console{address}/sessions/"))
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap().to_owned())
        .collect();
    assert_eq!(ends.len(), 3, "all, and each of two: {ends:?}");
    let newest = ends.iter().find(|end| *end != "end").unwrap();
    let form = [("form_token", &*token)];
    let path = format!("{address}/sessions/{newest}");
    assert_eq!(
        browser.post(&path, &form).await.location(),
        format!("/console{address}?done=sessions-ended")
    );
    assert_eq!(browser.post(&path, &form).await.status, 404);
    assert_eq!(
        (first.get("/").await.status, second.get("/").await.status),
        (StatusCode::OK, StatusCode::SEE_OTHER)
    );
    let all = format!("{address}/sessions/end");
    assert_eq!(browser.post(&all, &form).await.status, 303);
    assert_eq!(first.get("/").await.status, StatusCode::SEE_OTHER);
    let own = format!("/admin/people/{}/sessions/end", id(&harness, ADMIN).await);
    assert_eq!(browser.post(&own, &form).await.status, 403);
    let told = EventKind::Managed {
        by: id(&harness, ADMIN).await.into(),
        object: ManagedObject::Sessions(account),
        change: Change::Deleted,
        fields: vec![],
    };
    assert_eq!(harness.recorded(&told), 2);
}

/// Fails if a key works although the switch is on, or is revoked although the switch is off.
#[tokio::test]
async fn a_password_set_by_an_administrator_revokes_the_users_api_keys_unless_the_switch_is_off() {
    for revokes in [false, true] {
        let harness = Harness::new().await;
        let (mut browser, token) = administrator(&harness).await;
        let account = id(&harness, EMAIL).await;
        let (theirs, mine) = (
            key(&harness, 1, Some(&harness.person), "Lunch").await,
            key(&harness, 2, Some(&id(&harness, ADMIN).await.into()), "Mine").await,
        );
        let address = format!("/admin/people/{account}");
        assert!(
            browser
                .get(&address)
                .await
                .body
                .contains("name=\"revoke_keys\" value=\"true\" checked")
        );
        let on = revokes.then_some(("revoke_keys", "true"));
        let fields = [&[("form_token", &*token)][..], on.as_slice()].concat();
        assert_eq!(
            browser
                .post(&format!("{address}/password"), &fields)
                .await
                .status,
            StatusCode::OK
        );
        assert_eq!(
            (
                is_revoked(&harness, theirs).await,
                is_revoked(&harness, mine).await
            ),
            (revokes, false)
        );
    }
}

/// Fails if administrators can lock themselves out.
#[tokio::test]
async fn no_administrator_changes_the_own_role_or_removes_the_own_account() {
    let harness = Harness::new().await;
    let (mut browser, token) = administrator(&harness).await;
    add(&mut browser, &token, "lee@school.example", "ADMIN").await;
    let address = format!("/admin/people/{}", id(&harness, ADMIN).await);
    let page = browser.get(&address).await.body;
    assert!(
        page.contains("You cannot change your own role")
            && !page.contains("/remove")
            && !page.contains("/password\""),
        "{page}"
    );
    for (path, field) in [
        ("role", Some(("role", "USER"))),
        ("password", None),
        ("sessions/end", None),
        ("remove", None),
    ] {
        let fields: Vec<_> = [("form_token", &*token)].into_iter().chain(field).collect();
        let answer = browser.post(&format!("{address}/{path}"), &fields).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
        assert_safe(&answer);
    }
    assert_eq!(
        browser.get(&format!("{address}/remove")).await.status,
        StatusCode::FORBIDDEN
    );
    assert_eq!(account(&harness, ADMIN).await.unwrap().role, Role::Admin);
    assert_eq!(
        browser.get("/admin/people").await.status,
        StatusCode::OK,
        "the session stays"
    );
}

/// Fails if two administrators who demote each other leave none.
#[tokio::test]
async fn of_concurrent_removals_the_last_administrator_stays() {
    let harness = Harness::new().await;
    let (mut mine, token) = administrator(&harness).await;
    add_user(&harness, &mut mine, &token, "lee@school.example", "ADMIN").await;
    let mut theirs = harness.browser_of("lee@school.example").await;
    let their_token = form_token(&theirs.get("/admin/people").await.body);
    let (me, them) = (
        id(&harness, ADMIN).await,
        id(&harness, "lee@school.example").await,
    );
    let (take, give) = (
        [("form_token", &*token), ("role", "USER")],
        [("form_token", &*their_token), ("role", "USER")],
    );
    let (their_path, my_path) = (
        format!("/admin/people/{them}/role"),
        format!("/admin/people/{me}/role"),
    );
    let (one, other) = tokio::join!(mine.post(&their_path, &take), theirs.post(&my_path, &give));
    let done = [&one, &other]
        .into_iter()
        .filter(|answer| answer.location().contains("done=role"))
        .count();
    assert_eq!(done, 1, "{one:?} {other:?}");
    let roles = [
        account(&harness, ADMIN).await.unwrap().role,
        account(&harness, "lee@school.example").await.unwrap().role,
    ];
    assert_eq!(roles.iter().filter(|role| **role == Role::Admin).count(), 1);
}
