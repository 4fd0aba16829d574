use http::Response;

use super::issue;
use super::presented_client::PresentedClient;
use super::token_request::TokenRequest;
use crate::http::Body;
use crate::http::auth_server::error::Error;
use crate::http::auth_server::server::Server;
use crate::oauth::{TokenError, client_credentials_scopes};

/// `grant_type=client_credentials`: issues an access token to a client that authenticates by its
/// secret (RFC 6749 §4.4).
pub(super) async fn handle(
    server: &Server,
    presented: &PresentedClient,
    request: &TokenRequest,
) -> Result<Response<Body>, Error> {
    let refuse = |error| presented.error(error);
    let requested = request.scope_set()?;
    let client = server.storage().client(presented.id).await?;
    let client = presented.authenticate_active(server, client.as_deref())?;
    let scopes = client_credentials_scopes(&client, &requested).map_err(refuse)?;
    let scopes = server.existing_scopes(scopes).await?;
    if !requested.is_subset(&scopes) {
        return Err(refuse(TokenError::ScopeNotForClients));
    }
    if scopes.is_empty() {
        return Err(refuse(TokenError::NoScopeForClients));
    }
    let now = server.now();
    let signer = server.shared.keys.token_signer(now).await?;
    issue::for_client(server, signer, presented.id, &scopes, now).await
}
