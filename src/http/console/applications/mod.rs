//! Applications and their scopes.

mod delete;
mod form;
mod list;
mod removal_preview;
mod scopes;
mod show;

use bytes::Bytes;
use http::{Method, Request, Response};

use super::error::Error;
use super::server::Server;
use super::session::SignedInUser;
use crate::http::Body;
pub(super) use list::list_all;

/// Routes of this area, parsed from the path segments after its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Route<'a> {
    List,
    New,
    Show(&'a str),
    Edit(&'a str),
    Delete(&'a str),
    /// A route below an application.
    Scopes(&'a str, scopes::Route<'a>),
}

impl<'a> Route<'a> {
    pub(super) fn parse(segments: &[&'a str]) -> Option<Self> {
        Some(match segments {
            [] => Self::List,
            ["new"] => Self::New,
            [id] => Self::Show(id),
            [id, "edit"] => Self::Edit(id),
            [id, "delete"] => Self::Delete(id),
            [id, "scopes", rest @ ..] => Self::Scopes(id, scopes::Route::parse(rest)?),
            _ => return None,
        })
    }

    /// The allowed methods, as in the `Allow` header.
    pub(super) fn methods(self) -> &'static str {
        match self {
            Self::List | Self::Show(_) => "GET, HEAD",
            Self::New | Self::Edit(_) | Self::Delete(_) => "GET, HEAD, POST",
            Self::Scopes(_, route) => route.methods(),
        }
    }

    /// The endpoint name in logs, metrics and events.
    pub(super) fn endpoint(self) -> &'static str {
        match self {
            Self::List => "applications",
            Self::New => "application_new",
            Self::Show(_) => "application",
            Self::Edit(_) => "application_edit",
            Self::Delete(_) => "application_delete",
            Self::Scopes(_, route) => route.endpoint(),
        }
    }
}

pub(super) async fn handle(
    server: &Server,
    route: Route<'_>,
    user: &SignedInUser,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let is_post = request.method() == Method::POST;
    match route {
        Route::List => list::list_own(server, user, request).await,
        Route::New if is_post => form::submit_new(server, user, request).await,
        Route::New => form::show_new(server, user),
        Route::Show(id) => show::show(server, user, id, request).await,
        Route::Edit(id) if is_post => form::submit_edit(server, user, id, request).await,
        Route::Edit(id) => form::show_edit(server, user, id).await,
        Route::Delete(id) if is_post => delete::submit(server, user, id, request).await,
        Route::Delete(id) => delete::show(server, user, id).await,
        Route::Scopes(id, route) => scopes::handle(server, user, id, route, request).await,
    }
}

/// Path of an application's page.
fn address(application: impl std::fmt::Display) -> String {
    format!("/applications/{application}")
}
