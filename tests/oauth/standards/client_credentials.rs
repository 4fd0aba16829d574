use lyceum::domain::{ApplicationId, ClientPolicy, ClientSettings, ScopeSet};
use lyceum::store::{ClientUpdate, RegistryChange};
use serde_json::json;

use super::revoke::revoke_fields;
use crate::token::harness::*;

/// A client that may use the client credentials grant, for a scope of this application and for a
/// scope about users.
async fn own_client(
    harness: &Harness,
    application: ApplicationId,
    policy: ClientPolicy,
) -> TestClient {
    let scopes = ScopeSet::parse(&format!(
        "{application}:read {application}:write service:self_read"
    ))
    .unwrap();
    let change = |client: &mut lyceum::domain::Client| {
        (client.allowed_scopes, client.client_credentials_allowed) = (scopes, true)
    };
    harness.client_with(policy, change).await
}

fn fields(client: &TestClient) -> Fields {
    Fields::new(&[
        ("grant_type", "client_credentials"),
        ("client_id", &client.id),
        ("client_secret", &client.secrets[0]),
    ])
}

// Proves: spec 3.16
#[tokio::test]
async fn a_client_that_is_allowed_it_gets_a_token_for_itself() {
    let harness = Harness::new().await;
    let application = harness.application("owner").await;
    for policy in [ClientPolicy::Secret, ClientPolicy::SecretOrPkce] {
        let client = own_client(&harness, application, policy).await;
        let answer = harness.post(&fields(&client)).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("cache-control")),
            (200, "no-store"),
            "{answer:?}"
        );
        let mut body = answer.json();
        let access = body["access_token"].take().as_str().unwrap().to_owned();
        let scope = format!("{application}:read {application}:write");
        assert_eq!(
            body,
            json!({ "access_token": null, "token_type": "Bearer", "expires_in": 3600, "scope": scope })
        );
        let claims = harness.claims(&access).await;
        assert_eq!(
            (&claims["sub"], &claims["client_id"], &claims["clientId"]),
            (&json!(client.id), &json!(client.id), &json!(client.id))
        );
        assert_eq!(
            (&claims["aud"], claims.get("role")),
            (&json!([application.to_string()]), None)
        );

        let mut told = harness.introspect(&client, &access).await;
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

// Proves: spec 3.16
#[tokio::test]
async fn scopes_may_be_narrowed_and_those_about_a_user_are_refused() {
    let harness = Harness::new().await;
    let application = harness.application("owner").await;
    let client = own_client(&harness, application, ClientPolicy::Secret).await;
    let read = format!("{application}:read");
    assert_eq!(
        harness
            .post(&fields(&client).with("scope", &read))
            .await
            .json()["scope"],
        read
    );
    for scope in [
        "service:self_read",
        "service:manage",
        &format!("{read} service:self_read"),
        &format!("{application}:other"),
        "x",
        " ",
    ] {
        assert_eq!(
            harness
                .post(&fields(&client).with("scope", scope))
                .await
                .error(),
            error(400, "invalid_scope"),
            "{scope}"
        );
    }
    let nothing = harness
        .client_with(ClientPolicy::Secret, |client| {
            client.client_credentials_allowed = true
        })
        .await;
    assert_eq!(
        harness.post(&fields(&nothing)).await.error(),
        error(400, "invalid_scope")
    );
}

// Proves: spec 3.16
#[tokio::test]
async fn only_a_secret_proves_a_client_that_has_no_user() {
    let harness = Harness::new().await;
    let application = harness.application("owner").await;
    let client = own_client(&harness, application, ClientPolicy::SecretOrPkce).await;
    let public = harness.client(ClientPolicy::Public).await;
    let refused = harness
        .post(&fields(&client).with("client_secret", &public.secrets[0]))
        .await;
    assert_eq!(refused.error(), error(401, "invalid_client"));
    for fields in [
        fields(&client).with("client_secret", ""),
        fields(&client)
            .with("client_secret", "")
            .with("code_verifier", VERIFIER),
        fields(&public),
        fields(&public).with("client_secret", ""),
    ] {
        assert_eq!(harness.post(&fields).await, refused, "{fields:?}");
    }
    let plain = harness.client(ClientPolicy::Secret).await;
    assert_eq!(
        harness.post(&fields(&plain)).await.error(),
        error(400, "unauthorized_client")
    );
    let by_header = fields(&client)
        .with("client_id", "")
        .with("client_secret", "")
        .with_header(&basic(&client.id, &client.secrets[1]));
    assert_eq!(harness.send(by_header).await.status, 200);
}

// Proves: spec 3.16
#[tokio::test]
async fn a_token_without_a_user_has_no_user_claims_and_cannot_be_revoked() {
    let harness = Harness::new().await;
    let application = harness.application("owner").await;
    let client = own_client(&harness, application, ClientPolicy::Secret).await;
    let access = harness.post(&fields(&client)).await.json()["access_token"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(
        harness.user_info(&access).await.error(),
        error(401, "invalid_token")
    );
    let revoked = harness
        .send(revoke_fields(&client, &access).to_request("/v1/oauth/revoke"))
        .await;
    assert_eq!(revoked.error(), error(400, "unsupported_token_type"));
    let other = own_client(&harness, application, ClientPolicy::Secret).await;
    let by_another = harness
        .send(revoke_fields(&other, &access).to_request("/v1/oauth/revoke"))
        .await;
    assert_eq!(
        (by_another.status.as_u16(), &*by_another.body),
        (200, ""),
        "threats 33: a client learns nothing about others' tokens"
    );
    assert_eq!(harness.introspect(&client, &access).await["active"], true);
}

// Proves: spec 3.17
/// Fails if only the client's permission is checked, not its remaining scopes.
#[tokio::test]
async fn introspection_of_a_client_credentials_token_has_the_scopes_the_client_still_has() {
    let harness = Harness::new().await;
    let application = harness.application("owner").await;
    let client = own_client(&harness, application, ClientPolicy::Secret).await;
    let access = harness.post(&fields(&client)).await.json()["access_token"]
        .as_str()
        .unwrap()
        .to_owned();
    let [read, write] = ["read", "write"].map(|name| format!("{application}:{name}"));
    let allow = async |scopes: &str| {
        let id = client.id.parse().unwrap();
        let seen = harness.store.client(id).await.unwrap().unwrap().settings();
        let narrowed = ClientSettings {
            allowed_scopes: ScopeSet::parse(scopes).unwrap(),
            ..seen.clone()
        };
        assert_eq!(
            harness
                .store
                .update_client(id, &seen, narrowed)
                .await
                .unwrap(),
            ClientUpdate::Updated
        );
    };
    allow(&write).await;
    let told = harness.introspect(&client, &access).await;
    assert_eq!(
        (&told["active"], &told["scope"], &told["scopes"]),
        (&json!(true), &json!(write), &json!([write]))
    );
    allow("service:self_read").await;
    assert_eq!(
        harness.introspect(&client, &access).await,
        json!({ "active": false })
    );
    allow(&format!("{read} {write}")).await;
    assert_eq!(
        harness.introspect(&client, &access).await["scope"],
        format!("{read} {write}")
    );
    assert_eq!(
        harness.store.delete_application(application).await.unwrap(),
        RegistryChange::Done
    );
    assert_eq!(
        harness.introspect(&client, &access).await,
        json!({ "active": false })
    );
}

// Proves: spec 3.16
#[tokio::test]
async fn a_token_without_a_user_stands_on_its_client() {
    let harness = Harness::new().await;
    let application = harness.application("owner").await;
    let client = own_client(&harness, application, ClientPolicy::Secret).await;
    let reader = harness
        .client_with(ClientPolicy::Secret, |client| {
            client.owner = "owner".parse().unwrap()
        })
        .await;
    let access = harness.post(&fields(&client)).await.json()["access_token"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(harness.introspect(&reader, &access).await["active"], true);
    let claims = harness.claims(&access).await;
    for id in ["11111111-1111-4111-8111-111111111111", &reader.id] {
        let mut changed = claims.clone();
        for name in ["sub", "client_id", "clientId"] {
            changed[name] = json!(id);
        }
        let of_no_such_client = harness.signed("at+jwt", &changed).await;
        assert_eq!(
            harness.introspect(&reader, &of_no_such_client).await,
            json!({ "active": false }),
            "{id}"
        );
    }
}
