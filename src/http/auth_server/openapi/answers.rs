use http::StatusCode;
use serde_json::{Value, json};

use crate::http::auth_server::wire::OAuthError;
use crate::http::openapi::{Response, Schemas, header};
use crate::http::wire::ErrorBody;

/// The `Location` header of a redirect.
pub(super) fn location() -> Value {
    header(
        true,
        json!({ "type": "string" }),
        "https://club.example/callback?code=…&state=…&iss=…",
        "Where the browser goes.",
    )
}

/// An error with `error` and `error_description`.
pub(super) fn oauth(schemas: &mut Schemas, reasons: &[(&str, &str)]) -> Response {
    let error = reasons.first().map_or("", |(error, _)| error);
    let example =
        json!({ "error": error, "error_description": "One sentence that says what is wrong." });
    Response::error(reasons)
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
    let busy = oauth(
        schemas,
        &[(
            "temporarily_unavailable",
            "the storage or the host's users do not answer, or too many sign in at once",
        )],
    );
    let limited = oauth(
        schemas,
        &[(
            "too_many_requests",
            "the client made too many requests, or too many that failed came from this network",
        )],
    );
    let mut answers = vec![
        (
            "OAuthTooManyRequests",
            limited.headers(["Retry-After"]).into(),
        ),
        (
            "OAuthFailed",
            oauth(
                schemas,
                &[(
                    "server_error",
                    "our fault; the cause is in the host's log only",
                )],
            )
            .into(),
        ),
        ("OAuthUnavailable", busy.headers(["Retry-After"]).into()),
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
            page("The form is not one of ours, or a scope or a redirect URI went in the meantime.")
                .into(),
        ),
        (
            "PageBusy",
            page("Too many attempts.").headers(["Retry-After"]).into(),
        ),
        (
            "PageFailed",
            page("Our fault; the cause is in the host's log only.").into(),
        ),
        (
            "PageUnavailable",
            page("The storage or the host's users do not answer.")
                .headers(["Retry-After"])
                .into(),
        ),
    ];
    answers.extend(
        MANAGEMENT_RESPONSES
            .iter()
            .filter(|(name, ..)| is_managed || SESSION_RESPONSES.contains(name))
            .map(|(name, status, reasons)| (*name, enveloped(schemas, *status, reasons).into())),
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

/// Error reasons of the management API.
type Refusals = &'static [(&'static str, &'static str)];

/// The responses among [`MANAGEMENT_RESPONSES`] that the session in the envelope has, too.
const SESSION_RESPONSES: [&str; 2] = ["ManagedFailed", "ManagedUnavailable"];

const MANAGEMENT_RESPONSES: [(&str, StatusCode, Refusals); 8] = [
    (
        "ManagedBadRequest",
        StatusCode::BAD_REQUEST,
        &[
            (
                "field_invalid",
                "a field has a wrong type, pattern or length",
            ),
            (
                "name_characters",
                "a name has characters that cannot be seen, or mixes scripts whose letters look alike",
            ),
            (
                "text_characters",
                "a description has characters that cannot be seen, or that turn the direction of text",
            ),
            (
                "name_reserved",
                "a name is or contains one of the service or the school, or looks like one; administrators may give it",
            ),
            (
                "owner_unknown",
                "the new owner of a client is neither the id of a user nor `service`",
            ),
            ("field_missing", "a field that has to be there is not"),
            (
                "field_unknown",
                "the address has no such field; the message lists those that it has",
            ),
            ("field_repeated", "a field is there twice"),
            ("scope_unknown", "one of the scopes does not exist"),
            (
                "invalid_request",
                "the body is no JSON object, too long or of another type; the query is broken",
            ),
            (
                "parameter_invalid",
                "`page` or `size` is out of its range, or another parameter has a value that it does not take",
            ),
            (
                "parameter_unknown",
                "the address has no such query parameter",
            ),
        ],
    ),
    (
        "ManagedUnauthorized",
        StatusCode::UNAUTHORIZED,
        &[(
            "invalid_token",
            "no access token, or one that is malformed, expired, revoked or for another service",
        )],
    ),
    (
        "ManagedForbidden",
        StatusCode::FORBIDDEN,
        &[
            (
                "not_owner",
                "it belongs to somebody else, and the user is no administrator",
            ),
            ("insufficient_scope", "a token without `service:manage`"),
            (
                "first_party_only",
                "the client of the token may not ask for `service:manage` any more",
            ),
            (
                "administrators_only",
                "a field or client that only an administrator changes",
            ),
            (
                "of_the_service",
                "the service's own application and scopes stay as they are",
            ),
            (
                "scope_not_allowed",
                "the host does not allow a scope to API keys of the user's role",
            ),
            (
                "approval_required",
                "a scope that its application's owner has to approve first",
            ),
        ],
    ),
    (
        "ManagedNotFound",
        StatusCode::NOT_FOUND,
        &[("not_found", "there is nothing with this id")],
    ),
    (
        "ManagedConflict",
        StatusCode::CONFLICT,
        &[
            (
                "scope_name_taken",
                "the application has a scope of this name",
            ),
            (
                "changed_meanwhile",
                "somebody changed the client at the same moment; nothing of this change was kept",
            ),
            (
                "too_many_api_keys",
                "the user has as many API keys as the host allows",
            ),
            (
                "too_many_key_values",
                "the API key has five values that work, which is as many as one key may have",
            ),
            (
                "too_many_applications",
                "the user has as many applications as the host allows",
            ),
            (
                "too_many_defined_scopes",
                "the application has as many scopes as the host allows",
            ),
            (
                "too_many_clients",
                "the user has as many clients as the host allows",
            ),
            (
                "too_many_redirect_uris",
                "more redirect URIs than the host allows a client, or longer ones together",
            ),
            (
                "public_client",
                "a secret for a client whose policy is `none`",
            ),
            (
                "last_first_party",
                "the last of the service's own clients, or the last that may ask for `service:manage`, cannot be deleted",
            ),
        ],
    ),
    (
        "ManagedTooManyRequests",
        StatusCode::TOO_MANY_REQUESTS,
        &[(
            "management_limited",
            "the user has made many changes in a short time",
        )],
    ),
    (
        "ManagedFailed",
        StatusCode::INTERNAL_SERVER_ERROR,
        &[(
            "server_error",
            "our fault; the cause is in the host's log only",
        )],
    ),
    (
        "ManagedUnavailable",
        StatusCode::SERVICE_UNAVAILABLE,
        &[(
            "temporarily_unavailable",
            "the storage or the host's users do not answer",
        )],
    ),
];
