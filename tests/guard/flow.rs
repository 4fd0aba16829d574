//! Tokens issued by the authorization service, at a guard that knows only its URL and its keys.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::Request;
use lyceum::domain::{ApplicationId, ClientPolicy, ClientSettings, Scope, ScopeSet};
use lyceum::http::guard::{BoxError, CachedKeys, Guard, GuardBuilder, StoreRevocationCheck};
use lyceum::http::{Body, Clock};
use lyceum::store::{ClientUpdate, RegistryChange};
use tower::ServiceExt;

use crate::fixtures::{invalid_token, present};
use crate::harness::{Fields, Harness, ISSUER, TestClient, Tokens};

/// Starts a guard for one application, with the keys that the server publishes.
pub fn guard(harness: &Harness, audience: ApplicationId) -> GuardBuilder {
    let server = harness.server.clone();
    let keys = CachedKeys::new(move || {
        let server = server.clone();
        async move {
            let answer = server
                .oneshot(Request::get("/v1/oauth/jwk-set").body(Body::empty())?)
                .await?;
            if answer.status() != 200 {
                return Err(BoxError::from("another status than 200"));
            }
            Ok::<Bytes, BoxError>(answer.into_body().as_bytes().clone())
        }
    });
    Guard::builder(ISSUER, audience, Arc::new(keys)).clock(Arc::new(harness.clock.clone()))
}

async fn issued() -> (Harness, TestClient, Tokens) {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::SecretOrPkce).await;
    let tokens = harness.tokens(&client).await;
    (harness, client, tokens)
}

// Proves: spec 3.14
#[tokio::test]
async fn an_issued_token_is_accepted_until_it_expires() {
    let (harness, client, tokens) = issued().await;
    let guard = guard(&harness, ApplicationId::Service)
        .build()
        .unwrap()
        .require(Scope::self_read());
    let caller = present(&guard, &tokens.access).await.caller.unwrap();
    assert_eq!(
        (&*caller.subject, caller.client.to_string()),
        ("kim@school.example", client.id)
    );
    harness.clock.advance(Duration::from_secs(3599));
    assert_eq!(present(&guard, &tokens.access).await.status, 200);
    harness.clock.advance(Duration::from_secs(1));
    assert_eq!(
        present(&guard, &tokens.access).await.verdict(),
        invalid_token()
    );
}

// Proves: spec 3.14
#[tokio::test]
async fn the_token_of_another_application_is_refused() {
    let (harness, _, tokens) = issued().await;
    let other = guard(&harness, ApplicationId::from_random([9; 16]))
        .build()
        .unwrap();
    assert_eq!(
        present(&other, &tokens.access).await.verdict(),
        invalid_token()
    );
}

// Proves: threats 2
/// Fails if the guard ignores the revocation check, or a store does not revoke.
#[tokio::test]
async fn with_a_revocation_check_a_replayed_code_revokes_the_first_token() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::SecretOrPkce).await;
    let exchange = harness.exchange_fields(&client).await;
    let tokens = harness.post(&exchange).await.tokens();
    let by_signature = guard(&harness, ApplicationId::Service).build().unwrap();
    let at_once = guard(&harness, ApplicationId::Service)
        .revocation_check(Arc::new(StoreRevocationCheck::new(harness.store.clone())))
        .build()
        .unwrap();
    for guard in [&by_signature, &at_once] {
        assert_eq!(present(guard, &tokens.access).await.status, 200);
    }
    assert_eq!(
        harness.post(&exchange).await.error(),
        (400, "invalid_grant".to_owned())
    );
    assert_eq!(
        present(&at_once, &tokens.access).await.verdict(),
        invalid_token()
    );
    // Without a revocation check the guard cannot know, as documented.
    assert_eq!(present(&by_signature, &tokens.access).await.status, 200);
}

// Proves: threats 2
/// Fails if the guard ignores the revocation check.
#[tokio::test]
async fn a_revoked_grant_kills_its_tokens_and_no_others() {
    let (harness, client, tokens) = issued().await;
    let other = harness.tokens(&client).await;
    let guard = guard(&harness, ApplicationId::Service)
        .revocation_check(Arc::new(StoreRevocationCheck::new(harness.store.clone())))
        .build()
        .unwrap();
    let grant = present(&guard, &tokens.access)
        .await
        .caller
        .unwrap()
        .grant
        .unwrap();
    assert!(
        harness
            .store
            .revoke_grant(&grant, harness.clock.now())
            .await
            .unwrap()
    );
    assert_eq!(
        present(&guard, &tokens.access).await.verdict(),
        invalid_token()
    );
    assert_eq!(present(&guard, &other.access).await.status, 200);
}

// Proves: spec 3.17
/// Fails if a scope of the token counts that its grant or client no longer has.
#[tokio::test]
async fn with_a_revocation_check_a_deleted_scope_is_missing_and_a_token_without_any_is_inactive() {
    let harness = Harness::new().await;
    let application = harness.application("owner").await;
    let [read, write] =
        ["read", "write"].map(|name| ScopeSet::parse(&format!("{application}:{name}")).unwrap());
    let both = ScopeSet::parse(&format!("{read} {write}")).unwrap();
    let allowed = both.clone();
    let change = |client: &mut lyceum::domain::Client| {
        (client.allowed_scopes, client.client_credentials_allowed) = (allowed, true)
    };
    let client = harness.client_with(ClientPolicy::Secret, change).await;
    let fields = [
        ("grant_type", "client_credentials"),
        ("client_id", &client.id),
        ("client_secret", &client.secrets[0]),
    ];
    let of_client = harness.post(&Fields::new(&fields)).await.json()["access_token"]
        .as_str()
        .unwrap()
        .to_owned();
    let of_user = harness.tokens_for(&client, &both.to_string()).await.access;
    let guard = guard(&harness, application)
        .revocation_check(Arc::new(StoreRevocationCheck::new(harness.store.clone())))
        .build()
        .unwrap();
    let demands_write = guard.require(write.iter().next().unwrap().clone());
    for token in [&of_client, &of_user] {
        assert_eq!(present(&demands_write, token).await.status, 200);
    }
    let gone = harness.store.scope_definitions(&write).await.unwrap();
    assert_eq!(
        harness.store.delete_scope(gone[0].id).await.unwrap(),
        RegistryChange::Done
    );
    for token in [&of_client, &of_user] {
        assert_eq!(present(&demands_write, token).await.status, 403);
        assert_eq!(present(&guard, token).await.caller.unwrap().scopes, read);
    }
    assert_eq!(
        harness.store.delete_application(application).await.unwrap(),
        RegistryChange::Done
    );
    for token in [&of_client, &of_user] {
        assert_eq!(present(&guard, token).await.verdict(), invalid_token());
    }
}

// Proves: spec 3.16
/// Fails if the client's existence is enough: introspection reports such a token as inactive.
#[tokio::test]
async fn a_clients_own_token_dies_when_the_client_may_have_none_any_more() {
    let harness = Harness::new().await;
    let application = harness.application("owner").await;
    let scopes = ScopeSet::parse(&format!("{application}:read")).unwrap();
    let change = |client: &mut lyceum::domain::Client| {
        (client.allowed_scopes, client.client_credentials_allowed) = (scopes, true)
    };
    let client = harness.client_with(ClientPolicy::Secret, change).await;
    let fields = [
        ("grant_type", "client_credentials"),
        ("client_id", &client.id),
        ("client_secret", &client.secrets[0]),
    ];
    let token = harness.post(&Fields::new(&fields)).await.json()["access_token"]
        .as_str()
        .unwrap()
        .to_owned();
    let guard = guard(&harness, application)
        .revocation_check(Arc::new(StoreRevocationCheck::new(harness.store.clone())))
        .build()
        .unwrap();
    assert_eq!(present(&guard, &token).await.status, 200);
    let id = client.id.parse().unwrap();
    let seen = harness.store.client(id).await.unwrap().unwrap().settings();
    let denied = ClientSettings {
        client_credentials_allowed: false,
        ..seen.clone()
    };
    assert_eq!(
        harness
            .store
            .update_client(id, &seen, denied)
            .await
            .unwrap(),
        ClientUpdate::Updated
    );
    assert_eq!(present(&guard, &token).await.verdict(), invalid_token());
}

// Proves: spec 3.25
/// Fails if the scopes of a suspended client's grant or of its own tokens count.
#[tokio::test]
async fn with_a_revocation_check_the_tokens_of_a_suspended_client_are_inactive_until_it_is_transferred()
 {
    let harness = Harness::new().await;
    let application = harness.application("owner").await;
    let scopes = ScopeSet::parse(&format!("{application}:read")).unwrap();
    let allowed = scopes.clone();
    let change = |client: &mut lyceum::domain::Client| {
        (client.owner, client.first_party) = ("leaver".parse().unwrap(), false);
        (client.allowed_scopes, client.client_credentials_allowed) = (allowed, true);
    };
    let client = harness.client_with(ClientPolicy::Secret, change).await;
    let fields = [
        ("grant_type", "client_credentials"),
        ("client_id", &client.id),
        ("client_secret", &client.secrets[0]),
    ];
    let of_client = harness.post(&Fields::new(&fields)).await.json()["access_token"]
        .as_str()
        .unwrap()
        .to_owned();
    let of_user = harness
        .tokens_for(&client, &scopes.to_string())
        .await
        .access;
    let guard = guard(&harness, application)
        .revocation_check(Arc::new(StoreRevocationCheck::new(harness.store.clone())))
        .build()
        .unwrap();
    let removal = harness
        .store
        .remove_owner(&"leaver".parse().unwrap(), harness.clock.now())
        .await
        .unwrap();
    assert_eq!(removal.suspended_clients, [client.id.parse().unwrap()]);
    for token in [&of_client, &of_user] {
        assert_eq!(present(&guard, token).await.verdict(), invalid_token());
    }
    assert!(
        harness
            .store
            .set_client_owner(client.id.parse().unwrap(), "next".parse().unwrap())
            .await
            .unwrap()
    );
    for token in [&of_client, &of_user] {
        assert_eq!(present(&guard, token).await.status, 200);
    }
}
