//! Sign-in on a login page of the host's own.

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};

use super::error::Refusal;
use super::form::{has_media_type, parameters};
use super::login::to_consent;
use super::redirect_back::with_parameters;
use super::server::Server;
use super::sign_in::{authenticate, sign_in};
use super::wire::Credentials;
use super::{answer, session};
use crate::crypto::signed_in_token;
use crate::domain::SessionToken;
use crate::http::Body;
use crate::http::audit::Rule;
use crate::store::SignIn;

/// `POST /v1/oauth/authorize`: signs in for a login page of the host's own, or its server, and sends the browser to [`resume`] with a ticket.
/// The status is 302, which the pages that exist look for.
pub(super) async fn submit(server: &Server, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let malformed =
        || Refusal::invalid_request(Rule::BodyMalformed, "The body must be JSON with email, password and token, and nothing else.");
    // A derived reader alone would also take an array of the three values.
    if !has_media_type(request.headers(), "application/json") || !request.body().trim_ascii_start().starts_with(b"{") {
        return Err(malformed());
    }
    let credentials: Credentials = serde_json::from_slice(request.body()).map_err(|_| malformed())?;
    let (login, session) = session::by_token(server, &credentials.token).await?;
    session::asked(server, &session).await?;
    let proven = authenticate(server, session.client, &credentials.email, &credentials.password).await?;
    let proven = proven.ok_or_else(wrong_credentials)?;
    let ticket = SessionToken::from_random(server.entropy.bytes());
    sign_in(server, &login, &signed_in_token(&login, &ticket), &proven).await?;
    let address = format!("{}/v1/oauth/authorize/resume", server.issuer.as_str());
    Ok(answer::redirect(StatusCode::FOUND, &with_parameters(&address, [("ticket", ticket.expose())]))?)
}

/// `GET /v1/oauth/authorize/resume?ticket=`: goes on with a session that somebody has signed in to, in the browser that opened it. The cookie
/// proves the browser, and the ticket that it has been sent on by whoever signed in. Prevents login CSRF and session fixation: a victim who
/// opens an attacker's login link lacks the cookie, and the attacker lacks the ticket.
pub(super) async fn resume(server: &Server, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let query = parameters(request.uri().query().unwrap_or_default())?;
    let ticket = query.iter().find(|(name, _)| name == "ticket").and_then(|(_, ticket)| SessionToken::presented(ticket).ok());
    let login = session::token_of_browser(server, request.headers());
    let token = login.zip(ticket).map(|(login, ticket)| signed_in_token(&login, &ticket));
    let (token, session) = session::find(server, token).await?;
    if request.method() == Method::HEAD {
        // Only looking: the ticket is not used up.
        return Ok(answer::redirect(StatusCode::SEE_OTHER, &server.issuer.endpoint("consent"))?);
    }
    let subject = session.subject.ok_or_else(|| Refusal::invalid_session(Rule::SessionNotSignedIn))?;
    // The ticket was in addresses. From here on the cookie alone is the session.
    let browser = server.new_session();
    match server.storage.sign_in(&token.digest(), browser.token.digest(), subject, server.clock.now()).await? {
        SignIn::SignedIn(session) => to_consent(server, &browser, &session).await,
        SignIn::Unknown => Err(Refusal::invalid_session(Rule::SessionEnded)),
    }
}

/// The word is ours: OAuth has none for a user's own password.
fn wrong_credentials() -> Refusal {
    Refusal::new(Rule::Credentials, StatusCode::UNAUTHORIZED, "invalid_credentials", "The e-mail address or the password is wrong.")
}
