//! Sign-in through the host's own login page.

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};

use super::authorization_response::append_query;
use super::login::to_consent;
use super::session;
use super::session_login::{Proof, authenticate, record_login};
use crate::crypto::signed_in_token;
use crate::domain::SessionToken;
use crate::http::Body;
use crate::http::audit::RefusalRule;
use crate::http::auth_server::error::Error;
use crate::http::auth_server::form::{has_media_type, parameters};
use crate::http::auth_server::server::Server;
use crate::http::auth_server::wire::Credentials;
use crate::http::response;
use crate::store::SignIn;

/// `POST /v1/oauth/authorize`: signs the user in for an external login page or its server, and
/// redirects the browser to [`resume`] with a ticket. The status is 302, which existing pages
/// expect.
pub(in crate::http::auth_server) async fn submit(
    server: &Server,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    // Deserialization alone would also accept an array of the three values.
    if !has_media_type(request.headers(), "application/json")
        || !request.body().trim_ascii_start().starts_with(b"{")
    {
        return Err(Error::login_malformed());
    }
    let credentials: Credentials =
        serde_json::from_slice(request.body()).map_err(|_| Error::login_malformed())?;
    let (login, session) = session::from_token(server, &credentials.token).await?;
    session::requested_scopes(server, &session).await?;
    let verified = authenticate(
        server,
        session.client,
        &credentials.email,
        &credentials.password,
    )
    .await?;
    let verified = verified.ok_or_else(Error::invalid_credentials)?;
    let ticket = SessionToken::from_random(server.management().entropy.bytes());
    record_login(
        server,
        &login,
        &signed_in_token(&login, &ticket),
        Proof::Password(&verified),
    )
    .await?;
    let address = format!("{}/v1/oauth/authorize/resume", server.issuer().as_str());
    Ok(response::redirect(
        StatusCode::FOUND,
        &append_query(&address, [("ticket", ticket.expose())]),
    )?)
}

/// `GET /v1/oauth/authorize/resume?ticket=`: continues a signed-in session in the browser that
/// opened it. The cookie identifies the browser, and the ticket proves that the login page sent it
/// here. Prevents login CSRF and session fixation: a victim who opens an attacker's login link
/// lacks the cookie, and the attacker lacks the ticket.
pub(in crate::http::auth_server) async fn resume(
    server: &Server,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let query = parameters(request.uri().query().unwrap_or_default())?;
    let ticket = query
        .iter()
        .find(|(name, _)| name == "ticket")
        .and_then(|(_, ticket)| SessionToken::parse(ticket).ok());
    let login = session::token_from_cookie(server, request.headers());
    let token = login
        .zip(ticket)
        .map(|(login, ticket)| signed_in_token(&login, &ticket));
    let (token, session) = session::find(server, token).await?;
    if request.method() == Method::HEAD {
        // A HEAD request does not use up the ticket.
        return Ok(response::redirect(
            StatusCode::SEE_OTHER,
            &server.issuer().endpoint_path("consent"),
        )?);
    }
    let subject = session
        .subject
        .ok_or_else(|| Error::invalid_session(RefusalRule::SessionNotSignedIn))?;
    // The ticket was part of URLs, so the session continues under a new token that only the cookie
    // has.
    let browser = server.new_browser_session();
    match server
        .storage()
        .sign_in(
            &token.digest(),
            browser.token.digest(),
            subject,
            server.now(),
        )
        .await?
    {
        SignIn::SignedIn(session) => to_consent(server, &browser, &session).await,
        SignIn::NotFound => Err(Error::invalid_session(RefusalRule::SessionEnded)),
    }
}
