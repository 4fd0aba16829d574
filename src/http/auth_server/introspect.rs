use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::answer;
use super::error::Refusal;
use super::presented_client::PresentedClient;
use super::presented_token::{PresentedToken, client_in_use};
use super::server::Server;
use super::token_request::TokenRequest;
use super::wire::Introspection;
use crate::domain::{Client, Generation, GrantId, ScopeSet, Timestamp};
use crate::http::Body;
use crate::oauth::{AccessTokenClaims, Origin, TokenError};
use crate::store::StorageError;

/// `POST /v1/oauth/introspect` (RFC 7662): what a token says, if it is alive and concerns the client that asks.
///
/// A client must prove its secret; a public one has none, so it cannot ask. It sees its own tokens, and access tokens for an application of
/// its owner. Everything else is not active, without a reason.
pub(super) async fn answer(server: &Server, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let parameters = TokenRequest::read(request)?;
    let presented = PresentedClient::read(request.headers(), &parameters)?;
    let client = server.storage.client(presented.id).await?;
    let client = presented.authenticate_in_use(server, client.as_deref())?;
    if !client.is_by_secret() {
        return Err(presented.refusal(TokenError::InvalidClient));
    }
    let token = parameters.token.as_deref().ok_or(TokenError::MissingToken)?;

    let now = server.clock.now();
    let found = match PresentedToken::recognise(server, token, now).await? {
        Some(PresentedToken::Access(claims)) => access_token(server, client.client(), *claims, now).await?,
        Some(PresentedToken::Refresh(grant, generation)) => refresh_token(server, client.client(), grant, generation, now).await?,
        None => None,
    };
    Ok(answer::json(StatusCode::OK, &found.unwrap_or_default()))
}

async fn access_token(
    server: &Server,
    client: &Client,
    mut claims: AccessTokenClaims,
    now: Timestamp,
) -> Result<Option<Introspection>, Refusal> {
    let concerns = claims.client == client.id.to_string() || is_for_application_of(server, client, &claims).await?;
    let (true, Some(origin)) = (concerns, claims.origin()) else { return Ok(None) };
    let Some(left) = scopes_left(server, origin, now).await? else { return Ok(None) };
    // The scopes that were deleted since, or withdrawn from the client, are still in the token.
    claims.keep_only(&left);
    Ok((!claims.scopes.is_empty()).then(|| Introspection::of_access_token(claims)))
}

/// The scopes that the token's grant or client still has, or `None` if the grant or its user is gone, or its client is suspended.
async fn scopes_left(server: &Server, origin: Origin, now: Timestamp) -> Result<Option<ScopeSet>, Refusal> {
    let storage = &*server.storage;
    let grant = match origin {
        Origin::Client(id) => return Ok(storage.client(id).await?.map(|client| client.own_token_scopes())),
        Origin::Grant(grant) => grant,
    };
    if !storage.grant_is_live(&grant, now).await? {
        return Ok(None);
    }
    let Some(binding) = storage.refresh_binding(&grant).await? else { return Ok(None) };
    if client_in_use(server, binding.client).await?.is_none() {
        return Ok(None);
    }
    let user = server.doorkeeper.authenticator.subject(&binding.subject).await?;
    Ok(user.map(|_| binding.scopes))
}

async fn is_for_application_of(server: &Server, client: &Client, claims: &AccessTokenClaims) -> Result<bool, StorageError> {
    let audience: Vec<_> = claims.audience.iter().filter_map(|id| id.parse().ok()).collect();
    let applications = server.storage.applications_by_id(&audience).await?;
    Ok(applications.iter().any(|application| application.owner == client.owner))
}

/// A refresh token that has been replaced is not active, not even where it would still get the same successor. One for which there is no
/// scope left is not active either: a refresh would be refused.
async fn refresh_token(
    server: &Server,
    client: &Client,
    grant: GrantId,
    generation: Generation,
    now: Timestamp,
) -> Result<Option<Introspection>, Refusal> {
    let binding = server.storage.refresh_binding(&grant).await?;
    let Some(binding) = binding.filter(|binding| binding.client == client.id && binding.generation == generation) else { return Ok(None) };
    if !server.storage.grant_is_live(&grant, now).await? {
        return Ok(None);
    }
    let scopes = server.refreshable(&binding.scopes, client);
    if scopes.is_empty() {
        return Ok(None);
    }
    let subject = server.doorkeeper.authenticator.subject(&binding.subject).await?;
    Ok(subject.map(|subject| Introspection::of_refresh_token(server.issuer.as_str(), client.id, &subject, &scopes)))
}
