use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::consent::approve;
use super::error::Refusal;
use super::form::has_media_type;
use super::server::Server;
use super::session;
use super::sign_in::{authenticate, sign_in};
use super::wire::Credentials;
use crate::http::Body;
use crate::http::audit::Rule;
use crate::store::Assent;

/// `POST /v1/oauth/authorize`: signs in and approves in one step, for a login page of the host's own, which has asked the user already.
/// The status is 302, which the pages that exist look for.
pub(super) async fn submit(server: &Server, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let malformed =
        || Refusal::invalid_request(Rule::BodyMalformed, "The body must be JSON with email, password and token, and nothing else.");
    // A derived reader alone would also take an array of the three values.
    if !has_media_type(request.headers(), "application/json") || !request.body().trim_ascii_start().starts_with(b"{") {
        return Err(malformed());
    }
    let credentials: Credentials = serde_json::from_slice(request.body()).map_err(|_| malformed())?;
    let (token, session) = session::by_token(server, &credentials.token).await?;
    let (client, _) = session::asked(server, &session).await?;
    let proven = authenticate(server, session.client, &credentials.email, &credentials.password).await?;
    let proven = proven.ok_or_else(wrong_credentials)?;
    let (token, _) = sign_in(server, &token, &proven).await?;
    // The user was asked elsewhere, so what is remembered here stays as it is.
    approve(server, &token, &client, Assent::Once, StatusCode::FOUND).await?.ok_or_else(|| Refusal::invalid_session(Rule::ConsentGone))
}

/// The word is ours: OAuth has none for a user's own password.
fn wrong_credentials() -> Refusal {
    Refusal::new(Rule::Credentials, StatusCode::UNAUTHORIZED, "invalid_credentials", "The e-mail address or the password is wrong.")
}
