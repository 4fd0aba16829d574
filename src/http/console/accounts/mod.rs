//! Accounts, for administrators.

mod list;
mod new;
mod remove;
mod show;
mod update;

use bytes::Bytes;
use http::{Method, Request, Response};

use super::error::Error;
use super::server::Server;
use super::session::SignedInUser;
use crate::http::Body;

/// Routes of this area, parsed from the path segments after its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Route<'a> {
    List,
    New,
    Show(&'a str),
    Role(&'a str),
    Password(&'a str),
    Remove(&'a str),
}

impl<'a> Route<'a> {
    pub(super) fn parse(segments: &[&'a str]) -> Option<Self> {
        Some(match segments {
            [] => Self::List,
            ["new"] => Self::New,
            [id] => Self::Show(id),
            [id, "role"] => Self::Role(id),
            [id, "password"] => Self::Password(id),
            [id, "remove"] => Self::Remove(id),
            _ => return None,
        })
    }

    /// The allowed methods, as in the `Allow` header.
    pub(super) fn methods(self) -> &'static str {
        match self {
            Self::List | Self::Show(_) => "GET, HEAD",
            Self::New | Self::Remove(_) => "GET, HEAD, POST",
            Self::Role(_) | Self::Password(_) => "POST",
        }
    }

    /// The endpoint name in logs, metrics and events.
    pub(super) fn endpoint(self) -> &'static str {
        match self {
            Self::List => "people",
            Self::New => "new_person",
            Self::Show(_) => "person",
            Self::Role(_) => "person_role",
            Self::Password(_) => "person_password",
            Self::Remove(_) => "person_remove",
        }
    }
}

pub(super) async fn handle(
    server: &Server,
    route: Route<'_>,
    user: &SignedInUser,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    user.check_administrator()?;
    let posted = request.method() == Method::POST;
    match route {
        Route::List => list::show(server, user, request).await,
        Route::New if posted => new::submit(server, user, request).await,
        Route::New => new::show(server, user),
        Route::Show(id) => show::show(server, user, id).await,
        Route::Role(id) => update::submit_role(server, user, id, request).await,
        Route::Password(id) => update::submit_password(server, user, id, request).await,
        Route::Remove(id) if posted => remove::submit(server, user, id, request).await,
        Route::Remove(id) => remove::show(server, user, id).await,
    }
}
