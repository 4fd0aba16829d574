use bytes::Bytes;
use http::header::REFERRER_POLICY;
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode};

use super::authorize::{self, consent, external_login, login, session};
use super::error::{Error, ErrorFormat};
use super::management::{self, ManagementRoute};
use super::server::{Server, Shared};
use super::{introspect, jwk_set, metadata, revoke, token, userinfo};
use crate::http::Body;
use crate::http::cors::Cors;
use crate::http::pages::Language;
use crate::http::request_body;
use crate::http::service::{
    CommonError, Endpoint, ReadableBody, Refusal, RequestContext, RequestHandler, log_refusal,
};

/// Maximum request body in bytes. It has room for the longest access token, even percent-encoded
/// throughout.
const BODY_LIMIT: usize = 32 * 1024;
/// Maximum body at the token endpoint, which accepts no access tokens.
const TOKEN_BODY_LIMIT: usize = 16 * 1024;

/// The route of a request, by path. It is not `Debug`, because a path can contain a session token.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Route {
    Login,
    Consent,
    BrowserSession,
    /// With the token of the session.
    Session(String),
    Authorize,
    /// Return from an external login page.
    Resume,
    Token,
    Revoke,
    Introspect,
    UserInfo,
    JwkSet,
    /// With the path after the well-known prefix.
    Metadata(String),
    /// With the name of the asset.
    Asset(String),
    Manage(ManagementRoute),
}

impl Route {
    pub(super) fn parse(path: &str) -> Option<Self> {
        match path {
            "/.well-known/jwks.json" => return Some(Self::JwkSet),
            "/userinfo" => return Some(Self::UserInfo),
            _ => {}
        }
        if let Some(issuer_path) = path.strip_prefix(metadata::WELL_KNOWN) {
            return Some(Self::Metadata(issuer_path.to_owned()));
        }
        let Some(path) = path.strip_prefix("/v1/oauth/") else {
            return ManagementRoute::parse(path).map(Self::Manage);
        };
        let mut segments = path.split('/');
        Some(match (segments.next()?, segments.next(), segments.next()) {
            ("authorize", None, None) => Self::Authorize,
            ("authorize", Some("session"), None) => Self::BrowserSession,
            ("authorize", Some("resume"), None) => Self::Resume,
            ("sessions", Some(token), None) => Self::Session(token.to_owned()),
            ("login", None, None) => Self::Login,
            ("consent", None, None) => Self::Consent,
            ("token", None, None) => Self::Token,
            ("revoke", None, None) => Self::Revoke,
            ("introspect", None, None) => Self::Introspect,
            ("userinfo", None, None) => Self::UserInfo,
            ("jwk-set" | "jwks", None, None) => Self::JwkSet,
            ("assets", Some(name), None) => Self::Asset(name.to_owned()),
            _ => return None,
        })
    }

    /// Whether this server serves the route. The metadata is served below the server's own path,
    /// where it is nested, and at the root of the host with the issuer's path at the end (RFC 8414
    /// §3.1).
    fn is_enabled(&self, shared: &Shared) -> bool {
        let management = &shared.management;
        match self {
            Self::Metadata(path) => path.is_empty() || path == management.issuer.path(),
            Self::Manage(route) => route.is_enabled(management),
            // There is only one login page.
            Self::Login => shared.external_login.is_none(),
            Self::Resume => shared.external_login.is_some(),
            _ => true,
        }
    }

    /// The methods of the endpoint, as in `Allow`. `external_login` is whether the host has its own
    /// login page.
    fn methods(&self, external_login: bool) -> &'static str {
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
    const fn allows_cors(&self) -> bool {
        matches!(
            self,
            Self::JwkSet | Self::Metadata(_) | Self::Token | Self::Revoke | Self::UserInfo
        )
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Login => "login",
            Self::Consent => "consent",
            Self::BrowserSession | Self::Session(_) => "session",
            Self::Authorize => "authorize",
            Self::Resume => "resume",
            Self::Token => "token",
            Self::Revoke => "revoke",
            Self::Introspect => "introspect",
            Self::UserInfo => "userinfo",
            Self::JwkSet => "jwk_set",
            Self::Metadata(_) => "metadata",
            Self::Asset(_) => "asset",
            Self::Manage(route) => route.name(),
        }
    }

    /// The endpoint of a parsed route.
    pub(super) fn endpoint(route: Option<&Self>, shared: &Shared) -> Endpoint {
        static CORS: Cors = Cors {
            allowed_request_headers: "Authorization, Content-Type",
            exposed_response_headers: "Retry-After, WWW-Authenticate, X-Request-Id",
        };
        let enabled = route.filter(|route| route.is_enabled(shared));
        Endpoint {
            name: route.map_or("none", Self::name),
            exists: enabled.is_some(),
            methods: enabled.map_or("", |route| route.methods(shared.external_login.is_some())),
            cors: enabled.filter(|route| route.allows_cors()).map(|_| &CORS),
        }
    }

    /// The error format of a parsed route.
    pub(super) fn error_format(
        route: Option<&Self>,
        method: &Method,
        headers: &HeaderMap,
    ) -> ErrorFormat {
        match route {
            Some(
                Self::BrowserSession
                | Self::Token
                | Self::Revoke
                | Self::Introspect
                | Self::UserInfo
                | Self::JwkSet
                | Self::Metadata(_),
            ) => ErrorFormat::OAuth,
            Some(Self::Session(_) | Self::Manage(_)) => ErrorFormat::Envelope,
            Some(Self::Login | Self::Consent) => ErrorFormat::Page,
            Some(Self::Authorize) if method == Method::POST => ErrorFormat::OAuth,
            Some(Self::Authorize | Self::Resume | Self::Asset(_)) | None => {
                ErrorFormat::negotiate(headers)
            }
        }
    }
}

impl RequestHandler for Server {
    type Error = Error;

    fn context(&self) -> &RequestContext {
        &self.context
    }

    async fn handle<B: ReadableBody>(&self, request: Request<B>) -> Result<Response<Body>, Error> {
        let (server, (parts, body)) = (self, request.into_parts());
        let Some(route) = &server.route else {
            return Err(CommonError::UnknownPath.into());
        };
        let is_post = parts.method == Method::POST;
        if !is_post
            && server.page_uri.is_some()
            && let Some(response) = Language::switch_response(
                &parts.uri,
                server.issuer().path(),
                server.issuer().is_secure(),
            )
        {
            return Ok(response);
        }
        let limit = match route {
            Route::Token => TOKEN_BODY_LIMIT,
            _ => BODY_LIMIT,
        };
        let body = match parts.method {
            Method::GET | Method::HEAD => Bytes::new(),
            _ => request_body::read(body, limit)
                .await
                .map_err(|cause| Error::unreadable_body(cause, limit))?,
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
            Route::Asset(name) => {
                let asset = server.management().assets.asset(name, request.headers());
                asset.ok_or(CommonError::UnknownPath.into())
            }
        }
    }

    fn error_response(&self, error: Error) -> Response<Body> {
        error.into_response(self)
    }

    /// All responses say `no-referrer`; that to `OPTIONS` comes from the shared flow without it.
    fn add_headers(&self, response: &mut Response<Body>) {
        if response.status() == StatusCode::NO_CONTENT {
            let policy = HeaderValue::from_static("no-referrer");
            response.headers_mut().insert(REFERRER_POLICY, policy);
        }
    }

    fn log_refusal(refusal: Refusal<'_>) {
        log_refusal!("lyceum::auth", refusal);
    }
}

#[cfg(all(test, feature = "openapi"))]
mod tests {
    use std::collections::BTreeSet;

    use super::super::openapi;
    use super::*;

    /// Numbers every endpoint; the exhaustive match fails to compile when one is added.
    fn known(route: &Route) -> usize {
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
            found.insert(known(&route));
        }
        assert_eq!(found, (0..30).collect());
    }
}
