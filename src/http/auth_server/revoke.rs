use bytes::Bytes;
use http::{Request, Response};

use super::answer;
use super::error::Refusal;
use super::presented_client::PresentedClient;
use super::presented_token::PresentedToken;
use super::server::Server;
use super::token_request::TokenRequest;
use crate::domain::{GrantId, Timestamp};
use crate::http::Body;
use crate::http::audit::EventKind;
use crate::oauth::{ClientAuthentication, Origin, TokenError, prove_refresh};

/// `POST /v1/oauth/revoke` (RFC 7009): ends the grant of an access or refresh token, and with it every token of the grant.
///
/// Whatever is not a token of the client that asks gets the same answer as one that is, so nobody learns anything about others' tokens.
pub(super) async fn answer(server: &Server, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let parameters = TokenRequest::read(request)?;
    let presented = PresentedClient::read(request.headers(), &parameters)?;
    let client = server.storage.client(presented.id).await?;
    let client = presented.authenticate(server, client.as_deref())?;
    let token = parameters.token.as_deref().ok_or(TokenError::MissingToken)?;

    let now = server.clock.now();
    let grant = match PresentedToken::recognise(server, token, now).await? {
        Some(PresentedToken::Access(claims)) => match claims.origin() {
            Some(Origin::Client(id)) if id == client.client().id => return Err(TokenError::Irrevocable.into()),
            Some(Origin::Grant(grant)) => Some(grant),
            Some(Origin::Client(_)) | None => None,
        },
        Some(PresentedToken::Refresh(grant, _)) => Some(grant),
        None => None,
    };
    if let Some(grant) = grant {
        end(server, &presented, &client, grant, now).await?;
    }
    server.count_unproven()?;
    Ok(answer::empty())
}

/// Ends a grant of the client that asks. Holding a token is not enough where the grant was made by a secret: whoever serves the client's
/// users has seen their access tokens, and knows the client's id.
async fn end(
    server: &Server,
    presented: &PresentedClient,
    client: &ClientAuthentication<'_>,
    grant: GrantId,
    now: Timestamp,
) -> Result<(), Refusal> {
    let id = client.client().id;
    let Some(binding) = server.storage.refresh_binding(&grant).await?.filter(|binding| binding.client == id) else { return Ok(()) };
    prove_refresh(binding.client, binding.proof, client).map_err(|error| presented.refusal(error))?;
    server.count_by_grant(client)?;
    if server.storage.revoke_grant(&grant, now).await? {
        server.record(EventKind::Revoked { grant, client: id });
    }
    Ok(())
}
