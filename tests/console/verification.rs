//! Review of clients by administrators.

use http::StatusCode;
use lyceum::directory::{DirectoryChange, WriteOutcome};
use lyceum::domain::{Client, ClientSettings, Scope, Student, Verification};
use lyceum::store::{ClientUpdate, ConsentMode};

use crate::client_fixtures::*;
use crate::fixtures::grant;
use crate::harness::*;
use crate::pages::assert_safe;
use crate::school_fixtures;

/// Writes the school, in which the user with [`EMAIL`] is a student.
pub async fn enroll_person(harness: &Harness) -> Student {
    let written = harness.directory.write(school_fixtures::changes()).await;
    assert!(matches!(written.unwrap(), WriteOutcome::Written(_)));
    let school = harness.directory.snapshot().await.unwrap();
    let student = Student {
        email: EMAIL.parse().unwrap(),
        ..school.students().get(1).unwrap().student.clone()
    };
    let written = vec![DirectoryChange::PutStudent(student.clone())];
    let written = harness.directory.write(written).await;
    assert!(matches!(written.unwrap(), WriteOutcome::Written(_)));
    student
}

async fn unverified(harness: &Harness) -> Client {
    client(harness, 1, |client| Client {
        verification: Verification::Unverified,
        ..client
    })
    .await
}

/// Fails if only the consent page warns of an app that no administrator has verified.
#[tokio::test]
async fn a_connected_app_that_is_not_verified_is_marked() {
    let harness = Harness::new().await;
    let client = unverified(&harness).await;
    let scopes = [Scope::self_read()];
    let person = &harness.person;
    grant(&harness, 1, person, client.id, &scopes, ConsentMode::Once).await;
    let mut browser = harness.browser_of(EMAIL).await;
    assert!(browser.get("/apps").await.body.contains("Unverified"));
    let path = format!("/clients/{}/verify", client.id);
    let mut admin = harness.browser_of(ADMIN).await;
    let asked = admin.get(&path).await.body;
    let (token, seen) = (form_token(&asked), hidden(&asked, "seen"));
    let fields = [("form_token", &*token), ("seen", &*seen)];
    assert_eq!(
        admin.post(&path, &fields).await.status,
        StatusCode::SEE_OTHER
    );
    assert!(!browser.get("/apps").await.body.contains("Unverified"));
}

#[tokio::test]
async fn an_administrator_finds_the_clients_to_review_and_verifies_them() {
    let harness = Harness::new().await;
    let client = unverified(&harness).await;
    client_fixture_rest(&harness).await;
    let mut admin = harness.browser_of(ADMIN).await;
    let all = admin.get("/admin/clients").await;
    assert!(
        all.body.contains("2 clients to review") && all.body.contains("/console/admin/waiting"),
        "{}",
        all.body
    );
    let list = admin.get("/admin/waiting").await;
    assert_safe(&list);
    for text in [
        "Timetable 1",
        "Unverified",
        "Timetable 2",
        "Not reviewed yet",
        "They count as verified",
        "Requested scopes",
        "kim.<wbr>haneul@<wbr>school.<wbr>example<wbr>",
    ] {
        assert!(
            list.body.contains(text),
            "{text} is missing in {}",
            list.body
        );
    }
    assert!(
        !list.body.contains("Timetable 3") && !list.body.contains("Timetable 4"),
        "reviewed and first-party clients"
    );

    let path = format!("/clients/{}/verify", client.id);
    let asked = admin.get(&path).await;
    assert_safe(&asked);
    for text in ["Timetable 1", EMAIL, "https://app.example/callback"] {
        assert!(
            asked.body.contains(text),
            "{text} is missing in {}",
            asked.body
        );
    }
    let fields = [
        ("form_token", &*form_token(&asked.body)),
        ("seen", &*hidden(&asked.body, "seen")),
    ];
    let answer = admin.post(&path, &fields).await;
    assert_eq!(
        answer.location(),
        format!("/console/clients/{}?done=verified", client.id)
    );
    assert!(matches!(
        stored_client(&harness, client.id).await.verification,
        Verification::Verified { at: START, .. }
    ));
    let shown = admin.follow().await;
    assert_safe(&shown);
    assert!(
        shown.body.contains("Client verified.") && shown.body.contains(ADMIN),
        "{}",
        shown.body
    );
    assert!(
        !admin
            .get("/admin/waiting")
            .await
            .body
            .contains("Timetable 1")
    );

    let path = format!("/clients/{}/unverify", client.id);
    let asked = admin.get(&path).await;
    assert_safe(&asked);
    let fields = [
        ("form_token", &*form_token(&asked.body)),
        ("seen", &*hidden(&asked.body, "seen")),
    ];
    assert_eq!(
        admin.post(&path, &fields).await.location(),
        format!("/console/clients/{}?done=unverified", client.id)
    );
    assert_eq!(
        stored_client(&harness, client.id).await.verification,
        Verification::Unverified
    );
}

/// Fails if scopes are shown by their names, or not all of them are mentioned.
#[tokio::test]
async fn the_list_of_what_waits_says_in_words_what_a_client_wants_to_do() {
    let harness = Harness::new().await;
    let mut scopes = Vec::new();
    for number in 1..=6 {
        let words = format!("See <points> {number}");
        scopes.push(crate::fixtures::scope(&harness, number, "Cafeteria", &words).await);
    }
    client(&harness, 1, |client| Client {
        allowed_scopes: scopes.iter().cloned().collect(),
        verification: Verification::Unverified,
        ..client
    })
    .await;
    let page = harness.browser_of(ADMIN).await.get("/admin/waiting").await;
    assert_safe(&page);
    assert_eq!(page.body.matches("See &#60;points&#62;").count(), 4);
    assert!(page.body.contains("and 2 more"), "{}", page.body);
}

/// Fails if an owner whose name is known is shown with the address.
#[tokio::test]
async fn the_list_of_what_waits_names_students_without_their_address() {
    let harness = Harness::with_school_editor(|auth| auth).await;
    let owner = enroll_person(&harness).await;
    let of = owner.enrollment().unwrap();
    let named = format!(
        "<bdi>{} · {}-{}<wbr></bdi>",
        owner.name, of.grade, of.class_num
    );
    unverified(&harness).await;
    let page = harness.browser_of(ADMIN).await.get("/admin/waiting").await;
    assert_safe(&page);
    let list = page
        .body
        .split("<table class=\"cards waits\">")
        .nth(1)
        .unwrap();
    let list = list.split("</table>").next().unwrap();
    assert!(list.contains(&named) && !list.contains('@'), "{list}");
}

/// Fails if a forged notice names a client that is not verified.
#[tokio::test]
async fn the_notice_of_a_verification_names_only_a_verified_client() {
    let harness = Harness::new().await;
    let client = unverified(&harness).await;
    let mut admin = harness.browser_of(ADMIN).await;
    for id in [client.id.to_string(), "x".to_owned(), String::new()] {
        let path = format!("/admin/waiting?done=verified&client={id}");
        let page = admin.get(&path).await;
        assert_safe(&page);
        assert!(!page.body.contains("Timetable 1 is verified"), "{id}");
    }
}

/// A client that was never reviewed, a reviewed one and a first-party one.
async fn client_fixture_rest(harness: &Harness) {
    client(harness, 2, |client| client).await;
    let verification = Verification::Verified {
        by: harness.person.clone(),
        at: START,
    };
    client(harness, 3, |client| Client {
        verification,
        ..client
    })
    .await;
    client(harness, 4, |client| Client {
        first_party: true,
        ..client
    })
    .await;
}

/// Fails if an administrator verifies settings that the page did not show.
#[tokio::test]
async fn a_client_changed_since_it_was_shown_is_not_verified() {
    let harness = Harness::new().await;
    let client = unverified(&harness).await;
    let path = format!("/clients/{}/verify", client.id);
    let mut admin = harness.browser_of(ADMIN).await;
    let asked = admin.get(&path).await.body;
    let fields = [
        ("form_token", &*form_token(&asked)),
        ("seen", &*hidden(&asked, "seen")),
    ];
    let elsewhere = ClientSettings {
        redirect_uris: vec!["https://evil.example/".parse().unwrap()],
        ..client.settings()
    };
    assert_eq!(
        harness
            .store
            .update_client(client.id, &client.settings(), elsewhere)
            .await
            .unwrap(),
        ClientUpdate::Updated
    );
    for fields in [&fields[..], &fields[..1]] {
        let page = admin.post(&path, fields).await;
        assert_eq!(page.status, StatusCode::CONFLICT);
        assert!(
            page.body.contains("https://evil.example/"),
            "it shows what it is now: {}",
            page.body
        );
        assert_eq!(
            stored_client(&harness, client.id).await.verification,
            Verification::Unverified
        );
    }
}

#[tokio::test]
async fn only_administrators_review_and_the_owner_sees_the_status() {
    let harness = Harness::new().await;
    let client = unverified(&harness).await;
    let mut owner = harness.browser_of(EMAIL).await;
    let shown = owner.get(&format!("/clients/{}", client.id)).await;
    assert_safe(&shown);
    assert!(
        shown.body.contains("Unverified")
            && shown
                .body
                .contains("No administrator has verified this client yet"),
        "{}",
        shown.body
    );
    assert!(!shown.body.contains("/verify"), "{}", shown.body);
    let token = form_token(
        &owner
            .get(&format!("/clients/{}/edit", client.id))
            .await
            .body,
    );
    for path in [
        "/admin/waiting".to_owned(),
        format!("/clients/{}/verify", client.id),
        format!("/clients/{}/unverify", client.id),
    ] {
        assert_eq!(
            owner.get(&path).await.status,
            StatusCode::FORBIDDEN,
            "{path}"
        );
    }
    for word in ["verify", "unverify"] {
        let answer = owner
            .post(
                &format!("/clients/{}/{word}", client.id),
                &[("form_token", &*token), ("seen", "x")],
            )
            .await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN);
    }
    let fields = [
        ("form_token", &*token),
        ("name", "x"),
        ("policy", "secret"),
        ("verified", "true"),
    ];
    assert_eq!(
        owner
            .post(&format!("/clients/{}/edit", client.id), &fields)
            .await
            .status,
        StatusCode::BAD_REQUEST,
        "the form has no such field"
    );
    assert_eq!(
        stored_client(&harness, client.id).await.verification,
        Verification::Unverified
    );
}

#[tokio::test]
async fn one_of_the_services_own_is_not_reviewed() {
    let harness = Harness::new().await;
    let own = client(&harness, 1, |client| Client {
        first_party: true,
        ..client
    })
    .await;
    let mut admin = harness.browser_of(ADMIN).await;
    assert!(
        !admin
            .get(&format!("/clients/{}", own.id))
            .await
            .body
            .contains("verify")
    );
    for word in ["verify", "unverify"] {
        assert_eq!(
            admin
                .get(&format!("/clients/{}/{word}", own.id))
                .await
                .status,
            StatusCode::NOT_FOUND
        );
    }
}

/// Fails if saving a client without a change of name or redirect URI ends its verification, or such
/// a change does not.
#[tokio::test]
async fn saving_the_form_unverifies_only_another_name_or_address() {
    let harness = Harness::new().await;
    let verification = Verification::Verified {
        by: harness.person.clone(),
        at: START,
    };
    let client = client(&harness, 1, |client| Client {
        verification: verification.clone(),
        ..client
    })
    .await;
    let path = format!("/clients/{}/edit", client.id);
    let mut owner = harness.browser_of(EMAIL).await;
    for (name, uris, stays) in [
        ("Timetable 1", "https://app.example/callback", true),
        (
            "Timetable 1",
            "https://app.example/callback\nhttps://evil.example/",
            false,
        ),
    ] {
        let page = owner.get(&path).await.body;
        let (token, seen) = (form_token(&page), hidden(&page, "seen"));
        let fields = [
            ("form_token", &*token),
            ("seen", &*seen),
            ("name", name),
            ("policy", "secret"),
            ("redirect_uris", uris),
            ("iss_omitted", "true"),
        ];
        assert_eq!(
            owner.post(&path, &fields).await.status,
            StatusCode::SEE_OTHER
        );
        let kept = stored_client(&harness, client.id).await;
        assert_eq!(
            (kept.verification == verification, kept.iss_omitted),
            (stays, true),
            "{uris}"
        );
    }
}
