//! The OpenAPI document of the authorization service, compared with its behaviour.

use std::collections::BTreeSet;
use std::sync::Arc;

use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{Method, Request};
use lyceum::AuthServer;
use lyceum::domain::{ApiScopes, ClientPolicy, SigningAlgorithm};
use lyceum::http::{ApiReference, Body};
use lyceum::store::ApiKeyStore;
use lyceum::store::memory::MemoryStore;
use serde_json::{Value, json};

use crate::harness;
use crate::manage::{ManagementClient, api_key, text};
use crate::schemas::{response_schema, schema_mismatch};
use crate::stores::new_store;
use crate::token::harness::{Harness, basic};
use crate::wire_doc;

fn document(server: &AuthServer) -> Value {
    serde_json::from_str(
        ApiReference::new("Test", [server.openapi()])
            .unwrap()
            .document(),
    )
    .unwrap()
}

async fn management() -> ManagementClient {
    let store = new_store().await;
    let keys: Arc<dyn ApiKeyStore> = store.clone();
    ManagementClient::with_harness(
        Harness::with_store(store, |builder| builder.api_keys(keys)).await,
    )
    .await
}

/// Fails if an accepted field is not described, or a described one is not accepted.
#[tokio::test]
async fn every_body_takes_the_fields_that_are_described() {
    let management = management().await;
    let document = document(&management.harness.server);
    let (application, scope) = management.application().await;
    let client = text(&management.client().await["id"]);
    let key = text(
        &management
            .post(&management.owner, "/v1/api-keys", api_key())
            .await["id"],
    );
    for (method, described, path) in [
        (
            Method::POST,
            "/v1/applications",
            "/v1/applications".to_owned(),
        ),
        (
            Method::PATCH,
            "/v1/applications/{id}",
            format!("/v1/applications/{application}"),
        ),
        (
            Method::POST,
            "/v1/applications/{id}/scopes",
            format!("/v1/applications/{application}/scopes"),
        ),
        (
            Method::PATCH,
            "/v1/applications/{id}/scopes/{scopeId}",
            format!("/v1/applications/{application}/scopes/{scope}"),
        ),
        (Method::POST, "/v1/clients", "/v1/clients".to_owned()),
        (
            Method::PATCH,
            "/v1/clients/{id}",
            format!("/v1/clients/{client}"),
        ),
        (Method::POST, "/v1/api-keys", "/v1/api-keys".to_owned()),
        (
            Method::POST,
            "/v1/api-keys/{id}/renew",
            format!("/v1/api-keys/{key}/renew"),
        ),
    ] {
        let refused = management
            .ask(
                &management.owner,
                method.clone(),
                &path,
                Some(json!({"nonsense": 1})),
            )
            .await
            .json();
        let message = text(&refused["message"]);
        let known = message
            .split("known are ")
            .nth(1)
            .unwrap_or_else(|| panic!("{message}"))
            .trim_end_matches('.');
        let operation = &document["paths"][described][method.as_str().to_lowercase()];
        let properties =
            operation["requestBody"]["content"]["application/json"]["schema"]["properties"]
                .as_object()
                .unwrap();
        assert_eq!(
            properties
                .keys()
                .map(String::as_str)
                .collect::<BTreeSet<_>>(),
            known.split(", ").collect(),
            "{described}"
        );
    }
}

/// Fails if a response has a field that is not described, or lacks one.
#[tokio::test]
async fn every_record_is_as_described() {
    let management = management().await;
    let document = document(&management.harness.server);
    let (application, scope) = management.application().await;
    management.client().await;
    management
        .post(&management.owner, "/v1/api-keys", api_key())
        .await;
    for (described, path) in [
        ("/v1/applications", "/v1/applications".to_owned()),
        (
            "/v1/applications/{id}",
            format!("/v1/applications/{application}"),
        ),
        (
            "/v1/applications/{id}/scopes",
            format!("/v1/applications/{application}/scopes"),
        ),
        (
            "/v1/applications/{id}/scopes/{scopeId}/clients",
            format!("/v1/applications/{application}/scopes/{scope}/clients"),
        ),
        ("/v1/clients", "/v1/clients".to_owned()),
        (
            "/v1/clients/available-scopes",
            "/v1/clients/available-scopes".to_owned(),
        ),
        ("/v1/api-keys", "/v1/api-keys".to_owned()),
        ("/v1/grants", "/v1/grants".to_owned()),
        ("/v1/oauth/jwk-set", "/v1/oauth/jwk-set".to_owned()),
        (
            "/.well-known/oauth-authorization-server",
            "/.well-known/oauth-authorization-server".to_owned(),
        ),
    ] {
        let answer = management
            .ask(&management.owner, Method::GET, &path, None)
            .await
            .json();
        assert_eq!(
            schema_mismatch(
                &document,
                response_schema(&document, described, "get"),
                &answer
            ),
            None,
            "{described}"
        );
    }
    for (path, body) in [
        ("/v1/applications", json!({"name": "Lunch board"})),
        ("/v1/clients", crate::manage::client()),
        ("/v1/api-keys", api_key()),
    ] {
        let answer = management
            .ask(&management.owner, Method::POST, path, Some(body))
            .await
            .json();
        assert_eq!(
            schema_mismatch(&document, response_schema(&document, path, "post"), &answer),
            None,
            "{path}"
        );
    }
}

/// Fails if a host's own scopes are not described, or the built-in ones are in another order.
#[tokio::test]
async fn the_scopes_of_keys_are_described_with_those_of_the_hosts_own_lists() {
    let described = |harness: Harness| {
        document(&harness.server)["components"]["schemas"]["ApiScope"]["enum"].clone()
    };
    let built_in = json!(["STUDENT_READ", "CLUB_READ", "PROJECT_READ", "NEIS_READ"]);
    assert_eq!(
        described(Harness::with_settings(|builder| builder).await),
        built_in
    );
    let rooms = Harness::with_settings(|builder| {
        builder.api_scopes(ApiScopes::parse("ROOM_READ NEIS_READ").unwrap())
    })
    .await;
    assert_eq!(
        described(rooms),
        json!([
            "STUDENT_READ",
            "CLUB_READ",
            "PROJECT_READ",
            "NEIS_READ",
            "ROOM_READ"
        ])
    );
}

/// Fails if endpoints are described that the server does not have for want of a store.
#[tokio::test]
async fn the_endpoints_of_a_missing_layer_of_storage_are_not_described() {
    let harness = harness::Harness::new().await;
    let (store, users) = (harness.store.clone(), harness.accounts.clone());
    let builder = || {
        let key = lyceum::testing::master_key(3);
        AuthServer::protocol_builder(store.clone(), users.clone(), harness::ISSUER, key)
            .signing_algorithm(SigningAlgorithm::Es256)
    };
    let managed = [
        "/v1/applications",
        "/v1/api-keys",
        "/v1/clients",
        "/v1/grants",
    ];
    for (builder, described) in [
        (builder(), &[][..]),
        (builder().consents(store.clone()), &["/v1/grants"]),
        (
            builder().management(store.clone()),
            &["/v1/applications", "/v1/clients"],
        ),
        (
            builder().api_keys(Arc::new(MemoryStore::new())),
            &["/v1/api-keys"],
        ),
    ] {
        let document = document(&builder.build().await.unwrap());
        let found = managed.map(|path| document["paths"].get(path).map(|_| path));
        let found: Vec<&str> = found.into_iter().flatten().collect();
        assert_eq!(found, described);
        let text = document.to_string();
        for words in ["The management API", "service:manage", "ManagedForbidden"] {
            assert_eq!(text.contains(words), !described.is_empty(), "{words}");
        }
    }
}

/// Fails if the reasons in the document and in the table of `docs/wire.md` differ.
#[tokio::test]
async fn the_description_has_the_error_reasons_of_management() {
    let document = document(&management().await.harness.server);
    let responses = document["components"]["responses"].as_object().unwrap();
    let managed = responses
        .iter()
        .filter(|(name, _)| name.starts_with("Managed") && *name != "ManagedFailed");
    let lines = managed.flat_map(|(_, response)| response["description"].as_str().unwrap().lines());
    let described: BTreeSet<String> = lines
        .filter_map(|line| line.strip_prefix("* `")?.split('`').next())
        .map(str::to_owned)
        .collect();
    let table = wire_doc::refusals("Management", "reason")
        .into_iter()
        .filter(|(status, _)| *status != 405);
    assert_eq!(described, table.map(|(_, reason)| reason).collect());
}

/// Fails if a disabled feature is described.
#[tokio::test]
async fn the_description_has_the_features_that_the_host_enabled() {
    let (plain, keyed) = (
        document(&harness::Harness::new().await.server),
        document(&management().await.harness.server),
    );
    let external = harness::Harness::with_settings(|builder| {
        builder.external_login("https://login.school.example")
    })
    .await;
    let external = document(&external.server);
    let has =
        |document: &Value, path: &str, method: &str| !document["paths"][path][method].is_null();
    assert!(!has(&plain, "/v1/api-keys", "get") && has(&keyed, "/v1/api-keys", "get"));
    assert!(
        !has(&plain, "/v1/oauth/authorize", "post")
            && has(&external, "/v1/oauth/authorize", "post")
    );
    assert!(
        has(&plain, "/v1/oauth/login", "get") && !has(&external, "/v1/oauth/login", "get"),
        "there is only one login page"
    );
    assert!(
        !has(&plain, "/v1/oauth/authorize/resume", "get")
            && has(&external, "/v1/oauth/authorize/resume", "get")
    );
    assert_eq!(plain["servers"][0]["url"], harness::ISSUER);
    let flow = &plain["components"]["securitySchemes"]["OAuth2"]["flows"]["authorizationCode"];
    assert_eq!(
        flow["tokenUrl"],
        format!("{}/v1/oauth/token", harness::ISSUER)
    );
}

/// Fails if the document allows an empty text that is refused.
#[tokio::test]
async fn parameters_that_must_not_be_empty_are_described_so() {
    let harness = Harness::new().await;
    let document = document(&harness.server);
    let client = harness.client(ClientPolicy::SecretOrPkce).await;
    let good = harness.exchange_fields(&client).await;
    for media_type in ["application/json", "application/x-www-form-urlencoded"] {
        let properties = &document["paths"]["/v1/oauth/token"]["post"]["requestBody"]["content"]
            [media_type]["schema"]["properties"];
        for name in ["code", "redirect_uri", "code_verifier"] {
            let refused = harness.post(&good.with(name, "")).await;
            assert!(refused.status.is_client_error(), "{name}: {refused:?}");
            assert!(
                properties[name]["minLength"].as_u64() >= Some(1),
                "{name} may be empty"
            );
        }
    }
    assert_eq!(harness.post(&good).await.status, 200);
}

/// Fails if the document excludes an empty field that the service treats as absent.
#[tokio::test]
async fn an_empty_client_id_beside_a_basic_header_is_accepted_and_described_so() {
    let harness = Harness::new().await;
    let document = document(&harness.server);
    let client = harness.client(ClientPolicy::Secret).await;
    let good = harness.exchange_fields(&client).await.with("client_id", "");
    let mut body = String::from_utf8(good.as_form().into_body().as_bytes().to_vec()).unwrap();
    for path in ["token", "introspect", "revoke"] {
        let request = Request::post(format!("/v1/oauth/{path}"))
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(AUTHORIZATION, basic(&client.id, &client.secrets[0]));
        let answer = harness
            .send(
                request
                    .body(Body::from(format!("{body}&client_id=")))
                    .unwrap(),
            )
            .await;
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        if path == "token" {
            body = format!("token={}", answer.json()["access_token"].as_str().unwrap());
        }
    }
    for path in ["token", "introspect", "revoke"] {
        let content =
            &document["paths"][format!("/v1/oauth/{path}")]["post"]["requestBody"]["content"];
        for media_type in ["application/json", "application/x-www-form-urlencoded"] {
            assert!(
                content[media_type]["schema"]["properties"]["client_id"]["minLength"].is_null(),
                "{path}"
            );
        }
    }
}

/// Fails if the document allows a client that is refused, or excludes one that is accepted.
#[tokio::test]
async fn a_public_client_with_credentials_of_its_own_is_described_as_none() {
    let management = management().await;
    let document = document(&management.harness.server);
    for (described, method) in [("/v1/clients", "post"), ("/v1/clients/{id}", "patch")] {
        let schema = &document["paths"][described][method]["requestBody"]["content"]["application/json"]
            ["schema"];
        let excluded = json!({
            "required": ["policy", "clientCredentialsAllowed"],
            "properties": { "policy": { "const": "none" }, "clientCredentialsAllowed": { "const": true } },
        });
        assert_eq!(schema["not"], excluded, "{described}");
    }
    for (policy, allowed, status) in [
        ("none", true, 400),
        ("none", false, 200),
        ("secret", true, 200),
    ] {
        let body = json!({
            "name": "Portal", "redirectUris": ["https://club.example/callback"], "allowedScopes": ["service:self_read"],
            "policy": policy, "clientCredentialsAllowed": allowed,
        });
        let answer = management
            .ask(&management.admin, Method::POST, "/v1/clients", Some(body))
            .await;
        assert_eq!(
            answer.status.as_u16(),
            status,
            "{policy} {allowed}: {answer:?}"
        );
    }
}
