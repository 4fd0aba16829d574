//! What happened, for administrators.

mod explain;
mod filter;
mod list;
mod rows;

use bytes::Bytes;
use http::{Request, Response};

use super::gate::SignedIn;
use super::refusal::Refusal;
use super::server::Server;
use crate::http::Body;

/// The pages here, by what follows the name of the area in the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    All,
    Explain,
}

impl Place {
    pub(super) fn at(segments: &[&str]) -> Option<Self> {
        match segments {
            [] => Some(Self::All),
            ["explain"] => Some(Self::Explain),
            _ => None,
        }
    }

    /// The methods that the place answers, as in `Allow`.
    pub(super) fn methods(self) -> &'static str {
        "GET, HEAD"
    }

    /// What the log calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::All => "audit",
            Self::Explain => "audit_explain",
        }
    }
}

pub(super) async fn answer(server: &Server, place: Place, who: &SignedIn, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    who.check_administrator()?;
    match place {
        Place::All => list::show(server, who, request).await,
        Place::Explain => explain::show(server, who, request).await,
    }
}
