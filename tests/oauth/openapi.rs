//! What the authorization service says of itself, against what it does.

use std::collections::BTreeSet;
use std::sync::Arc;

use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{Method, Request};
use lyceum::domain::{ApiScopes, ClientPolicy};
use lyceum::http::{ApiReference, Body};
use lyceum::store::ApiKeyStore;
use serde_json::{Value, json};

use crate::harness;
use crate::manage::{Desk, api_key, text};
use crate::schemas::{answered, fault};
use crate::stores::new_store;
use crate::token::world::{World, basic};
use crate::wire_page;

fn document(server: &lyceum::AuthServer) -> Value {
    serde_json::from_str(ApiReference::new("Test", [server.openapi()]).unwrap().document()).unwrap()
}

async fn desk() -> Desk {
    let store = new_store().await;
    let keys: Arc<dyn ApiKeyStore> = store.clone();
    Desk::in_world(World::over(store, |builder| builder.api_keys(keys)).await).await
}

/// Fails if a field is taken that is not described, or described and not taken.
#[tokio::test]
async fn every_body_takes_the_fields_that_are_described() {
    let desk = desk().await;
    let document = document(&desk.world.server);
    let (application, scope) = desk.application().await;
    let client = text(&desk.client().await["id"]);
    let key = text(&desk.post(&desk.owner, "/v1/api-keys", api_key()).await["id"]);
    for (method, described, path) in [
        (Method::POST, "/v1/applications", "/v1/applications".to_owned()),
        (Method::PATCH, "/v1/applications/{id}", format!("/v1/applications/{application}")),
        (Method::POST, "/v1/applications/{id}/scopes", format!("/v1/applications/{application}/scopes")),
        (Method::PATCH, "/v1/applications/{id}/scopes/{scopeId}", format!("/v1/applications/{application}/scopes/{scope}")),
        (Method::POST, "/v1/clients", "/v1/clients".to_owned()),
        (Method::PATCH, "/v1/clients/{id}", format!("/v1/clients/{client}")),
        (Method::POST, "/v1/api-keys", "/v1/api-keys".to_owned()),
        (Method::POST, "/v1/api-keys/{id}/renew", format!("/v1/api-keys/{key}/renew")),
    ] {
        let refused = desk.ask(&desk.owner, method.clone(), &path, Some(json!({"nonsense": 1}))).await.json();
        let message = text(&refused["message"]);
        let known = message.split("known are ").nth(1).unwrap_or_else(|| panic!("{message}")).trim_end_matches('.');
        let operation = &document["paths"][described][method.as_str().to_lowercase()];
        let properties = operation["requestBody"]["content"]["application/json"]["schema"]["properties"].as_object().unwrap();
        assert_eq!(properties.keys().map(String::as_str).collect::<BTreeSet<_>>(), known.split(", ").collect(), "{described}");
    }
}

/// Fails if an answer has a field that is not described, or lacks one.
#[tokio::test]
async fn every_record_is_as_described() {
    let desk = desk().await;
    let document = document(&desk.world.server);
    let (application, scope) = desk.application().await;
    desk.client().await;
    desk.post(&desk.owner, "/v1/api-keys", api_key()).await;
    for (described, path) in [
        ("/v1/applications", "/v1/applications".to_owned()),
        ("/v1/applications/{id}", format!("/v1/applications/{application}")),
        ("/v1/applications/{id}/scopes", format!("/v1/applications/{application}/scopes")),
        ("/v1/applications/{id}/scopes/{scopeId}/clients", format!("/v1/applications/{application}/scopes/{scope}/clients")),
        ("/v1/clients", "/v1/clients".to_owned()),
        ("/v1/clients/available-scopes", "/v1/clients/available-scopes".to_owned()),
        ("/v1/api-keys", "/v1/api-keys".to_owned()),
        ("/v1/grants", "/v1/grants".to_owned()),
        ("/v1/oauth/jwk-set", "/v1/oauth/jwk-set".to_owned()),
        ("/.well-known/oauth-authorization-server", "/.well-known/oauth-authorization-server".to_owned()),
    ] {
        let answer = desk.ask(&desk.owner, Method::GET, &path, None).await.json();
        assert_eq!(fault(&document, answered(&document, described, "get"), &answer), None, "{described}");
    }
    for (path, body) in
        [("/v1/applications", json!({"name": "Lunch board"})), ("/v1/clients", crate::manage::client()), ("/v1/api-keys", api_key())]
    {
        let answer = desk.ask(&desk.owner, Method::POST, path, Some(body)).await.json();
        assert_eq!(fault(&document, answered(&document, path, "post"), &answer), None, "{path}");
    }
}

/// Fails if a host's own scopes are not described, or the built-in ones come in another order.
#[tokio::test]
async fn the_scopes_of_keys_are_described_with_those_of_the_hosts_own_lists() {
    let described = |world: World| document(&world.server)["components"]["schemas"]["ApiScope"]["enum"].clone();
    let built_in = json!(["STUDENT_READ", "CLUB_READ", "PROJECT_READ", "NEIS_READ"]);
    assert_eq!(described(World::with(|builder| builder).await), built_in);
    let rooms = World::with(|builder| builder.api_scopes(ApiScopes::parse("ROOM_READ NEIS_READ").unwrap())).await;
    assert_eq!(described(rooms), json!(["STUDENT_READ", "CLUB_READ", "PROJECT_READ", "NEIS_READ", "ROOM_READ"]));
}

/// Fails if a reason of the table in `docs/wire.md` is not described, or one is that is not in the table.
#[tokio::test]
async fn the_description_has_the_reasons_of_what_is_managed() {
    let document = document(&desk().await.world.server);
    let responses = document["components"]["responses"].as_object().unwrap();
    let managed = responses.iter().filter(|(name, _)| name.starts_with("Managed") && *name != "ManagedFailed");
    let lines = managed.flat_map(|(_, response)| response["description"].as_str().unwrap().lines());
    let described: BTreeSet<String> = lines.filter_map(|line| line.strip_prefix("* `")?.split('`').next()).map(str::to_owned).collect();
    let table = wire_page::refusals("Management", "reason").into_iter().filter(|(status, _)| *status != 405);
    assert_eq!(described, table.map(|(_, reason)| reason).collect());
}

/// Fails if what a host did not turn on is described.
#[tokio::test]
async fn the_description_has_what_the_host_turned_on() {
    let (plain, keyed) = (document(&harness::World::new().await.server), document(&desk().await.world.server));
    let external = harness::World::with(|builder| builder.external_login("https://login.school.example")).await;
    let external = document(&external.server);
    let has = |document: &Value, path: &str, method: &str| !document["paths"][path][method].is_null();
    assert!(!has(&plain, "/v1/api-keys", "get") && has(&keyed, "/v1/api-keys", "get"));
    assert!(!has(&plain, "/v1/oauth/authorize", "post") && has(&external, "/v1/oauth/authorize", "post"));
    assert!(has(&plain, "/v1/oauth/login", "get") && !has(&external, "/v1/oauth/login", "get"), "users sign in at one place");
    assert!(!has(&plain, "/v1/oauth/authorize/resume", "get") && has(&external, "/v1/oauth/authorize/resume", "get"));
    assert_eq!(plain["servers"][0]["url"], harness::ISSUER);
    let flow = &plain["components"]["securitySchemes"]["OAuth2"]["flows"]["authorizationCode"];
    assert_eq!(flow["tokenUrl"], format!("{}/v1/oauth/token", harness::ISSUER));
}

/// Fails if the description allows an empty text that is refused.
#[tokio::test]
async fn what_the_token_endpoint_refuses_when_it_is_empty_is_described_so() {
    let world = World::new().await;
    let document = document(&world.server);
    let client = world.client(ClientPolicy::SecretOrPkce).await;
    let good = world.exchange_fields(&client).await;
    for media_type in ["application/json", "application/x-www-form-urlencoded"] {
        let properties = &document["paths"]["/v1/oauth/token"]["post"]["requestBody"]["content"][media_type]["schema"]["properties"];
        for name in ["code", "redirect_uri", "code_verifier"] {
            let refused = world.post(&good.with(name, "")).await;
            assert!(refused.status.is_client_error(), "{name}: {refused:?}");
            assert!(properties[name]["minLength"].as_u64() >= Some(1), "{name} may be empty");
        }
    }
    assert_eq!(world.post(&good).await.status, 200);
}

/// Fails if the description refuses a field that the service takes for an absent one.
#[tokio::test]
async fn an_empty_client_id_beside_a_basic_header_is_accepted_and_described_so() {
    let world = World::new().await;
    let document = document(&world.server);
    let client = world.client(ClientPolicy::Secret).await;
    let good = world.exchange_fields(&client).await.with("client_id", "");
    let mut body = String::from_utf8(good.as_form().into_body().as_bytes().to_vec()).unwrap();
    for path in ["token", "introspect", "revoke"] {
        let request = Request::post(format!("/v1/oauth/{path}"))
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(AUTHORIZATION, basic(&client.id, &client.secrets[0]));
        let answer = world.send(request.body(Body::from(format!("{body}&client_id="))).unwrap()).await;
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        if path == "token" {
            body = format!("token={}", answer.json()["access_token"].as_str().unwrap());
        }
    }
    for path in ["token", "introspect", "revoke"] {
        let content = &document["paths"][format!("/v1/oauth/{path}")]["post"]["requestBody"]["content"];
        for media_type in ["application/json", "application/x-www-form-urlencoded"] {
            assert!(content[media_type]["schema"]["properties"]["client_id"]["minLength"].is_null(), "{path}");
        }
    }
}

/// Fails if the description allows a client that is refused, or refuses one that is allowed.
#[tokio::test]
async fn a_public_client_with_credentials_of_its_own_is_described_as_none() {
    let desk = desk().await;
    let document = document(&desk.world.server);
    for (described, method) in [("/v1/clients", "post"), ("/v1/clients/{id}", "patch")] {
        let schema = &document["paths"][described][method]["requestBody"]["content"]["application/json"]["schema"];
        let excluded = json!({
            "required": ["policy", "clientCredentialsAllowed"],
            "properties": { "policy": { "const": "none" }, "clientCredentialsAllowed": { "const": true } },
        });
        assert_eq!(schema["not"], excluded, "{described}");
    }
    for (policy, allowed, status) in [("none", true, 400), ("none", false, 200), ("secret", true, 200)] {
        let body = json!({
            "name": "Portal", "redirectUris": ["https://club.example/callback"], "allowedScopes": ["service:self_read"],
            "policy": policy, "clientCredentialsAllowed": allowed,
        });
        let answer = desk.ask(&desk.admin, Method::POST, "/v1/clients", Some(body)).await;
        assert_eq!(answer.status.as_u16(), status, "{policy} {allowed}: {answer:?}");
    }
}
