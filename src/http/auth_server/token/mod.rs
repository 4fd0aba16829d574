//! The token endpoint (RFC 6749 §3.2): its grants, the authentication of clients, and its limits.

mod client_credentials;
pub(super) mod client_limiter;
mod code_exchange;
mod issue;
mod loaded_records;
pub(super) mod presented_client;
mod refresh;
pub(super) mod token_request;

use bytes::Bytes;
use http::{Request, Response};

use crate::http::Body;
use crate::http::auth_server::error::Error;
use crate::http::auth_server::server::Server;
use crate::oauth::TokenError;
use presented_client::PresentedClient;
use token_request::TokenRequest;

/// `POST /v1/oauth/token` (RFC 6749 §3.2).
pub(super) async fn handle(
    server: &Server,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let parameters = TokenRequest::read(request)?;
    let client = PresentedClient::read(request.headers(), &parameters)?;
    server.context.set_client(client.id);
    match parameters.grant_type.as_deref() {
        Some("authorization_code") => code_exchange::handle(server, &client, &parameters).await,
        Some("refresh_token") => refresh::handle(server, &client, &parameters).await,
        Some("client_credentials") => {
            client_credentials::handle(server, &client, &parameters).await
        }
        Some(_) => Err(TokenError::UnsupportedGrantType.into()),
        None => Err(TokenError::MissingGrantType.into()),
    }
}
