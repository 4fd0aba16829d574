use bytes::Bytes;
use http::header::SET_COOKIE;
use http::{Request, Response, StatusCode};

use super::cookie::{self, Kind};
use super::done::Done;
use super::form::{Fields, Form};
use super::gate::SignedIn;
use super::refusal::Refusal;
use super::server::Server;
use super::sign_in;
use crate::http::audit::EventKind;
use crate::http::{Body, answer};

/// `POST /sign-out`: ends this session.
pub(super) async fn submit(server: &Server, who: &SignedIn, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    Form::of_session(server, &who.token, request, Fields::default())?;
    if server.storage.end_user_session(&who.person.id, who.session.id).await? {
        server.record(EventKind::SignedOut { subject: Some(who.person.id.clone()), client: None });
    }
    let answer = answer::redirect(StatusCode::SEE_OTHER, &sign_in::address(server, None, Done::SignedOut))?;
    Ok(answer::with_header(answer, SET_COOKIE, &cookie::take_away(Kind::Session, server))?)
}
