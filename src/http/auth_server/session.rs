use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, Request, Response, StatusCode};

use super::error::Refusal;
use super::form::parameters;
use super::server::Server;
use super::wire::{Envelope, RequestedScope, SessionBody};
use super::{answer, cookie};
use crate::domain::{AuthorizationSession, Client, SessionToken};
use crate::http::Body;
use crate::store::{ClientRegistry, GrantStore};

/// `GET /v1/oauth/authorize/session`: what the browser's session asks for, unwrapped.
pub(super) async fn show<S>(server: &Server<S>, request: &Request<Bytes>) -> Result<Response<Body>, Refusal>
where
    S: GrantStore + ClientRegistry + ?Sized,
{
    let query = parameters(request.uri().query().unwrap_or_default())?;
    let named = query.iter().find(|(name, _)| name == "token" && server.external_login.is_some());
    let (_, session) = match named {
        Some((_, token)) => by_token(server, token).await?,
        None => of_browser(server, request.headers()).await?,
    };
    Ok(answer::json(StatusCode::OK, &described(server, &session).await?))
}

/// `GET /v1/oauth/sessions/{token}`: the same in the envelope, for whoever holds the token.
pub(super) async fn show_in_envelope<S>(server: &Server<S>, token: &str) -> Result<Response<Body>, Refusal>
where
    S: GrantStore + ClientRegistry + ?Sized,
{
    let (_, session) = by_token(server, token).await?;
    Ok(answer::json(StatusCode::OK, &Envelope::ok(described(server, &session).await?)))
}

/// The session whose cookie the browser sends.
pub(super) async fn of_browser<S>(server: &Server<S>, headers: &HeaderMap) -> Result<(SessionToken, AuthorizationSession), Refusal>
where
    S: GrantStore + ?Sized,
{
    find(server, cookie::session_token(headers, &server.issuer)).await
}

/// The session of a token that somebody presents.
pub(super) async fn by_token<S>(server: &Server<S>, token: &str) -> Result<(SessionToken, AuthorizationSession), Refusal>
where
    S: GrantStore + ?Sized,
{
    find(server, SessionToken::presented(token).ok()).await
}

/// The client that a session is for. One that has been deleted since takes its sessions with it.
pub(super) async fn client_of<S>(server: &Server<S>, session: &AuthorizationSession) -> Result<Arc<Client>, Refusal>
where
    S: ClientRegistry + ?Sized,
{
    server.storage.client(session.client).await?.ok_or_else(Refusal::invalid_session)
}

/// The scopes that a session asks for, as people are told of them.
pub(super) async fn requested_scopes<S>(server: &Server<S>, session: &AuthorizationSession) -> Result<Vec<RequestedScope>, Refusal>
where
    S: ClientRegistry + ?Sized,
{
    let definitions = server.storage.scope_definitions(&session.scopes).await?;
    let told = definitions.into_iter().map(|definition| RequestedScope {
        scope: definition.scope.to_string(),
        description: definition.description.to_string(),
        application_name: definition.application_name.to_string(),
    });
    Ok(told.collect())
}

/// How long a session still lasts.
pub(super) fn seconds_left<S: ?Sized>(server: &Server<S>, session: &AuthorizationSession) -> i64 {
    session.expires_at.seconds().saturating_sub(server.clock.now().seconds())
}

async fn find<S>(server: &Server<S>, token: Option<SessionToken>) -> Result<(SessionToken, AuthorizationSession), Refusal>
where
    S: GrantStore + ?Sized,
{
    let token = token.ok_or_else(Refusal::invalid_session)?;
    let session = server.storage.session(&token.digest(), server.clock.now()).await?;
    Ok((token, session.ok_or_else(Refusal::invalid_session)?))
}

async fn described<S>(server: &Server<S>, session: &AuthorizationSession) -> Result<SessionBody, Refusal>
where
    S: ClientRegistry + ?Sized,
{
    let client = client_of(server, session).await?;
    Ok(SessionBody {
        service_name: client.name.to_string(),
        expires_at: session.expires_at.seconds(),
        requested_scopes: requested_scopes(server, session).await?,
    })
}
