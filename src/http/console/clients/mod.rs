//! OAuth clients.

mod delete;
mod edit;
mod form;
mod form_version;
mod list;
mod new;
mod owner;
mod samples;
mod scope_options;
mod secrets;
mod show;
mod verify;

use bytes::Bytes;
use http::{Method, Request, Response};

use super::error::Error;
use super::server::Server;
use super::session::SignedInUser;
use crate::http::Body;
pub(super) use list::{list_all, list_unverified};

/// Routes of this area, parsed from the path segments after its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Route<'a> {
    List,
    New,
    Show(&'a str),
    Edit(&'a str),
    NewSecret(&'a str),
    OlderSecret(&'a str),
    Owner(&'a str),
    Delete(&'a str),
    Verify(&'a str),
    Unverify(&'a str),
}

impl<'a> Route<'a> {
    pub(super) fn parse(segments: &[&'a str]) -> Option<Self> {
        Some(match segments {
            [] => Self::List,
            ["new"] => Self::New,
            [id] => Self::Show(id),
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

    /// The allowed methods, as in the `Allow` header.
    pub(super) fn methods(self) -> &'static str {
        match self {
            Self::List | Self::Show(_) => "GET, HEAD",
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

    /// The endpoint name in logs, metrics and events.
    pub(super) fn endpoint(self) -> &'static str {
        match self {
            Self::List => "clients",
            Self::New => "new_client",
            Self::Show(_) => "client",
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

pub(super) async fn handle(
    server: &Server,
    route: Route<'_>,
    user: &SignedInUser,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let posted = request.method() == Method::POST;
    match route {
        Route::List => list::list_own(server, user, request).await,
        Route::Show(id) => show::show(server, user, id).await,
        Route::New if posted => new::submit(server, user, request).await,
        Route::New => new::show(server, user).await,
        Route::Edit(id) if posted => edit::submit(server, user, id, request).await,
        Route::Edit(id) => edit::show(server, user, id).await,
        Route::NewSecret(id) if posted => secrets::submit_add(server, user, id, request).await,
        Route::NewSecret(id) => secrets::show_add(server, user, id).await,
        Route::OlderSecret(id) if posted => {
            secrets::submit_remove_older(server, user, id, request).await
        }
        Route::OlderSecret(id) => secrets::show_remove_older(server, user, id).await,
        Route::Owner(id) => owner::submit(server, user, id, request).await,
        Route::Delete(id) if posted => delete::submit(server, user, id, request).await,
        Route::Delete(id) => delete::show(server, user, id).await,
        Route::Verify(id) if posted => verify::submit(server, user, id, true, request).await,
        Route::Verify(id) => verify::show(server, user, id, true).await,
        Route::Unverify(id) if posted => verify::submit(server, user, id, false, request).await,
        Route::Unverify(id) => verify::show(server, user, id, false).await,
    }
}
