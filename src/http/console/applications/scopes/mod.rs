//! Scopes of an application, for users who may change it.

mod approve;
mod delete;
mod form;
mod show;
mod withdraw;

use bytes::Bytes;
use http::{Method, Request, Response};

use crate::domain::ScopeDefinition;
use crate::http::Body;
use crate::http::console::error::Error;
use crate::http::console::server::Server;
use crate::http::console::session::SignedInUser;

/// Routes of this area, parsed from the path segments after `scopes`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::http::console) enum Route<'a> {
    New,
    Show(&'a str),
    Edit(&'a str),
    Delete(&'a str),
    Approve(&'a str),
    /// The id of a scope, and the id of the client that loses it.
    Withdraw(&'a str, &'a str),
}

impl<'a> Route<'a> {
    pub(super) fn parse(segments: &[&'a str]) -> Option<Self> {
        Some(match segments {
            ["new"] => Self::New,
            [id] => Self::Show(id),
            [id, "edit"] => Self::Edit(id),
            [id, "delete"] => Self::Delete(id),
            [id, "approve"] => Self::Approve(id),
            [id, "clients", client, "withdraw"] => Self::Withdraw(id, client),
            _ => return None,
        })
    }

    pub(super) fn methods(self) -> &'static str {
        match self {
            Self::Show(_) => "GET, HEAD",
            Self::New | Self::Edit(_) | Self::Delete(_) | Self::Withdraw(..) => "GET, HEAD, POST",
            Self::Approve(_) => "POST",
        }
    }

    pub(super) fn endpoint(self) -> &'static str {
        match self {
            Self::New => "scope_new",
            Self::Show(_) => "scope",
            Self::Edit(_) => "scope_edit",
            Self::Delete(_) => "scope_delete",
            Self::Approve(_) => "scope_approve",
            Self::Withdraw(..) => "scope_withdraw",
        }
    }
}

pub(super) async fn handle(
    server: &Server,
    user: &SignedInUser,
    application: &str,
    route: Route<'_>,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let is_post = request.method() == Method::POST;
    match route {
        Route::New if is_post => form::submit_new(server, user, application, request).await,
        Route::New => form::show_new(server, user, application).await,
        Route::Show(id) => show::show(server, user, (application, id), request).await,
        Route::Edit(id) if is_post => {
            form::submit_edit(server, user, (application, id), request).await
        }
        Route::Edit(id) => form::show_edit(server, user, (application, id)).await,
        Route::Delete(id) if is_post => {
            delete::submit(server, user, (application, id), request).await
        }
        Route::Delete(id) => delete::show(server, user, (application, id)).await,
        Route::Approve(id) => approve::submit(server, user, (application, id), request).await,
        Route::Withdraw(id, client) if is_post => {
            withdraw::submit(server, user, (application, id), client, request).await
        }
        Route::Withdraw(id, client) => {
            withdraw::show(server, user, (application, id), client).await
        }
    }
}

/// A scope in a path: the id of its application and its own id.
type Ids<'a> = (&'a str, &'a str);

/// Path of a scope's page.
fn address(definition: &ScopeDefinition) -> String {
    format!(
        "{}/scopes/{}",
        super::address(definition.scope.application),
        definition.id
    )
}
