use bytes::Bytes;
use http::header::SET_COOKIE;
use http::{Request, Response, StatusCode};

use super::error::Refusal;
use super::form::Form;
use super::page::{ConsentPage, Frame};
use super::redirect_back::redirect_back;
use super::server::Server;
use super::{answer, cookie, page, session};
use crate::domain::{AuthorizationCode, GrantId, SessionToken};
use crate::http::Body;
use crate::oauth::AuthorizeError;
use crate::store::{Approval, ApprovalOutcome};

/// `GET /v1/oauth/consent`.
pub(super) async fn show(server: &Server, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let (token, session) = session::of_browser(server, request.headers()).await?;
    let Some(subject) = &session.subject else { return to_login(server) };
    let client = session::client_of(server, &session).await?;
    Ok(page::consent(&ConsentPage {
        frame: Frame::new(&server.issuer),
        service_name: &client.name,
        account: subject.email.as_str(),
        scopes: &session::requested_scopes(server, &session).await?,
        // Begun minutes count: "0 minutes left" would not be true yet.
        minutes_left: session::seconds_left(server, &session).saturating_add(59) / 60,
        form_token: &server.form_tokens.issue(&token),
    })?)
}

/// `POST /v1/oauth/consent`.
pub(super) async fn submit(server: &Server, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let (token, session) = session::of_browser(server, request.headers()).await?;
    let form = Form::of_session(server, &token, request, &["decision"])?;
    if session.subject.is_none() {
        return to_login(server);
    }
    let answer = match form.field("decision") {
        Some("allow") => {
            // What the user saw is what is granted: a scope that was deleted since is a reason to ask again.
            session::requested_scopes(server, &session).await?;
            approve(server, &token, StatusCode::SEE_OTHER).await?
        }
        Some("deny") => deny(server, &token).await?,
        _ => return Err(Refusal::invalid_request("The decision must be allow or deny.")),
    };
    Ok(answer::with_header(answer, SET_COOKIE, &cookie::take_away(&server.issuer))?)
}

/// Turns a signed-in session into a grant and sends the user back with its code.
pub(super) async fn approve(server: &Server, token: &SessionToken, status: StatusCode) -> Result<Response<Body>, Refusal> {
    let now = server.clock.now();
    let code = AuthorizationCode::from_random(server.entropy.bytes());
    let approval = Approval {
        grant: GrantId::from_random(server.entropy.bytes()),
        code: code.digest(),
        code_expires_at: now.plus(server.lifetimes.code),
    };
    let session = match server.storage.approve_session(&token.digest(), approval, now).await? {
        ApprovalOutcome::Approved(session) => session,
        ApprovalOutcome::NotSignedIn | ApprovalOutcome::Unknown => return Err(Refusal::invalid_session()),
    };
    redirect_back(status, &session.redirect_uri, &[("code", code.expose())], session.state.as_deref(), &server.issuer)
}

async fn deny(server: &Server, token: &SessionToken) -> Result<Response<Body>, Refusal> {
    let closed = server.storage.close_session(&token.digest(), server.clock.now()).await?;
    let session = closed.ok_or_else(Refusal::invalid_session)?;
    let denied = AuthorizeError::AccessDenied;
    let refused = [("error", denied.code().as_str()), ("error_description", denied.description())];
    redirect_back(StatusCode::SEE_OTHER, &session.redirect_uri, &refused, session.state.as_deref(), &server.issuer)
}

fn to_login(server: &Server) -> Result<Response<Body>, Refusal> {
    Ok(answer::redirect(StatusCode::SEE_OTHER, &server.issuer.endpoint("login"))?)
}
