//! Requests that are rejected before they reach a service, with an error body in the data API's
//! format.

use http::header::{CONNECTION, HOST, HeaderName};
use http::uri::Authority;
use http::{HeaderValue, Request, Response, StatusCode, Version};

use crate::crypto::SystemEntropy;
use crate::http::RequestId;
use crate::http::wire::ErrorBody;
use crate::http::{Body, uncached_response};

/// Maximum length of a URI, in bytes. hyper itself responds with 414 from 65,535 on, without a
/// body.
const MAX_URI_LENGTH: usize = 16 * 1024;
/// Maximum number and total length of headers. hyper itself responds with 431 to more than 100,
/// without a body; a higher limit of hyper would cost every request an allocation of that size.
const MAX_HEADERS: usize = 80;
const MAX_HEADER_BYTES: usize = 64 * 1024;

/// Returns the response to a request that violates HTTP; `None` for a valid one. The connection is
/// closed after it.
pub(super) fn reject_invalid<B>(request: &Request<B>) -> Option<Response<Body>> {
    let (status, reason, message) = violation(request)?;
    let id = RequestId::new(&SystemEntropy);
    tracing::info!(target: "lyceum::serve", request_id = %id, rule = reason, status = status.as_u16(), "refused");
    let mut response = uncached_response::json(
        status,
        &ErrorBody::new(status, reason, message, None, id.as_str()),
    );
    let headers = response.headers_mut();
    headers.insert(CONNECTION, HeaderValue::from_static("close"));
    if let Ok(id) = HeaderValue::from_str(id.as_str()) {
        headers.insert(HeaderName::from_static("x-request-id"), id);
    }
    Some(response)
}

fn violation<B>(request: &Request<B>) -> Option<(StatusCode, &'static str, &'static str)> {
    let headers = request.headers();
    let uri = request.uri();
    let length = uri.path_and_query().map_or(0, |path| path.as_str().len())
        + uri.authority().map_or(0, |host| host.as_str().len());
    if length > MAX_URI_LENGTH {
        return Some((
            StatusCode::URI_TOO_LONG,
            "uri_too_long",
            "The address is longer than 16384 bytes.",
        ));
    }
    let bytes: usize = headers
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len())
        .sum();
    if headers.len() > MAX_HEADERS || bytes > MAX_HEADER_BYTES {
        let message = "There are more than 80 headers, or more than 65536 bytes of them.";
        return Some((
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            "headers_too_large",
            message,
        ));
    }
    let mut hosts = headers.get_all(HOST).into_iter();
    let is_valid = match (hosts.next(), hosts.next()) {
        (None, _) => request.version() < Version::HTTP_11,
        (Some(host), None) => is_authority(host),
        (Some(_), Some(_)) => false,
    };
    (!is_valid).then_some((
        StatusCode::BAD_REQUEST,
        "host_invalid",
        "A request must have exactly one header Host, with a host in it.",
    ))
}

/// Whether the value is a host, with or without a port (RFC 9110 §7.2), or empty for a URI without
/// a host.
fn is_authority(host: &HeaderValue) -> bool {
    host.is_empty()
        || Authority::try_from(host.as_bytes()).is_ok_and(|host| !host.as_str().contains('@'))
}
