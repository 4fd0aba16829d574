use http::{Response, StatusCode};
use serde::Serialize;

use super::wire::{EmptyBody, PagedBody};
use crate::domain::PageRequest;
use crate::http::Body;
use crate::http::auth_server::response;
use crate::http::auth_server::wire::Envelope;

/// Success with data in the envelope.
pub(super) fn ok(data: impl Serialize) -> Response<Body> {
    response::json(StatusCode::OK, &Envelope::ok(data))
}

/// Success without data.
pub(super) fn empty() -> Response<Body> {
    ok(EmptyBody {})
}

/// One page of a list, with the totals.
pub(super) fn page<T: Serialize>(page: PageRequest, total: u64, list: T) -> Response<Body> {
    ok(PagedBody {
        total_pages: page.pages(total),
        total_elements: total,
        list,
    })
}
