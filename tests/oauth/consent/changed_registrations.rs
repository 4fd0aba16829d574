//! Scopes and clients that change while the user decides.

use lyceum::domain::{AuthorizationSession, ScopeSet, SessionToken};

use super::*;

#[tokio::test]
async fn a_scope_that_was_deleted_since_is_neither_shown_nor_granted() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_at_consent().await;
    let token = SessionToken::parse(browser.session().unwrap()).unwrap();
    let session = harness
        .store
        .close_session(&token.digest(), START)
        .await
        .unwrap()
        .unwrap();
    // The session after the deletion of one of its scopes.
    let gone =
        ScopeSet::parse(&format!("{} {}:gone", session.scopes, harness.application)).unwrap();
    let form_token = {
        harness
            .store
            .open_session(token.digest(), session.clone())
            .await
            .unwrap();
        let form_token = browser.form_token("/v1/oauth/consent").await;
        harness
            .store
            .close_session(&token.digest(), START)
            .await
            .unwrap();
        form_token
    };
    harness
        .store
        .open_session(
            token.digest(),
            AuthorizationSession {
                scopes: gone,
                ..session
            },
        )
        .await
        .unwrap();
    let shown = browser.get("/v1/oauth/consent").await;
    assert_eq!(
        (shown.status, shown.is_page()),
        (StatusCode::BAD_REQUEST, true),
        "{shown:?}"
    );
    let allowed = browser
        .post(
            "/v1/oauth/consent",
            &[("form_token", &form_token), ("decision", "allow")],
        )
        .await;
    assert_eq!(
        (allowed.status, allowed.location()),
        (StatusCode::BAD_REQUEST, ""),
        "{allowed:?}"
    );
}

#[tokio::test]
async fn a_session_that_has_lost_all_its_scopes_grants_nothing_also_by_what_was_allowed_before() {
    let harness = Harness::new().await;
    assert!(
        harness
            .browser_at_consent()
            .await
            .decide("allow")
            .await
            .sent_back("code")
            .is_some()
    );
    let mut browser = harness.browser_at_login().await;
    let (form, token) = (
        browser.form_token("/v1/oauth/login").await,
        SessionToken::parse(browser.session().unwrap()).unwrap(),
    );
    let session = harness
        .store
        .close_session(&token.digest(), START)
        .await
        .unwrap()
        .unwrap();
    harness
        .store
        .open_session(
            token.digest(),
            AuthorizationSession {
                scopes: ScopeSet::default(),
                ..session
            },
        )
        .await
        .unwrap();
    let answer = browser
        .post(
            "/v1/oauth/login",
            &[
                ("form_token", &form),
                ("email", EMAIL),
                ("password", PASSWORD),
            ],
        )
        .await;
    assert_eq!(answer.location(), CONSENT, "{answer:?}");
    assert_eq!(browser.get(CONSENT).await.status, StatusCode::BAD_REQUEST);
}

// Proves: threats 13
/// Fails if only the registration at the start of the session is checked.
#[tokio::test]
async fn scopes_and_redirects_removed_from_the_client_meanwhile_are_not_used() {
    let harness = Harness::new().await;
    let before = harness.client.settings();
    let narrower = ClientSettings {
        allowed_scopes: ScopeSet::parse("service:self_read").unwrap(),
        ..before.clone()
    };
    let moved = ClientSettings {
        redirect_uris: vec!["https://moved.example/".parse().unwrap()],
        ..before.clone()
    };
    for (now, status) in [
        (narrower, StatusCode::BAD_REQUEST),
        (moved, StatusCode::UNAUTHORIZED),
    ] {
        for decision in ["allow", "deny"] {
            let mut browser = harness.browser_at_consent().await;
            let form_token = browser.form_token(CONSENT).await;
            assert_eq!(
                harness
                    .store
                    .update_client(harness.client.id, &before, now.clone())
                    .await
                    .unwrap(),
                ClientUpdate::Updated
            );
            let shown = browser.get(CONSENT).await;
            let decided = browser
                .post(
                    CONSENT,
                    &[("form_token", &form_token), ("decision", decision)],
                )
                .await;
            assert_eq!(shown.status, status, "{shown:?}");
            if decision == "deny" && status == StatusCode::BAD_REQUEST {
                assert!(
                    decided.sent_back("error").is_some(),
                    "a denial issues nothing: {decided:?}"
                );
            } else {
                assert_eq!(
                    (decided.status, decided.location()),
                    (status, ""),
                    "{decided:?}"
                );
            }
            assert_eq!(
                harness
                    .store
                    .update_client(harness.client.id, &now, before.clone())
                    .await
                    .unwrap(),
                ClientUpdate::Updated
            );
        }
    }
}
