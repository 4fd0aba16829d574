use std::time::Duration;

use bytes::Bytes;
use fluent_uri::pct_enc::EString;
use fluent_uri::pct_enc::encoder::{Data, Query};
use http::header::SET_COOKIE;
use http::{HeaderMap, Request, Response, StatusCode};

use super::cookie::{self, Kind};
use super::done::Done;
use super::form::{Fields, Form};
use super::refusal::{Refusal, faulty};
use super::server::Server;
use super::views::SignInPage;
use super::{browser, gate, next};
use crate::domain::{SubjectId, UserSession, UserSessionId, UserSessionToken};
use crate::http::audit::{EventKind, Rule};
use crate::http::sign_in::{Entry, Proven};
use crate::http::{Body, answer, pairs};

const FIELDS: Fields = Fields { once: &["email", "password", "next"], lists: &[] };

/// How long the sign-in form may lie there, in seconds.
const VISIT: i64 = 60 * 60;

/// `GET /sign-in`.
pub(super) async fn show(server: &Server, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let query = pairs::parse(request.uri().query().unwrap_or_default()).unwrap_or_default();
    let wanted = query.iter().find(|(name, _)| name == "next").and_then(|(_, address)| next::checked(address)).unwrap_or("/");
    if gate::signed_in(server, request.headers()).await?.is_some() {
        return Ok(answer::redirect(StatusCode::SEE_OTHER, &server.at(wanted))?);
    }
    form(server, request.headers(), StatusCode::OK, &SignInPage { next: wanted, ..SignInPage::new(server) })
}

/// `POST /sign-in`.
pub(super) async fn submit(server: &Server, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let visit = visit(server, request.headers());
    let fields = match Form::of_session(server, &visit, request, FIELDS) {
        Ok(fields) => fields,
        Err(refusal) if refusal.is_by(Rule::FormToken) => {
            let page = SignInPage { problem: Some(server.texts().faults.form_token), ..SignInPage::new(server) };
            return Ok(faulty(form(server, request.headers(), StatusCode::FORBIDDEN, &page)?, Rule::FormToken));
        }
        Err(refusal) => return Err(refusal),
    };
    let (email, password) = (fields.field("email").unwrap_or_default(), fields.field("password").unwrap_or_default());
    let wanted = fields.field("next").and_then(next::checked).unwrap_or("/");
    match server.doorkeeper.authenticate(email, password, None, server.visit.origin).await? {
        Entry::SignedIn(proven) => enter(server, request.headers(), &proven, wanted).await,
        Entry::Refused => {
            let problem = Some(server.texts().faults.credentials);
            let page = SignInPage { email, problem, next: wanted, ..SignInPage::new(server) };
            Ok(faulty(form(server, request.headers(), StatusCode::UNAUTHORIZED, &page)?, Rule::Credentials))
        }
        Entry::TooManyAttempts { retry_after } => {
            Err(Refusal::new(Rule::SignInLimited, StatusCode::TOO_MANY_REQUESTS).retry_after(retry_after))
        }
        Entry::Busy => Err(busy()),
    }
}

/// Where people sign in, to go on where they wanted to.
pub(super) fn address(server: &Server, wanted: Option<&str>, done: Done) -> String {
    let mut query = EString::<Query>::new();
    if let Some(wanted) = wanted {
        query.encode_str::<Data>("next");
        query.push('=');
        query.encode_str::<Data>(wanted);
        query.push('&');
    }
    server.at(&format!("/sign-in?{query}done={}", done.code()))
}

/// Opens a session under a new token, so that whoever planted or saw another has nothing. The one that the browser had ends.
async fn enter(server: &Server, headers: &HeaderMap, proven: &Proven, wanted: &str) -> Result<Response<Body>, Refusal> {
    let person = &proven.person.id;
    if let Some(before) = gate::signed_in(server, headers).await? {
        server.storage.end_user_session(&before.session.subject, before.session.id).await?;
    }
    let (session, cookie) = open_session(server, headers, person).await?;
    if !server.doorkeeper.still_holds(proven).await? {
        server.storage.end_user_session(person, session).await?;
        return Err(busy());
    }
    server.record(EventKind::SignedIn { subject: person.clone(), client: None });
    let answer = answer::redirect(StatusCode::SEE_OTHER, &server.at(wanted))?;
    let answer = answer::with_header(answer, SET_COOKIE, &cookie)?;
    Ok(answer::with_header(answer, SET_COOKIE, &cookie::take_away(Kind::Visit, server))?)
}

/// To be tried again in a moment.
fn busy() -> Refusal {
    Refusal::new(Rule::SignInBusy, StatusCode::SERVICE_UNAVAILABLE).retry_after(Duration::from_secs(2))
}

/// Opens a session of somebody who has proven who they are, and gives its id and the `Set-Cookie` value of its token.
pub(super) async fn open_session(server: &Server, headers: &HeaderMap, person: &SubjectId) -> Result<(UserSessionId, String), Refusal> {
    let (now, token) = (server.clock.now(), UserSessionToken::from_random(server.entropy.bytes()));
    let id = UserSessionId::from_random(server.entropy.bytes());
    let session = UserSession {
        id,
        subject: person.clone(),
        browser: browser::described(headers),
        created_at: now,
        last_used_at: now,
        expires_at: now.plus(server.lifetimes.absolute),
    };
    server.storage.open_user_session(token.digest(), session).await?;
    let seconds = i64::try_from(server.lifetimes.absolute.as_secs()).unwrap_or(i64::MAX);
    Ok((id, cookie::give(Kind::Session, &token, seconds, server)))
}

/// The page with a form that belongs to the browser's visit.
fn form(server: &Server, headers: &HeaderMap, status: StatusCode, page: &SignInPage<'_>) -> Result<Response<Body>, Refusal> {
    let visit = visit(server, headers);
    let page = SignInPage { frame: page.frame.for_session(server, &visit), ..*page };
    Ok(answer::with_header(server.page(status, &page)?, SET_COOKIE, &cookie::give(Kind::Visit, &visit, VISIT, server))?)
}

/// The browser's visit, or a new one.
fn visit(server: &Server, headers: &HeaderMap) -> UserSessionToken {
    cookie::token(Kind::Visit, headers, server).unwrap_or_else(|| UserSessionToken::from_random(server.entropy.bytes()))
}
