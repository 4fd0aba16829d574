use http::header::CACHE_CONTROL;
use http::{HeaderValue, Response, StatusCode};

use super::response;
use super::server::Server;
use super::wire::Metadata;
use crate::domain::Scope;
use crate::http::Body;
use crate::http::pages::texts::{LANGUAGES, Texts};

/// Well-known path of the document, below the host and before the path of the issuer (RFC 8414
/// §3.1).
pub(super) const WELL_KNOWN: &str = "/.well-known/oauth-authorization-server";

const EVERY_METHOD: &[&str] = &["client_secret_basic", "client_secret_post", "none"];
const WITH_A_SECRET: &[&str] = &["client_secret_basic", "client_secret_post"];

/// `GET /.well-known/oauth-authorization-server`: the server's metadata (RFC 8414 §2), without
/// authentication.
pub(super) fn handle(server: &Server) -> Response<Body> {
    let mut response = response::json(StatusCode::OK, &document(server, LANGUAGES));
    response.headers_mut().insert(
        CACHE_CONTROL,
        HeaderValue::from_static("public, max-age=300"),
    );
    response
}

fn document<'a>(server: &'a Server, languages: &[&'static Texts]) -> Metadata<'a> {
    let issuer = server.issuer().as_str();
    let endpoint = |name: &str| format!("{issuer}/v1/oauth/{name}");
    Metadata {
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
        ui_locales_supported: languages.iter().map(|text| text.language_code).collect(),
        service_documentation: server.shared.documentation.as_deref(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use http::Request;

    use super::*;
    use crate::domain::SigningAlgorithm;
    use crate::http::auth_server::AuthServer;
    use crate::http::pages::texts::{EN, KO};
    use crate::store::memory::MemoryStore;

    /// Fails if the languages are listed twice: by hand, and in `texts/`.
    #[tokio::test]
    async fn the_languages_are_those_of_the_catalogues() {
        static PT_BR: Texts = Texts {
            language_code: "pt-BR",
            ..EN
        };
        static ZH_HANT: Texts = Texts {
            language_code: "zh-Hant",
            ..EN
        };
        let builder = AuthServer::builder(
            Arc::new(MemoryStore::new()),
            "https://auth.school.example",
            crate::testing::master_key(3),
        )
        .signing_algorithm(SigningAlgorithm::Es256);
        let shared = builder.build().await.unwrap().shared;
        let server = Server::new(&shared, &Request::new(()));
        let document = document(&server, &[&EN, &KO, &PT_BR, &ZH_HANT]);
        assert_eq!(
            document.ui_locales_supported,
            ["en", "ko", "pt-BR", "zh-Hant"]
        );
    }
}
