use http::Response;

use super::error::Refusal;
use super::issue;
use super::presented_client::PresentedClient;
use super::server::Server;
use super::token_request::TokenRequest;
use crate::http::Body;
use crate::oauth::client_scopes;

/// `grant_type=client_credentials`: a client that proves its secret gets an access token for itself (RFC 6749 §4.4).
pub(super) async fn answer(server: &Server, presented: &PresentedClient, request: &TokenRequest) -> Result<Response<Body>, Refusal> {
    let refuse = |error| presented.refusal(error);
    let requested = request.scope_set()?;
    let client = server.storage.client(presented.id).await?;
    let client = presented.authenticate_in_use(server, client.as_deref())?;
    let scopes = client_scopes(&client, &requested).map_err(refuse)?;
    let now = server.clock.now();
    let signer = server.keys.token_signer(now).await?;
    issue::for_client(server, signer, presented.id, &scopes, now).await
}
