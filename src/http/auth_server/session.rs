use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, Request, Response, StatusCode};

use super::error::Refusal;
use super::form::parameters;
use super::server::Server;
use super::wire::{Envelope, RequestedScope, SessionBody};
use super::{answer, cookie};
use crate::crypto::login_token;
use crate::domain::{AuthorizationSession, Client, SessionToken};
use crate::http::Body;
use crate::http::audit::Rule;
use crate::oauth::ErrorCode;

/// `GET /v1/oauth/authorize/session`: what the browser's session asks for, unwrapped.
pub(super) async fn show(server: &Server, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let query = parameters(request.uri().query().unwrap_or_default())?;
    let named = query.iter().find(|(name, _)| name == "token" && server.external_login.is_some());
    let (_, session) = match named {
        Some((_, token)) => by_token(server, token).await?,
        None => of_browser(server, request.headers()).await?,
    };
    Ok(answer::json(StatusCode::OK, &described(server, &session).await?))
}

/// `GET /v1/oauth/sessions/{token}`: the same in the envelope, for whoever holds the token.
pub(super) async fn show_in_envelope(server: &Server, token: &str) -> Result<Response<Body>, Refusal> {
    let (_, session) = by_token(server, token).await?;
    Ok(answer::json(StatusCode::OK, &Envelope::ok(described(server, &session).await?)))
}

/// The session whose cookie the browser sends.
pub(super) async fn of_browser(server: &Server, headers: &HeaderMap) -> Result<(SessionToken, AuthorizationSession), Refusal> {
    find(server, token_of_browser(server, headers)).await
}

/// The token of the session whose cookie the browser sends.
pub(super) fn token_of_browser(server: &Server, headers: &HeaderMap) -> Option<SessionToken> {
    cookie::session_token(headers, &server.issuer).map(|cookie| server.token_of(&cookie))
}

/// The session of a browser: what its cookie has, and the token of the session itself.
pub(super) struct BrowserSession {
    pub(super) cookie: SessionToken,
    pub(super) token: SessionToken,
}

impl Server {
    /// A cookie and a token for a browser's session.
    pub(super) fn new_session(&self) -> BrowserSession {
        let cookie = SessionToken::from_random(self.entropy.bytes());
        BrowserSession { token: self.token_of(&cookie), cookie }
    }

    /// The token of the session of a cookie. A login page of the host's own is given the token, from which the cookie cannot be derived: it is
    /// a digest of the cookie's secret.
    fn token_of(&self, cookie: &SessionToken) -> SessionToken {
        if self.external_login.is_some() { login_token(cookie) } else { cookie.clone() }
    }
}

/// The session of a token that somebody presents.
pub(super) async fn by_token(server: &Server, token: &str) -> Result<(SessionToken, AuthorizationSession), Refusal> {
    find(server, SessionToken::presented(token).ok()).await
}

/// The client that a session is for. One that has been deleted since takes its sessions with it, and nobody is sent to a client that is
/// suspended, or to an address that it has given up.
pub(super) async fn client_of(server: &Server, session: &AuthorizationSession) -> Result<Arc<Client>, Refusal> {
    let client = server.storage.client(session.client).await?.ok_or_else(|| Refusal::invalid_session(Rule::SessionClientGone))?;
    if client.is_suspended() {
        return Err(Refusal::invalid_session(Rule::ClientSuspended));
    }
    if client.redirect_uri(&session.redirect_uri).is_none() {
        return Err(Refusal::invalid_session(Rule::SessionRedirectGone));
    }
    Ok(client)
}

/// The client that a session is for, and the scopes it asks for, as people are told of them. When one has been deleted since, or the client
/// may not ask for it any more, there is nothing right to tell.
pub(super) async fn asked(server: &Server, session: &AuthorizationSession) -> Result<(Arc<Client>, Vec<RequestedScope>), Refusal> {
    let client = client_of(server, session).await?;
    let definitions = server.storage.scope_definitions(&session.scopes).await?;
    let is_allowed = session.scopes.iter().all(|scope| client.allowed_scopes.contains(scope));
    if definitions.is_empty() || definitions.len() < session.scopes.len() || !is_allowed {
        let gone = "A scope that the application asked for no longer exists, or not for this application.";
        return Err(Refusal::new(Rule::SessionScopeGone, StatusCode::BAD_REQUEST, ErrorCode::InvalidScope.as_str(), gone));
    }
    let told = definitions.into_iter().map(|definition| RequestedScope {
        scope: definition.scope.to_string(),
        description: definition.description.to_string(),
        application_name: definition.application_name.to_string(),
    });
    Ok((client, told.collect()))
}

/// How long a session still lasts.
pub(super) fn seconds_left(server: &Server, session: &AuthorizationSession) -> i64 {
    session.expires_at.seconds().saturating_sub(server.clock.now().seconds())
}

/// The same in minutes. Begun ones count: "0 minutes left" would not be true yet.
pub(super) fn minutes_left(server: &Server, session: &AuthorizationSession) -> i64 {
    seconds_left(server, session).saturating_add(59) / 60
}

/// The session of this token, if there is one.
pub(super) async fn find(server: &Server, token: Option<SessionToken>) -> Result<(SessionToken, AuthorizationSession), Refusal> {
    let token = token.ok_or_else(|| Refusal::invalid_session(Rule::SessionMissing))?;
    let session = server.storage.session(&token.digest(), server.clock.now()).await?;
    let session = session.ok_or_else(|| Refusal::invalid_session(Rule::SessionEnded))?;
    server.is_about(session.client);
    Ok((token, session))
}

async fn described(server: &Server, session: &AuthorizationSession) -> Result<SessionBody, Refusal> {
    let (client, requested_scopes) = asked(server, session).await?;
    Ok(SessionBody { service_name: client.name.to_string(), expires_at: session.expires_at.seconds(), requested_scopes })
}
