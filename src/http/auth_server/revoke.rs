use bytes::Bytes;
use http::{Request, Response};

use super::answer;
use super::error::Refusal;
use super::presented_client::PresentedClient;
use super::presented_token::PresentedToken;
use super::server::Server;
use super::token_request::TokenRequest;
use crate::http::Body;
use crate::http::audit::EventKind;
use crate::oauth::{Origin, TokenError};

/// `POST /v1/oauth/revoke` (RFC 7009): ends the grant of an access or refresh token, and with it every token of the grant.
///
/// Whatever is not a token of the client that asks gets the same answer as one that is, so nobody learns anything about others' tokens.
pub(super) async fn answer(server: &Server, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let parameters = TokenRequest::read(request)?;
    let presented = PresentedClient::read(request.headers(), &parameters)?;
    let client = server.storage.client(presented.id).await?;
    // Who holds the token may end it. A client that may prove itself by PKCE has nothing else to show here.
    let client = presented.authenticate(server, client.as_deref())?.client().id;
    let token = parameters.token.as_deref().ok_or(TokenError::MissingToken)?;

    let now = server.clock.now();
    let grant = match PresentedToken::recognise(server, token, now).await? {
        Some(PresentedToken::Access(claims)) if claims.client == client.to_string() => match claims.origin() {
            Some(Origin::Grant(grant)) => Some(grant),
            Some(Origin::Client(_)) => return Err(TokenError::Irrevocable.into()),
            None => None,
        },
        Some(PresentedToken::Refresh(grant, _)) => {
            let binding = server.storage.refresh_binding(&grant).await?;
            binding.filter(|binding| binding.client == client).map(|_| grant)
        }
        Some(PresentedToken::Access(_)) | None => None,
    };
    if let Some(grant) = grant
        && server.storage.revoke_grant(&grant, now).await?
    {
        server.record(EventKind::Revoked { grant, client });
    }
    Ok(answer::empty())
}
