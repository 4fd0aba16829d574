use std::sync::Arc;

use axum::Router;
use http::Request;
use http_body_util::BodyExt;
use lyceum::domain::SigningAlgorithm;
use lyceum::http::ConfigError;
use lyceum::http::auth_server::AuthServer;
use lyceum::store::memory::MemoryStore;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::token::harness::{Harness, ISSUER};

const WELL_KNOWN: &str = "/.well-known/oauth-authorization-server";

async fn server(issuer: &str) -> AuthServer {
    let builder = AuthServer::builder(
        Arc::new(MemoryStore::new()),
        issuer,
        lyceum::testing::master_key(3),
    );
    builder
        .signing_algorithm(SigningAlgorithm::Es256)
        .build()
        .await
        .unwrap()
}

/// The status, and the issuer in the document.
async fn issuer_at(host: &Router, path: &str) -> (u16, Value) {
    let response = host
        .clone()
        .oneshot(Request::get(path).body(String::new()).unwrap())
        .await
        .unwrap();
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (
        status,
        serde_json::from_slice::<Value>(&body).map_or(Value::Null, |body| body["issuer"].clone()),
    )
}

// Proves: spec 3.18
#[tokio::test]
async fn the_metadata_says_all_that_a_client_needs_and_nothing_that_is_not_so() {
    let harness = Harness::with_settings(|builder| {
        builder.documentation("https://school.example/developers")
    })
    .await;
    let answer = harness.get(WELL_KNOWN).await;
    assert_eq!(
        (answer.status.as_u16(), answer.header("cache-control")),
        (200, "public, max-age=300")
    );
    let endpoint = |name: &str| format!("{ISSUER}/v1/oauth/{name}");
    assert_eq!(
        answer.json(),
        json!({
            "issuer": ISSUER,
            "authorization_endpoint": endpoint("authorize"),
            "token_endpoint": endpoint("token"),
            "jwks_uri": endpoint("jwk-set"),
            "revocation_endpoint": endpoint("revoke"),
            "introspection_endpoint": endpoint("introspect"),
            "userinfo_endpoint": endpoint("userinfo"),
            "scopes_supported": ["service:self_read"],
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "refresh_token", "client_credentials"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
            "revocation_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
            "introspection_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": true,
            "ui_locales_supported": ["en", "ko"],
            "service_documentation": "https://school.example/developers",
        })
    );
    assert!(
        Harness::new()
            .await
            .get(WELL_KNOWN)
            .await
            .json()
            .get("service_documentation")
            .is_none()
    );
}

#[tokio::test]
async fn every_address_of_the_metadata_is_answered() {
    let harness = Harness::new().await;
    let document = harness.get(WELL_KNOWN).await.json();
    for (name, address) in document
        .as_object()
        .unwrap()
        .iter()
        .filter(|(name, _)| name.ends_with("_endpoint") || *name == "jwks_uri")
    {
        let path = address.as_str().unwrap().strip_prefix(ISSUER).unwrap();
        assert_ne!(harness.get(path).await.status, 404, "{name}");
    }
}

// Proves: spec 3.18
#[tokio::test]
async fn the_metadata_of_a_server_under_a_path_is_at_the_root_and_under_the_path() {
    let nested = server("https://school.example/auth/two").await;
    assert_eq!(nested.metadata_path(), format!("{WELL_KNOWN}/auth/two"));
    let other = server("https://school.example").await;
    assert_eq!(other.metadata_path(), WELL_KNOWN);
    let host = Router::new()
        .route_service(&nested.metadata_path(), nested.clone())
        .nest_service("/auth/two", nested)
        .fallback_service(other);
    let (one, two) = (
        json!("https://school.example"),
        json!("https://school.example/auth/two"),
    );
    for (path, issuer) in [
        (WELL_KNOWN.to_owned(), one),
        (format!("{WELL_KNOWN}/auth/two"), two.clone()),
        (format!("/auth/two{WELL_KNOWN}"), two),
    ] {
        assert_eq!(issuer_at(&host, &path).await, (200, issuer), "{path}");
    }
    for path in [
        format!("{WELL_KNOWN}/"),
        format!("{WELL_KNOWN}/auth"),
        format!("{WELL_KNOWN}/auth/two/"),
        format!("{WELL_KNOWN}x"),
    ] {
        assert_eq!(issuer_at(&host, &path).await.0, 404, "{path}");
    }
}

#[tokio::test]
async fn a_server_that_issues_no_id_tokens_is_no_openid_provider() {
    assert_eq!(
        Harness::new()
            .await
            .get("/.well-known/openid-configuration")
            .await
            .status,
        404
    );
}

#[tokio::test]
async fn the_address_of_the_documentation_is_public() {
    let builder = AuthServer::builder(
        Arc::new(MemoryStore::new()),
        ISSUER,
        lyceum::testing::master_key(3),
    );
    let refused = builder
        .documentation("javascript:alert(1)")
        .build()
        .await
        .unwrap_err();
    assert!(
        matches!(refused, ConfigError::Documentation(_)),
        "{refused}"
    );
}
