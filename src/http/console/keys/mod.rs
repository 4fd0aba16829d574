//! API keys.

mod list;
mod new;
mod renew;
mod revoke;
mod show;
mod usage;

use bytes::Bytes;
use http::{Method, Request, Response};

use super::error::Error;
use super::server::Server;
use super::session::SignedInUser;
use crate::http::Body;

/// Routes of this area, parsed from the path segments after its name. Keys are named by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Route<'a> {
    List,
    New,
    Show(&'a str),
    Renew(&'a str),
    Revoke(&'a str),
}

impl<'a> Route<'a> {
    pub(super) fn parse(segments: &[&'a str]) -> Option<Self> {
        match segments {
            [] => Some(Self::List),
            ["new"] => Some(Self::New),
            [key] => Some(Self::Show(key)),
            [key, "renew"] => Some(Self::Renew(key)),
            [key, "revoke"] => Some(Self::Revoke(key)),
            _ => None,
        }
    }

    /// The allowed methods, as in the `Allow` header.
    pub(super) fn methods(self) -> &'static str {
        match self {
            Self::List | Self::Show(_) => "GET, HEAD",
            Self::New | Self::Renew(_) | Self::Revoke(_) => "GET, HEAD, POST",
        }
    }

    /// The endpoint name in logs, metrics and events.
    pub(super) fn endpoint(self) -> &'static str {
        match self {
            Self::List => "keys",
            Self::New => "key_new",
            Self::Show(_) => "key",
            Self::Renew(_) => "key_renew",
            Self::Revoke(_) => "key_revoke",
        }
    }
}

pub(super) async fn handle(
    server: &Server,
    route: Route<'_>,
    user: &SignedInUser,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    if server.api_keys.is_none() {
        return Err(Error::not_found());
    }
    let posted = request.method() == Method::POST;
    match route {
        Route::List => list::list_own(server, user, request).await,
        Route::New if posted => new::submit(server, user, request).await,
        Route::New => new::show(server, user),
        Route::Show(id) => show::show(server, user, id).await,
        Route::Renew(id) if posted => renew::submit(server, user, id, request).await,
        Route::Renew(id) => renew::show(server, user, id).await,
        Route::Revoke(id) if posted => revoke::submit(server, user, id, request).await,
        Route::Revoke(id) => revoke::show(server, user, id).await,
    }
}

/// `GET /admin/keys`: all keys, for administrators.
pub(super) async fn list_all(
    server: &Server,
    user: &SignedInUser,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    user.check_administrator()?;
    list::list_all(server, user, request).await
}
