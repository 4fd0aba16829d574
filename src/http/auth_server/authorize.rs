use bytes::Bytes;
use http::header::SET_COOKIE;
use http::{Request, Response, StatusCode};

use super::draft::{AuthorizeError, Parameters, Trusted};
use super::error::Refusal;
use super::form::parameters;
use super::page::Frame;
use super::redirect_back::{redirect_back, with_parameters};
use super::server::Server;
use super::{answer, cookie};
use crate::domain::{AuthorizationSession, ClientId, SessionToken};
use crate::http::Body;
use crate::store::{ClientRegistry, GrantStore};

/// `GET /v1/oauth/authorize`: opens a session for a sound request and sends the browser to the login page.
///
/// Until the redirect URI is known to be the client's, every answer is local: a redirect would make this an open redirector.
pub(super) async fn start<S>(server: &Server<S>, request: &Request<Bytes>) -> Result<Response<Body>, Refusal>
where
    S: GrantStore + ClientRegistry + ?Sized,
{
    let query = parameters(request.uri().query().unwrap_or_default())?;
    // A parameter without a value counts as absent, and one that is not known is passed over (RFC 6749 §3.1).
    let parameter = |name: &str| query.iter().find(|(found, value)| found == name && !value.is_empty()).map(|(_, value)| &**value);
    let client = match parameter("client_id").and_then(|id| id.parse::<ClientId>().ok()) {
        Some(id) => server.storage.client(id).await?,
        None => None,
    };
    let trusted = Trusted::establish(client, parameter("redirect_uri")).map_err(|untrusted| Refusal::invalid_request(untrusted.0))?;
    let state = parameter("state");
    let asked = Parameters {
        response_type: parameter("response_type"),
        scope: parameter("scope"),
        state,
        code_challenge: parameter("code_challenge"),
        code_challenge_method: parameter("code_challenge_method"),
    };
    let asked = match trusted.request(asked) {
        Ok(asked) => asked,
        Err(error) => return refuse(server, &trusted.redirect_uri, state, &error),
    };
    let now = server.clock.now();
    let pending = AuthorizationSession {
        client: trusted.client.id,
        redirect_uri: trusted.redirect_uri,
        state: asked.state,
        scopes: asked.scopes,
        challenge: asked.challenge,
        subject: None,
        created_at: now,
        expires_at: now.plus(server.lifetimes.session),
    };
    let token = SessionToken::from_random(server.entropy.bytes());
    server.storage.open_session(token.digest(), pending).await?;
    to_login(server, &token)
}

/// Tells the client, or for a scope that is not allowed to it the user (service.md: 400).
fn refuse<S: ?Sized>(
    server: &Server<S>,
    redirect_uri: &str,
    state: Option<&str>,
    error: &AuthorizeError,
) -> Result<Response<Body>, Refusal> {
    if error.0 == "invalid_scope" && !server.redirect_scope_errors {
        return Err(Refusal::new(StatusCode::BAD_REQUEST, "invalid_scope", error.1));
    }
    let parameters = [("error", error.0), ("error_description", error.1)];
    redirect_back(StatusCode::SEE_OTHER, redirect_uri, &parameters, state, &server.issuer)
}

fn to_login<S: ?Sized>(server: &Server<S>, token: &SessionToken) -> Result<Response<Body>, Refusal> {
    let login = match &server.external_login {
        Some(url) => with_parameters(url, [("token", token.expose())]),
        None => format!("{}/login", Frame::new(&server.issuer).root),
    };
    let seconds = i64::try_from(server.lifetimes.session.as_secs()).unwrap_or(i64::MAX);
    answer::with_header(answer::redirect(StatusCode::SEE_OTHER, &login)?, SET_COOKIE, &cookie::give(token, seconds, &server.issuer))
}
