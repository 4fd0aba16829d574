use bytes::Bytes;
use http::header::SET_COOKIE;
use http::{Request, Response, StatusCode};

use super::consent::allowed_before;
use super::error::{Refusal, refused};
use super::form::Form;
use super::page::SignInPage;
use super::server::Server;
use super::session::BrowserSession;
use super::sign_in::{authenticate, sign_in};
use super::{answer, cookie, page, session};
use crate::domain::{AuthorizationSession, SessionToken};
use crate::http::Body;
use crate::http::audit::Rule;
use crate::http::pages::in_utc;

/// `GET /v1/oauth/login`.
pub(super) async fn show(server: &Server, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let (token, session) = session::of_browser(server, request.headers()).await?;
    form(server, &token, &session, None).await
}

/// `POST /v1/oauth/login`.
pub(super) async fn submit(server: &Server, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let (token, session) = session::of_browser(server, request.headers()).await?;
    let fields = Form::of_session(server, &token, request, &["email", "password"])?;
    session::client_of(server, &session).await?;
    let missing = || Refusal::invalid_request(Rule::ParameterMissing, "The e-mail address or the password is missing.");
    let email = fields.field("email").ok_or_else(missing)?;
    let password = fields.field("password").ok_or_else(missing)?;
    let Some(proven) = authenticate(server, session.client, email, password).await? else {
        return Ok(refused(form(server, &token, &session, Some(email)).await?, Rule::Credentials));
    };
    let browser = server.new_session();
    let session = sign_in(server, &token, &browser.token, &proven).await?;
    to_consent(server, &browser, &session).await
}

/// Sends a browser whose user has signed in to the page that asks, or back to the client at once if everything was allowed before.
pub(super) async fn to_consent(
    server: &Server,
    browser: &BrowserSession,
    session: &AuthorizationSession,
) -> Result<Response<Body>, Refusal> {
    let answer = answer::redirect(StatusCode::SEE_OTHER, &server.issuer.endpoint("consent"))?;
    let answer = match allowed_before(server, &browser.token, session).await {
        Ok(Some(allowed)) => return Ok(allowed),
        Ok(None) => answer,
        // The user is told by the consent page, which the browser needs the new token for.
        Err(refusal) => refusal.noted_on(answer),
    };
    let seconds_left = session::seconds_left(server, session);
    Ok(answer::with_header(answer, SET_COOKIE, &cookie::give(&browser.cookie, seconds_left, &server.issuer))?)
}

/// The login form; after a failure with the address that was typed.
async fn form(
    server: &Server,
    token: &SessionToken,
    session: &AuthorizationSession,
    failed: Option<&str>,
) -> Result<Response<Body>, Refusal> {
    let client = session::client_of(server, session).await?;
    let text = server.texts();
    let page = SignInPage {
        text,
        frame: server.frame(token),
        service_name: &client.name,
        email: failed.unwrap_or_default(),
        problem: failed.map(|_| text.faults.credentials),
        ends: in_utc(session.expires_at),
        minutes_left: session::minutes_left(server, session),
    };
    Ok(page::sign_in(&page, server)?)
}
