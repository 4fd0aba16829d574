use bytes::Bytes;
use http::header::{ALLOW, CONTENT_LENGTH};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body::Body as HttpBody;

use super::error::{Error, with_rule};
use super::server::Server;
use super::session::SignedInUser;
use super::{
    accounts, applications, audit, authorized_apps, clients, data, home, keys, own_account,
    session, sign_in, sign_out,
};
use crate::http::audit::RefusalRule;
use crate::http::pages::{Language, asset};
use crate::http::{Body, body};

/// Maximum length of a request body, in bytes; enough for a client with the most scopes.
const BODY_LIMIT: usize = 64 * 1024;

/// Routes of the console.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Route<'a> {
    Home,
    SignIn,
    SignOut,
    Asset(&'a str),
    AuthorizedApps(authorized_apps::Route<'a>),
    OwnAccount(own_account::Route<'a>),
    Keys(keys::Route<'a>),
    Applications(applications::Route<'a>),
    Clients(clients::Route<'a>),
    Data(data::Route),
    Accounts(accounts::Route<'a>),
    Audit(audit::Route),
    /// Keys of all owners.
    AllKeys,
    AllApplications,
    AllClients,
    UnverifiedClients,
}

impl<'a> Route<'a> {
    fn parse(path: &'a str) -> Option<Self> {
        let segments: Vec<&str> = path.strip_prefix('/')?.split('/').collect();
        Some(match &segments[..] {
            [""] => Self::Home,
            ["sign-in"] => Self::SignIn,
            ["sign-out"] => Self::SignOut,
            ["assets", name] => Self::Asset(name),
            ["apps", rest @ ..] => Self::AuthorizedApps(authorized_apps::Route::parse(rest)?),
            ["account", rest @ ..] => Self::OwnAccount(own_account::Route::parse(rest)?),
            ["keys", rest @ ..] => Self::Keys(keys::Route::parse(rest)?),
            ["applications", rest @ ..] => Self::Applications(applications::Route::parse(rest)?),
            ["clients", rest @ ..] => Self::Clients(clients::Route::parse(rest)?),
            ["data", rest @ ..] => Self::Data(data::Route::parse(rest)?),
            ["admin", "people", rest @ ..] => Self::Accounts(accounts::Route::parse(rest)?),
            ["admin", "audit", rest @ ..] => Self::Audit(audit::Route::parse(rest)?),
            ["admin", "keys"] => Self::AllKeys,
            ["admin", "applications"] => Self::AllApplications,
            ["admin", "clients"] => Self::AllClients,
            ["admin", "clients", "review"] => Self::UnverifiedClients,
            _ => return None,
        })
    }

    /// The allowed methods, as in the `Allow` header.
    fn methods(self) -> &'static str {
        match self {
            Self::Home
            | Self::Asset(_)
            | Self::AllKeys
            | Self::AllApplications
            | Self::AllClients
            | Self::UnverifiedClients => "GET, HEAD",
            Self::SignIn => "GET, HEAD, POST",
            Self::SignOut => "POST",
            Self::AuthorizedApps(route) => route.methods(),
            Self::OwnAccount(route) => route.methods(),
            Self::Keys(route) => route.methods(),
            Self::Applications(route) => route.methods(),
            Self::Clients(route) => route.methods(),
            Self::Data(route) => route.methods(),
            Self::Accounts(route) => route.methods(),
            Self::Audit(route) => route.methods(),
        }
    }

    /// The endpoint name in logs, metrics and events. Addresses are not logged, as they may contain
    /// search terms.
    fn endpoint(self) -> &'static str {
        match self {
            Self::Home => "home",
            Self::SignIn => "sign_in",
            Self::SignOut => "sign_out",
            Self::Asset(_) => "asset",
            Self::AuthorizedApps(route) => route.endpoint(),
            Self::OwnAccount(route) => route.endpoint(),
            Self::Keys(route) => route.endpoint(),
            Self::Applications(route) => route.endpoint(),
            Self::Clients(route) => route.endpoint(),
            Self::Data(route) => route.endpoint(),
            Self::Accounts(route) => route.endpoint(),
            Self::Audit(route) => route.endpoint(),
            Self::AllKeys => "all_keys",
            Self::AllApplications => "all_applications",
            Self::AllClients => "all_clients",
            Self::UnverifiedClients => "clients_to_review",
        }
    }

    /// Whether forms posted to this route count towards `management_limit`. Revocations do not.
    fn counts_towards_limit(self) -> bool {
        match self {
            Self::Keys(route) => !matches!(route, keys::Route::Revoke(_)),
            Self::Clients(route) => !matches!(route, clients::Route::OlderSecret(_)),
            Self::Applications(_) | Self::Accounts(_) => true,
            _ => false,
        }
    }

    /// Whether the route is a page that can be requested with GET.
    fn is_page(self) -> bool {
        !matches!(self, Self::Asset(_)) && self.methods().starts_with("GET")
    }
}

/// Endpoint name of a request's route.
pub(super) fn endpoint<B>(request: &Request<B>) -> &'static str {
    Route::parse(request.uri().path()).map_or("none", Route::endpoint)
}

/// URI that shows the page of the request again. For a form, it is the path of the page.
pub(super) fn page_uri<B>(request: &Request<B>) -> Option<String> {
    let uri = request.uri();
    if !Route::parse(uri.path())?.is_page() {
        return None;
    }
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    Some(
        uri.path_and_query()
            .filter(|_| is_read)
            .map_or_else(|| uri.path().to_owned(), ToString::to_string),
    )
}

/// Whether the path is a page to return to after sign-in.
pub(super) fn is_return_target(path: &str) -> bool {
    Route::parse(path).is_some_and(|route| route.is_page() && route != Route::SignIn)
}

/// Handles a request and finishes the response.
pub(super) async fn respond<B>(server: &Server, request: Request<B>) -> Response<Body>
where
    B: HttpBody,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let is_head = request.method() == Method::HEAD;
    let response = handle(server, request)
        .await
        .unwrap_or_else(|error| server.error_page(error));
    server.finish(if is_head {
        without_body(response)
    } else {
        response
    })
}

async fn handle<B>(server: &Server, request: Request<B>) -> Result<Response<Body>, Error>
where
    B: HttpBody,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let (parts, body) = request.into_parts();
    let uri = parts.uri.clone();
    let route = Route::parse(uri.path()).ok_or_else(Error::not_found)?;
    if !route
        .methods()
        .split(", ")
        .any(|method| method == parts.method.as_str())
    {
        let error = Error::new(
            RefusalRule::MethodNotAllowed,
            StatusCode::METHOD_NOT_ALLOWED,
        );
        return Err(error.with_header(ALLOW, HeaderValue::from_static(route.methods())));
    }
    let posted = parts.method == Method::POST;
    if !posted
        && route.is_page()
        && let Some(response) =
            Language::switch_response(&uri, server.address.path(), server.address.is_secure())
    {
        return Ok(response);
    }
    let body = if posted {
        body::read(body, BODY_LIMIT).await?
    } else {
        Bytes::new()
    };
    let request = &Request::from_parts(parts, body);
    match route {
        Route::Asset(name) => asset(name, request.headers()).ok_or_else(Error::not_found),
        Route::SignIn if posted => sign_in::submit(server, request).await,
        Route::SignIn => sign_in::show(server, request).await,
        _ => match session::require_user(server, request).await? {
            Ok(user) => match handle_signed_in(server, route, &user, request).await {
                Err(error) if error.has_rule(RefusalRule::SessionEnded) => Ok(with_rule(
                    session::redirect_to_sign_in(server, request.headers())?,
                    RefusalRule::SessionEnded,
                )),
                answer => answer,
            },
            Err(redirect) => Ok(redirect),
        },
    }
}

/// Handles the routes that require a signed-in user.
async fn handle_signed_in(
    server: &Server,
    route: Route<'_>,
    user: &SignedInUser,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    if *request.method() == Method::POST && route.counts_towards_limit() {
        user.management(server).acquire_change()?;
    }
    match route {
        Route::Home => home::show(server, user).await,
        Route::SignOut => sign_out::submit(server, user, request).await,
        Route::AuthorizedApps(route) => authorized_apps::handle(server, route, user, request).await,
        Route::OwnAccount(route) => own_account::handle(server, route, user, request).await,
        Route::Keys(route) => keys::handle(server, route, user, request).await,
        Route::Applications(route) => applications::handle(server, route, user, request).await,
        Route::Clients(route) => clients::handle(server, route, user, request).await,
        Route::Data(route) => data::handle(server, route, user, request).await,
        Route::Accounts(route) => accounts::handle(server, route, user, request).await,
        Route::Audit(route) => audit::handle(server, route, user, request).await,
        Route::AllKeys => keys::list_all(server, user, request).await,
        Route::AllApplications => applications::list_all(server, user, request).await,
        Route::AllClients => clients::list_all(server, user, request).await,
        Route::UnverifiedClients => clients::list_unverified(server, user, request).await,
        Route::SignIn | Route::Asset(_) => Err(Error::not_found()),
    }
}

/// Response to HEAD: the headers of GET without its body (RFC 9110 §9.3.2).
fn without_body(response: Response<Body>) -> Response<Body> {
    let (mut parts, body) = response.into_parts();
    if let Some(length) = body.size_hint().exact() {
        parts
            .headers
            .insert(CONTENT_LENGTH, HeaderValue::from(length));
    }
    Response::from_parts(parts, Body::empty())
}
