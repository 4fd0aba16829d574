//! What is refused before a service hears of it, with a body as the data API's errors have.

use http::header::{CONNECTION, HOST, HeaderName};
use http::uri::Authority;
use http::{HeaderValue, Request, Response, StatusCode, Version};

use crate::crypto::SystemEntropy;
use crate::http::audit::RequestId;
use crate::http::wire::ErrorBody;
use crate::http::{Body, answer};

/// The longest address, in bytes. hyper itself answers 414 from 65,535 on, without a body.
const ADDRESS: usize = 16 * 1024;
/// How many headers a request may have, and how many bytes they may have together. hyper itself answers 431 to more than 100, without a body; to
/// let it read more would cost every request an allocation of all that there may be.
const HEADERS: usize = 80;
const BYTES_OF_HEADERS: usize = 64 * 1024;

/// The answer to a request that no service should see, if this is one. The connection is closed after it.
pub(super) fn of<B>(request: &Request<B>) -> Option<Response<Body>> {
    let (status, reason, message) = fault(request)?;
    let id = RequestId::new(&SystemEntropy);
    tracing::info!(target: "lyceum::serve", request_id = %id, rule = reason, status = status.as_u16(), "refused");
    let mut response = answer::json(status, &ErrorBody::new(status, reason, message, id.as_str()));
    let headers = response.headers_mut();
    headers.insert(CONNECTION, HeaderValue::from_static("close"));
    if let Ok(id) = HeaderValue::from_str(id.as_str()) {
        headers.insert(HeaderName::from_static("x-request-id"), id);
    }
    Some(response)
}

fn fault<B>(request: &Request<B>) -> Option<(StatusCode, &'static str, &'static str)> {
    let headers = request.headers();
    let uri = request.uri();
    let length = uri.path_and_query().map_or(0, |path| path.as_str().len()) + uri.authority().map_or(0, |host| host.as_str().len());
    if length > ADDRESS {
        return Some((StatusCode::URI_TOO_LONG, "uri_too_long", "The address is longer than 16384 bytes."));
    }
    let bytes: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if headers.len() > HEADERS || bytes > BYTES_OF_HEADERS {
        let message = "There are more than 80 headers, or more than 65536 bytes of them.";
        return Some((StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "headers_too_large", message));
    }
    let mut hosts = headers.get_all(HOST).into_iter();
    let is_sound = match (hosts.next(), hosts.next()) {
        (None, _) => request.version() < Version::HTTP_11,
        (Some(host), None) => is_authority(host),
        (Some(_), Some(_)) => false,
    };
    (!is_sound).then_some((StatusCode::BAD_REQUEST, "host_invalid", "A request must have exactly one header Host, with a host in it."))
}

/// Whether that is a host, perhaps with a port (RFC 9110 §7.2). It is empty where the address has no host.
fn is_authority(host: &HeaderValue) -> bool {
    host.is_empty() || Authority::try_from(host.as_bytes()).is_ok_and(|host| !host.as_str().contains('@'))
}
