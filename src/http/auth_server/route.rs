use bytes::Bytes;
use http::header::{ALLOW, CONTENT_LENGTH};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body::Body as HttpBody;

use super::error::{Dress, Refusal};
use super::manage::{self, Managed};
use super::server::{Server, Shared};
use super::{authorize, consent, external_login, introspect, jwk_set, login, metadata, revoke, session, token, userinfo};
use crate::http::audit::Rule;
use crate::http::cors::Cors;
use crate::http::pages::{self, Language};
use crate::http::{Body, body};

/// The longest body that is read, in bytes. The longest access token has room, also where a client escapes every byte of it.
const BODY_LIMIT: usize = 32 * 1024;
/// The longest body of the token endpoint, which takes no access tokens.
const TOKEN_BODY_LIMIT: usize = 16 * 1024;

/// The endpoints, by path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Endpoint<'a> {
    Login,
    Consent,
    BrowserSession,
    Session(&'a str),
    Authorize,
    /// Where a browser comes back from a login page of the host's own.
    Resume,
    Token,
    Revoke,
    Introspect,
    UserInfo,
    JwkSet,
    /// With what follows the well-known path.
    Metadata(&'a str),
    Asset(&'a str),
    Manage(Managed<'a>),
}

impl<'a> Endpoint<'a> {
    fn at(path: &'a str) -> Option<Self> {
        match path {
            "/.well-known/jwks.json" => return Some(Self::JwkSet),
            "/userinfo" => return Some(Self::UserInfo),
            _ => {}
        }
        if let Some(issuer_path) = path.strip_prefix(metadata::WELL_KNOWN) {
            return Some(Self::Metadata(issuer_path));
        }
        let Some(path) = path.strip_prefix("/v1/oauth/") else { return Managed::at(path).map(Self::Manage) };
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

    /// Whether this server has the endpoint. Its metadata is below its own path, where it is nested, and at the root of the host
    /// with its path at the end (RFC 8414 §3.1).
    fn is_of(self, server: &Shared) -> bool {
        match self {
            Self::Metadata(path) => path.is_empty() || path == server.issuer.path(),
            Self::Manage(managed) => !managed.is_of_api_keys() || server.api_keys.is_some(),
            // Users sign in at one place alone.
            Self::Login => server.external_login.is_none(),
            Self::Resume => server.external_login.is_some(),
            _ => true,
        }
    }

    /// The methods that the endpoint answers, as in `Allow`. `external_login` says whether the host has a login page of its own.
    fn methods(self, external_login: bool) -> &'static str {
        match self {
            Self::Authorize if external_login => "GET, HEAD, POST",
            Self::Login | Self::Consent => "GET, HEAD, POST",
            Self::Manage(managed) => managed.methods(),
            Self::Token | Self::Revoke => "POST, OPTIONS",
            Self::Introspect => "POST",
            Self::UserInfo | Self::JwkSet | Self::Metadata(_) => "GET, HEAD, OPTIONS",
            Self::Authorize | Self::Resume | Self::BrowserSession | Self::Session(_) | Self::Asset(_) => "GET, HEAD",
        }
    }

    /// Whether scripts of other origins may use the endpoint: what a client without a server of its own needs, and nothing that goes by cookies
    /// or is for services alone.
    const fn is_for_every_origin(self) -> bool {
        matches!(self, Self::JwkSet | Self::Metadata(_) | Self::Token | Self::Revoke | Self::UserInfo)
    }
}

/// What scripts of other origins may do at the endpoint of a request, if they may use it.
pub(super) fn cors<B>(server: &Shared, request: &Request<B>) -> Option<&'static Cors> {
    static CORS: Cors =
        Cors { request_headers: "Authorization, Content-Type", response_headers: "Retry-After, WWW-Authenticate, X-Request-Id" };
    Endpoint::at(request.uri().path()).filter(|endpoint| endpoint.is_of(server) && endpoint.is_for_every_origin()).map(|_| &CORS)
}

/// What the log calls the endpoint of a request: addresses themselves may hold secrets.
pub(super) fn name<B>(request: &Request<B>) -> &'static str {
    match Endpoint::at(request.uri().path()) {
        Some(Endpoint::Login) => "login",
        Some(Endpoint::Consent) => "consent",
        Some(Endpoint::BrowserSession | Endpoint::Session(_)) => "session",
        Some(Endpoint::Authorize) => "authorize",
        Some(Endpoint::Resume) => "resume",
        Some(Endpoint::Token) => "token",
        Some(Endpoint::Revoke) => "revoke",
        Some(Endpoint::Introspect) => "introspect",
        Some(Endpoint::UserInfo) => "userinfo",
        Some(Endpoint::JwkSet) => "jwk_set",
        Some(Endpoint::Metadata(_)) => "metadata",
        Some(Endpoint::Asset(_)) => "asset",
        Some(Endpoint::Manage(managed)) => managed.name(),
        None => "none",
    }
}

/// The address of a page that the request is for, as the service has it. A form's is that of its page.
pub(super) fn page<B>(request: &Request<B>) -> Option<&str> {
    let (uri, is_read) = (request.uri(), matches!(*request.method(), Method::GET | Method::HEAD));
    match Endpoint::at(uri.path())? {
        Endpoint::Login | Endpoint::Consent => Some(uri.path()),
        Endpoint::Authorize if is_read && dress(request) == Dress::Page => Some(uri.path_and_query()?.as_str()),
        _ => None,
    }
}

/// The shape in which a request's endpoint says no.
pub(super) fn dress<B>(request: &Request<B>) -> Dress {
    match Endpoint::at(request.uri().path()) {
        Some(
            Endpoint::BrowserSession
            | Endpoint::Token
            | Endpoint::Revoke
            | Endpoint::Introspect
            | Endpoint::UserInfo
            | Endpoint::JwkSet
            | Endpoint::Metadata(_),
        ) => Dress::OAuth,
        Some(Endpoint::Session(_) | Endpoint::Manage(_)) => Dress::Envelope,
        Some(Endpoint::Login | Endpoint::Consent) => Dress::Page,
        Some(Endpoint::Authorize) if request.method() == Method::POST => Dress::OAuth,
        Some(Endpoint::Authorize | Endpoint::Resume | Endpoint::Asset(_)) | None => Dress::negotiated(request.headers()),
    }
}

/// Answers a request.
pub(super) async fn answer<B>(server: &Server, request: Request<B>) -> Response<Body>
where
    B: HttpBody,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let dress = dress(&request);
    let is_head = request.method() == Method::HEAD;
    let response = handle(server, request).await.unwrap_or_else(|refusal| server.refused(refusal, dress));
    server.finish(if is_head { without_body(response) } else { response })
}

async fn handle<B>(server: &Server, request: Request<B>) -> Result<Response<Body>, Refusal>
where
    B: HttpBody,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let (parts, body) = request.into_parts();
    let uri = parts.uri.clone();
    let endpoint = Endpoint::at(uri.path()).filter(|endpoint| endpoint.is_of(server)).ok_or_else(not_found)?;
    let methods = endpoint.methods(server.external_login.is_some());
    if !methods.split(", ").any(|method| method == parts.method.as_str()) {
        return Err(not_allowed(methods));
    }
    if let Some(cors) = server.visit.cors.filter(|_| parts.method == Method::OPTIONS) {
        return Ok(options(methods, cors));
    }
    let posted = parts.method == Method::POST;
    if !posted
        && server.visit.page.is_some()
        && let Some(switched) = Language::switched(&uri, server.issuer.path(), server.issuer.is_secure())
    {
        return Ok(switched);
    }
    let has_body = !matches!(parts.method, Method::GET | Method::HEAD);
    let limit = if endpoint == Endpoint::Token { TOKEN_BODY_LIMIT } else { BODY_LIMIT };
    let body = if has_body { body::read(body, limit).await.map_err(|why| Refusal::unreadable(why, limit))? } else { Bytes::new() };
    let request = &Request::from_parts(parts, body);
    match endpoint {
        Endpoint::Authorize if posted => external_login::submit(server, request).await,
        Endpoint::Authorize => authorize::start(server, request).await,
        Endpoint::Resume => external_login::resume(server, request).await,
        Endpoint::BrowserSession => session::show(server, request).await,
        Endpoint::Session(token) => session::show_in_envelope(server, token).await,
        Endpoint::Login if posted => login::submit(server, request).await,
        Endpoint::Login => login::show(server, request).await,
        Endpoint::Consent if posted => consent::submit(server, request).await,
        Endpoint::Consent => consent::show(server, request).await,
        Endpoint::Token => token::answer(server, request).await.map_err(|refusal| server.count_failed(refusal)),
        Endpoint::Revoke => revoke::answer(server, request).await.map_err(|refusal| server.count_failed(refusal)),
        Endpoint::Introspect => introspect::answer(server, request).await.map_err(|refusal| server.count_failed(refusal)),
        Endpoint::UserInfo => userinfo::show(server, request).await,
        Endpoint::Metadata(_) => Ok(metadata::show(server)),
        Endpoint::JwkSet => jwk_set::show(server).await,
        Endpoint::Manage(managed) => manage::answer(server, managed, request).await,
        Endpoint::Asset(name) => pages::asset(name, request.headers()).ok_or_else(not_found),
    }
}

/// The answer to `OPTIONS`, preflights among it.
fn options(methods: &'static str, cors: &Cors) -> Response<Body> {
    let mut response = super::answer::empty();
    *response.status_mut() = StatusCode::NO_CONTENT;
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(methods));
    cors.permit(methods, response.headers_mut());
    response
}

fn not_found() -> Refusal {
    Refusal::new(Rule::NotFound, StatusCode::NOT_FOUND, "not_found", "There is nothing at this address.")
}

/// Status 405, for an address that answers other methods.
pub(super) fn not_allowed(allow: &'static str) -> Refusal {
    Refusal::new(Rule::MethodNotAllowed, StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "This address does not answer that method.")
        .header(ALLOW, HeaderValue::from_static(allow))
}

/// The answer to HEAD: the headers that GET would have had (RFC 9110 §9.3.2).
fn without_body(response: Response<Body>) -> Response<Body> {
    let (mut parts, body) = response.into_parts();
    parts.headers.insert(CONTENT_LENGTH, HeaderValue::from(body.as_bytes().len()));
    Response::from_parts(parts, Body::empty())
}

#[cfg(all(test, feature = "openapi"))]
mod tests {
    use std::collections::BTreeSet;

    use super::super::openapi;
    use super::*;

    /// Every endpoint; whoever adds one is led here by the compiler.
    fn known(endpoint: Endpoint<'_>) -> usize {
        match endpoint {
            Endpoint::Login => 0,
            Endpoint::Consent => 1,
            Endpoint::BrowserSession => 2,
            Endpoint::Session(_) => 3,
            Endpoint::Authorize => 4,
            Endpoint::Token => 5,
            Endpoint::Revoke => 6,
            Endpoint::Introspect => 7,
            Endpoint::UserInfo => 8,
            Endpoint::JwkSet => 9,
            Endpoint::Metadata(_) => 10,
            Endpoint::Asset(_) => 11,
            Endpoint::Resume => 28,
            Endpoint::Manage(managed) => match managed {
                Managed::Applications => 12,
                Managed::Application(_) => 13,
                Managed::Scopes(_) => 14,
                Managed::Scope(..) => 15,
                Managed::Approvals(..) => 16,
                Managed::Approval(..) => 17,
                Managed::Clients => 18,
                Managed::AvailableScopes => 19,
                Managed::Client(_) => 20,
                Managed::Secrets(_) => 21,
                Managed::OlderSecret(_) => 22,
                Managed::ApiKeys => 23,
                Managed::ApiKey(_) => 24,
                Managed::ApiKeyRenewal(_) => 25,
                Managed::Grants => 26,
                Managed::Grant(_) => 27,
                Managed::ClientOwner(_) => 29,
            },
        }
    }

    /// Fails if an endpoint is not described, or one is that does not exist, or with another method.
    #[test]
    fn the_description_has_every_endpoint_with_its_methods() {
        let mut found = BTreeSet::new();
        let all = [openapi::everything(), openapi::with_external_login()].map(|description| description.paths);
        for (path, methods) in all.iter().flatten() {
            let address = path.replace(['{', '}'], "");
            let endpoint = Endpoint::at(&address).unwrap_or_else(|| panic!("{path} does not exist"));
            let described: BTreeSet<String> = methods.as_object().unwrap().keys().map(|method| method.to_uppercase()).collect();
            let answered: BTreeSet<String> =
                endpoint.methods(true).split(", ").filter(|method| !["HEAD", "OPTIONS"].contains(method)).map(str::to_owned).collect();
            let is_posted_there = endpoint == Endpoint::Authorize && !described.contains("POST");
            assert!(described == answered || is_posted_there, "{path}");
            found.insert(known(endpoint));
        }
        assert_eq!(found, (0..30).collect());
    }
}
