use bytes::Bytes;
use http::header::SET_COOKIE;
use http::{Method, Request, Response, StatusCode};

use super::error::{Dress, Refusal, refused};
use super::form::parameters;
use super::page::WayBack;
use super::redirect_back::{address_back, destination, with_parameters};
use super::server::Server;
use super::session::BrowserSession;
use super::{answer, cookie, page, rules};
use crate::domain::{AuthorizationSession, SessionToken};
use crate::http::audit::Rule;
use crate::http::{Body, FailureCause};
use crate::oauth::{AuthorizeError, AuthorizeParameters, ErrorCode, Trusted};
use crate::store::StorageError;

/// The longest `state` that is kept, in bytes. A client that has more to remember keeps it on its own side.
const STATE_LIMIT: usize = 2000;

/// Why a `state` cannot be kept. RFC 6749 A.5 allows printable ASCII alone; others are forgiven, but for the one character that a text in
/// PostgreSQL cannot have.
fn fault_of_state(state: &str) -> Option<&'static str> {
    if state.len() > STATE_LIMIT {
        return Some("state must have at most 2000 bytes");
    }
    state.contains('\0').then_some("state must not contain U+0000")
}

/// `GET /v1/oauth/authorize`: opens a session for a sound request and sends the browser to the login page.
///
/// Until the redirect URI is known to be the client's, every answer is local: a redirect would make this an open redirector.
pub(super) async fn start(server: &Server, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let query = parameters(request.uri().query().unwrap_or_default())?;
    // A parameter that is not known is passed over (RFC 6749 §3.1).
    let sent = |name: &str| query.iter().find(|(found, _)| found == name).map(|(_, value)| &**value);
    let parameters = AuthorizeParameters {
        client_id: sent("client_id"),
        redirect_uri: sent("redirect_uri"),
        response_type: sent("response_type"),
        scope: sent("scope"),
        state: sent("state"),
        code_challenge: sent("code_challenge"),
        code_challenge_method: sent("code_challenge_method"),
        prompt: sent("prompt"),
    };
    let client = match parameters.client_id.and_then(|id| id.parse().ok()) {
        Some(id) => {
            server.is_about(id);
            server.storage.client(id).await?
        }
        None => None,
    };
    let trusted = Trusted::establish(client.as_deref(), parameters)?;
    let dress = Dress::negotiated(request.headers());
    if let Some(fault) = trusted.state().and_then(fault_of_state) {
        return tell(server, &trusted, ErrorCode::InvalidRequest, fault, (StatusCode::BAD_REQUEST, Rule::State), dress);
    }
    let asked = match trusted.request() {
        Ok(asked) => asked,
        Err(error) => return refuse(server, &trusted, error, dress),
    };
    if request.method() == Method::HEAD {
        // Only looking: nothing is opened, so nothing is kept.
        return Ok(answer::redirect(StatusCode::SEE_OTHER, &login_page(server, None))?);
    }
    let now = server.clock.now();
    server.openings.pay(server.visit.origin.address, now).map_err(|wait| Refusal::too_many_requests(Rule::AuthorizeLimited, wait))?;
    let pending = AuthorizationSession {
        client: asked.client,
        redirect_uri: asked.redirect_uri,
        state: trusted.state().map(str::to_owned),
        scopes: asked.scopes,
        challenge: asked.challenge,
        ask_again: asked.ask_again,
        subject: None,
        created_at: now,
        expires_at: now.plus(server.lifetimes.session),
    };
    let browser = server.new_session();
    match server.storage.open_session(browser.token.digest(), pending).await {
        Ok(()) => to_login(server, &browser, server.lifetimes.session.as_secs()),
        Err(error) => fail(server, &trusted, error, dress),
    }
}

/// Tells the client, or for a scope that is not allowed to it the user (service.md: 400).
fn refuse(server: &Server, trusted: &Trusted<'_>, error: AuthorizeError, dress: Dress) -> Result<Response<Body>, Refusal> {
    let (code, rule) = (error.code(), rules::of_authorize(error));
    if code == ErrorCode::InvalidScope && !server.redirect_scope_errors {
        return Err(Refusal::new(rule, StatusCode::BAD_REQUEST, code.as_str(), error.description()));
    }
    let status = match error {
        AuthorizeError::ServerError => StatusCode::INTERNAL_SERVER_ERROR,
        AuthorizeError::TemporarilyUnavailable => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::BAD_REQUEST,
    };
    tell(server, trusted, code, error.description(), (status, rule), dress)
}

/// Tells the client of an error by a redirect. No error alone sends a user to an unverified client (RFC 9700 §4.11.2): anyone can register one,
/// and a link to this server would lead anywhere. A browser gets a page with this status that says where the redirect would lead, a
/// program the error.
fn tell(
    server: &Server,
    trusted: &Trusted<'_>,
    code: ErrorCode,
    description: &'static str,
    (status, rule): (StatusCode, Rule),
    dress: Dress,
) -> Result<Response<Body>, Refusal> {
    let (client, redirect_uri) = (trusted.client(), trusted.redirect_uri());
    let parameters = [("error", code.as_str()), ("error_description", description)];
    let href = address_back(client, redirect_uri, &parameters, trusted.state(), &server.issuer);
    Ok(match dress {
        _ if client.is_verified() => refused(answer::redirect(StatusCode::SEE_OTHER, &href)?, rule),
        Dress::Page => {
            let way_back = WayBack { href: &href, destination: destination(redirect_uri) };
            refused(page::error_with(status, rule, description, Some(way_back), server), rule)
        }
        Dress::OAuth | Dress::Envelope => Refusal::new(rule, status, code.as_str(), description).into_oauth(),
    })
}

/// Tells the client that we failed, and the host's log why (RFC 6749 §4.1.2.1: a redirect cannot have the status 500).
fn fail(server: &Server, trusted: &Trusted<'_>, cause: StorageError, dress: Dress) -> Result<Response<Body>, Refusal> {
    let error = if cause.is_unavailable() { AuthorizeError::TemporarilyUnavailable } else { AuthorizeError::ServerError };
    let mut response = refuse(server, trusted, error, dress)?;
    response.extensions_mut().insert(FailureCause::new(cause));
    Ok(response)
}

/// Sends the browser to the login page, with its session of so many seconds.
fn to_login(server: &Server, browser: &BrowserSession, seconds: u64) -> Result<Response<Body>, Refusal> {
    let seconds = i64::try_from(seconds).unwrap_or(i64::MAX);
    let answer = answer::redirect(StatusCode::SEE_OTHER, &login_page(server, Some(&browser.token)))?;
    Ok(answer::with_header(answer, SET_COOKIE, &cookie::give(&browser.cookie, seconds, &server.issuer))?)
}

/// The login page; one of the host's own is given the token, because it has no cookie.
pub(super) fn login_page(server: &Server, token: Option<&SessionToken>) -> String {
    match &server.external_login {
        Some(url) => with_parameters(url, token.map(|token| ("token", token.expose()))),
        None => server.issuer.endpoint("login"),
    }
}
