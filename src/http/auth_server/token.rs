use bytes::Bytes;
use http::{Request, Response};

use super::error::Error;
use super::presented_client::PresentedClient;
use super::server::Server;
use super::token_request::TokenRequest;
use super::{client_credentials, exchange, refresh};
use crate::http::Body;
use crate::oauth::TokenError;

/// `POST /v1/oauth/token` (RFC 6749 §3.2).
pub(super) async fn handle(
    server: &Server,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let parameters = TokenRequest::read(request)?;
    let client = PresentedClient::read(request.headers(), &parameters)?;
    server.context.set_client(client.id);
    match parameters.grant_type.as_deref() {
        Some("authorization_code") => exchange::handle(server, &client, &parameters).await,
        Some("refresh_token") => refresh::handle(server, &client, &parameters).await,
        Some("client_credentials") => {
            client_credentials::handle(server, &client, &parameters).await
        }
        Some(_) => Err(TokenError::UnsupportedGrantType.into()),
        None => Err(TokenError::MissingGrantType.into()),
    }
}
