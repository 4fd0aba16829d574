use bytes::Bytes;
use http::{Request, Response};

use super::error::Error;
use super::presented_token::PresentedToken;
use super::response;
use super::server::Server;
use super::token::presented_client::PresentedClient;
use super::token::token_request::TokenRequest;
use crate::domain::{GrantId, Timestamp};
use crate::http::Body;
use crate::http::audit::EventKind;
use crate::oauth::{AuthenticatedClient, TokenError, TokenOrigin, validate_refresh};

/// `POST /v1/oauth/revoke` (RFC 7009): revokes the grant of an access or refresh token, and with it
/// every token of the grant.
///
/// The response for any other input is the same as for the client's own token, so a client learns
/// nothing about others' tokens.
pub(super) async fn handle(
    server: &Server,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let parameters = TokenRequest::read(request)?;
    let presented = PresentedClient::read(request.headers(), &parameters)?;
    let client = server.storage().client(presented.id).await?;
    let client = presented.authenticate(server, client.as_deref())?;
    let token = parameters
        .token
        .as_deref()
        .ok_or(TokenError::MissingToken)?;

    let now = server.now();
    let grant = match PresentedToken::identify(server, token, now).await? {
        Some(PresentedToken::Access(claims)) => match claims.origin() {
            Some(TokenOrigin::Client(id)) if id == client.client().id => {
                return Err(TokenError::Irrevocable.into());
            }
            Some(TokenOrigin::Grant(grant)) => Some(grant),
            Some(TokenOrigin::Client(_)) | None => None,
        },
        Some(PresentedToken::Refresh(grant, _)) => Some(grant),
        None => None,
    };
    if let Some(grant) = grant {
        revoke_grant(server, &presented, &client, grant, now).await?;
    }
    server.limit_unauthenticated()?;
    Ok(response::empty())
}

/// Revokes a grant of the authenticated client. Where the grant was made with a secret, a token and
/// the client's id are not enough: resource servers have seen both.
async fn revoke_grant(
    server: &Server,
    presented: &PresentedClient,
    client: &AuthenticatedClient<'_>,
    grant: GrantId,
    now: Timestamp,
) -> Result<(), Error> {
    let id = client.client().id;
    let Some(binding) = server
        .storage()
        .refresh_binding(&grant)
        .await?
        .filter(|binding| binding.client == id)
    else {
        return Ok(());
    };
    validate_refresh(binding.client, binding.proof, client)
        .map_err(|error| presented.error(error))?;
    server.limit_by_grant(client)?;
    if server.storage().revoke_grant(&grant, now).await? {
        server
            .context
            .record(EventKind::Revoked { grant, client: id });
    }
    Ok(())
}
