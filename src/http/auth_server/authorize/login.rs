use bytes::Bytes;
use http::header::SET_COOKIE;
use http::{Request, Response, StatusCode};

use super::consent::consented_before;
use super::session::BrowserSession;
use super::session_login::{authenticate, record_login};
use super::{cookie, session};
use crate::domain::{AuthorizationSession, SessionToken};
use crate::http::Body;
use crate::http::audit::RefusalRule;
use crate::http::auth_server::error::{Error, with_rule};
use crate::http::auth_server::form::Form;
use crate::http::auth_server::server::Server;
use crate::http::auth_server::views;
use crate::http::auth_server::views::LoginPage;
use crate::http::pages::format_utc;
use crate::http::response;

/// `GET /v1/oauth/login`.
pub(in crate::http::auth_server) async fn show(
    server: &Server,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let (token, session) = session::from_cookie(server, request.headers()).await?;
    login_page(server, &token, &session, None).await
}

/// `POST /v1/oauth/login`.
pub(in crate::http::auth_server) async fn submit(
    server: &Server,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let (token, session) = session::from_cookie(server, request.headers()).await?;
    let fields = Form::read_bound(server, &token, request, &["email", "password"])?;
    session::client_of(server, &session).await?;
    let field = |name| fields.field(name).ok_or_else(Error::credentials_missing);
    let (email, password) = (field("email")?, field("password")?);
    let Some(verified) = authenticate(server, session.client, email, password).await? else {
        return Ok(with_rule(
            login_page(server, &token, &session, Some(email)).await?,
            RefusalRule::Credentials,
        ));
    };
    let browser = server.new_browser_session();
    let session = record_login(server, &token, &browser.token, &verified).await?;
    to_consent(server, &browser, &session).await
}

/// Sends a signed-in browser to the consent page, or back to the client if the user has consented
/// to everything before.
pub(super) async fn to_consent(
    server: &Server,
    browser: &BrowserSession,
    session: &AuthorizationSession,
) -> Result<Response<Body>, Error> {
    let answer = response::redirect(
        StatusCode::SEE_OTHER,
        &server.issuer().endpoint_path("consent"),
    )?;
    let answer = match consented_before(server, &browser.token, session).await {
        Ok(Some(allowed)) => return Ok(allowed),
        Ok(None) => answer,
        // The consent page reports the error; the browser needs the new token to reach it.
        Err(error) => error.attach_to(answer),
    };
    let time_left = session::time_left(server, session);
    Ok(response::with_header(
        answer,
        SET_COOKIE,
        &cookie::set_session(&browser.cookie, time_left, server.issuer()),
    )?)
}

/// Renders the login form; after a failure with the submitted e-mail address.
async fn login_page(
    server: &Server,
    token: &SessionToken,
    session: &AuthorizationSession,
    failed: Option<&str>,
) -> Result<Response<Body>, Error> {
    let client = session::client_of(server, session).await?;
    let text = server.texts();
    let page = LoginPage {
        text,
        layout: server.layout(token),
        service_name: &client.name,
        email: failed.unwrap_or_default(),
        problem: failed.map(|_| text.errors.credentials),
        ends: format_utc(session.expires_at),
        minutes_left: session::minutes_left(server, session),
    };
    Ok(views::login(&page, server)?)
}
