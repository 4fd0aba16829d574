//! The authorization endpoint, with the pages for sign-in and consent and their sessions.

mod authorization_response;
pub(super) mod consent;
pub(super) mod cookie;
pub(super) mod external_login;
pub(super) mod login;
pub(super) mod session;
pub(super) mod session_limiter;
mod session_login;

use std::time::Duration;

use bytes::Bytes;
use http::header::SET_COOKIE;
use http::{Method, Request, Response, StatusCode};

use crate::domain::{AuthorizationSession, SessionToken};
use crate::http::audit::RefusalRule;
use crate::http::auth_server::error::{Error, ErrorFormat};
use crate::http::auth_server::form::parameters;
use crate::http::auth_server::server::Server;
use crate::http::auth_server::views::ReturnLink;
use crate::http::response;
use crate::http::{Body, FailureCause};
use crate::oauth::{AuthorizeError, AuthorizeParameters, ErrorCode, RedirectableRequest};
use crate::store::StorageError;
use authorization_response::{append_query, authorization_response_uri, destination};
use session::BrowserSession;

/// Maximum length of a stored `state` in bytes. A client with more data stores it on its own side.
const STATE_LIMIT: usize = 2000;

/// Refuses a `state` that cannot be stored. RFC 6749 A.5 allows only printable ASCII; other
/// characters are accepted, except for U+0000, which PostgreSQL cannot store in text.
fn check_state(state: &str) -> Result<(), AuthorizeError> {
    if state.len() > STATE_LIMIT {
        return Err(AuthorizeError::StateTooLong);
    }
    if state.contains('\0') {
        return Err(AuthorizeError::StateWithNul);
    }
    Ok(())
}

/// `GET /v1/oauth/authorize`: opens a session for a valid request and redirects the browser to the
/// login page.
///
/// Until the redirect URI is known to be the client's, errors are not redirected: this would make
/// the server an open redirector.
pub(super) async fn handle(
    server: &Server,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let query = parameters(request.uri().query().unwrap_or_default())?;
    // Unknown parameters are ignored (RFC 6749 §3.1).
    let sent = |name: &str| {
        query
            .iter()
            .find(|(found, _)| found == name)
            .map(|(_, value)| &**value)
    };
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
            server.context.set_client(id);
            server.storage().client(id).await?
        }
        None => None,
    };
    let trusted = RedirectableRequest::new(client.as_deref(), parameters)?;
    let checked = trusted.state().map_or(Ok(()), check_state);
    let authorization = match checked.and_then(|()| trusted.validate()) {
        Ok(authorization) => authorization,
        Err(error) => return authorization_error(server, &trusted, error),
    };
    if request.method() == Method::HEAD {
        // A HEAD request opens no session.
        return Ok(response::redirect(
            StatusCode::SEE_OTHER,
            &login_page(server, None),
        )?);
    }
    let now = server.now();
    server
        .shared
        .session_limiter
        .acquire(server.context.address, now)
        .map_err(|wait| {
            Error::too_many_attempts(RefusalRule::AuthorizeLimited).with_retry_after(wait)
        })?;
    let pending = AuthorizationSession {
        client: authorization.client,
        redirect_uri: authorization.redirect_uri,
        state: trusted.state().map(str::to_owned),
        scopes: authorization.scopes,
        challenge: authorization.challenge,
        prompt: authorization.prompt,
        subject: None,
        created_at: now,
        expires_at: now.plus(server.shared.lifetimes.session),
    };
    let browser = server.new_browser_session();
    match server
        .storage()
        .open_session(browser.token.digest(), pending)
        .await
    {
        Ok(()) => redirect_with_session(server, &browser, server.shared.lifetimes.session),
        Err(error) => storage_error(server, &trusted, error),
    }
}

/// Reports the error to the client by redirect. A scope that the client is not allowed to use is
/// status 400 (spec 3.3). For an unverified client there is no automatic redirect (RFC 9700
/// §4.11.2): anyone can register one and have links to this server lead anywhere. A browser gets a
/// page with the error's status and a link to the redirect target, other callers the error itself.
fn authorization_error(
    server: &Server,
    trusted: &RedirectableRequest<'_>,
    error: AuthorizeError,
) -> Result<Response<Body>, Error> {
    let (code, description) = (error.code(), error.description());
    if code == ErrorCode::InvalidScope && !server.shared.redirect_scope_errors {
        return Err(error.into());
    }
    let (client, redirect_uri) = (trusted.client(), trusted.redirect_uri());
    let parameters = [("error", code.as_str()), ("error_description", description)];
    let href = authorization_response_uri(
        client,
        redirect_uri,
        &parameters,
        trusted.state(),
        server.issuer(),
    );
    let error = Error::from(error);
    Ok(match server.error_format {
        _ if client.is_verified() => {
            error.attach_to(response::redirect(StatusCode::SEE_OTHER, &href)?)
        }
        ErrorFormat::Page => error.into_page(
            Some(ReturnLink {
                href: &href,
                destination: destination(redirect_uri),
            }),
            server,
        ),
        ErrorFormat::OAuth | ErrorFormat::Envelope => error.into_oauth_response(),
    })
}

/// Reports a storage failure to the client and logs its cause (RFC 6749 §4.1.2.1: a redirect cannot
/// have the status 500).
fn storage_error(
    server: &Server,
    trusted: &RedirectableRequest<'_>,
    cause: StorageError,
) -> Result<Response<Body>, Error> {
    let error = if cause.is_unavailable() {
        AuthorizeError::TemporarilyUnavailable
    } else {
        AuthorizeError::ServerError
    };
    let mut response = authorization_error(server, trusted, error)?;
    response.extensions_mut().insert(FailureCause::new(cause));
    Ok(response)
}

/// Redirects the browser to the login page and sets a session cookie for this time.
fn redirect_with_session(
    server: &Server,
    browser: &BrowserSession,
    max_age: Duration,
) -> Result<Response<Body>, Error> {
    let answer = response::redirect(
        StatusCode::SEE_OTHER,
        &login_page(server, Some(&browser.token)),
    )?;
    Ok(response::with_header(
        answer,
        SET_COOKIE,
        &cookie::set_session(&browser.cookie, max_age, server.issuer()),
    )?)
}

/// The URL of the login page. An external page receives the token, because it cannot read the
/// cookie.
pub(super) fn login_page(server: &Server, token: Option<&SessionToken>) -> String {
    match &server.shared.external_login {
        Some(url) => append_query(url, token.map(|token| ("token", token.expose()))),
        None => server.issuer().endpoint_path("login"),
    }
}
