//! What the authorization service says of itself.

mod answers;
mod bodies;
mod documents;
mod managed;
mod signing_in;
mod tokens;

use serde_json::{Value, json};

use super::AuthServer;
use super::cookie;
use crate::domain::Scope;
use crate::http::issuer::Issuer;
use crate::http::openapi::{ApiDescription, Schemas, shared_headers};

const ABOUT: &str = "Sign-in and tokens follow OAuth 2.0 (RFC 6749) with PKCE (RFC 7636). A token request is JSON or a form, and has each parameter \
once; one that is not known is passed over. Errors of these addresses are `error` and `error_description`; they have the id of the request in \
`X-Request-Id` alone.\n\n\
What is managed is JSON in the envelope that the data API has, too. A body is one JSON object of at most 32 KiB, in which a field that the \
address does not know is refused. Times are in epoch seconds.";

impl AuthServer {
    /// Describes this server as it is configured: the addresses below its issuer, with those of the data API's keys and of a login page on
    /// another origin if it has them.
    pub fn openapi(&self) -> ApiDescription {
        described(&self.shared.issuer, self.shared.external_login.is_some(), self.shared.api_keys.is_some())
    }
}

fn described(issuer: &Issuer, external_login: bool, api_keys: bool) -> ApiDescription {
    let (mut description, mut schemas) = (ApiDescription::new(issuer.as_str(), ABOUT), Schemas::new());
    description
        .tag("Signing in", "Where browsers are sent. A client sends its user to `/v1/oauth/authorize`, and gets them back with a code.");
    description.tag("Tokens", "What clients exchange codes for, and what they can do with a token.");
    description.tag("Keys and metadata", "What verifiers and clients have to know, for anyone.");
    signing_in::describe(&mut description, &mut schemas, external_login);
    tokens::describe(&mut description, &mut schemas);
    documents::describe(&mut description, &mut schemas);
    managed::describe(&mut description, &mut schemas, api_keys);
    description.components("headers", shared_headers());
    description.components("headers", [("Location", answers::location())]);
    description.components("responses", answers::shared(&mut schemas));
    description.components("securitySchemes", schemes(issuer));
    description.schemas(schemas);
    description
}

/// The OpenAPI document without `external_login`.
#[cfg(test)]
pub(super) fn everything() -> ApiDescription {
    described(&Issuer::parse("https://school.example").expect("it is a public address"), false, true)
}

/// The OpenAPI document with `external_login`.
#[cfg(test)]
pub(super) fn with_external_login() -> ApiDescription {
    described(&Issuer::parse("https://school.example").expect("it is a public address"), true, true)
}

fn schemes(issuer: &Issuer) -> [(&'static str, Value); 3] {
    let endpoint = |name: &str| format!("{}/v1/oauth/{name}", issuer.as_str());
    let oauth = json!({
        "type": "oauth2",
        "description": "An access token of a user. What is managed takes tokens of the service's own clients alone.",
        "flows": {
            "authorizationCode": {
                "authorizationUrl": endpoint("authorize"),
                "tokenUrl": endpoint("token"),
                "refreshUrl": endpoint("token"),
                "scopes": {
                    Scope::self_read().to_string(): "See who you are, and your details as a student",
                    Scope::manage().to_string(): "Manage applications, clients, API keys and grants in your name",
                },
            },
        },
    });
    let secret = "The id and a secret of a client, each form-encoded (RFC 6749 §2.3.1); or both are in the body.";
    let session = "A sign-in that has begun in this browser.";
    [
        ("OAuth2", oauth),
        ("ClientSecret", json!({ "type": "http", "scheme": "basic", "description": secret })),
        ("Session", json!({ "type": "apiKey", "in": "cookie", "name": cookie::name(issuer), "description": session })),
    ]
}
