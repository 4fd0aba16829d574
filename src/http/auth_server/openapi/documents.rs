use http::StatusCode;
use serde_json::{Value, json};

use super::answers::COMMON_HEADERS;
use crate::http::auth_server::metadata::WELL_KNOWN;
use crate::http::auth_server::wire::Metadata;
use crate::http::openapi::{ApiDescription, Operation, Response, Schemas};

const TAG: &str = "Keys and metadata";

/// Describes the public documents.
pub(super) fn describe(description: &mut ApiDescription, schemas: &mut Schemas) {
    for (id, path) in [
        ("jwkSet", "/v1/oauth/jwk-set"),
        ("jwks", "/v1/oauth/jwks"),
        ("jwksWellKnown", "/.well-known/jwks.json"),
    ] {
        let found = Response::new("The public keys.")
            .body(
                "application/json",
                json!({ "$ref": "#/components/schemas/JwkSet" }),
            )
            .headers(COMMON_HEADERS);
        let operation = Operation::new(
            id,
            TAG,
            "Get the public keys that verify access tokens (RFC 7517)",
        )
        .response(StatusCode::OK, found)
        .response_ref(StatusCode::INTERNAL_SERVER_ERROR, "OAuthFailed")
        .response_ref(StatusCode::SERVICE_UNAVAILABLE, "OAuthUnavailable");
        description.operation(path, "get", operation);
    }
    let found = Response::new("The metadata.")
        .body("application/json", schemas.for_type::<Metadata<'static>>())
        .headers(COMMON_HEADERS);
    let operation = Operation::new(
        "metadata",
        TAG,
        "Get the metadata of the authorization server (RFC 8414)",
    )
    .response(StatusCode::OK, found);
    description.operation(WELL_KNOWN, "get", operation);
    description.components("schemas", [("JwkSet", jwk_set())]);
}

/// The key set. Each kind of key has its own members beside the common ones.
fn jwk_set() -> Value {
    let text = json!({ "type": "string" });
    json!({
        "description": "Public keys, with the ids that tokens name.",
        "type": "object",
        "properties": { "keys": { "type": "array", "items": {
            "type": "object",
            "properties": {
                "kty": { "type": "string", "enum": ["RSA", "EC"] },
                "use": { "const": "sig" },
                "alg": { "type": "string", "enum": ["RS256", "ES256"] },
                "kid": text, "n": text, "e": text, "crv": { "const": "P-256" }, "x": text, "y": text,
            },
            "required": ["kty", "use", "alg", "kid"],
        } } },
        "required": ["keys"],
    })
}
