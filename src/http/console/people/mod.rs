//! The people who can sign in, for administrators.

mod change;
mod form;
mod list;
mod one;
mod remove;

use bytes::Bytes;
use http::{Method, Request, Response};

use super::gate::SignedIn;
use super::refusal::Refusal;
use super::server::Server;
use crate::http::Body;

/// The pages here, by what follows the name of the area in the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place<'a> {
    All,
    New,
    One(&'a str),
    Role(&'a str),
    Password(&'a str),
    Remove(&'a str),
}

impl<'a> Place<'a> {
    pub(super) fn at(segments: &[&'a str]) -> Option<Self> {
        Some(match segments {
            [] => Self::All,
            ["new"] => Self::New,
            [id] => Self::One(id),
            [id, "role"] => Self::Role(id),
            [id, "password"] => Self::Password(id),
            [id, "remove"] => Self::Remove(id),
            _ => return None,
        })
    }

    /// The methods that the place answers, as in `Allow`.
    pub(super) fn methods(self) -> &'static str {
        match self {
            Self::All | Self::One(_) => "GET, HEAD",
            Self::New | Self::Remove(_) => "GET, HEAD, POST",
            Self::Role(_) | Self::Password(_) => "POST",
        }
    }

    /// What the log calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::All => "people",
            Self::New => "new_person",
            Self::One(_) => "person",
            Self::Role(_) => "person_role",
            Self::Password(_) => "person_password",
            Self::Remove(_) => "person_remove",
        }
    }
}

pub(super) async fn answer(server: &Server, place: Place<'_>, who: &SignedIn, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    who.check_administrator()?;
    let posted = request.method() == Method::POST;
    match place {
        Place::All => list::show(server, who, request).await,
        Place::New if posted => form::submit(server, who, request).await,
        Place::New => form::show(server, who),
        Place::One(id) => one::show(server, who, id).await,
        Place::Role(id) => change::role(server, who, id, request).await,
        Place::Password(id) => change::password(server, who, id, request).await,
        Place::Remove(id) if posted => remove::submit(server, who, id, request).await,
        Place::Remove(id) => remove::show(server, who, id).await,
    }
}
