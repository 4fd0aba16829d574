use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Request, Response, StatusCode};

use super::cookie;
use crate::crypto::login_token;
use crate::domain::{AuthorizationSession, Client, ScopeDefinition, SessionToken, Subject};
use crate::http::Body;
use crate::http::audit::RefusalRule;
use crate::http::auth_server::error::Error;
use crate::http::auth_server::form::parameters;
use crate::http::auth_server::server::Server;
use crate::http::auth_server::wire::{Envelope, RequestedScope, SessionBody};
use crate::http::login::SignedInUser;
use crate::http::response;

/// `GET /v1/oauth/authorize/session`: the scopes and client of the browser's session, without
/// envelope.
pub(in crate::http::auth_server) async fn show(
    server: &Server,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let query = parameters(request.uri().query().unwrap_or_default())?;
    let named = query
        .iter()
        .find(|(name, _)| name == "token" && server.shared.external_login.is_some());
    let (_, session) = match named {
        Some((_, token)) => from_token(server, token).await?,
        None => from_cookie(server, request.headers()).await?,
    };
    Ok(response::json(
        StatusCode::OK,
        &session_body(server, &session).await?,
    ))
}

/// `GET /v1/oauth/sessions/{token}`: the same in the envelope, for the holder of the token.
pub(in crate::http::auth_server) async fn show_in_envelope(
    server: &Server,
    token: &str,
) -> Result<Response<Body>, Error> {
    let (_, session) = from_token(server, token).await?;
    Ok(response::json(
        StatusCode::OK,
        &Envelope::ok(session_body(server, &session).await?),
    ))
}

/// Loads the session of the browser's cookie.
pub(super) async fn from_cookie(
    server: &Server,
    headers: &HeaderMap,
) -> Result<(SessionToken, AuthorizationSession), Error> {
    find(server, token_from_cookie(server, headers)).await
}

/// The session token of the browser's cookie.
pub(super) fn token_from_cookie(server: &Server, headers: &HeaderMap) -> Option<SessionToken> {
    cookie::session_token(headers, server.issuer()).map(|cookie| server.token_for_cookie(&cookie))
}

/// A new browser session: the value of its cookie and the session token derived from it.
pub(super) struct BrowserSession {
    pub(super) cookie: SessionToken,
    pub(super) token: SessionToken,
}

impl Server {
    /// Creates a cookie value and its session token.
    pub(super) fn new_browser_session(&self) -> BrowserSession {
        let cookie = SessionToken::from_random(self.management().entropy.bytes());
        BrowserSession {
            token: self.token_for_cookie(&cookie),
            cookie,
        }
    }

    /// The session token of a cookie. An external login page receives the token, from which the
    /// cookie cannot be derived: it is a digest of the cookie's secret.
    fn token_for_cookie(&self, cookie: &SessionToken) -> SessionToken {
        if self.shared.external_login.is_some() {
            login_token(cookie)
        } else {
            cookie.clone()
        }
    }
}

/// Loads the session of a presented token.
pub(super) async fn from_token(
    server: &Server,
    token: &str,
) -> Result<(SessionToken, AuthorizationSession), Error> {
    find(server, SessionToken::parse(token).ok()).await
}

/// The client of a session. Refuses sessions whose client was deleted or suspended, or whose
/// redirect URI is no longer registered.
pub(super) async fn client_of(
    server: &Server,
    session: &AuthorizationSession,
) -> Result<Arc<Client>, Error> {
    let client = server
        .storage()
        .client(session.client)
        .await?
        .ok_or_else(|| Error::invalid_session(RefusalRule::SessionClientGone))?;
    if client.is_suspended() {
        return Err(Error::invalid_session(RefusalRule::ClientSuspended));
    }
    if client
        .matching_redirect_uri(&session.redirect_uri)
        .is_none()
    {
        return Err(Error::invalid_session(RefusalRule::SessionRedirectGone));
    }
    Ok(client)
}

/// The client of a session and its requested scopes with their descriptions. Refuses sessions with
/// a scope that was deleted or that the client may no longer request.
pub(super) async fn requested_scopes(
    server: &Server,
    session: &AuthorizationSession,
) -> Result<(Arc<Client>, Vec<ScopeDefinition>), Error> {
    let client = client_of(server, session).await?;
    let definitions = server.storage().scope_definitions(&session.scopes).await?;
    let is_allowed = session
        .scopes
        .iter()
        .all(|scope| client.allowed_scopes.contains(scope));
    if definitions.is_empty() || definitions.len() < session.scopes.len() || !is_allowed {
        return Err(Error::session_scope_gone());
    }
    Ok((client, definitions))
}

/// The user who is signed in to the browser beyond this authorization, if the server has such
/// sessions.
pub(super) async fn signed_in_user(
    server: &Server,
    headers: &HeaderMap,
) -> Result<Option<SignedInUser>, Error> {
    let Some(sessions) = server.user_sessions() else {
        return Ok(None);
    };
    let authenticator = &*server.management().login_service.authenticator;
    Ok(sessions.user(authenticator, headers, server.now()).await?)
}

/// Whether the browser is still signed in as this user. Who signs out of the console, or is signed
/// out, decides nothing here any more.
pub(super) async fn is_still_signed_in(
    server: &Server,
    headers: &HeaderMap,
    subject: &Subject,
) -> Result<bool, Error> {
    let Some(sessions) = server.user_sessions() else {
        return Ok(true);
    };
    let user = signed_in_user(server, headers).await?;
    let Some(user) = user.filter(|user| user.subject.id == subject.id) else {
        return Ok(false);
    };
    sessions.touch(&user.session, server.now()).await?;
    Ok(true)
}

/// Remaining lifetime of a session.
pub(super) fn time_left(server: &Server, session: &AuthorizationSession) -> Duration {
    session.expires_at.since(server.now())
}

/// Remaining lifetime in minutes, rounded up so that it is not shown as 0 before it ends.
pub(super) fn minutes_left(server: &Server, session: &AuthorizationSession) -> u64 {
    time_left(server, session).as_secs().div_ceil(60)
}

/// Loads the session of this token.
pub(super) async fn find(
    server: &Server,
    token: Option<SessionToken>,
) -> Result<(SessionToken, AuthorizationSession), Error> {
    let token = token.ok_or_else(|| Error::invalid_session(RefusalRule::SessionMissing))?;
    let session = server
        .storage()
        .session(&token.digest(), server.now())
        .await?;
    let session = session.ok_or_else(|| Error::invalid_session(RefusalRule::SessionEnded))?;
    server.context.set_client(session.client);
    Ok((token, session))
}

async fn session_body(
    server: &Server,
    session: &AuthorizationSession,
) -> Result<SessionBody, Error> {
    let (client, definitions) = requested_scopes(server, session).await?;
    let requested_scopes = definitions.into_iter().map(|definition| RequestedScope {
        scope: definition.scope.to_string(),
        description: definition.description.to_string(),
        application_name: definition.application_name.to_string(),
    });
    Ok(SessionBody {
        service_name: client.name.to_string(),
        expires_at: session.expires_at.seconds(),
        requested_scopes: requested_scopes.collect(),
    })
}
