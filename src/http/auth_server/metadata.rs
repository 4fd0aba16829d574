use http::header::CACHE_CONTROL;
use http::{HeaderValue, Response, StatusCode};

use super::response;
use super::server::Server;
use super::wire::Metadata;
use crate::domain::Scope;
use crate::http::Body;

/// Well-known path of the document, below the host and before the path of the issuer (RFC 8414
/// §3.1).
pub(super) const WELL_KNOWN: &str = "/.well-known/oauth-authorization-server";

const EVERY_METHOD: &[&str] = &["client_secret_basic", "client_secret_post", "none"];
const WITH_A_SECRET: &[&str] = &["client_secret_basic", "client_secret_post"];

/// `GET /.well-known/oauth-authorization-server`: the server's metadata (RFC 8414 §2), without
/// authentication.
pub(super) fn handle(server: &Server) -> Response<Body> {
    let issuer = server.issuer().as_str();
    let endpoint = |name: &str| format!("{issuer}/v1/oauth/{name}");
    let document = Metadata {
        issuer,
        authorization_endpoint: endpoint("authorize"),
        token_endpoint: endpoint("token"),
        jwks_uri: endpoint("jwk-set"),
        revocation_endpoint: endpoint("revoke"),
        introspection_endpoint: endpoint("introspect"),
        userinfo_endpoint: endpoint("userinfo"),
        // The scopes of applications are not published here; their owners document them.
        scopes_supported: [Scope::self_read().to_string()],
        response_types_supported: &["code"],
        response_modes_supported: &["query"],
        grant_types_supported: &["authorization_code", "refresh_token", "client_credentials"],
        token_endpoint_auth_methods_supported: EVERY_METHOD,
        revocation_endpoint_auth_methods_supported: EVERY_METHOD,
        introspection_endpoint_auth_methods_supported: WITH_A_SECRET,
        // `plain` is allowed only for individual legacy clients, and is not advertised.
        code_challenge_methods_supported: &["S256"],
        authorization_response_iss_parameter_supported: true,
        ui_locales_supported: &["en", "ko"],
        service_documentation: server.shared.documentation.as_deref(),
    };
    let mut response = response::json(StatusCode::OK, &document);
    response.headers_mut().insert(
        CACHE_CONTROL,
        HeaderValue::from_static("public, max-age=300"),
    );
    response
}
