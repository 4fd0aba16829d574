//! The user's own account.

mod password;
mod show;
mod sign_out_everywhere;

use bytes::Bytes;
use http::{Method, Request, Response};

use super::error::Error;
use super::flash::Flash;
use super::form::{Form, FormFields};
use super::server::Server;
use super::session::SignedInUser;
use crate::http::Body;

/// Routes of this area, parsed from the path segments after its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Route<'a> {
    Show,
    Password,
    /// Contains the session's id.
    EndSession(&'a str),
    SignOutEverywhere,
}

impl<'a> Route<'a> {
    pub(super) fn parse(segments: &[&'a str]) -> Option<Self> {
        match segments {
            [] => Some(Self::Show),
            ["password"] => Some(Self::Password),
            ["sessions", session, "end"] => Some(Self::EndSession(session)),
            ["sign-out-everywhere"] => Some(Self::SignOutEverywhere),
            _ => None,
        }
    }

    /// The allowed methods, as in the `Allow` header.
    pub(super) fn methods(self) -> &'static str {
        match self {
            Self::Show => "GET, HEAD",
            Self::Password | Self::SignOutEverywhere => "GET, HEAD, POST",
            Self::EndSession(_) => "POST",
        }
    }

    /// The endpoint name in logs, metrics and events.
    pub(super) fn endpoint(self) -> &'static str {
        match self {
            Self::Show => "account",
            Self::Password => "account_password",
            Self::EndSession(_) => "account_session_end",
            Self::SignOutEverywhere => "sign_out_everywhere",
        }
    }
}

pub(super) async fn handle(
    server: &Server,
    route: Route<'_>,
    user: &SignedInUser,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let posted = request.method() == Method::POST;
    match route {
        Route::Show => show::show(server, user).await,
        Route::Password if posted => password::submit(server, user, request).await,
        Route::Password => password::show(server, user),
        Route::EndSession(session) => end_session(server, user, session, request).await,
        Route::SignOutEverywhere if posted => {
            sign_out_everywhere::submit(server, user, request).await
        }
        Route::SignOutEverywhere => sign_out_everywhere::show(server, user),
    }
}

/// `POST /account/sessions/{id}/end`.
async fn end_session(
    server: &Server,
    user: &SignedInUser,
    session: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    Form::parse(server, &user.token, request, FormFields::default())?;
    user.management(server).end_session(session).await?;
    server.redirect_with_flash("/account", Flash::OtherSessionEnded)
}
