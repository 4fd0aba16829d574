//! Responses to `GET` and `HEAD`.

use http::header::{ALLOW, CONTENT_LENGTH};
use http::{HeaderValue, Method, Response, StatusCode};

use super::Body;

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
