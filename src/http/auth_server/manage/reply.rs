use http::{Response, StatusCode};
use serde::Serialize;

use super::wire::{Listed, Nothing};
use crate::domain::PageRequest;
use crate::http::Body;
use crate::http::auth_server::answer;
use crate::http::auth_server::wire::Envelope;

/// A success in the envelope.
pub(super) fn with(data: impl Serialize) -> Response<Body> {
    answer::json(StatusCode::OK, &Envelope::ok(data))
}

/// A success that has nothing to show.
pub(super) fn done() -> Response<Body> {
    with(Nothing {})
}

/// One page of a list, with the totals of all.
pub(super) fn page<T: Serialize>(page: PageRequest, total: u64, list: T) -> Response<Body> {
    with(Listed { total_pages: page.pages(total), total_elements: total, list })
}
