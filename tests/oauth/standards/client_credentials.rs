use lyceum::domain::{ApplicationId, ClientPolicy, ClientSettings, ScopeSet};
use lyceum::store::{ClientUpdate, RegistryChange};
use serde_json::json;

use super::revoke::revoke_fields;
use crate::token::world::*;

/// A client that may have tokens of its own, for this application and for what is about a user.
async fn own_client(world: &World, application: ApplicationId, policy: ClientPolicy) -> TestClient {
    let scopes = ScopeSet::parse(&format!("{application}:read {application}:write service:self_read")).unwrap();
    let change = |client: &mut lyceum::domain::Client| (client.allowed_scopes, client.client_credentials_allowed) = (scopes, true);
    world.client_with(policy, change).await
}

fn fields(client: &TestClient) -> Fields {
    Fields::new(&[("grant_type", "client_credentials"), ("client_id", &client.id), ("client_secret", &client.secrets[0])])
}

#[tokio::test]
async fn decision_3_16_a_client_that_is_allowed_it_gets_a_token_for_itself() {
    let world = World::new().await;
    let application = world.application("owner").await;
    for policy in [ClientPolicy::Secret, ClientPolicy::SecretOrPkce] {
        let client = own_client(&world, application, policy).await;
        let answer = world.post(&fields(&client)).await;
        assert_eq!((answer.status.as_u16(), answer.header("cache-control")), (200, "no-store"), "{answer:?}");
        let mut body = answer.json();
        let access = body["access_token"].take().as_str().unwrap().to_owned();
        let scope = format!("{application}:read {application}:write");
        assert_eq!(body, json!({ "access_token": null, "token_type": "Bearer", "expires_in": 3600, "scope": scope }));
        let claims = world.claims(&access).await;
        assert_eq!((&claims["sub"], &claims["client_id"], &claims["clientId"]), (&json!(client.id), &json!(client.id), &json!(client.id)));
        assert_eq!((&claims["aud"], claims.get("role")), (&json!([application.to_string()]), None));

        let mut told = world.introspect(&client, &access).await;
        told["jti"].take();
        let expected = json!({
            "active": true,
            "scope": scope,
            "scopes": claims["scopes"],
            "client_id": client.id,
            "sub": client.id,
            "token_type": "Bearer",
            "aud": [application.to_string()],
            "iss": ISSUER,
            "iat": START.seconds(),
            "exp": START.seconds() + 3600,
            "jti": null,
        });
        assert_eq!(told, expected);
    }
}

#[tokio::test]
async fn decision_3_16_scopes_may_be_narrowed_and_those_about_a_user_are_refused() {
    let world = World::new().await;
    let application = world.application("owner").await;
    let client = own_client(&world, application, ClientPolicy::Secret).await;
    let read = format!("{application}:read");
    assert_eq!(world.post(&fields(&client).with("scope", &read)).await.json()["scope"], read);
    for scope in ["service:self_read", "service:manage", &format!("{read} service:self_read"), &format!("{application}:other"), "x", " "] {
        assert_eq!(world.post(&fields(&client).with("scope", scope)).await.error(), error(400, "invalid_scope"), "{scope}");
    }
    let nothing = world.client_with(ClientPolicy::Secret, |client| client.client_credentials_allowed = true).await;
    assert_eq!(world.post(&fields(&nothing)).await.error(), error(400, "invalid_scope"));
}

#[tokio::test]
async fn decision_3_16_only_a_secret_proves_a_client_that_has_no_user() {
    let world = World::new().await;
    let application = world.application("owner").await;
    let client = own_client(&world, application, ClientPolicy::SecretOrPkce).await;
    let public = world.client(ClientPolicy::Public).await;
    let refused = world.post(&fields(&client).with("client_secret", &public.secrets[0])).await;
    assert_eq!(refused.error(), error(401, "invalid_client"));
    for fields in [
        fields(&client).with("client_secret", ""),
        fields(&client).with("client_secret", "").with("code_verifier", VERIFIER),
        fields(&public),
        fields(&public).with("client_secret", ""),
    ] {
        assert_eq!(world.post(&fields).await, refused, "{fields:?}");
    }
    let plain = world.client(ClientPolicy::Secret).await;
    assert_eq!(world.post(&fields(&plain)).await.error(), error(400, "unauthorized_client"));
    let by_header = fields(&client).with("client_id", "").with("client_secret", "").with_header(&basic(&client.id, &client.secrets[1]));
    assert_eq!(world.send(by_header).await.status, 200);
}

#[tokio::test]
async fn decision_3_16_a_token_without_a_user_tells_nothing_of_one_and_cannot_be_revoked() {
    let world = World::new().await;
    let application = world.application("owner").await;
    let client = own_client(&world, application, ClientPolicy::Secret).await;
    let access = world.post(&fields(&client)).await.json()["access_token"].as_str().unwrap().to_owned();
    assert_eq!(world.user_info(&access).await.error(), error(401, "invalid_token"));
    let revoked = world.send(revoke_fields(&client, &access).to("/v1/oauth/revoke")).await;
    assert_eq!(revoked.error(), error(400, "unsupported_token_type"));
    let other = own_client(&world, application, ClientPolicy::Secret).await;
    let by_another = world.send(revoke_fields(&other, &access).to("/v1/oauth/revoke")).await;
    assert_eq!((by_another.status.as_u16(), &*by_another.body), (200, ""), "s33: nobody learns of others' tokens");
    assert_eq!(world.introspect(&client, &access).await["active"], true);
}

/// Fails if only the client's permission is looked at, and not what it still has.
#[tokio::test]
async fn decision_3_17_a_clients_own_token_is_told_with_what_the_client_still_has_and_is_dead_without_any() {
    let world = World::new().await;
    let application = world.application("owner").await;
    let client = own_client(&world, application, ClientPolicy::Secret).await;
    let access = world.post(&fields(&client)).await.json()["access_token"].as_str().unwrap().to_owned();
    let [read, write] = ["read", "write"].map(|name| format!("{application}:{name}"));
    let allow = async |scopes: &str| {
        let id = client.id.parse().unwrap();
        let seen = world.store.client(id).await.unwrap().unwrap().settings();
        let narrowed = ClientSettings { allowed_scopes: ScopeSet::parse(scopes).unwrap(), ..seen.clone() };
        assert_eq!(world.store.update_client(id, &seen, narrowed).await.unwrap(), ClientUpdate::Updated);
    };
    allow(&write).await;
    let told = world.introspect(&client, &access).await;
    assert_eq!((&told["active"], &told["scope"], &told["scopes"]), (&json!(true), &json!(write), &json!([write])));
    allow("service:self_read").await;
    assert_eq!(world.introspect(&client, &access).await, json!({ "active": false }));
    allow(&format!("{read} {write}")).await;
    assert_eq!(world.introspect(&client, &access).await["scope"], format!("{read} {write}"));
    assert_eq!(world.store.delete_application(application).await.unwrap(), RegistryChange::Done);
    assert_eq!(world.introspect(&client, &access).await, json!({ "active": false }));
}

#[tokio::test]
async fn decision_3_16_a_token_without_a_user_stands_on_its_client() {
    let world = World::new().await;
    let application = world.application("owner").await;
    let client = own_client(&world, application, ClientPolicy::Secret).await;
    let reader = world.client_with(ClientPolicy::Secret, |client| client.owner = "owner".parse().unwrap()).await;
    let access = world.post(&fields(&client)).await.json()["access_token"].as_str().unwrap().to_owned();
    assert_eq!(world.introspect(&reader, &access).await["active"], true);
    let claims = world.claims(&access).await;
    for id in ["11111111-1111-4111-8111-111111111111", &reader.id] {
        let mut changed = claims.clone();
        for name in ["sub", "client_id", "clientId"] {
            changed[name] = json!(id);
        }
        let of_no_such_client = world.signed("at+jwt", &changed).await;
        assert_eq!(world.introspect(&reader, &of_no_such_client).await, json!({ "active": false }), "{id}");
    }
}
