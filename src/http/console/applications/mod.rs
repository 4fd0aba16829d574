//! Applications and their scopes.

mod delete;
mod form;
mod list;
mod preview;
mod scopes;
mod show;

use bytes::Bytes;
use http::{Method, Request, Response};

use super::gate::SignedIn;
use super::refusal::Refusal;
use super::server::Server;
use crate::http::Body;
pub(super) use list::everybodys;

/// The pages here, by what follows the name of the area in the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place<'a> {
    List,
    New,
    One(&'a str),
    Edit(&'a str),
    Delete(&'a str),
    /// Below an application.
    Scopes(&'a str, scopes::Place<'a>),
}

impl<'a> Place<'a> {
    pub(super) fn at(segments: &[&'a str]) -> Option<Self> {
        Some(match segments {
            [] => Self::List,
            ["new"] => Self::New,
            [id] => Self::One(id),
            [id, "edit"] => Self::Edit(id),
            [id, "delete"] => Self::Delete(id),
            [id, "scopes", rest @ ..] => Self::Scopes(id, scopes::Place::at(rest)?),
            _ => return None,
        })
    }

    /// The methods that the place answers, as in `Allow`.
    pub(super) fn methods(self) -> &'static str {
        match self {
            Self::List | Self::One(_) => "GET, HEAD",
            Self::New | Self::Edit(_) | Self::Delete(_) => "GET, HEAD, POST",
            Self::Scopes(_, place) => place.methods(),
        }
    }

    /// What the log calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::List => "applications",
            Self::New => "application_new",
            Self::One(_) => "application",
            Self::Edit(_) => "application_edit",
            Self::Delete(_) => "application_delete",
            Self::Scopes(_, place) => place.name(),
        }
    }
}

pub(super) async fn answer(server: &Server, place: Place<'_>, who: &SignedIn, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let is_post = request.method() == Method::POST;
    match place {
        Place::List => list::own(server, who, request).await,
        Place::New if is_post => form::create(server, who, request).await,
        Place::New => form::new(server, who),
        Place::One(id) => show::answer(server, who, id, request).await,
        Place::Edit(id) if is_post => form::rename(server, who, id, request).await,
        Place::Edit(id) => form::edit(server, who, id).await,
        Place::Delete(id) if is_post => delete::submit(server, who, id, request).await,
        Place::Delete(id) => delete::ask(server, who, id).await,
        Place::Scopes(id, place) => scopes::answer(server, who, id, place, request).await,
    }
}

/// Where an application has its page.
fn address(application: impl std::fmt::Display) -> String {
    format!("/applications/{application}")
}
