use bytes::Bytes;
use http::header::SET_COOKIE;
use http::{Request, Response, StatusCode};

use super::cookie::{self, CookieKind};
use super::error::Error;
use super::flash::Flash;
use super::form::{Form, FormFields};
use super::server::Server;
use super::session::SignedInUser;
use super::sign_in;
use crate::http::audit::EventKind;
use crate::http::{Body, response};

/// `POST /sign-out`: ends this session.
pub(super) async fn submit(
    server: &Server,
    user: &SignedInUser,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    Form::parse(server, &user.token, request, FormFields::default())?;
    if server
        .user_sessions
        .end_user_session(&user.subject.id, user.session.id)
        .await?
    {
        server.record(EventKind::SignedOut {
            subject: Some(user.subject.id.clone()),
            client: None,
        });
    }
    let answer = response::redirect(
        StatusCode::SEE_OTHER,
        &sign_in::address(server, None, Flash::SignedOut),
    )?;
    Ok(response::with_header(
        answer,
        SET_COOKIE,
        &cookie::clear_token(CookieKind::Session, server),
    )?)
}
