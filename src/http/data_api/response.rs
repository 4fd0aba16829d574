use http::header::{ALLOW, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, VARY};
use http::request::Parts;
use http::{HeaderValue, Response, StatusCode};
use http_body::Body as _;
use serde::Serialize;

use super::route::ALLOWED_METHODS;
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

/// Response to OPTIONS.
pub(super) fn options() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    response
        .headers_mut()
        .insert(ALLOW, HeaderValue::from_static(ALLOWED_METHODS));
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

/// Sets `Content-Length`, `Cache-Control` and `Vary`, and drops the body of a response to HEAD.
pub(super) fn finish(
    mut response: Response<Body>,
    requires_key: bool,
    is_head: bool,
) -> Response<Body> {
    let (length, status) = (response.body().size_hint().exact(), response.status());
    let headers = response.headers_mut();
    // The length in a 304 would be that of the 200, which was not rendered; a 204 must have none
    // (RFC 9110 §8.6).
    let without_length = matches!(status, StatusCode::NOT_MODIFIED | StatusCode::NO_CONTENT);
    if let Some(length) = length.filter(|_| !without_length) {
        headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
    }
    if requires_key {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        headers.insert(
            VARY,
            HeaderValue::from_static("X-API-KEY, Accept, Accept-Encoding"),
        );
    } else if !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    if is_head {
        *response.body_mut() = Body::empty();
    }
    response
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
