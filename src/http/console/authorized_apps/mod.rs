//! Clients with access to the user's account.

mod withdraw;

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};

use super::error::Error;
use super::server::Server;
use super::session::SignedInUser;
use super::views::{AuthorizedAppRow, AuthorizedAppsPage};
use crate::http::Body;

/// Routes of this area, parsed from the path segments after its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Route<'a> {
    List,
    /// Contains the client's id.
    Withdraw(&'a str),
}

impl<'a> Route<'a> {
    pub(super) fn parse(segments: &[&'a str]) -> Option<Self> {
        match segments {
            [] => Some(Self::List),
            [client, "withdraw"] => Some(Self::Withdraw(client)),
            _ => None,
        }
    }

    /// The allowed methods, as in the `Allow` header.
    pub(super) fn methods(self) -> &'static str {
        match self {
            Self::List => "GET, HEAD",
            Self::Withdraw(_) => "GET, HEAD, POST",
        }
    }

    /// The endpoint name in logs, metrics and events.
    pub(super) fn endpoint(self) -> &'static str {
        match self {
            Self::List => "apps",
            Self::Withdraw(_) => "app_withdraw",
        }
    }
}

pub(super) async fn handle(
    server: &Server,
    route: Route<'_>,
    user: &SignedInUser,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    match route {
        Route::List => list(server, user).await,
        Route::Withdraw(client) if request.method() == Method::POST => {
            withdraw::submit(server, user, client, request).await
        }
        Route::Withdraw(client) => withdraw::show(server, user, client).await,
    }
}

/// `GET /apps`.
async fn list(server: &Server, user: &SignedInUser) -> Result<Response<Body>, Error> {
    let management = user.management(server);
    let authorized_apps = management.authorized_apps().await?;
    let scopes = management.scopes_of(&authorized_apps).await?;
    let apps = authorized_apps
        .iter()
        .map(|authorized_app| AuthorizedAppRow::new(authorized_app, &scopes, &server.zone))
        .collect();
    server.render(
        StatusCode::OK,
        &AuthorizedAppsPage {
            text: server.texts(),
            layout: server.layout(user, "apps"),
            apps,
        },
    )
}
