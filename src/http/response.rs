use http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, HeaderName, InvalidHeaderValue, LOCATION,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderValue, Method, Response, StatusCode};
use serde::Serialize;

use super::Body;

/// Response with a body that must not be cached.
pub(crate) fn with_body(
    status: StatusCode,
    content_type: &'static str,
    body: impl Into<Body>,
) -> Response<Body> {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

/// JSON response that must not be cached.
pub(crate) fn json(status: StatusCode, body: &impl Serialize) -> Response<Body> {
    match serde_json::to_vec(body) {
        Ok(bytes) => with_body(status, "application/json", bytes),
        // Serialisation fails only for maps with keys that are not strings, and there is none on
        // this wire.
        Err(_) => with_body(
            StatusCode::INTERNAL_SERVER_ERROR,
            "application/json",
            &b"{\"error\":\"server_error\"}"[..],
        ),
    }
}

/// Successful response without a body.
pub(crate) fn empty() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    response
        .headers_mut()
        .insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
        .headers_mut()
        .insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

/// Redirect: 303, so that form contents are not sent along, or 302 where clients expect it.
pub(crate) fn redirect(
    status: StatusCode,
    location: &str,
) -> Result<Response<Body>, InvalidHeaderValue> {
    let location = HeaderValue::try_from(location)?;
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(LOCATION, location);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    Ok(response)
}

/// Response of a service that only has documents in memory. `document` is the response to GET, if
/// there is one at the path.
pub(crate) fn from_document(method: &Method, document: Option<Response<Body>>) -> Response<Body> {
    let status = match (document, method) {
        (Some(response), &Method::GET) => return response,
        (Some(mut response), &Method::HEAD) => {
            remove_body(&mut response);
            return response;
        }
        (Some(_), _) => StatusCode::METHOD_NOT_ALLOWED,
        (None, _) => StatusCode::NOT_FOUND,
    };
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    if status == StatusCode::METHOD_NOT_ALLOWED {
        let methods = HeaderValue::from_static("GET, HEAD");
        response.headers_mut().insert(ALLOW, methods);
    }
    response
}

/// Makes a response to HEAD of one to GET: the same headers without the body (RFC 9110 §9.3.2).
pub(crate) fn remove_body(response: &mut Response<Body>) {
    let body = std::mem::take(response.body_mut());
    // The length in a 304 would be that of the 200, and a 204 must have none (RFC 9110 §8.6).
    if !matches!(
        response.status(),
        StatusCode::NOT_MODIFIED | StatusCode::NO_CONTENT
    ) {
        let length = HeaderValue::from(body.as_bytes().len());
        response.headers_mut().insert(CONTENT_LENGTH, length);
    }
}

/// Appends a header to a response.
pub(crate) fn with_header(
    mut response: Response<Body>,
    name: HeaderName,
    value: &str,
) -> Result<Response<Body>, InvalidHeaderValue> {
    let value = HeaderValue::try_from(value)?;
    response.headers_mut().append(name, value);
    Ok(response)
}
