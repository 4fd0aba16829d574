//! Audit events, for administrators.

mod filter;
mod list;
mod request_lookup;
mod rows;

use bytes::Bytes;
use http::{Request, Response};

use super::error::Error;
use super::server::Server;
use super::session::SignedInUser;
use crate::http::Body;

/// Routes of this area, parsed from the path segments after its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Route {
    List,
    RequestLookup,
}

impl Route {
    pub(super) fn parse(segments: &[&str]) -> Option<Self> {
        match segments {
            [] => Some(Self::List),
            ["explain"] => Some(Self::RequestLookup),
            _ => None,
        }
    }

    /// The allowed methods, as in the `Allow` header.
    pub(super) fn methods(self) -> &'static str {
        "GET, HEAD"
    }

    /// The endpoint name in logs, metrics and events.
    pub(super) fn endpoint(self) -> &'static str {
        match self {
            Self::List => "audit",
            Self::RequestLookup => "audit_explain",
        }
    }
}

pub(super) async fn handle(
    server: &Server,
    route: Route,
    user: &SignedInUser,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    user.check_administrator()?;
    match route {
        Route::List => list::show(server, user, request).await,
        Route::RequestLookup => request_lookup::show(server, user, request).await,
    }
}
