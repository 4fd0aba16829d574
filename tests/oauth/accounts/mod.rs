mod attempts;
mod hashing;
mod leavers;
mod management;
mod password_policy;

use std::sync::Arc;

use http::header::AUTHORIZATION;
use lyceum::domain::*;
use lyceum::http::Clock;
use lyceum::http::audit::{EventKind, RefusalRule};
use lyceum::http::auth_server::{
    AccountCreationOutcome, Accounts, AccountsBuilder, Authenticator, PasswordChangeOutcome,
    PasswordResetOutcome,
};
use lyceum::store::memory::MemoryStore;
use lyceum::store::{AccountChange, AccountStore, ApiKeyAction};
use lyceum::testing::MemoryAuditLog;

use crate::harness::*;
use crate::token::harness::{Fields, VERIFIER, basic};

const NEW: &str = "a new and better password";

async fn token(harness: &Harness, fields: &[(&str, &str)]) -> TestResponse {
    let mut request = Fields::new(fields).as_form();
    request.headers_mut().insert(
        AUTHORIZATION,
        basic(&harness.client.id.to_string(), harness.secret.expose())
            .parse()
            .unwrap(),
    );
    ask(&harness.server, request).await
}

/// The refresh token of a grant that the user has just approved.
async fn allowed(harness: &Harness) -> String {
    let tokens = issued(harness, &mut harness.browser_at_consent().await).await;
    tokens["refresh_token"].as_str().unwrap().to_owned()
}

/// The tokens of a grant that the user of a browser at the consent page approves.
async fn issued(harness: &Harness, browser: &mut Browser) -> serde_json::Value {
    let code = browser.decide("allow").await.sent_back("code").unwrap();
    let fields = [
        ("grant_type", "authorization_code"),
        ("code", &*code),
        ("redirect_uri", CALLBACK),
        ("code_verifier", VERIFIER),
    ];
    token(harness, &fields).await.json()
}

async fn refreshed(harness: &Harness, refresh_token: &str) -> TestResponse {
    token(
        harness,
        &[
            ("grant_type", "refresh_token"),
            ("refresh_token", refresh_token),
        ],
    )
    .await
}

async fn kim(harness: &Harness) -> AccountId {
    harness
        .store
        .account_by_email(&EMAIL.parse().unwrap())
        .await
        .unwrap()
        .unwrap()
        .id
}

fn password(text: &str) -> Password {
    Password::new(text).unwrap()
}

fn administrator() -> SubjectId {
    "administrator".parse().unwrap()
}

async fn signs_in(harness: &Harness, password: &str) -> bool {
    harness
        .browser_at_login()
        .await
        .sign_in(EMAIL, password)
        .await
        .status
        == 303
}

#[tokio::test]
async fn a_new_password_ends_sessions_and_grants_of_the_old_one() {
    let harness = Harness::new().await;
    let (id, refresh_token) = (kim(&harness).await, allowed(&harness).await);
    let mut begun = harness.browser_at_consent().await;
    let change = async |old| {
        harness
            .accounts
            .change_password(
                id,
                &password(old),
                &password(NEW),
                ApiKeyAction::Revoke,
                None,
            )
            .await
            .unwrap()
    };
    assert_eq!(change("wrong").await, PasswordChangeOutcome::WrongPassword);
    let refresh_token = refreshed(&harness, &refresh_token).await.json()["refresh_token"]
        .as_str()
        .expect("no grant was revoked")
        .to_owned();
    assert_eq!(change(PASSWORD).await, PasswordChangeOutcome::Changed);
    assert_eq!(
        refreshed(&harness, &refresh_token).await.json()["error"],
        "invalid_grant"
    );
    assert_ne!(
        begun.get("/v1/oauth/consent").await.status,
        200,
        "existing sessions have ended"
    );
    assert!(!signs_in(&harness, PASSWORD).await && signs_in(&harness, NEW).await);
    assert_eq!(change(PASSWORD).await, PasswordChangeOutcome::WrongPassword);
}

#[tokio::test]
async fn an_administrator_gives_a_new_password_without_the_old_one() {
    let harness = Harness::new().await;
    let (id, refresh_token) = (kim(&harness).await, allowed(&harness).await);
    assert_eq!(
        harness
            .accounts
            .set_password(&administrator(), id, &password(NEW), ApiKeyAction::Revoke)
            .await
            .unwrap(),
        PasswordResetOutcome::Changed
    );
    assert_eq!(
        refreshed(&harness, &refresh_token).await.json()["error"],
        "invalid_grant"
    );
    assert!(!signs_in(&harness, PASSWORD).await && signs_in(&harness, NEW).await);
    let nobody = AccountId::from_random([9; 16]);
    assert_eq!(
        harness
            .accounts
            .set_password(
                &administrator(),
                nobody,
                &password(NEW),
                ApiKeyAction::Revoke
            )
            .await
            .unwrap(),
        PasswordResetOutcome::UnknownAccount
    );
}

#[tokio::test]
async fn a_removed_account_gets_no_more_tokens() {
    let log = MemoryAuditLog::default();
    let harness = Harness::with_settings(|builder| builder.audit(Arc::new(log.clone()))).await;
    let (id, refresh_token) = (kim(&harness).await, allowed(&harness).await);
    assert_eq!(
        harness.accounts.remove(&administrator(), id).await.unwrap(),
        AccountChange::Done
    );
    assert_eq!(
        refreshed(&harness, &refresh_token).await.json()["error"],
        "invalid_grant"
    );
    let told: Vec<_> = log
        .events()
        .into_iter()
        .rev()
        .map(|event| event.kind)
        .take(2)
        .collect();
    assert!(
        matches!(&told[0], EventKind::Refused(refused) if refused.rule == RefusalRule::UserGone),
        "{told:?}"
    );
    assert!(
        matches!(&told[1], EventKind::RevokedWithUser { subject, .. } if *subject == SubjectId::from(id)),
        "{told:?}"
    );
    assert!(!signs_in(&harness, PASSWORD).await);
    assert_eq!(
        harness.accounts.remove(&administrator(), id).await.unwrap(),
        AccountChange::NotFound
    );
    let grants = harness
        .store
        .grants_of(&id.into(), harness.clock.now())
        .await
        .unwrap();
    assert!(grants.is_empty(), "{grants:?}");
}

#[tokio::test]
async fn another_role_is_in_the_tokens_of_the_next_refresh() {
    let harness = Harness::new().await;
    let (id, refresh_token) = (kim(&harness).await, allowed(&harness).await);
    assert_eq!(
        harness
            .accounts
            .set_role(&administrator(), id, Role::Admin)
            .await
            .unwrap(),
        AccountChange::Done
    );
    let nobody = AccountId::from_random([9; 16]);
    assert_eq!(
        harness
            .accounts
            .set_role(&administrator(), nobody, Role::Admin)
            .await
            .unwrap(),
        AccountChange::NotFound
    );
    let tokens = refreshed(&harness, &refresh_token).await.json();
    let keys =
        serde_json::from_value(get(&harness.server, "/v1/oauth/jwk-set").await.json()).unwrap();
    let verifier = lyceum::crypto::TokenVerifier::new(&keys);
    let claims: serde_json::Value = verifier
        .verify(
            tokens["access_token"].as_str().unwrap(),
            harness.clock.now(),
        )
        .unwrap();
    assert_eq!(claims["role"], "ADMIN");
}

/// Accounts over a separate store, and one of them.
async fn accounts(
    settings: impl FnOnce(AccountsBuilder) -> AccountsBuilder,
) -> (Arc<MemoryStore>, Accounts, AccountId) {
    let store = Arc::new(MemoryStore::new());
    let accounts = settings(Accounts::builder(store.clone()).hashing_cost(8, 1))
        .build()
        .unwrap();
    let AccountCreationOutcome::Created(id) = accounts
        .create(EMAIL.parse().unwrap(), &password(PASSWORD), Role::User)
        .await
        .unwrap()
    else {
        panic!("the address is free")
    };
    (store, accounts, id)
}

#[tokio::test]
async fn changes_of_accounts_are_recorded() {
    let log = MemoryAuditLog::default();
    let (_, accounts, id) = accounts(|builder| builder.audit(Arc::new(log.clone()))).await;
    let by = administrator();
    let nobody = AccountId::from_random([9; 16]);
    assert_eq!(
        accounts
            .change_password(
                id,
                &password("wrong"),
                &password(NEW),
                ApiKeyAction::Revoke,
                None
            )
            .await
            .unwrap(),
        PasswordChangeOutcome::WrongPassword
    );
    assert_eq!(
        accounts.remove(&by, nobody).await.unwrap(),
        AccountChange::NotFound
    );
    assert_eq!(
        accounts.set_role(&by, nobody, Role::Admin).await.unwrap(),
        AccountChange::NotFound
    );
    assert_eq!(log.events(), [], "a refused change is not recorded");
    assert_eq!(
        accounts
            .change_password(
                id,
                &password(PASSWORD),
                &password(NEW),
                ApiKeyAction::Revoke,
                None
            )
            .await
            .unwrap(),
        PasswordChangeOutcome::Changed
    );
    assert_eq!(
        accounts
            .set_password(&by, id, &password(PASSWORD), ApiKeyAction::Revoke)
            .await
            .unwrap(),
        PasswordResetOutcome::Changed
    );
    assert_eq!(
        accounts.set_role(&by, id, Role::Admin).await.unwrap(),
        AccountChange::Done
    );
    assert_eq!(
        accounts.set_role(&by, id, Role::User).await.unwrap(),
        AccountChange::LastAdministrator
    );
    assert_eq!(
        accounts.remove(&by, id).await.unwrap(),
        AccountChange::LastAdministrator,
        "a refused change is not recorded"
    );
    let AccountCreationOutcome::Created(_) = accounts
        .create(
            "admin@school.example".parse().unwrap(),
            &password(PASSWORD),
            Role::Admin,
        )
        .await
        .unwrap()
    else {
        panic!("the address is free")
    };
    assert_eq!(accounts.remove(&by, id).await.unwrap(), AccountChange::Done);
    let told: Vec<String> = log.events().iter().map(|event| event.to_json()).collect();
    let (own, by) = (id.to_string(), by.as_str());
    let expected = [
        (&*own, "password", "changed"),
        (by, "password", "changed"),
        (by, "account", "changed"),
        (by, "account", "deleted"),
    ];
    assert_eq!(told.len(), expected.len());
    for (line, (by, object, change)) in told.iter().zip(expected) {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(
            [
                &line["event"],
                &line["subject"],
                &line["object"],
                &line["change"]
            ],
            ["managed", by, object, change]
        );
        assert_eq!(line["id"], own);
    }
}
