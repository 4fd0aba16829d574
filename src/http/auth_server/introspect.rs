use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::error::Error;
use super::presented_token::{PresentedToken, active_client};
use super::response;
use super::server::Server;
use super::token::presented_client::PresentedClient;
use super::token::token_request::TokenRequest;
use super::wire::Introspection;
use crate::domain::{Client, Generation, GrantId, ScopeSet, Timestamp};
use crate::http::Body;
use crate::oauth::{AccessTokenClaims, TokenError, TokenOrigin};
use crate::store::StorageError;

/// `POST /v1/oauth/introspect` (RFC 7662): the claims of an active token that concerns the
/// authenticated client.
///
/// The client authenticates by its secret, so public clients are refused. It can introspect its own
/// tokens, and access tokens for an application of its owner. Every other token is reported as
/// inactive, without a reason.
pub(super) async fn handle(
    server: &Server,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let parameters = TokenRequest::read(request)?;
    let presented = PresentedClient::read(request.headers(), &parameters)?;
    let client = server.storage().client(presented.id).await?;
    let client = presented.authenticate_active(server, client.as_deref())?;
    if !client.used_secret() {
        return Err(presented.error(TokenError::InvalidClient));
    }
    let token = parameters
        .token
        .as_deref()
        .ok_or(TokenError::MissingToken)?;

    let now = server.now();
    let found = match PresentedToken::identify(server, token, now).await? {
        Some(PresentedToken::Access(claims)) => {
            access_token(server, client.client(), *claims, now).await?
        }
        Some(PresentedToken::Refresh(grant, generation)) => {
            refresh_token(server, client.client(), grant, generation, now).await?
        }
        None => None,
    };
    Ok(response::json(StatusCode::OK, &found.unwrap_or_default()))
}

async fn access_token(
    server: &Server,
    client: &Client,
    mut claims: AccessTokenClaims,
    now: Timestamp,
) -> Result<Option<Introspection>, Error> {
    let concerns = claims.client == client.id.to_string()
        || is_for_application_of(server, client, &claims).await?;
    let (true, Some(origin)) = (concerns, claims.origin()) else {
        return Ok(None);
    };
    let Some(left) = remaining_scopes(server, origin, now).await? else {
        return Ok(None);
    };
    // Scopes that were deleted since, or withdrawn from the client, are still in the token.
    claims.retain_scopes(&left);
    Ok((!claims.scopes.is_empty()).then(|| Introspection::from_access_token(claims)))
}

/// The scopes that the token's grant or client still has, or `None` if the grant or its user is
/// gone, or its client is suspended.
async fn remaining_scopes(
    server: &Server,
    origin: TokenOrigin,
    now: Timestamp,
) -> Result<Option<ScopeSet>, Error> {
    let storage = server.storage();
    let grant = match origin {
        TokenOrigin::Client(id) => {
            let Some(client) = storage.client(id).await? else {
                return Ok(None);
            };
            return Ok(Some(
                server.existing_scopes(client.scopes_without_user()).await?,
            ));
        }
        TokenOrigin::Grant(grant) => grant,
    };
    if !storage.grant_is_live(&grant, now).await? {
        return Ok(None);
    }
    let Some(binding) = storage.refresh_binding(&grant).await? else {
        return Ok(None);
    };
    if active_client(server, binding.client).await?.is_none() {
        return Ok(None);
    }
    let user = server
        .management()
        .login_service
        .authenticator
        .subject(&binding.subject)
        .await?;
    match user {
        Some(_) => Ok(Some(server.existing_scopes(binding.scopes).await?)),
        None => Ok(None),
    }
}

async fn is_for_application_of(
    server: &Server,
    client: &Client,
    claims: &AccessTokenClaims,
) -> Result<bool, StorageError> {
    let audience: Vec<_> = claims
        .audience
        .iter()
        .filter_map(|id| id.parse().ok())
        .collect();
    let applications = server.storage().applications_by_id(&audience).await?;
    Ok(applications
        .iter()
        .any(|application| application.owner == client.owner))
}

/// Introspects a refresh token. A replaced one is inactive, even while it would still return its
/// successor. One without remaining scopes is inactive too, because a refresh would be refused.
async fn refresh_token(
    server: &Server,
    client: &Client,
    grant: GrantId,
    generation: Generation,
    now: Timestamp,
) -> Result<Option<Introspection>, Error> {
    let binding = server.storage().refresh_binding(&grant).await?;
    let Some(binding) =
        binding.filter(|binding| binding.client == client.id && binding.generation == generation)
    else {
        return Ok(None);
    };
    if !server.storage().grant_is_live(&grant, now).await? {
        return Ok(None);
    }
    let granted = server.existing_scopes(binding.scopes).await?;
    let scopes = server.shared.refreshable(&granted, client);
    if scopes.is_empty() {
        return Ok(None);
    }
    let subject = server
        .management()
        .login_service
        .authenticator
        .subject(&binding.subject)
        .await?;
    Ok(subject.map(|subject| {
        Introspection::from_refresh_token(server.issuer().as_str(), client.id, &subject, &scopes)
    }))
}
