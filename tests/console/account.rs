use std::sync::Arc;

use http::StatusCode;
use lyceum::directory::{Directory, DirectoryChange, WriteOutcome};
use lyceum::domain::*;
use lyceum::http::audit::EventKind;
use lyceum::store::ConsentMode;
use lyceum::store::memory::MemoryStore;

use crate::fixtures::{client, id_of, is_revoked, key, self_grant};
use crate::harness::*;
use crate::one_user::OneUser;
use crate::page_assertions::{assert_guarded, assert_page, send};

/// Paths that end the sessions listed on a page.
fn endings(page: &str) -> Vec<String> {
    page.split("action=\"/console/account/sessions/")
        .skip(1)
        .map(|rest| rest.split("/end\"").next().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn the_account_page_shows_the_user_and_the_sessions() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    harness.clock.advance(MINUTE * 20);
    let _other = harness.browser_of(EMAIL).await;
    let page = assert_page(&harness, &mut browser, "/account").await.body;
    for text in [
        EMAIL,
        "<dd>User</dd>",
        "2026-01-01 09:00",
        "2026-01-01 09:20",
        "Firefox, Linux",
        "/console/account/password",
    ] {
        assert!(page.contains(text), "{text} is missing in {page}");
    }
    assert_eq!(
        (page.matches("This device").count(), endings(&page).len()),
        (1, 1),
        "the current session has no such button: {page}"
    );
    assert!(!page.contains("Student record"));
    harness.clock.advance(MINUTE * 15);
    browser.get("/").await;
    harness.clock.advance(MINUTE * 16);
    assert!(
        endings(&browser.get("/account").await.body).is_empty(),
        "the other session was idle for too long"
    );
}

/// A school with a student who has the address of [`EMAIL`].
pub async fn school_with_student() -> Directory {
    let directory = Directory::open(Arc::new(MemoryStore::new())).await.unwrap();
    let enrollment = Enrollment {
        grade: Grade::new(2).unwrap(),
        class_num: ClassNum::new(3).unwrap(),
        number: SeatNumber::new(7).unwrap(),
        major: Major::AI,
        role: EnrolledRole::GeneralStudent,
        dormitory_room: Some(DormitoryRoom::new(415).unwrap()),
        major_club: None,
        autonomous_club: None,
    };
    let student = Student {
        id: StudentId::new(1).unwrap(),
        name: "<b>Kim</b>".parse().unwrap(),
        sex: Sex::Woman,
        email: EMAIL.to_uppercase().parse().unwrap(),
        specialty: None,
        github_id: Some("haneul-kim".parse().unwrap()),
        enrollment_status: EnrollmentStatus::Enrolled(enrollment),
    };
    assert!(matches!(
        directory
            .write(vec![DirectoryChange::PutStudent(student)])
            .await
            .unwrap(),
        WriteOutcome::Written(_)
    ));
    directory
}

#[tokio::test]
async fn a_student_sees_the_own_school_record() {
    let directory = school_with_student().await;
    let auth =
        |auth: lyceum::http::auth_server::AuthServerBuilder| auth.directory(directory.clone());
    let harness = Harness::with_auth(auth).await;
    let page = assert_page(&harness, &mut harness.browser_of(EMAIL).await, "/account")
        .await
        .body;
    for text in [
        "Student record",
        "&#60;b&#62;Kim",
        "2307",
        "415",
        "haneul-kim",
    ] {
        assert!(page.contains(text), "{text} is missing in {page}");
    }
    assert!(
        !harness
            .browser_of(ADMIN)
            .await
            .get("/account")
            .await
            .body
            .contains("Student record")
    );
    let school = directory.snapshot().await.unwrap();
    harness.accounts.reconcile_leavers(&school).await.unwrap();
    let moved = Student {
        email: "3307@school.example".parse().unwrap(),
        ..school.students().get(1).unwrap().student.clone()
    };
    let moved = vec![DirectoryChange::PutStudent(moved)];
    let written = directory.write(moved).await.unwrap();
    assert!(matches!(written, WriteOutcome::Written(_)));
    let page = harness.browser_of(EMAIL).await.get("/account").await.body;
    assert!(
        page.contains("haneul-kim"),
        "the account is linked to the student: {page}"
    );
}

/// Fails if a user can end another user's session by its id.
#[tokio::test]
async fn users_end_their_own_sessions_only() {
    let harness = Harness::new().await;
    let (mut here, mut there) = (
        harness.browser_of(EMAIL).await,
        harness.browser_of(EMAIL).await,
    );
    let mut admin = harness.browser_of(ADMIN).await;
    let id = endings(&here.get("/account").await.body).remove(0);
    let path = format!("/account/sessions/{id}/end");
    assert_eq!(
        send(&mut admin, &path, &[]).await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        send(&mut admin, "/account/sessions/%22/end", &[])
            .await
            .status,
        StatusCode::NOT_FOUND
    );
    assert_guarded(&mut here, &mut admin, &path, &[]).await;
    assert_eq!(here.get(&path).await.status, StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(there.get("/account").await.status, StatusCode::OK);
    assert_eq!(
        send(&mut here, &path, &[]).await.location(),
        "/console/account?done=session"
    );
    assert!(
        here.follow()
            .await
            .body
            .contains("Signed out on that device.")
    );
    assert_eq!(
        there.get("/account").await.location(),
        "/console/sign-in?next=%2Faccount&done=ended"
    );
    let out = EventKind::SignedOut {
        subject: Some(harness.person.clone()),
        client: None,
    };
    assert!(harness.recorded(&out) > 0);
}

/// Fails if a client keeps its access, or this browser its session.
#[tokio::test]
async fn signing_out_everywhere_ends_all_sessions_and_grants() {
    let harness = Harness::new().await;
    let app = client(&harness, 1, "Lunch").await;
    let mine = self_grant(&harness, 1, &harness.person, app, ConsentMode::Remembered).await;
    let admins = self_grant(
        &harness,
        2,
        &id_of(&harness, ADMIN).await,
        app,
        ConsentMode::Once,
    )
    .await;
    let (mut here, mut there) = (
        harness.browser_of(EMAIL).await,
        harness.browser_of(EMAIL).await,
    );
    let mut admin = harness.browser_of(ADMIN).await;
    let path = "/account/sign-out-everywhere";
    assert!(
        assert_page(&harness, &mut here, path)
            .await
            .body
            .contains("Sign out everywhere?")
    );
    assert_guarded(&mut here, &mut admin, path, &[]).await;
    assert!(harness.store.grant_is_live(&mine, START).await.unwrap());
    let answer = send(&mut here, path, &[]).await;
    assert_eq!(
        (answer.status, answer.location()),
        (StatusCode::SEE_OTHER, "/console/sign-in?done=out")
    );
    assert!(here.session().is_none() && here.follow().await.body.contains("You are signed out."));
    assert_eq!(there.get("/").await.status, StatusCode::SEE_OTHER);
    assert_eq!(admin.get("/").await.status, StatusCode::OK);
    assert!(
        !harness.store.grant_is_live(&mine, START).await.unwrap()
            && harness.store.grant_is_live(&admins, START).await.unwrap()
    );
    let everywhere = EventKind::SignedOutEverywhere {
        subject: harness.person.clone(),
        grants: 1,
        api_keys: false,
    };
    assert!(harness.recorded(&everywhere) > 0);
}

/// Fails if a key works although the switch is on, or is revoked although the switch is off.
#[tokio::test]
async fn signing_out_everywhere_revokes_the_api_keys_unless_the_switch_is_off() {
    for revokes in [false, true] {
        let harness = Harness::new().await;
        let (mine, nobodys) = (
            key(&harness, 1, Some(&harness.person), "Lunch").await,
            key(&harness, 2, None, "Tower").await,
        );
        let mut browser = harness.browser_of(EMAIL).await;
        let path = "/account/sign-out-everywhere";
        assert!(
            browser
                .get(path)
                .await
                .body
                .contains("name=\"revoke_keys\" value=\"true\" checked")
        );
        let on = revokes.then_some(("revoke_keys", "true"));
        assert_eq!(
            send(&mut browser, path, on.as_slice()).await.location(),
            "/console/sign-in?done=out"
        );
        assert_eq!(
            (
                is_revoked(&harness, mine).await,
                is_revoked(&harness, nobodys).await
            ),
            (revokes, false)
        );
        let told = EventKind::SignedOutEverywhere {
            subject: harness.person.clone(),
            grants: 0,
            api_keys: revokes,
        };
        assert!(harness.recorded(&told) > 0);
    }
}

/// Fails if the page offers a form that cannot work.
#[tokio::test]
async fn accounts_of_an_external_authenticator_have_no_password_here() {
    let people = Arc::new(OneUser::new("1234", EMAIL, Role::User));
    let harness = Harness::with_auth(|auth| auth.authenticator(people)).await;
    let mut browser = harness.browser_of(EMAIL).await;
    let page = assert_page(&harness, &mut browser, "/account").await.body;
    assert!(
        page.contains("sign-in service manages your account")
            && !page.contains("/account/password"),
        "{page}"
    );
    assert_eq!(
        browser.get("/account/password").await.status,
        StatusCode::NOT_FOUND
    );
    let fields = [
        ("old_password", "a"),
        ("new_password", "b"),
        ("repeated", "b"),
    ];
    assert_eq!(
        send(&mut browser, "/account/password", &fields)
            .await
            .status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        send(&mut browser, "/account/sign-out-everywhere", &[])
            .await
            .location(),
        "/console/sign-in?done=out"
    );
    assert!(browser.session().is_none());
}
