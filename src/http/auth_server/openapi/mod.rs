//! OpenAPI document of the authorization service.

mod answers;
mod bodies;
mod documents;
mod login;
mod management;
mod tokens;

use serde_json::{Value, json};

use super::AuthServer;
use super::authorize::cookie;
use crate::directory::SchoolResources;
#[cfg(test)]
use crate::domain::ApiScopes;
use crate::domain::Scope;
use crate::http::issuer::Issuer;
use crate::http::openapi::{ApiDescription, Schemas, shared_headers};
use management::Managed;

const ABOUT: &str = "Sign-in and tokens follow OAuth 2.0 (RFC 6749) with PKCE (RFC 7636). A token request is JSON or a form. Each parameter is sent once, and unknown ones \
are ignored. Errors have `error` and `error_description`; the id of the request is only in the header `X-Request-Id`.\n\n";

const ABOUT_MANAGEMENT: &str = "The management API responds with the same objects as the data API. A request body is one JSON object of at most 32 KiB. Unknown fields are refused.\n\n";

const ABOUT_TIMES: &str = "Times are in epoch seconds.";

impl AuthServer {
    /// The OpenAPI document of this server as configured: the paths below its issuer, without those
    /// of layers of storage that it does not have, and with the external login page if it is
    /// enabled.
    pub fn openapi(&self) -> ApiDescription {
        let management = &self.shared.management;
        let managed = Managed {
            registry: management.registry.is_some(),
            api_scopes: management.api_keys.as_ref().map(|_| &management.api_scopes),
            grants: management.consents.is_some(),
        };
        described(
            &management.issuer,
            management.students.directory_resources(),
            self.shared.external_login.is_some(),
            managed,
        )
    }
}

fn described(
    issuer: &Issuer,
    school: Option<&SchoolResources>,
    external_login: bool,
    managed: Managed<'_>,
) -> ApiDescription {
    let is_managed = managed.has_any();
    let about_management = if is_managed { ABOUT_MANAGEMENT } else { "" };
    let about = [ABOUT, about_management, ABOUT_TIMES].concat();
    let (mut description, mut schemas) =
        (ApiDescription::new(issuer.as_str(), about), Schemas::new());
    description
        .tag("Signing in", "Pages for browsers. A client sends its user to `/v1/oauth/authorize`; the user returns with a code.");
    description.tag(
        "Tokens",
        "Endpoints that issue, introspect and revoke tokens.",
    );
    description.tag(
        "Keys and metadata",
        "Public metadata for clients and resource servers.",
    );
    login::describe(&mut description, &mut schemas, external_login);
    tokens::describe(&mut description, &mut schemas, school);
    documents::describe(&mut description, &mut schemas);
    management::describe(&mut description, &mut schemas, managed);
    description.components("headers", shared_headers());
    description.components("headers", [("Location", answers::location())]);
    description.components("responses", answers::shared(&mut schemas, is_managed));
    description.components("securitySchemes", schemes(issuer, is_managed));
    description.schemas(schemas);
    description
}

/// The OpenAPI document without `external_login`.
#[cfg(test)]
pub(super) fn without_external_login() -> ApiDescription {
    document(false)
}

/// The OpenAPI document with `external_login`.
#[cfg(test)]
pub(super) fn with_external_login() -> ApiDescription {
    document(true)
}

#[cfg(test)]
fn document(external_login: bool) -> ApiDescription {
    let issuer = Issuer::parse("https://school.example").expect("it is a public address");
    described(
        &issuer,
        Some(SchoolResources::standard()),
        external_login,
        Managed {
            registry: true,
            api_scopes: Some(&ApiScopes::built_in()),
            grants: true,
        },
    )
}

fn schemes(issuer: &Issuer, is_managed: bool) -> [(&'static str, Value); 3] {
    let endpoint = |name: &str| format!("{}/v1/oauth/{name}", issuer.as_str());
    let self_read = Scope::self_read().to_string();
    let mut about = "An access token of a user.".to_owned();
    let mut scopes = json!({ self_read: "See who you are, and your details as a student" });
    if is_managed {
        about += " The management API accepts only tokens of first-party clients.";
        scopes[Scope::manage().to_string()] =
            "Manage applications, clients, API keys and grants in your name".into();
    }
    let oauth = json!({
        "type": "oauth2",
        "description": about,
        "flows": {
            "authorizationCode": {
                "authorizationUrl": endpoint("authorize"),
                "tokenUrl": endpoint("token"),
                "refreshUrl": endpoint("token"),
                "scopes": scopes,
            },
        },
    });
    let secret = "The id and a secret of a client, each form-encoded (RFC 6749 §2.3.1); or both are in the body.";
    let session = "A sign-in in progress in this browser.";
    [
        ("OAuth2", oauth),
        (
            "ClientSecret",
            json!({ "type": "http", "scheme": "basic", "description": secret }),
        ),
        (
            "Session",
            json!({ "type": "apiKey", "in": "cookie", "name": cookie::name(issuer), "description": session }),
        ),
    ]
}
