use http::Response;

use super::error::Refusal;
use super::issue;
use super::presented_client::PresentedClient;
use super::server::Server;
use super::token_request::TokenRequest;
use crate::domain::Grant;
use crate::http::Body;
use crate::oauth::{TokenError, authenticate, narrow, prove_refresh};
use crate::store::Rotation;

/// `grant_type=refresh_token`: a refresh token becomes its successor and another access token (RFC 6749 §6).
///
/// Whatever can be refused is refused before the rotation, so that a client that asked wrongly, or came while the users could not be looked
/// up, still has a token that works.
pub(super) async fn answer(server: &Server, presented: &PresentedClient, request: &TokenRequest) -> Result<Response<Body>, Refusal> {
    let refuse = |error| presented.refusal(error);
    let token = request.refresh_token.as_deref().ok_or(TokenError::MissingRefreshToken)?;
    let requested = request.scope_set()?;
    let client = server.storage.client(presented.id).await?;
    let client = authenticate(client.as_deref(), presented.proof()).map_err(refuse)?;

    let (grant, generation) = server.refresh_tokens.open(token).ok_or(TokenError::BadRefreshToken)?;
    let binding = server.storage.refresh_binding(&grant).await?.ok_or(TokenError::BadRefreshToken)?;
    prove_refresh(binding.client, binding.proof, &client).map_err(refuse)?;
    let now = server.clock.now();
    let scopes = match narrow(&binding.scopes, Some(&requested)) {
        Ok(scopes) => scopes,
        // An old token tells of a theft whatever it asks for. It never becomes current again, so asking the store uses nothing up.
        Err(error) if generation < binding.generation => {
            let rotation = server.storage.rotate(&grant, generation, server.lifetimes.refresh, now).await?;
            return Err(rotated(rotation).map_or(TokenError::BadRefreshToken, |_| error).into());
        }
        Err(error) => return Err(error.into()),
    };
    let Some(subject) = server.authenticator.subject(&binding.subject).await? else {
        server.storage.revoke_grant(&grant, now).await?;
        return Err(TokenError::BadRefreshToken.into());
    };

    let signer = server.keys.signer(now).await?;
    let rotation = server.storage.rotate(&grant, generation, server.lifetimes.refresh, now).await?;
    let grant = rotated(rotation).ok_or(TokenError::BadRefreshToken)?;
    // A scope that was deleted since the binding was read is gone for good.
    let scopes = narrow(&scopes.intersection(&grant.scopes), None)?;
    issue::for_grant(server, &*signer, &grant, &subject, &scopes, now)
}

/// The grant to issue from, if the token was good.
fn rotated(rotation: Rotation) -> Option<Grant> {
    match rotation {
        Rotation::Rotated(grant) | Rotation::Repeated(grant) => Some(grant),
        Rotation::Reused { .. } | Rotation::Expired | Rotation::Revoked | Rotation::Unknown => None,
    }
}
