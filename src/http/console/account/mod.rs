//! Somebody's own account.

mod everywhere;
mod password;
mod show;

use bytes::Bytes;
use http::{Method, Request, Response};

use super::done::Done;
use super::form::{Fields, Form};
use super::gate::SignedIn;
use super::refusal::Refusal;
use super::server::Server;
use crate::http::Body;

/// The pages here, by what follows the name of the area in the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place<'a> {
    Profile,
    Password,
    /// One session, by its id.
    EndSession(&'a str),
    SignOutEverywhere,
}

impl<'a> Place<'a> {
    pub(super) fn at(segments: &[&'a str]) -> Option<Self> {
        match segments {
            [] => Some(Self::Profile),
            ["password"] => Some(Self::Password),
            ["sessions", session, "end"] => Some(Self::EndSession(session)),
            ["sign-out-everywhere"] => Some(Self::SignOutEverywhere),
            _ => None,
        }
    }

    /// The methods that the place answers, as in `Allow`.
    pub(super) fn methods(self) -> &'static str {
        match self {
            Self::Profile => "GET, HEAD",
            Self::Password | Self::SignOutEverywhere => "GET, HEAD, POST",
            Self::EndSession(_) => "POST",
        }
    }

    /// What the log calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Profile => "account",
            Self::Password => "account_password",
            Self::EndSession(_) => "account_session_end",
            Self::SignOutEverywhere => "sign_out_everywhere",
        }
    }
}

pub(super) async fn answer(server: &Server, place: Place<'_>, who: &SignedIn, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let posted = request.method() == Method::POST;
    match place {
        Place::Profile => show::show(server, who).await,
        Place::Password if posted => password::submit(server, who, request).await,
        Place::Password => password::show(server, who),
        Place::EndSession(session) => end_session(server, who, session, request).await,
        Place::SignOutEverywhere if posted => everywhere::submit(server, who, request).await,
        Place::SignOutEverywhere => everywhere::show(server, who),
    }
}

/// `POST /account/sessions/{id}/end`.
async fn end_session(server: &Server, who: &SignedIn, session: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    Form::of_session(server, &who.token, request, Fields::default())?;
    who.desk(server).end_session(session).await?;
    server.led_to("/account", Done::OtherSessionEnded)
}
