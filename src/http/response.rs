use http::header::{CACHE_CONTROL, HeaderName, InvalidHeaderValue, LOCATION, REFERRER_POLICY};
use http::{HeaderValue, Response, StatusCode};

use super::Body;
pub(crate) use super::uncached_response::{json, with_body};

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
