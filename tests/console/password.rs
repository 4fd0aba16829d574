use http::StatusCode;
use lyceum::http::audit::{Change, EventKind, ManagedObject};
use lyceum::store::ConsentMode;

use crate::fixtures::{client, is_revoked, key, self_grant};
use crate::harness::*;
use crate::page_assertions::{assert_guarded, assert_page, send};
use crate::pages::assert_safe;

const PATH: &str = "/account/password";
const NEW: &str = "another horse <b>";

async fn change(browser: &mut Browser, old: &str, new: &str, repeated: &str) -> TestResponse {
    let fields = [
        ("email", EMAIL),
        ("old_password", old),
        ("new_password", new),
        ("repeated", repeated),
    ];
    send(browser, PATH, &fields).await
}

// Proves: threats 23
/// Fails if an old token, or anything else that was opened with the old password, still works.
#[tokio::test]
async fn a_new_password_gives_this_browser_a_new_token_and_ends_everything_else() {
    let harness = Harness::new().await;
    let app = client(&harness, 1, "Lunch").await;
    let grant = self_grant(&harness, 1, &harness.person, app, ConsentMode::Once).await;
    let (mut here, mut there) = (
        harness.browser_of(EMAIL).await,
        harness.browser_of(EMAIL).await,
    );
    assert_page(&harness, &mut here, PATH).await;
    let (mut thief, form) = (here.clone(), form_token(&here.get("/").await.body));
    let answer = change(&mut here, PASSWORD, NEW, NEW).await;
    assert_eq!(
        (answer.status, answer.location()),
        (StatusCode::SEE_OTHER, "/console/account?done=password")
    );
    assert!(answer.cookies()[0].ends_with("; Path=/; HttpOnly; SameSite=Lax; Secure"));
    assert_ne!(here.session(), thief.session());
    assert!(here.follow().await.body.contains("Password changed."));
    for gone in [&mut thief, &mut there] {
        assert_eq!(gone.get("/account").await.status, StatusCode::SEE_OTHER);
    }
    assert_eq!(
        here.post("/sign-out", &[("form_token", &form)])
            .await
            .status,
        StatusCode::FORBIDDEN,
        "older forms are refused"
    );
    assert!(!harness.store.grant_is_live(&grant, START).await.unwrap());
    assert_eq!(
        harness.browser().sign_in(EMAIL, PASSWORD).await.status,
        StatusCode::UNAUTHORIZED
    );
    assert_eq!(
        harness.browser().sign_in(EMAIL, NEW).await.status,
        StatusCode::SEE_OTHER
    );
    let (by, object) = (
        harness.person.clone(),
        ManagedObject::Password(harness.person.as_str().parse().unwrap()),
    );
    let changed = EventKind::Managed {
        by,
        object,
        change: Change::Changed,
        fields: Vec::new(),
    };
    assert_eq!(harness.recorded(&changed), 1);
}

// Proves: spec 3.25
/// Fails if a key works although the switch is on, or is revoked although the switch is off.
#[tokio::test]
async fn a_new_password_revokes_the_api_keys_unless_the_switch_is_off() {
    for revokes in [false, true] {
        let harness = Harness::new().await;
        let key = key(&harness, 1, Some(&harness.person), "Lunch").await;
        let mut browser = harness.browser_of(EMAIL).await;
        let page = browser.get(PATH).await.body;
        let switch = "name=\"revoke_keys\" value=\"true\" checked";
        assert!(
            page.contains(switch) && page.contains("Revoke all API keys too"),
            "{page}"
        );
        let typed = [
            ("email", EMAIL),
            ("old_password", PASSWORD),
            ("new_password", NEW),
            ("repeated", "another"),
        ];
        let on = revokes.then_some(("revoke_keys", "true"));
        let again = send(&mut browser, PATH, &[&typed[..], on.as_slice()].concat()).await;
        assert_eq!(
            again.body.contains(switch),
            revokes,
            "the form comes back as it was: {}",
            again.body
        );
        let typed = [
            ("email", EMAIL),
            ("old_password", PASSWORD),
            ("new_password", NEW),
            ("repeated", NEW),
        ];
        assert_eq!(
            send(&mut browser, PATH, &[&typed[..], on.as_slice()].concat())
                .await
                .status,
            StatusCode::SEE_OTHER
        );
        assert_eq!(is_revoked(&harness, key).await, revokes);
        let fields = if revokes { vec!["apiKeys"] } else { Vec::new() };
        let told = |kind: &EventKind| matches!(kind, EventKind::Managed { object: ManagedObject::Password(_), fields: told, .. } if *told == fields);
        assert!(harness.log.events().iter().any(|event| told(&event.kind)));
    }
}

/// Fails if an error has no message, or a password is in the page.
#[tokio::test]
async fn password_errors_are_beside_the_field_and_nothing_changes() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    let long = "x".repeat(1025);
    for (old, new, repeated, field, message) in [
        (
            "wrong <b>",
            NEW,
            NEW,
            "old_password",
            "The current password is incorrect.",
        ),
        ("", NEW, NEW, "old_password", "This field is required."),
        (PASSWORD, "", "", "new_password", "This field is required."),
        (
            PASSWORD,
            &long,
            &long,
            "new_password",
            "Enter a password of at most 1,024 bytes.",
        ),
        (
            PASSWORD,
            NEW,
            "another",
            "repeated",
            "The new passwords do not match.",
        ),
        (
            PASSWORD,
            "kjh!8723k",
            "kjh!8723k",
            "new_password",
            "A new password needs at least 10 characters.",
        ),
        (
            PASSWORD,
            EMAIL,
            EMAIL,
            "new_password",
            "The password must not be your email address",
        ),
        (
            PASSWORD,
            "haneul high school",
            "haneul high school",
            "new_password",
            "The password must not be the name of the school",
        ),
        (
            PASSWORD,
            "password2026",
            "password2026",
            "new_password",
            "This password is too easy to guess.",
        ),
    ] {
        let page = change(&mut browser, old, new, repeated).await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST, "{field}: {page:?}");
        assert_safe(&page);
        assert!(
            page.body
                .contains(&format!("id=\"{field}-fault\">{message}")),
            "{field}: {}",
            page.body
        );
        for typed in [PASSWORD, "another", "wrong", "xxx"] {
            assert!(!page.body.contains(typed), "{typed} in {}", page.body);
        }
    }
    assert_eq!(browser.get("/").await.status, StatusCode::OK);
    assert_eq!(
        harness.browser().sign_in(EMAIL, PASSWORD).await.status,
        StatusCode::SEE_OTHER
    );
}

// Proves: threats 40
/// Fails if a signed-in browser allows unlimited guesses of the password.
#[tokio::test]
async fn guesses_are_attempts_to_sign_in() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    for _ in 0..10 {
        assert_eq!(
            change(&mut browser, "wrong", NEW, NEW).await.status,
            StatusCode::BAD_REQUEST
        );
    }
    let answer = change(&mut browser, PASSWORD, NEW, NEW).await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(
        answer.header("retry-after").parse::<u64>().unwrap() > 0
            && browser.get("/").await.status == StatusCode::OK
    );
    assert_eq!(
        harness.browser().sign_in(EMAIL, PASSWORD).await.status,
        StatusCode::TOO_MANY_REQUESTS
    );
}

// Proves: threats 22
#[tokio::test]
async fn no_other_page_changes_a_password() {
    let harness = Harness::new().await;
    let (mut mine, mut yours) = (
        harness.browser_of(EMAIL).await,
        harness.browser_of(ADMIN).await,
    );
    let fields = [
        ("old_password", PASSWORD),
        ("new_password", NEW),
        ("repeated", NEW),
    ];
    assert_guarded(&mut mine, &mut yours, PATH, &fields).await;
    assert_eq!(
        harness.browser().sign_in(EMAIL, PASSWORD).await.status,
        StatusCode::SEE_OTHER
    );
}
