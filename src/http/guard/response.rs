use std::time::Duration;

use http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderValue, Response, StatusCode};

use super::challenge::Challenge;
use super::error::{Error, ErrorRow};
use super::wire::ErrorBody;
use crate::http::request_trace::RequestTrace;
use crate::http::retry_after::retry_after;
use crate::http::{Body, FailureCause};

/// `Retry-After` while the revocation check is unavailable: about the time in which a failed
/// connection is replaced.
const DEFAULT_RETRY_AFTER: Duration = Duration::from_secs(5);

/// Builds the response to a refused request (RFC 6750 §3.1), logs the refusal with its reason, and
/// counts it.
pub(super) fn from_error(
    error: Error,
    challenge: &Challenge,
    trace: &RequestTrace,
) -> Response<Body> {
    let ErrorRow {
        label,
        text: reason,
        status,
        code,
        description,
    } = error.row();
    let mut response = json_error(status, code, description);
    match error {
        Error::KeysUnavailable(cause) => {
            insert_cause(&mut response, cause.retry_after(), cause);
        }
        Error::RevocationCheckUnavailable(cause) => {
            insert_cause(&mut response, DEFAULT_RETRY_AFTER, cause);
        }
        // Without a token the challenge has no error code.
        Error::MissingToken => insert_challenge(&mut response, challenge.header(None)),
        _ => insert_challenge(&mut response, challenge.header(Some((code, description)))),
    }
    trace.count_refusal(label);
    let (request_id, status) = (trace.id(), status.as_u16());
    match response.extensions().get::<FailureCause>() {
        Some(cause) => {
            tracing::warn!(target: "lyceum::guard", %request_id, status, reason, %cause, "failed")
        }
        None => tracing::info!(target: "lyceum::guard", %request_id, status, reason, "refused"),
    }
    trace.insert_id(response.headers_mut());
    response
}

fn insert_cause(response: &mut Response<Body>, wait: Duration, cause: impl Into<super::BoxError>) {
    response
        .headers_mut()
        .insert(RETRY_AFTER, retry_after(wait));
    response.extensions_mut().insert(FailureCause::new(cause));
}

fn insert_challenge(response: &mut Response<Body>, header: String) {
    // Every part is ASCII without quotes, so this never fails.
    if let Ok(value) = HeaderValue::try_from(header) {
        response.headers_mut().insert(WWW_AUTHENTICATE, value);
    }
}

fn json_error(status: StatusCode, code: &str, description: &str) -> Response<Body> {
    let body = ErrorBody {
        error: code,
        error_description: description,
    }
    .to_json();
    let length = HeaderValue::from(body.len());
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CONTENT_LENGTH, length);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
