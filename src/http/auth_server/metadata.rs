use http::header::CACHE_CONTROL;
use http::{HeaderValue, Response, StatusCode};

use super::answer;
use super::server::Server;
use super::wire::Metadata;
use crate::domain::Scope;
use crate::http::Body;

/// Where the document is, below the host, and the path of the issuer after it (RFC 8414 §3.1).
pub(super) const WELL_KNOWN: &str = "/.well-known/oauth-authorization-server";

const EVERY_METHOD: &[&str] = &["client_secret_basic", "client_secret_post", "none"];
const WITH_A_SECRET: &[&str] = &["client_secret_basic", "client_secret_post"];

/// `GET /.well-known/oauth-authorization-server`: what a client has to know of the server (RFC 8414 §2), for anyone, without authentication.
pub(super) fn show(server: &Server) -> Response<Body> {
    let issuer = server.issuer.as_str();
    let endpoint = |name: &str| format!("{issuer}/v1/oauth/{name}");
    let document = Metadata {
        issuer,
        authorization_endpoint: endpoint("authorize"),
        token_endpoint: endpoint("token"),
        jwks_uri: endpoint("jwk-set"),
        revocation_endpoint: endpoint("revoke"),
        introspection_endpoint: endpoint("introspect"),
        userinfo_endpoint: endpoint("userinfo"),
        // The scopes of applications are their owners' to tell.
        scopes_supported: [Scope::self_read().to_string()],
        response_types_supported: &["code"],
        response_modes_supported: &["query"],
        grant_types_supported: &["authorization_code", "refresh_token", "client_credentials"],
        token_endpoint_auth_methods_supported: EVERY_METHOD,
        revocation_endpoint_auth_methods_supported: EVERY_METHOD,
        introspection_endpoint_auth_methods_supported: WITH_A_SECRET,
        // `plain` is for single old clients that have it in their record, and no client should learn of it here.
        code_challenge_methods_supported: &["S256"],
        authorization_response_iss_parameter_supported: true,
        ui_locales_supported: &["en", "ko"],
        service_documentation: server.documentation.as_deref(),
    };
    let mut response = answer::json(StatusCode::OK, &document);
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=300"));
    response
}
