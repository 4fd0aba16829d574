use http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, REFERRER_POLICY, VARY};
use http::request::Parts;
use http::{HeaderValue, Response, StatusCode};
use serde::Serialize;

use crate::http::Body;

/// JSON response.
pub(super) fn json(status: StatusCode, body: impl Into<Body>) -> Response<Body> {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// Empty response that reuses the allocation of the request's header map, so that a server that
/// reuses a connection allocates none.
pub(super) fn reusing_header_map(head: &mut Parts, status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    std::mem::swap(response.headers_mut(), &mut head.headers);
    response.headers_mut().clear();
    response
}

/// What a response depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Public,
    /// An API key in a header.
    Key,
    /// The token of a calendar feed in the path.
    Feed,
}

/// Sets `Content-Length`, `Cache-Control`, `Vary` and, where the path has a secret,
/// `Referrer-Policy`.
pub(super) fn add_headers(response: &mut Response<Body>, access: Access) {
    let (length, status) = (response.body().as_bytes().len(), response.status());
    let headers = response.headers_mut();
    // The length in a 304 would be that of the 200, which was not rendered; a 204 must have none
    // (RFC 9110 §8.6).
    if !matches!(status, StatusCode::NOT_MODIFIED | StatusCode::NO_CONTENT) {
        headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
    }
    let vary = match access {
        Access::Public => None,
        Access::Key => Some("X-API-KEY, Accept, Accept-Encoding"),
        Access::Feed => Some("Accept, Accept-Encoding"),
    };
    if access == Access::Feed {
        headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    }
    if let Some(vary) = vary {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        headers.insert(VARY, HeaderValue::from_static(vary));
    } else if !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}

/// Appends a wire struct as JSON.
pub(super) fn write_json(value: &impl Serialize, out: &mut Vec<u8>) {
    serde_json::to_writer(out, value)
        .expect("a wire struct has only strings as keys, and nothing in it fails to serialise");
}

/// Serialises a wire struct as JSON.
pub(super) fn to_json(value: &impl Serialize) -> Vec<u8> {
    let mut json = Vec::new();
    write_json(value, &mut json);
    json
}
