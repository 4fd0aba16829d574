//! What has access to somebody's account.

mod withdraw;

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};

use super::gate::SignedIn;
use super::refusal::Refusal;
use super::server::Server;
use super::views::{AppsPage, ConnectedApp};
use crate::http::Body;

/// The pages here, by what follows the name of the area in the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place<'a> {
    List,
    /// The client, by its id.
    Withdraw(&'a str),
}

impl<'a> Place<'a> {
    pub(super) fn at(segments: &[&'a str]) -> Option<Self> {
        match segments {
            [] => Some(Self::List),
            [client, "withdraw"] => Some(Self::Withdraw(client)),
            _ => None,
        }
    }

    /// The methods that the place answers, as in `Allow`.
    pub(super) fn methods(self) -> &'static str {
        match self {
            Self::List => "GET, HEAD",
            Self::Withdraw(_) => "GET, HEAD, POST",
        }
    }

    /// What the log calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::List => "apps",
            Self::Withdraw(_) => "app_withdraw",
        }
    }
}

pub(super) async fn answer(server: &Server, place: Place<'_>, who: &SignedIn, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    match place {
        Place::List => list(server, who).await,
        Place::Withdraw(client) if request.method() == Method::POST => withdraw::submit(server, who, client, request).await,
        Place::Withdraw(client) => withdraw::show(server, who, client).await,
    }
}

/// `GET /apps`.
async fn list(server: &Server, who: &SignedIn) -> Result<Response<Body>, Refusal> {
    let desk = who.desk(server);
    let connections = desk.connections().await?;
    let scopes = desk.scopes_of(&connections).await?;
    let apps = connections.iter().map(|connection| ConnectedApp::of(connection, &scopes, &server.zone)).collect();
    server.page(StatusCode::OK, &AppsPage { text: server.texts(), frame: server.frame(who, "apps"), apps })
}
