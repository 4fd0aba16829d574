use std::time::Duration;

use http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderValue, Response, StatusCode};

use super::challenge::Challenge;
use super::refusal::Refusal;
use super::visit::{Told, Visit};
use super::wire::ErrorBody;
use crate::crypto::TokenRejected;
use crate::http::{Body, FailureCause};

/// A guess: long enough for a failed connection to be replaced.
const RETRY: Duration = Duration::from_secs(5);

/// A refusal as the client sees it (RFC 6750 §3.1). What is wrong with a token stays in the log: only that it has expired is told, since a
/// client can do something about it.
pub(super) fn of(refusal: Refusal, challenge: &Challenge, visit: &Visit) -> Response<Body> {
    const INVALID: &str = "invalid_token";
    let told = Told::from(&refusal);
    let response = match refusal {
        Refusal::NoToken => {
            let mut response = error(StatusCode::UNAUTHORIZED, "unauthorized", "An access token is needed.");
            challenged(&mut response, challenge.header(None));
            response
        }
        Refusal::Malformed(fault) => refused(challenge, StatusCode::BAD_REQUEST, "invalid_request", fault),
        Refusal::Invalid(TokenRejected::Expired) => refused(challenge, StatusCode::UNAUTHORIZED, INVALID, "The access token has expired."),
        Refusal::Invalid(_) | Refusal::Revoked => refused(challenge, StatusCode::UNAUTHORIZED, INVALID, "The access token is not valid."),
        Refusal::InsufficientScope => lacking(challenge),
        Refusal::KeysUnavailable(reason) => {
            let wait = reason.retry_after();
            unavailable(wait, reason)
        }
        Refusal::LivenessUnavailable(reason) => unavailable(RETRY, reason),
    };
    visit.explained(response, &told)
}

/// 403, for a token that is good and not enough.
pub(super) fn insufficient_scope(challenge: &Challenge, visit: &Visit) -> Response<Body> {
    visit.explained(lacking(challenge), &Told::from(&Refusal::InsufficientScope))
}

fn lacking(challenge: &Challenge) -> Response<Body> {
    refused(challenge, StatusCode::FORBIDDEN, "insufficient_scope", "The access token does not have the scopes that this needs.")
}

fn refused(challenge: &Challenge, status: StatusCode, word: &'static str, description: &'static str) -> Response<Body> {
    let mut response = error(status, word, description);
    challenged(&mut response, challenge.header(Some((word, description))));
    response
}

fn unavailable(wait: Duration, cause: impl Into<super::BoxError>) -> Response<Body> {
    let word = "temporarily_unavailable";
    let mut response = error(StatusCode::SERVICE_UNAVAILABLE, word, "The access token cannot be checked at the moment; try again later.");
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(wait.as_secs().max(1)));
    response.extensions_mut().insert(FailureCause::new(cause));
    response
}

fn challenged(response: &mut Response<Body>, header: String) {
    // Each part of it is ASCII without quotes, so this never fails.
    if let Ok(value) = HeaderValue::try_from(header) {
        response.headers_mut().insert(WWW_AUTHENTICATE, value);
    }
}

fn error(status: StatusCode, word: &str, description: &str) -> Response<Body> {
    let body = ErrorBody { error: word, error_description: description }.rendered();
    let length = HeaderValue::from(body.len());
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CONTENT_LENGTH, length);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
