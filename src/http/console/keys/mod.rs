//! API keys.

mod list;
mod new;
mod renew;
mod revoke;
mod show;
mod usage;

use bytes::Bytes;
use http::{Method, Request, Response};

use super::gate::SignedIn;
use super::refusal::Refusal;
use super::server::Server;
use crate::http::Body;

/// The pages here, by what follows the name of the area in the path. A key goes by its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place<'a> {
    List,
    New,
    Key(&'a str),
    Renew(&'a str),
    Revoke(&'a str),
}

impl<'a> Place<'a> {
    pub(super) fn at(segments: &[&'a str]) -> Option<Self> {
        match segments {
            [] => Some(Self::List),
            ["new"] => Some(Self::New),
            [key] => Some(Self::Key(key)),
            [key, "renew"] => Some(Self::Renew(key)),
            [key, "revoke"] => Some(Self::Revoke(key)),
            _ => None,
        }
    }

    /// The methods that the place answers, as in `Allow`.
    pub(super) fn methods(self) -> &'static str {
        match self {
            Self::List | Self::Key(_) => "GET, HEAD",
            Self::New | Self::Renew(_) | Self::Revoke(_) => "GET, HEAD, POST",
        }
    }

    /// What the log calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::List => "keys",
            Self::New => "key_new",
            Self::Key(_) => "key",
            Self::Renew(_) => "key_renew",
            Self::Revoke(_) => "key_revoke",
        }
    }
}

pub(super) async fn answer(server: &Server, place: Place<'_>, who: &SignedIn, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    if server.api_keys.is_none() {
        return Err(Refusal::not_found());
    }
    let posted = request.method() == Method::POST;
    match place {
        Place::List => list::own(server, who, request).await,
        Place::New if posted => new::submit(server, who, request).await,
        Place::New => new::show(server, who),
        Place::Key(id) => show::show(server, who, id).await,
        Place::Renew(id) if posted => renew::submit(server, who, id, request).await,
        Place::Renew(id) => renew::show(server, who, id).await,
        Place::Revoke(id) if posted => revoke::submit(server, who, id, request).await,
        Place::Revoke(id) => revoke::show(server, who, id).await,
    }
}

/// `GET /admin/keys`: everybody's, for administrators.
pub(super) async fn everybodys(server: &Server, who: &SignedIn, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    who.check_administrator()?;
    list::everybodys(server, who, request).await
}
