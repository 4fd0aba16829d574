use bytes::Bytes;
use http::header::{ALLOW, CONTENT_LENGTH};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body::Body as HttpBody;

use super::error::{Error, ErrorFormat};
use super::management::{self, ManagementRoute};
use super::server::{Server, Shared};
use super::{
    authorize, consent, external_login, introspect, jwk_set, login, metadata, revoke, session,
    token, userinfo,
};
use crate::http::audit::RefusalRule;
use crate::http::cors::Cors;
use crate::http::pages::{self, Language};
use crate::http::{Body, body};

/// Maximum request body in bytes. It has room for the longest access token, even percent-encoded
/// throughout.
const BODY_LIMIT: usize = 32 * 1024;
/// Maximum body at the token endpoint, which accepts no access tokens.
const TOKEN_BODY_LIMIT: usize = 16 * 1024;

/// The route of a request, by path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Route<'a> {
    Login,
    Consent,
    BrowserSession,
    Session(&'a str),
    Authorize,
    /// Return from an external login page.
    Resume,
    Token,
    Revoke,
    Introspect,
    UserInfo,
    JwkSet,
    /// With the path after the well-known prefix.
    Metadata(&'a str),
    Asset(&'a str),
    Manage(ManagementRoute<'a>),
}

impl<'a> Route<'a> {
    fn parse(path: &'a str) -> Option<Self> {
        match path {
            "/.well-known/jwks.json" => return Some(Self::JwkSet),
            "/userinfo" => return Some(Self::UserInfo),
            _ => {}
        }
        if let Some(issuer_path) = path.strip_prefix(metadata::WELL_KNOWN) {
            return Some(Self::Metadata(issuer_path));
        }
        let Some(path) = path.strip_prefix("/v1/oauth/") else {
            return ManagementRoute::parse(path).map(Self::Manage);
        };
        let mut segments = path.split('/');
        Some(match (segments.next()?, segments.next(), segments.next()) {
            ("authorize", None, None) => Self::Authorize,
            ("authorize", Some("session"), None) => Self::BrowserSession,
            ("authorize", Some("resume"), None) => Self::Resume,
            ("sessions", Some(token), None) => Self::Session(token),
            ("login", None, None) => Self::Login,
            ("consent", None, None) => Self::Consent,
            ("token", None, None) => Self::Token,
            ("revoke", None, None) => Self::Revoke,
            ("introspect", None, None) => Self::Introspect,
            ("userinfo", None, None) => Self::UserInfo,
            ("jwk-set" | "jwks", None, None) => Self::JwkSet,
            ("assets", Some(name), None) => Self::Asset(name),
            _ => return None,
        })
    }

    /// Whether this server serves the route. The metadata is served below the server's own path,
    /// where it is nested, and at the root of the host with the issuer's path at the end (RFC 8414
    /// §3.1).
    fn is_enabled(self, server: &Shared) -> bool {
        match self {
            Self::Metadata(path) => path.is_empty() || path == server.issuer.path(),
            Self::Manage(route) => route.is_enabled(&server.management),
            // There is only one login page.
            Self::Login => server.external_login.is_none(),
            Self::Resume => server.external_login.is_some(),
            _ => true,
        }
    }

    /// The methods of the endpoint, as in `Allow`. `external_login` is whether the host has its own
    /// login page.
    fn methods(self, external_login: bool) -> &'static str {
        match self {
            Self::Authorize if external_login => "GET, HEAD, POST",
            Self::Login | Self::Consent => "GET, HEAD, POST",
            Self::Manage(route) => route.methods(),
            Self::Token | Self::Revoke => "POST, OPTIONS",
            Self::Introspect => "POST",
            Self::UserInfo | Self::JwkSet | Self::Metadata(_) => "GET, HEAD, OPTIONS",
            Self::Authorize
            | Self::Resume
            | Self::BrowserSession
            | Self::Session(_)
            | Self::Asset(_) => "GET, HEAD",
        }
    }

    /// Whether other origins may use the route: the endpoints that a browser-based client needs,
    /// and none that use cookies or are for services only.
    const fn allows_cors(self) -> bool {
        matches!(
            self,
            Self::JwkSet | Self::Metadata(_) | Self::Token | Self::Revoke | Self::UserInfo
        )
    }
}

/// The CORS policy of the request's endpoint, if other origins may use it.
pub(super) fn cors<B>(server: &Shared, request: &Request<B>) -> Option<&'static Cors> {
    static CORS: Cors = Cors {
        allowed_request_headers: "Authorization, Content-Type",
        exposed_response_headers: "Retry-After, WWW-Authenticate, X-Request-Id",
    };
    Route::parse(request.uri().path())
        .filter(|route| route.is_enabled(server) && route.allows_cors())
        .map(|_| &CORS)
}

/// The name of the request's endpoint in logs; paths may contain secrets.
pub(super) fn endpoint<B>(request: &Request<B>) -> &'static str {
    match Route::parse(request.uri().path()) {
        Some(Route::Login) => "login",
        Some(Route::Consent) => "consent",
        Some(Route::BrowserSession | Route::Session(_)) => "session",
        Some(Route::Authorize) => "authorize",
        Some(Route::Resume) => "resume",
        Some(Route::Token) => "token",
        Some(Route::Revoke) => "revoke",
        Some(Route::Introspect) => "introspect",
        Some(Route::UserInfo) => "userinfo",
        Some(Route::JwkSet) => "jwk_set",
        Some(Route::Metadata(_)) => "metadata",
        Some(Route::Asset(_)) => "asset",
        Some(Route::Manage(route)) => route.name(),
        None => "none",
    }
}

/// The path and query of the requested page. For a form submission, the path of its page.
pub(super) fn page_uri<B>(request: &Request<B>) -> Option<&str> {
    let (uri, is_read) = (
        request.uri(),
        matches!(*request.method(), Method::GET | Method::HEAD),
    );
    match Route::parse(uri.path())? {
        Route::Login | Route::Consent => Some(uri.path()),
        Route::Authorize if is_read && error_format(request) == ErrorFormat::Page => {
            Some(uri.path_and_query()?.as_str())
        }
        _ => None,
    }
}

/// The error format of the request's endpoint.
pub(super) fn error_format<B>(request: &Request<B>) -> ErrorFormat {
    match Route::parse(request.uri().path()) {
        Some(
            Route::BrowserSession
            | Route::Token
            | Route::Revoke
            | Route::Introspect
            | Route::UserInfo
            | Route::JwkSet
            | Route::Metadata(_),
        ) => ErrorFormat::OAuth,
        Some(Route::Session(_) | Route::Manage(_)) => ErrorFormat::Envelope,
        Some(Route::Login | Route::Consent) => ErrorFormat::Page,
        Some(Route::Authorize) if request.method() == Method::POST => ErrorFormat::OAuth,
        Some(Route::Authorize | Route::Resume | Route::Asset(_)) | None => {
            ErrorFormat::negotiate(request.headers())
        }
    }
}

/// Handles a request.
pub(super) async fn respond<B>(server: &Server, request: Request<B>) -> Response<Body>
where
    B: HttpBody,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let error_format = error_format(&request);
    let is_head = request.method() == Method::HEAD;
    let response = dispatch(server, request)
        .await
        .unwrap_or_else(|error| server.error_response(error, error_format));
    server.finish(if is_head {
        without_body(response)
    } else {
        response
    })
}

async fn dispatch<B>(server: &Server, request: Request<B>) -> Result<Response<Body>, Error>
where
    B: HttpBody,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let (parts, body) = request.into_parts();
    let uri = parts.uri.clone();
    let route = Route::parse(uri.path())
        .filter(|route| route.is_enabled(server))
        .ok_or_else(not_found)?;
    let methods = route.methods(server.external_login.is_some());
    if !methods
        .split(", ")
        .any(|method| method == parts.method.as_str())
    {
        return Err(method_not_allowed(methods));
    }
    if let Some(cors) = server
        .context
        .cors
        .filter(|_| parts.method == Method::OPTIONS)
    {
        return Ok(options(methods, cors));
    }
    let is_post = parts.method == Method::POST;
    if !is_post
        && server.context.page_uri.is_some()
        && let Some(response) =
            Language::switch_response(&uri, server.issuer.path(), server.issuer.is_secure())
    {
        return Ok(response);
    }
    let has_body = !matches!(parts.method, Method::GET | Method::HEAD);
    let limit = if route == Route::Token {
        TOKEN_BODY_LIMIT
    } else {
        BODY_LIMIT
    };
    let body = if has_body {
        body::read(body, limit)
            .await
            .map_err(|cause| Error::unreadable_body(cause, limit))?
    } else {
        Bytes::new()
    };
    let request = &Request::from_parts(parts, body);
    match route {
        Route::Authorize if is_post => external_login::submit(server, request).await,
        Route::Authorize => authorize::handle(server, request).await,
        Route::Resume => external_login::resume(server, request).await,
        Route::BrowserSession => session::show(server, request).await,
        Route::Session(token) => session::show_in_envelope(server, token).await,
        Route::Login if is_post => login::submit(server, request).await,
        Route::Login => login::show(server, request).await,
        Route::Consent if is_post => consent::submit(server, request).await,
        Route::Consent => consent::show(server, request).await,
        Route::Token => token::handle(server, request)
            .await
            .map_err(|error| server.limit_failed(error)),
        Route::Revoke => revoke::handle(server, request)
            .await
            .map_err(|error| server.limit_failed(error)),
        Route::Introspect => introspect::handle(server, request)
            .await
            .map_err(|error| server.limit_failed(error)),
        Route::UserInfo => userinfo::handle(server, request).await,
        Route::Metadata(_) => Ok(metadata::handle(server)),
        Route::JwkSet => jwk_set::handle(server).await,
        Route::Manage(route) => management::handle(server, route, request).await,
        Route::Asset(name) => pages::asset(name, request.headers()).ok_or_else(not_found),
    }
}

/// The response to `OPTIONS`, including preflights.
fn options(methods: &'static str, cors: &Cors) -> Response<Body> {
    let mut response = super::response::empty();
    *response.status_mut() = StatusCode::NO_CONTENT;
    response
        .headers_mut()
        .insert(ALLOW, HeaderValue::from_static(methods));
    cors.add_preflight_headers(methods, response.headers_mut());
    response
}

fn not_found() -> Error {
    Error::new(
        RefusalRule::NotFound,
        StatusCode::NOT_FOUND,
        "not_found",
        "There is nothing at this address.",
    )
}

/// Status 405 with `Allow`.
pub(super) fn method_not_allowed(allow: &'static str) -> Error {
    Error::new(
        RefusalRule::MethodNotAllowed,
        StatusCode::METHOD_NOT_ALLOWED,
        "method_not_allowed",
        "This address does not answer that method.",
    )
    .with_header(ALLOW, HeaderValue::from_static(allow))
}

/// The response to HEAD: the headers of GET (RFC 9110 §9.3.2).
fn without_body(response: Response<Body>) -> Response<Body> {
    let (mut parts, body) = response.into_parts();
    parts
        .headers
        .insert(CONTENT_LENGTH, HeaderValue::from(body.as_bytes().len()));
    Response::from_parts(parts, Body::empty())
}

#[cfg(all(test, feature = "openapi"))]
mod tests {
    use std::collections::BTreeSet;

    use super::super::openapi;
    use super::*;

    /// Numbers every endpoint; the exhaustive match fails to compile when one is added.
    fn known(route: Route<'_>) -> usize {
        match route {
            Route::Login => 0,
            Route::Consent => 1,
            Route::BrowserSession => 2,
            Route::Session(_) => 3,
            Route::Authorize => 4,
            Route::Token => 5,
            Route::Revoke => 6,
            Route::Introspect => 7,
            Route::UserInfo => 8,
            Route::JwkSet => 9,
            Route::Metadata(_) => 10,
            Route::Asset(_) => 11,
            Route::Resume => 28,
            Route::Manage(route) => match route {
                ManagementRoute::Applications => 12,
                ManagementRoute::Application(_) => 13,
                ManagementRoute::Scopes(_) => 14,
                ManagementRoute::Scope(..) => 15,
                ManagementRoute::Approvals(..) => 16,
                ManagementRoute::Approval(..) => 17,
                ManagementRoute::Clients => 18,
                ManagementRoute::AvailableScopes => 19,
                ManagementRoute::Client(_) => 20,
                ManagementRoute::Secrets(_) => 21,
                ManagementRoute::OlderSecret(_) => 22,
                ManagementRoute::ApiKeys => 23,
                ManagementRoute::ApiKey(_) => 24,
                ManagementRoute::ApiKeyRenewal(_) => 25,
                ManagementRoute::Grants => 26,
                ManagementRoute::Grant(_) => 27,
                ManagementRoute::ClientOwner(_) => 29,
            },
        }
    }

    /// Fails if an endpoint is not described, is described but does not exist, or has another
    /// method.
    #[test]
    fn the_description_has_every_endpoint_with_its_methods() {
        let mut found = BTreeSet::new();
        let all = [
            openapi::without_external_login(),
            openapi::with_external_login(),
        ]
        .map(|description| description.paths);
        for (path, methods) in all.iter().flatten() {
            let address = path.replace(['{', '}'], "");
            let route = Route::parse(&address).unwrap_or_else(|| panic!("{path} does not exist"));
            let described: BTreeSet<String> = methods
                .as_object()
                .unwrap()
                .keys()
                .map(|method| method.to_uppercase())
                .collect();
            let answered: BTreeSet<String> = route
                .methods(true)
                .split(", ")
                .filter(|method| !["HEAD", "OPTIONS"].contains(method))
                .map(str::to_owned)
                .collect();
            let is_posted_there = route == Route::Authorize && !described.contains("POST");
            assert!(described == answered || is_posted_there, "{path}");
            found.insert(known(route));
        }
        assert_eq!(found, (0..30).collect());
    }
}
