use std::time::Duration;

use bytes::Bytes;
use http::header::SET_COOKIE;
use http::{HeaderMap, Request, Response, StatusCode};

use super::cookie::{self, Kind};
use super::done::Done;
use super::refusal::Refusal;
use super::server::Server;
use super::{next, sign_in};
use crate::domain::{Role, Subject, UserSession, UserSessionToken};
use crate::http::audit::Rule;
use crate::http::manage::{Access, Desk};
use crate::http::{Body, answer};

/// How stale it may be when a session was last used, at most.
const WRITTEN_EVERY: Duration = Duration::from_secs(60);

/// Somebody who has signed in, with one request.
pub(super) struct SignedIn {
    pub(super) token: UserSessionToken,
    pub(super) session: UserSession,
    /// Who they are now.
    pub(super) person: Subject,
}

impl SignedIn {
    /// Where they manage what they may.
    pub(super) fn desk<'a>(&self, server: &'a Server) -> Desk<'a> {
        server.office.desk(self.person.clone(), Access::Session(self.token.digest(), server.lifetimes.idle), server.visit.origin)
    }

    /// Refuses who is no administrator.
    pub(super) fn check_administrator(&self) -> Result<(), Refusal> {
        if self.person.role == Role::Admin {
            return Ok(());
        }
        Err(Refusal::new(Rule::AdministratorsOnly, StatusCode::FORBIDDEN))
    }
}

/// Whoever asks, or the way to the sign-in page for those who have not signed in, or not lately enough.
pub(super) async fn enter(server: &Server, request: &Request<Bytes>) -> Result<Result<SignedIn, Response<Body>>, Refusal> {
    match signed_in(server, request.headers()).await? {
        Some(signed_in) => {
            written_down(server, &signed_in.session).await?;
            Ok(Ok(signed_in))
        }
        None => to_sign_in(server, request.headers()).map(Err),
    }
}

/// Who has signed in to the session that the browser presents, if that lives and its person has not left.
pub(super) async fn signed_in(server: &Server, headers: &HeaderMap) -> Result<Option<SignedIn>, Refusal> {
    let Some(token) = cookie::token(Kind::Session, headers, server) else { return Ok(None) };
    let (idle, now) = (server.lifetimes.idle, server.clock.now());
    let Some(session) = server.storage.user_session(&token.digest(), idle, now).await? else { return Ok(None) };
    let person = server.doorkeeper.authenticator.subject(&session.subject).await?;
    Ok(person.map(|person| SignedIn { token, session, person }))
}

async fn written_down(server: &Server, session: &UserSession) -> Result<(), Refusal> {
    let now = server.clock.now();
    // Whoever does something often enough stays, however short the idle lifetime is.
    if session.last_used_at.plus(WRITTEN_EVERY.min(server.lifetimes.idle / 4)) <= now {
        server.storage.touch_user_sessions(vec![(session.id, now)]).await?;
    }
    Ok(())
}

/// The way to the sign-in page, which says that a session has ended if the browser presented one.
pub(super) fn to_sign_in(server: &Server, headers: &HeaderMap) -> Result<Response<Body>, Refusal> {
    let had_one = cookie::token(Kind::Session, headers, server).is_some();
    let done = if had_one { Done::SessionEnded } else { Done::SignInFirst };
    let wanted = server.visit.page.as_deref().and_then(next::checked).filter(|wanted| *wanted != "/");
    let answer = answer::redirect(StatusCode::SEE_OTHER, &sign_in::address(server, wanted, done))?;
    if !had_one {
        return Ok(answer);
    }
    Ok(answer::with_header(answer, SET_COOKIE, &cookie::take_away(Kind::Session, server))?)
}
