use http::StatusCode;
use serde_json::{Value, json};

use crate::http::auth_server::ErrorReason;
use crate::http::auth_server::wire::OAuthError;
use crate::http::management::ErrorReason as ManagementErrorReason;
use crate::http::openapi::{Response, Schemas, header};
use crate::http::wire::ErrorBody;

/// The `Location` header of a redirect.
pub(super) fn location() -> Value {
    header(
        true,
        json!({ "type": "string" }),
        "https://club.example/callback?code=…&state=…&iss=…",
        "Target of the redirect.",
    )
}

/// An error with `error` and `error_description`.
pub(super) fn oauth(schemas: &mut Schemas, reasons: &[(ErrorReason, &str)]) -> Response {
    let reasons: Vec<_> = reasons
        .iter()
        .map(|(reason, condition)| (reason.as_str(), *condition))
        .collect();
    let error = reasons.first().map_or("", |(error, _)| error);
    let example =
        json!({ "error": error, "error_description": "One sentence that says what is wrong." });
    Response::error(&reasons)
        .body_with_example(
            "application/json",
            schemas.for_type::<OAuthError<'static>>(),
            example,
        )
        .headers(COMMON_HEADERS)
}

/// An HTML error page.
pub(super) fn page(description: &str) -> Response {
    Response::new(description)
        .body("text/html", json!({ "type": "string" }))
        .headers(COMMON_HEADERS)
}

/// Components that several operations share, by name.
pub(super) fn shared(schemas: &mut Schemas, is_managed: bool) -> Vec<(&'static str, Value)> {
    let mut alone = |reason: ErrorReason| oauth(schemas, &[(reason, reason.condition())]);
    let mut answers = vec![
        (
            "OAuthTooManyRequests",
            alone(ErrorReason::TooManyRequests)
                .headers(["Retry-After"])
                .into(),
        ),
        ("OAuthFailed", alone(ErrorReason::ServerError).into()),
        (
            "OAuthUnavailable",
            alone(ErrorReason::TemporarilyUnavailable)
                .headers(["Retry-After"])
                .into(),
        ),
        (
            "PageEnded",
            page("The sign-in has ended, or there is none in this browser.").into(),
        ),
        (
            "PageForeign",
            page("The form belongs to another sign-in.").into(),
        ),
        (
            "PageRefused",
            page("The form is malformed, or a scope or redirect URI was deleted in the meantime.")
                .into(),
        ),
        (
            "PageBusy",
            page("Too many attempts.").headers(["Retry-After"]).into(),
        ),
        (
            "PageFailed",
            page("Internal error. The cause is in the log of the server.").into(),
        ),
        (
            "PageUnavailable",
            page("The storage or the user directory is unavailable.")
                .headers(["Retry-After"])
                .into(),
        ),
    ];
    answers.extend(
        MANAGEMENT_RESPONSES
            .iter()
            .filter(|(name, _)| is_managed || SESSION_RESPONSES.contains(name))
            .map(|(name, status)| {
                let reasons = ManagementErrorReason::ALL
                    .iter()
                    .filter(|reason| reason.status() == *status);
                let reasons: Vec<_> = reasons
                    .map(|reason| (reason.as_str(), reason.condition()))
                    .collect();
                (*name, enveloped(schemas, *status, &reasons).into())
            }),
    );
    answers
}

/// Headers of every response.
pub(super) const COMMON_HEADERS: [&str; 2] = ["X-Request-Id", "Cache-Control"];

/// An error in the envelope, as in the management API and the session in the envelope.
pub(super) fn enveloped(
    schemas: &mut Schemas,
    status: StatusCode,
    reasons: &[(&str, &str)],
) -> Response {
    let reason = reasons.first().map_or("", |(reason, _)| reason);
    let name = status
        .canonical_reason()
        .unwrap_or_default()
        .to_ascii_uppercase()
        .replace(' ', "_");
    let message = "One sentence that says what is wrong.";
    let example = json!({ "status": name, "code": status.as_u16(), "message": message, "reason": reason, "requestId": "7k2m9x4p1q" });
    let answer = Response::error(reasons)
        .body_with_example(
            "application/json",
            schemas.for_type::<ErrorBody<'static>>(),
            example,
        )
        .headers(COMMON_HEADERS);
    match status {
        StatusCode::UNAUTHORIZED => answer.headers(["WWW-Authenticate"]),
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
            answer.headers(["Retry-After"])
        }
        _ => answer,
    }
}

/// The responses among [`MANAGEMENT_RESPONSES`] that the session in the envelope has, too.
const SESSION_RESPONSES: [&str; 2] = ["ManagedFailed", "ManagedUnavailable"];

const MANAGEMENT_RESPONSES: [(&str, StatusCode); 8] = [
    ("ManagedBadRequest", StatusCode::BAD_REQUEST),
    ("ManagedUnauthorized", StatusCode::UNAUTHORIZED),
    ("ManagedForbidden", StatusCode::FORBIDDEN),
    ("ManagedNotFound", StatusCode::NOT_FOUND),
    ("ManagedConflict", StatusCode::CONFLICT),
    ("ManagedTooManyRequests", StatusCode::TOO_MANY_REQUESTS),
    ("ManagedFailed", StatusCode::INTERNAL_SERVER_ERROR),
    ("ManagedUnavailable", StatusCode::SERVICE_UNAVAILABLE),
];
