use std::sync::Arc;

use bytes::Bytes;
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, VARY};
use http::request::Parts;
use http::{HeaderValue, Response, StatusCode};
use http_body::Body as _;
use serde::Serialize;

use super::route::METHODS;
use crate::domain::Record;
use crate::http::Body;

/// A JSON answer.
pub(super) fn json(status: StatusCode, body: impl Into<Body>) -> Response<Body> {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// The success envelope around a list: `members` stand before the list in `data` and end in a comma, if there are any. The records'
/// shared renderings are copied into one buffer.
pub(super) fn list<T>(members: &str, field: &str, records: &[Arc<Record<T>>], rendering: impl Fn(&Record<T>) -> &Bytes) -> Vec<u8> {
    const END: &str = "]}}";
    let start = format!(r#"{{"status":"OK","code":200,"message":"OK","data":{{{members}"{field}":["#);
    let length: usize = records.iter().map(|record| rendering(record).len() + 1).sum();
    let mut body = Vec::with_capacity(start.len() + length + END.len());
    body.extend_from_slice(start.as_bytes());
    for (at, record) in records.iter().enumerate() {
        if at > 0 {
            body.push(b',');
        }
        body.extend_from_slice(rendering(record));
    }
    body.extend_from_slice(END.as_bytes());
    body
}

/// Which methods there are.
pub(super) fn methods() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(METHODS));
    response
}

/// An empty answer in the memory of the request's headers, which are needed no more: a server that keeps a connection then allocates none.
pub(super) fn in_place_of(head: &mut Parts, status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    std::mem::swap(response.headers_mut(), &mut head.headers);
    response.headers_mut().clear();
    response
}

/// The last touch to every answer: its length if that is known, how caches may treat it, and no body after HEAD.
pub(super) fn finish(mut response: Response<Body>, keyed: bool, without_body: bool) -> Response<Body> {
    let (length, status) = (response.body().size_hint().exact(), response.status());
    let headers = response.headers_mut();
    // The one's length would have to be that of the answer which was not made, and the other has none (RFC 9110 §8.6).
    let without_length = matches!(status, StatusCode::NOT_MODIFIED | StatusCode::NO_CONTENT);
    if let Some(length) = length.filter(|_| !without_length) {
        headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
    }
    if keyed {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        headers.insert(VARY, HeaderValue::from_static("X-API-KEY, Accept, Accept-Encoding"));
    } else if !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    if without_body {
        *response.body_mut() = Body::empty();
    }
    response
}

/// A wire struct as JSON, in as many bytes as it needs: records keep what is rendered.
pub(super) fn rendered(value: &impl Serialize) -> Bytes {
    let json = serde_json::to_vec(value).expect("a wire struct has only strings as keys, and nothing in it fails to serialise");
    Bytes::copy_from_slice(&json)
}
