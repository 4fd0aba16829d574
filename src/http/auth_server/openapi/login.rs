use http::StatusCode;
use serde_json::{Value, json};

use super::answers::{COMMON_HEADERS, enveloped as error_envelope, oauth, page};
use crate::http::auth_server::ErrorReason;
use crate::http::auth_server::wire::{Credentials, SessionBody};
use crate::http::openapi::{
    ApiDescription, Operation, Parameter, Response, Schemas, envelope, non_empty_text, uuid,
};

const TAG: &str = "Signing in";

/// Describes the browser endpoints. With an external login page there are more of them.
pub(super) fn describe(
    description: &mut ApiDescription,
    schemas: &mut Schemas,
    external_login: bool,
) {
    description.operation("/v1/oauth/authorize", "get", authorize(schemas));
    if external_login {
        description.operation("/v1/oauth/authorize", "post", external(schemas));
        description.operation("/v1/oauth/authorize/resume", "get", resume());
    } else {
        description.operation(
            "/v1/oauth/login",
            "get",
            shown("loginPage", "Show the sign-in page"),
        );
        description.operation("/v1/oauth/login", "post", login());
    }
    description.operation(
        "/v1/oauth/consent",
        "get",
        shown("consentPage", "Show the consent page"),
    );
    description.operation("/v1/oauth/consent", "post", consent());
    description.operation(
        "/v1/oauth/authorize/session",
        "get",
        session(schemas, external_login),
    );
    description.operation(
        "/v1/oauth/sessions/{token}",
        "get",
        session_by_token(schemas),
    );
    description.operation("/v1/oauth/assets/{name}", "get", asset(schemas));
}

fn authorize(schemas: &mut Schemas) -> Operation {
    let query = |name, schema, about| Parameter::plain_query(name, schema, about);
    let text = || json!({ "type": "string" });
    let parameters = vec![
        query("client_id", uuid(), "The client.").required(),
        query(
            "redirect_uri",
            json!({ "type": "string", "minLength": 1, "format": "uri" }),
            "A registered redirect URI of the client.",
        )
        .required(),
        query("response_type", json!({ "type": "string", "enum": ["code"] }), "The requested response type.").required(),
        query(
            "scope",
            text(),
            "Scopes, each as `{applicationId}:{scopeName}`, separated by spaces. By default all scopes of the client.",
        )
        .example("service:self_read"),
        query("state", json!({ "type": "string", "maxLength": 500 }), "Returned unchanged. At most 2,000 bytes."),
        query("code_challenge", challenge(), "The PKCE challenge (RFC 7636). Public clients need one."),
        query("code_challenge_method", json!({ "type": "string", "enum": ["S256"] }), "The PKCE method."),
        query("prompt", non_empty_text(), "`consent` asks again for scopes that the user has allowed before; `login` asks a signed-in user for the password; `none` gets `login_required`."),
    ];
    let elsewhere = "To the sign-in page; or back to the client with `error`, `error_description`, `state` and `iss`.";
    let refusals = [
        (
            ErrorReason::InvalidRequest,
            "the client is unknown, the redirect URI is missing or not registered, or a parameter is repeated or malformed",
        ),
        (
            ErrorReason::UnauthorizedClient,
            "the client is suspended, because its owner has left or a backup was restored",
        ),
        (
            ErrorReason::InvalidScope,
            "a scope is malformed or not allowed to the client, or there is none to grant",
        ),
    ];
    let limited = oauth(
        schemas,
        &[(
            ErrorReason::TooManyRequests,
            "too many sign-ins from one address",
        )],
    )
    .headers(["Retry-After"]);
    let with_page = |answer: Response| answer.body("text/html", text());
    Operation::new("authorize", TAG, "Start a sign-in")
        .about("If the request itself is not valid, browsers get a page and programs get JSON.")
        .parameters(parameters)
        .response(
            StatusCode::SEE_OTHER,
            Response::new(elsewhere)
                .headers(COMMON_HEADERS)
                .headers(["Location"]),
        )
        .response(
            StatusCode::BAD_REQUEST,
            with_page(oauth(schemas, &refusals)),
        )
        .response(StatusCode::TOO_MANY_REQUESTS, with_page(limited))
        .response_ref(StatusCode::INTERNAL_SERVER_ERROR, "OAuthFailed")
        .response_ref(StatusCode::SERVICE_UNAVAILABLE, "OAuthUnavailable")
}

/// 43 characters of base64url (RFC 7636 §4.2).
fn challenge() -> Value {
    json!({ "type": "string", "minLength": 43, "maxLength": 43, "pattern": "^[A-Za-z0-9_-]{43}$" })
}

fn external(schemas: &mut Schemas) -> Operation {
    let back = Response::new("To the address at which this browser goes on, with a ticket.")
        .headers(COMMON_HEADERS)
        .headers(["Location"]);
    let credentials = [("application/json", schemas.for_type::<Credentials>())];
    let refused = oauth(
        schemas,
        &[(
            ErrorReason::InvalidRequest,
            "the body is not the JSON of the three fields",
        )],
    );
    let wrong = [
        (
            ErrorReason::InvalidCredentials,
            "the e-mail address or the password is wrong",
        ),
        (ErrorReason::InvalidSession, "there is no such sign-in"),
    ];
    let limited = oauth(
        schemas,
        &[(ErrorReason::TooManyRequests, "too many attempts")],
    )
    .headers(["Retry-After"]);
    Operation::new(
        "externalLogin",
        TAG,
        "Signs in, for a login page of the host's own",
    )
    .request_body(true, &credentials)
    .response(StatusCode::FOUND, back)
    .response(StatusCode::BAD_REQUEST, refused)
    .response(StatusCode::UNAUTHORIZED, oauth(schemas, &wrong))
    .response(StatusCode::TOO_MANY_REQUESTS, limited)
    .response_ref(StatusCode::INTERNAL_SERVER_ERROR, "OAuthFailed")
    .response_ref(StatusCode::SERVICE_UNAVAILABLE, "OAuthUnavailable")
}

fn resume() -> Operation {
    let ticket = Parameter::plain_query(
        "ticket",
        json!({ "type": "string" }),
        "What the sign-in was answered with.",
    )
    .required();
    let onward = Response::new(
        "To the consent page, or back to the client if the user has allowed everything before.",
    );
    browser_operation(
        "resume",
        "Goes on after a sign-in on a login page of the host's own, in the browser that began",
    )
    .parameters(vec![ticket])
    .response(
        StatusCode::SEE_OTHER,
        onward.headers(COMMON_HEADERS).headers(["Location"]),
    )
}

fn shown(id: &str, summary: &str) -> Operation {
    let elsewhere = Response::new("To the sign-in page, if the user has not signed in yet.")
        .headers(COMMON_HEADERS)
        .headers(["Location"]);
    browser_operation(id, summary)
        .response(StatusCode::OK, page("The page."))
        .response(StatusCode::SEE_OTHER, elsewhere)
}

fn login() -> Operation {
    let onward = Response::new(
        "To the consent page, or back to the client if the user has allowed everything before.",
    );
    browser_operation("login", "Sign a user in")
        .request_body(true, &[form(&["form_token", "email", "password"])])
        .response(
            StatusCode::SEE_OTHER,
            onward.headers(COMMON_HEADERS).headers(["Location"]),
        )
        .response_ref(StatusCode::FORBIDDEN, "PageForeign")
        .response_ref(StatusCode::TOO_MANY_REQUESTS, "PageBusy")
}

fn consent() -> Operation {
    let mut decision_form = form(&["form_token", "decision"]);
    decision_form.1["properties"]["decision"]["enum"] = json!(["allow", "deny", "switch"]);
    browser_operation("consent", "Submit the decision of the user")
        .request_body(true, &[decision_form])
        .response(
            StatusCode::SEE_OTHER,
            Response::new("Back to the client, or to the sign-in page.")
                .headers(COMMON_HEADERS)
                .headers(["Location"]),
        )
        .response_ref(StatusCode::FORBIDDEN, "PageForeign")
}

/// A page or form, with the responses that all of them have.
fn browser_operation(id: &str, summary: &str) -> Operation {
    Operation::new(id, TAG, summary)
        .security(&[("Session", &[])])
        .response_ref(StatusCode::BAD_REQUEST, "PageRefused")
        .response_ref(StatusCode::UNAUTHORIZED, "PageEnded")
        .response_ref(StatusCode::INTERNAL_SERVER_ERROR, "PageFailed")
        .response_ref(StatusCode::SERVICE_UNAVAILABLE, "PageUnavailable")
}

/// A form whose fields are all required.
fn form(names: &[&str]) -> (&'static str, Value) {
    let mut schema = json!({ "type": "object", "required": names, "additionalProperties": false });
    for name in names {
        schema["properties"][name] = non_empty_text();
    }
    ("application/x-www-form-urlencoded", schema)
}

fn session(schemas: &mut Schemas, external_login: bool) -> Operation {
    let pending = Response::new("The request that the user decides about.")
        .body("application/json", schemas.for_type::<SessionBody>())
        .headers(COMMON_HEADERS);
    let ended = ErrorReason::InvalidSession;
    let ended = oauth(schemas, &[(ended, ended.condition())]);
    let refused = oauth(
        schemas,
        &[
            (ErrorReason::InvalidScope, "a requested scope was deleted"),
            (
                ErrorReason::InvalidRequest,
                "a parameter is repeated or badly encoded",
            ),
        ],
    );
    let operation = Operation::new("session", TAG, "Get the sign-in of this browser")
        .security(&[("Session", &[])]);
    let operation = if external_login {
        let token = Parameter::plain_query(
            "token",
            non_empty_text(),
            "The sign-in's token, in place of the cookie.",
        );
        operation
            .optional_security("Session")
            .parameters(vec![token])
    } else {
        operation
    };
    operation
        .response(StatusCode::OK, pending)
        .response(StatusCode::BAD_REQUEST, refused)
        .response(StatusCode::UNAUTHORIZED, ended)
        .response_ref(StatusCode::INTERNAL_SERVER_ERROR, "OAuthFailed")
        .response_ref(StatusCode::SERVICE_UNAVAILABLE, "OAuthUnavailable")
}

fn session_by_token(schemas: &mut Schemas) -> Operation {
    let body = envelope(Some(schemas.for_type::<SessionBody>()));
    let ended = ErrorReason::InvalidSession;
    let ended = Response::error(&[(ended.as_str(), ended.condition())])
        .body(
            "application/json",
            schemas.for_type::<crate::http::wire::ErrorBody<'static>>(),
        )
        .headers(COMMON_HEADERS);
    Operation::new("sessionOfToken", TAG, "Get the sign-in with this token")
        .parameters(vec![Parameter::path(
            "token",
            non_empty_text(),
            "The sign-in's token.",
        )])
        .response(
            StatusCode::OK,
            Response::new("The request that the user decides about.")
                .body("application/json", body)
                .headers(COMMON_HEADERS),
        )
        .response(
            StatusCode::BAD_REQUEST,
            error_envelope(
                schemas,
                StatusCode::BAD_REQUEST,
                &[(
                    ErrorReason::InvalidScope.as_str(),
                    "a requested scope was deleted",
                )],
            ),
        )
        .response(StatusCode::UNAUTHORIZED, ended)
        .response_ref(StatusCode::INTERNAL_SERVER_ERROR, "ManagedFailed")
        .response_ref(StatusCode::SERVICE_UNAVAILABLE, "ManagedUnavailable")
}

fn asset(schemas: &mut Schemas) -> Operation {
    let missing = oauth(schemas, &[(ErrorReason::NotFound, "there is no such file")])
        .body("text/html", json!({ "type": "string" }));
    let text = || json!({ "type": "string" });
    let found = Response::new("The stylesheet or the script.")
        .body("text/css", text())
        .body("text/javascript", text());
    let name = Parameter::path(
        "name",
        non_empty_text(),
        "The name, which changes with the content.",
    );
    Operation::new("asset", TAG, "Get a file of the pages")
        .parameters(vec![name])
        .response(StatusCode::OK, found.headers(COMMON_HEADERS))
        .response(
            StatusCode::NOT_MODIFIED,
            Response::new("The browser has it already.").headers(COMMON_HEADERS),
        )
        .response(StatusCode::NOT_FOUND, missing)
}
