use std::time::Duration;

use http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderValue, Response, StatusCode};

use super::challenge::Challenge;
use super::error::Error;
use super::wire::ErrorBody;
use crate::crypto::InvalidToken;
use crate::http::request_trace::RequestTrace;
use crate::http::retry_after::retry_after;
use crate::http::{Body, FailureCause};

/// `Retry-After` while the revocation check is unavailable: about the time in which a failed
/// connection is replaced.
const DEFAULT_RETRY_AFTER: Duration = Duration::from_secs(5);

/// Builds the response to a refused request (RFC 6750 §3.1). The reason why a token is invalid is
/// only logged, except for expiry, on which a client can act.
pub(super) fn from_error(
    error: Error,
    challenge: &Challenge,
    trace: &RequestTrace,
) -> Response<Body> {
    const INVALID: &str = "invalid_token";
    let (reason, message) = (error.reason(), error.to_string());
    let response = match error {
        Error::MissingToken => {
            let mut response = json_error(
                StatusCode::UNAUTHORIZED,
                "unauthorized",
                "An access token is needed.",
            );
            insert_challenge(&mut response, challenge.header(None));
            response
        }
        Error::InvalidRequest(fault) => {
            bearer_error(challenge, StatusCode::BAD_REQUEST, "invalid_request", fault)
        }
        Error::InvalidToken(InvalidToken::Expired) => bearer_error(
            challenge,
            StatusCode::UNAUTHORIZED,
            INVALID,
            "The access token has expired.",
        ),
        Error::InvalidToken(_) | Error::RevokedToken => bearer_error(
            challenge,
            StatusCode::UNAUTHORIZED,
            INVALID,
            "The access token is not valid.",
        ),
        Error::InsufficientScope => insufficient_scope_error(challenge),
        Error::KeysUnavailable(reason) => {
            let wait = reason.retry_after();
            unavailable(wait, reason)
        }
        Error::RevocationCheckUnavailable(reason) => unavailable(DEFAULT_RETRY_AFTER, reason),
    };
    finish(response, (reason, &message), trace)
}

/// 403 for a valid token without the required scopes.
pub(super) fn insufficient_scope(challenge: &Challenge, trace: &RequestTrace) -> Response<Body> {
    let (response, error) = (
        insufficient_scope_error(challenge),
        Error::InsufficientScope,
    );
    finish(response, (error.reason(), &error.to_string()), trace)
}

/// Adds the request id to the response, logs the refusal with its reason, and counts it by its
/// label.
fn finish(
    mut response: Response<Body>,
    (label, reason): (&'static str, &str),
    trace: &RequestTrace,
) -> Response<Body> {
    trace.count_refusal(label);
    let (request_id, status) = (trace.id(), response.status().as_u16());
    match response.extensions().get::<FailureCause>() {
        Some(cause) => {
            tracing::warn!(target: "lyceum::guard", %request_id, status, reason, %cause, "failed")
        }
        None => tracing::info!(target: "lyceum::guard", %request_id, status, reason, "refused"),
    }
    trace.insert_id(response.headers_mut());
    response
}

fn insufficient_scope_error(challenge: &Challenge) -> Response<Body> {
    bearer_error(
        challenge,
        StatusCode::FORBIDDEN,
        "insufficient_scope",
        "The access token does not have the scopes that this needs.",
    )
}

fn bearer_error(
    challenge: &Challenge,
    status: StatusCode,
    code: &'static str,
    description: &'static str,
) -> Response<Body> {
    let mut response = json_error(status, code, description);
    insert_challenge(&mut response, challenge.header(Some((code, description))));
    response
}

fn unavailable(wait: Duration, cause: impl Into<super::BoxError>) -> Response<Body> {
    let code = "temporarily_unavailable";
    let mut response = json_error(
        StatusCode::SERVICE_UNAVAILABLE,
        code,
        "The access token cannot be checked at the moment; try again later.",
    );
    response
        .headers_mut()
        .insert(RETRY_AFTER, retry_after(wait));
    response.extensions_mut().insert(FailureCause::new(cause));
    response
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
