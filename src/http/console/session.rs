use std::time::Duration;

use bytes::Bytes;
use http::header::SET_COOKIE;
use http::{HeaderMap, Request, Response, StatusCode};

use super::cookie::{self, CookieKind};
use super::error::Error;
use super::flash::Flash;
use super::server::Server;
use super::{return_to, sign_in};
use crate::domain::{Subject, UserSession, UserSessionToken};
use crate::http::{Body, response};

/// Maximum interval between updates of a session's last use.
const TOUCH_INTERVAL: Duration = Duration::from_secs(60);

/// The signed-in user of a request.
pub(super) struct SignedInUser {
    pub(super) token: UserSessionToken,
    pub(super) session: UserSession,
    /// The user with the current role.
    pub(super) subject: Subject,
}

/// Returns the signed-in user, or a redirect to the sign-in page without a live session.
pub(super) async fn require_user(
    server: &Server,
    request: &Request<Bytes>,
) -> Result<Result<SignedInUser, Response<Body>>, Error> {
    match current_user(server, request.headers()).await? {
        Some(user) => {
            touch_session(server, &user.session).await?;
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
    let Some(token) = cookie::token(CookieKind::Session, headers, server) else {
        return Ok(None);
    };
    let (idle, now) = (server.shared.lifetimes.idle, server.now());
    let Some(session) = server
        .user_sessions()
        .user_session(&token.digest(), idle, now)
        .await?
    else {
        return Ok(None);
    };
    let subject = server
        .shared
        .management
        .login_service
        .authenticator
        .subject(&session.subject)
        .await?;
    Ok(subject.map(|subject| SignedInUser {
        token,
        session,
        subject,
    }))
}

async fn touch_session(server: &Server, session: &UserSession) -> Result<(), Error> {
    let (idle, now) = (server.shared.lifetimes.idle, server.now());
    // Short enough that an active user stays signed in with any idle lifetime.
    if session.last_used_at.plus(TOUCH_INTERVAL.min(idle / 4)) <= now {
        server
            .user_sessions()
            .touch_user_sessions(vec![(session.id, now)], idle)
            .await?;
    }
    Ok(())
}

/// Redirects to the sign-in page, with a notice if the browser presented an ended session.
pub(super) fn redirect_to_sign_in(
    server: &Server,
    headers: &HeaderMap,
) -> Result<Response<Body>, Error> {
    let had_session = cookie::token(CookieKind::Session, headers, server).is_some();
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
        &cookie::clear_token(CookieKind::Session, server),
    )?)
}
