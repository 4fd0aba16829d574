//! OAuth clients.

mod delete;
mod edit;
mod form;
mod list;
mod new;
mod offered;
mod owner;
mod samples;
mod secrets;
mod seen;
mod show;
mod verify;

use bytes::Bytes;
use http::{Method, Request, Response};

use super::gate::SignedIn;
use super::refusal::Refusal;
use super::server::Server;
use crate::http::Body;
pub(super) use list::{everybodys, to_review};

/// The pages here, by what follows the name of the area in the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place<'a> {
    List,
    New,
    One(&'a str),
    Edit(&'a str),
    NewSecret(&'a str),
    OlderSecret(&'a str),
    Owner(&'a str),
    Delete(&'a str),
    Verify(&'a str),
    Unverify(&'a str),
}

impl<'a> Place<'a> {
    pub(super) fn at(segments: &[&'a str]) -> Option<Self> {
        Some(match segments {
            [] => Self::List,
            ["new"] => Self::New,
            [id] => Self::One(id),
            [id, "edit"] => Self::Edit(id),
            [id, "secrets", "new"] => Self::NewSecret(id),
            [id, "secrets", "older"] => Self::OlderSecret(id),
            [id, "owner"] => Self::Owner(id),
            [id, "delete"] => Self::Delete(id),
            [id, "verify"] => Self::Verify(id),
            [id, "unverify"] => Self::Unverify(id),
            _ => return None,
        })
    }

    /// The methods that the place answers, as in `Allow`.
    pub(super) fn methods(self) -> &'static str {
        match self {
            Self::List | Self::One(_) => "GET, HEAD",
            Self::Owner(_) => "POST",
            Self::New
            | Self::Edit(_)
            | Self::NewSecret(_)
            | Self::OlderSecret(_)
            | Self::Delete(_)
            | Self::Verify(_)
            | Self::Unverify(_) => "GET, HEAD, POST",
        }
    }

    /// What the log calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::List => "clients",
            Self::New => "new_client",
            Self::One(_) => "client",
            Self::Edit(_) => "edit_client",
            Self::NewSecret(_) => "new_client_secret",
            Self::OlderSecret(_) => "older_client_secret",
            Self::Owner(_) => "client_owner",
            Self::Delete(_) => "delete_client",
            Self::Verify(_) => "verify_client",
            Self::Unverify(_) => "unverify_client",
        }
    }
}

pub(super) async fn answer(server: &Server, place: Place<'_>, who: &SignedIn, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let posted = request.method() == Method::POST;
    match place {
        Place::List => list::own(server, who, request).await,
        Place::One(id) => show::show(server, who, id).await,
        Place::New if posted => new::submit(server, who, request).await,
        Place::New => new::show(server, who).await,
        Place::Edit(id) if posted => edit::submit(server, who, id, request).await,
        Place::Edit(id) => edit::show(server, who, id).await,
        Place::NewSecret(id) if posted => secrets::add(server, who, id, request).await,
        Place::NewSecret(id) => secrets::ask_to_add(server, who, id).await,
        Place::OlderSecret(id) if posted => secrets::remove_older(server, who, id, request).await,
        Place::OlderSecret(id) => secrets::ask_to_remove_older(server, who, id).await,
        Place::Owner(id) => owner::submit(server, who, id, request).await,
        Place::Delete(id) if posted => delete::submit(server, who, id, request).await,
        Place::Delete(id) => delete::ask(server, who, id).await,
        Place::Verify(id) if posted => verify::submit(server, who, id, true, request).await,
        Place::Verify(id) => verify::ask(server, who, id, true).await,
        Place::Unverify(id) if posted => verify::submit(server, who, id, false, request).await,
        Place::Unverify(id) => verify::ask(server, who, id, false).await,
    }
}
