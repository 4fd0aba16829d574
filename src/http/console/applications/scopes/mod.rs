//! The scopes of an application, for whoever may change it.

mod approve;
mod delete;
mod form;
mod show;
mod withdraw;

use bytes::Bytes;
use http::{Method, Request, Response};

use crate::domain::ScopeDefinition;
use crate::http::Body;
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::Refusal;
use crate::http::console::server::Server;

/// The pages here, by what follows `scopes` in the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::http::console) enum Place<'a> {
    New,
    One(&'a str),
    Edit(&'a str),
    Delete(&'a str),
    Approve(&'a str),
    /// A scope, and the client that loses it.
    Withdraw(&'a str, &'a str),
}

impl<'a> Place<'a> {
    pub(super) fn at(segments: &[&'a str]) -> Option<Self> {
        Some(match segments {
            ["new"] => Self::New,
            [id] => Self::One(id),
            [id, "edit"] => Self::Edit(id),
            [id, "delete"] => Self::Delete(id),
            [id, "approve"] => Self::Approve(id),
            [id, "clients", client, "withdraw"] => Self::Withdraw(id, client),
            _ => return None,
        })
    }

    pub(super) fn methods(self) -> &'static str {
        match self {
            Self::One(_) => "GET, HEAD",
            Self::New | Self::Edit(_) | Self::Delete(_) | Self::Withdraw(..) => "GET, HEAD, POST",
            Self::Approve(_) => "POST",
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::New => "scope_new",
            Self::One(_) => "scope",
            Self::Edit(_) => "scope_edit",
            Self::Delete(_) => "scope_delete",
            Self::Approve(_) => "scope_approve",
            Self::Withdraw(..) => "scope_withdraw",
        }
    }
}

pub(super) async fn answer(
    server: &Server,
    who: &SignedIn,
    application: &str,
    place: Place<'_>,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Refusal> {
    let is_post = request.method() == Method::POST;
    match place {
        Place::New if is_post => form::create(server, who, application, request).await,
        Place::New => form::new(server, who, application).await,
        Place::One(id) => show::answer(server, who, (application, id), request).await,
        Place::Edit(id) if is_post => form::change(server, who, (application, id), request).await,
        Place::Edit(id) => form::edit(server, who, (application, id)).await,
        Place::Delete(id) if is_post => delete::submit(server, who, (application, id), request).await,
        Place::Delete(id) => delete::ask(server, who, (application, id)).await,
        Place::Approve(id) => approve::submit(server, who, (application, id), request).await,
        Place::Withdraw(id, client) if is_post => withdraw::submit(server, who, (application, id), client, request).await,
        Place::Withdraw(id, client) => withdraw::ask(server, who, (application, id), client).await,
    }
}

/// A scope as paths have it: the ids of its application and its own.
type Ids<'a> = (&'a str, &'a str);

/// Where a scope has its page.
fn address(definition: &ScopeDefinition) -> String {
    format!("{}/scopes/{}", super::address(definition.scope.application), definition.id)
}
