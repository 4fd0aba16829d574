use bytes::Bytes;
use http::header::SET_COOKIE;
use http::{HeaderMap, Request, Response, StatusCode};

use super::error::Error;
use super::flash::Flash;
use super::server::Server;
use super::{return_to, sign_in};
use crate::http::login::SignedInUser;
use crate::http::{Body, response};

/// Returns the signed-in user, or a redirect to the sign-in page without a live session.
pub(super) async fn require_user(
    server: &Server,
    request: &Request<Bytes>,
) -> Result<Result<SignedInUser, Response<Body>>, Error> {
    match current_user(server, request.headers()).await? {
        Some(user) => {
            let sessions = &server.shared.user_sessions;
            sessions.touch(&user.session, server.now()).await?;
            Ok(Ok(user))
        }
        None => redirect_to_sign_in(server, request.headers()).map(Err),
    }
}

/// The user of the session that the browser presents, if the session is live and the user still
/// exists.
pub(super) async fn current_user(
    server: &Server,
    headers: &HeaderMap,
) -> Result<Option<SignedInUser>, Error> {
    let login = &server.shared.management.login_service;
    let sessions = &server.shared.user_sessions;
    Ok(sessions
        .user(&*login.authenticator, headers, server.now())
        .await?)
}

/// Redirects to the sign-in page, with a notice if the browser presented an ended session.
pub(super) fn redirect_to_sign_in(
    server: &Server,
    headers: &HeaderMap,
) -> Result<Response<Body>, Error> {
    let sessions = &server.shared.user_sessions;
    let had_session = sessions.token(headers).is_some();
    let flash = if had_session {
        Flash::SessionExpired
    } else {
        Flash::SignInRequired
    };
    let return_to = server
        .page_uri
        .as_deref()
        .filter(|page| *page != "/" && return_to::is_plain(page));
    let answer = response::redirect(
        StatusCode::SEE_OTHER,
        &sign_in::address(server, return_to, flash),
    )?;
    if !had_session {
        return Ok(answer);
    }
    Ok(response::with_header(
        answer,
        SET_COOKIE,
        &sessions.clear_cookie(),
    )?)
}
