//! Somebody's own account.

use bytes::Bytes;
use http::{Request, Response};

use super::gate::SignedIn;
use super::refusal::Refusal;
use super::server::Server;
use crate::http::Body;

/// The pages here, by what follows the name of the area in the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place<'a> {
    Nothing(&'a str),
}

impl<'a> Place<'a> {
    pub(super) fn at(_: &[&'a str]) -> Option<Self> {
        None
    }

    /// The methods that the place answers, as in `Allow`.
    pub(super) fn methods(self) -> &'static str {
        "GET, HEAD"
    }

    /// What the log calls it.
    pub(super) fn name(self) -> &'static str {
        "account"
    }
}

pub(super) async fn answer(_: &Server, _: Place<'_>, _: &SignedIn, _: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    Err(Refusal::not_found())
}
