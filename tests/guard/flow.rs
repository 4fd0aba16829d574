//! Tokens that the authorization service issued, at a service that has nothing of it but its address and its keys.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::Request;
use lyceum::domain::{ApplicationId, ClientPolicy, ClientSettings, Scope, ScopeSet};
use lyceum::http::guard::{BoxError, CachedKeys, Guard, GuardBuilder, StoreLiveness};
use lyceum::http::{Body, Clock};
use lyceum::store::{ClientUpdate, RegistryChange};
use tower::ServiceExt;

use crate::bench::{invalid_token, present};
use crate::world::{Fields, ISSUER, TestClient, Tokens, World};

/// A guard for one application, with the keys that the server publishes.
fn guard(world: &World, audience: ApplicationId) -> GuardBuilder {
    let server = world.server.clone();
    let keys = CachedKeys::new(move || {
        let server = server.clone();
        async move {
            let answer = server.oneshot(Request::get("/v1/oauth/jwk-set").body(Body::empty())?).await?;
            if answer.status() != 200 {
                return Err(BoxError::from("another status than 200"));
            }
            Ok::<Bytes, BoxError>(answer.into_body().as_bytes().clone())
        }
    });
    Guard::builder(ISSUER, audience, Arc::new(keys)).clock(Arc::new(world.clock.clone()))
}

async fn issued() -> (World, TestClient, Tokens) {
    let world = World::new().await;
    let client = world.client(ClientPolicy::SecretOrPkce).await;
    let tokens = world.tokens(&client).await;
    (world, client, tokens)
}

#[tokio::test]
async fn decision_3_14_an_issued_token_is_accepted_until_it_expires() {
    let (world, client, tokens) = issued().await;
    let guard = guard(&world, ApplicationId::Service).build().unwrap().require(Scope::self_read());
    let caller = present(&guard, &tokens.access).await.caller.unwrap();
    assert_eq!((&*caller.subject, caller.client.to_string()), ("kim@school.example", client.id));
    world.clock.advance(Duration::from_secs(3599));
    assert_eq!(present(&guard, &tokens.access).await.status, 200);
    world.clock.advance(Duration::from_secs(1));
    assert_eq!(present(&guard, &tokens.access).await.verdict(), invalid_token());
}

#[tokio::test]
async fn decision_3_14_the_token_of_another_application_is_refused() {
    let (world, _, tokens) = issued().await;
    let other = guard(&world, ApplicationId::from_random([9; 16])).build().unwrap();
    assert_eq!(present(&other, &tokens.access).await.verdict(), invalid_token());
}

/// Fails if the guard passes over what it was told of liveness, or a store does not revoke.
#[tokio::test]
async fn s02_a_replayed_code_kills_the_first_token_where_liveness_is_asked() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::SecretOrPkce).await;
    let exchange = world.exchange_fields(&client).await;
    let tokens = world.post(&exchange).await.tokens();
    let by_signature = guard(&world, ApplicationId::Service).build().unwrap();
    let at_once = guard(&world, ApplicationId::Service).liveness(Arc::new(StoreLiveness::new(world.store.clone()))).build().unwrap();
    for guard in [&by_signature, &at_once] {
        assert_eq!(present(guard, &tokens.access).await.status, 200);
    }
    assert_eq!(world.post(&exchange).await.error(), (400, "invalid_grant".to_owned()));
    assert_eq!(present(&at_once, &tokens.access).await.verdict(), invalid_token());
    // Who asks nobody cannot know; the documentation says so.
    assert_eq!(present(&by_signature, &tokens.access).await.status, 200);
}

/// Fails if the guard passes over what it was told of liveness.
#[tokio::test]
async fn s02_a_revoked_grant_kills_its_tokens_and_no_others() {
    let (world, client, tokens) = issued().await;
    let other = world.tokens(&client).await;
    let guard = guard(&world, ApplicationId::Service).liveness(Arc::new(StoreLiveness::new(world.store.clone()))).build().unwrap();
    let grant = present(&guard, &tokens.access).await.caller.unwrap().grant.unwrap();
    assert!(world.store.revoke_grant(&grant, world.clock.now()).await.unwrap());
    assert_eq!(present(&guard, &tokens.access).await.verdict(), invalid_token());
    assert_eq!(present(&guard, &other.access).await.status, 200);
}

/// Fails if a scope of the token is believed that its grant or client does not have any more.
#[tokio::test]
async fn decision_3_17_where_liveness_is_asked_a_deleted_scope_is_missing_and_a_token_without_any_is_dead() {
    let world = World::new().await;
    let application = world.application("owner").await;
    let [read, write] = ["read", "write"].map(|name| ScopeSet::parse(&format!("{application}:{name}")).unwrap());
    let both = ScopeSet::parse(&format!("{read} {write}")).unwrap();
    let allowed = both.clone();
    let change = |client: &mut lyceum::domain::Client| (client.allowed_scopes, client.client_credentials_allowed) = (allowed, true);
    let client = world.client_with(ClientPolicy::Secret, change).await;
    let fields = [("grant_type", "client_credentials"), ("client_id", &client.id), ("client_secret", &client.secrets[0])];
    let of_client = world.post(&Fields::new(&fields)).await.json()["access_token"].as_str().unwrap().to_owned();
    let of_user = world.tokens_for(&client, &both.to_string()).await.access;
    let guard = guard(&world, application).liveness(Arc::new(StoreLiveness::new(world.store.clone()))).build().unwrap();
    let demands_write = guard.require(write.iter().next().unwrap().clone());
    for token in [&of_client, &of_user] {
        assert_eq!(present(&demands_write, token).await.status, 200);
    }
    let gone = world.store.scope_definitions(&write).await.unwrap();
    assert_eq!(world.store.delete_scope(gone[0].id).await.unwrap(), RegistryChange::Done);
    for token in [&of_client, &of_user] {
        assert_eq!(present(&demands_write, token).await.status, 403);
        assert_eq!(present(&guard, token).await.caller.unwrap().scopes, read);
    }
    assert_eq!(world.store.delete_application(application).await.unwrap(), RegistryChange::Done);
    for token in [&of_client, &of_user] {
        assert_eq!(present(&guard, token).await.verdict(), invalid_token());
    }
}

/// Fails if the client's being there is enough: introspection calls such a token dead.
#[tokio::test]
async fn decision_3_16_a_clients_own_token_dies_when_the_client_may_have_none_any_more() {
    let world = World::new().await;
    let application = world.application("owner").await;
    let scopes = ScopeSet::parse(&format!("{application}:read")).unwrap();
    let change = |client: &mut lyceum::domain::Client| (client.allowed_scopes, client.client_credentials_allowed) = (scopes, true);
    let client = world.client_with(ClientPolicy::Secret, change).await;
    let fields = [("grant_type", "client_credentials"), ("client_id", &client.id), ("client_secret", &client.secrets[0])];
    let token = world.post(&Fields::new(&fields)).await.json()["access_token"].as_str().unwrap().to_owned();
    let guard = guard(&world, application).liveness(Arc::new(StoreLiveness::new(world.store.clone()))).build().unwrap();
    assert_eq!(present(&guard, &token).await.status, 200);
    let id = client.id.parse().unwrap();
    let seen = world.store.client(id).await.unwrap().unwrap().settings();
    let denied = ClientSettings { client_credentials_allowed: false, ..seen.clone() };
    assert_eq!(world.store.update_client(id, &seen, denied).await.unwrap(), ClientUpdate::Updated);
    assert_eq!(present(&guard, &token).await.verdict(), invalid_token());
}

/// Fails if the scopes of a suspended client's grant or of its own tokens count.
#[tokio::test]
async fn decision_3_25_where_liveness_is_asked_the_tokens_of_a_suspended_client_are_dead_until_it_is_given_away() {
    let world = World::new().await;
    let application = world.application("owner").await;
    let scopes = ScopeSet::parse(&format!("{application}:read")).unwrap();
    let allowed = scopes.clone();
    let change = |client: &mut lyceum::domain::Client| {
        (client.owner, client.first_party) = ("leaver".parse().unwrap(), false);
        (client.allowed_scopes, client.client_credentials_allowed) = (allowed, true);
    };
    let client = world.client_with(ClientPolicy::Secret, change).await;
    let fields = [("grant_type", "client_credentials"), ("client_id", &client.id), ("client_secret", &client.secrets[0])];
    let of_client = world.post(&Fields::new(&fields)).await.json()["access_token"].as_str().unwrap().to_owned();
    let of_user = world.tokens_for(&client, &scopes.to_string()).await.access;
    let guard = guard(&world, application).liveness(Arc::new(StoreLiveness::new(world.store.clone()))).build().unwrap();
    let removal = world.store.remove_owner(&"leaver".parse().unwrap(), world.clock.now()).await.unwrap();
    assert_eq!(removal.suspended_clients, [client.id.parse().unwrap()]);
    for token in [&of_client, &of_user] {
        assert_eq!(present(&guard, token).await.verdict(), invalid_token());
    }
    assert!(world.store.set_client_owner(client.id.parse().unwrap(), "next".parse().unwrap()).await.unwrap());
    for token in [&of_client, &of_user] {
        assert_eq!(present(&guard, token).await.status, 200);
    }
}
