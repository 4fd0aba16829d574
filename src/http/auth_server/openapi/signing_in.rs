use http::StatusCode;
use serde_json::{Value, json};

use super::answers::{EVERY, enveloped as refused, oauth, page};
use crate::http::auth_server::wire::{Credentials, SessionBody};
use crate::http::openapi::{Answer, ApiDescription, Operation, Parameter, Schemas, enveloped, filled, uuid};

const TAG: &str = "Signing in";

/// Describes what browsers are sent to. With a login page on another origin, there is more of it.
pub(super) fn describe(description: &mut ApiDescription, schemas: &mut Schemas, external_login: bool) {
    description.operation("/v1/oauth/authorize", "get", authorize(schemas));
    if external_login {
        description.operation("/v1/oauth/authorize", "post", external(schemas));
        description.operation("/v1/oauth/authorize/resume", "get", resume());
    } else {
        description.operation("/v1/oauth/login", "get", shown("loginPage", "The sign-in page"));
        description.operation("/v1/oauth/login", "post", login());
    }
    description.operation("/v1/oauth/consent", "get", shown("consentPage", "The page that asks the user"));
    description.operation("/v1/oauth/consent", "post", consent());
    description.operation("/v1/oauth/authorize/session", "get", session(schemas, external_login));
    description.operation("/v1/oauth/sessions/{token}", "get", session_of_token(schemas));
    description.operation("/v1/oauth/assets/{name}", "get", asset(schemas));
}

fn authorize(schemas: &mut Schemas) -> Operation {
    let query = |name, schema, about| Parameter::of_query(name, schema, about);
    let text = || json!({ "type": "string" });
    let parameters = vec![
        query("client_id", uuid(), "The client.").required(),
        query(
            "redirect_uri",
            json!({ "type": "string", "minLength": 1, "format": "uri" }),
            "Where the user comes back to, as the client registered it.",
        )
        .required(),
        query("response_type", json!({ "type": "string", "enum": ["code"] }), "What the client wants.").required(),
        query(
            "scope",
            text(),
            "Scopes, each as `{applicationId}:{scopeName}`, with blanks between; all that the client may have if absent.",
        )
        .such_as("service:self_read"),
        query("state", json!({ "type": "string", "maxLength": 500 }), "Comes back as it is; at most 2,000 bytes."),
        query("code_challenge", challenge(), "The challenge of the verifier (RFC 7636). Public clients need one."),
        query("code_challenge_method", json!({ "type": "string", "enum": ["S256"] }), "How the challenge is made."),
        query("prompt", filled(), "`consent` asks the user also for what was allowed before; `none` gets `login_required`."),
    ];
    let elsewhere = "To the sign-in page; or back to the client with `error`, `error_description`, `state` and `iss`.";
    let refusals = [
        ("invalid_request", "the client is not known, the redirect URI is missing or another, a parameter is repeated or badly encoded"),
        ("unauthorized_client", "the client is suspended, because its owner has left"),
        ("invalid_scope", "a scope is malformed or not allowed to the client, or there is none to grant"),
    ];
    let limited = oauth(schemas, &[("too_many_requests", "too many sign-ins from one address")]).headers(["Retry-After"]);
    let with_page = |answer: Answer| answer.body("text/html", text());
    Operation::new("authorize", TAG, "Starts a sign-in")
        .about("Browsers get a page where something is wrong with the request itself, programs JSON.")
        .parameters(parameters)
        .answers(StatusCode::SEE_OTHER, Answer::new(elsewhere).headers(EVERY).headers(["Location"]))
        .answers(StatusCode::BAD_REQUEST, with_page(oauth(schemas, &refusals)))
        .answers(StatusCode::TOO_MANY_REQUESTS, with_page(limited))
        .answers_as(StatusCode::INTERNAL_SERVER_ERROR, "OAuthFailed")
        .answers_as(StatusCode::SERVICE_UNAVAILABLE, "OAuthUnavailable")
}

/// 43 characters of base64url (RFC 7636 §4.2).
fn challenge() -> Value {
    json!({ "type": "string", "minLength": 43, "maxLength": 43, "pattern": "^[A-Za-z0-9_-]{43}$" })
}

fn external(schemas: &mut Schemas) -> Operation {
    let back = Answer::new("To the address at which this browser goes on, with a ticket.").headers(EVERY).headers(["Location"]);
    let credentials = [("application/json", schemas.of::<Credentials>())];
    let refused = oauth(schemas, &[("invalid_request", "the body is not the JSON of the three fields")]);
    let wrong = [("invalid_credentials", "the e-mail address or the password is wrong"), ("invalid_session", "there is no such sign-in")];
    let limited = oauth(schemas, &[("too_many_requests", "too many attempts")]).headers(["Retry-After"]);
    Operation::new("externalLogin", TAG, "Signs in, for a login page of the host's own")
        .takes(true, &credentials)
        .answers(StatusCode::FOUND, back)
        .answers(StatusCode::BAD_REQUEST, refused)
        .answers(StatusCode::UNAUTHORIZED, oauth(schemas, &wrong))
        .answers(StatusCode::TOO_MANY_REQUESTS, limited)
        .answers_as(StatusCode::INTERNAL_SERVER_ERROR, "OAuthFailed")
        .answers_as(StatusCode::SERVICE_UNAVAILABLE, "OAuthUnavailable")
}

fn resume() -> Operation {
    let ticket = Parameter::of_query("ticket", json!({ "type": "string" }), "What the sign-in was answered with.").required();
    let onward = Answer::new("To the page that asks the user; or back to the client if all was allowed before.");
    of_browser("resume", "Goes on after a sign-in on a login page of the host's own, in the browser that began")
        .parameters(vec![ticket])
        .answers(StatusCode::SEE_OTHER, onward.headers(EVERY).headers(["Location"]))
}

fn shown(id: &str, summary: &str) -> Operation {
    let elsewhere = Answer::new("To the sign-in page, if nobody has signed in yet.").headers(EVERY).headers(["Location"]);
    of_browser(id, summary).answers(StatusCode::OK, page("The page.")).answers(StatusCode::SEE_OTHER, elsewhere)
}

fn login() -> Operation {
    let onward = Answer::new("To the page that asks the user; or back to the client if all was allowed before.");
    of_browser("login", "Signs a user in")
        .takes(true, &[form(&["form_token", "email", "password"])])
        .answers(StatusCode::SEE_OTHER, onward.headers(EVERY).headers(["Location"]))
        .answers_as(StatusCode::FORBIDDEN, "PageForeign")
        .answers_as(StatusCode::TOO_MANY_REQUESTS, "PageBusy")
}

fn consent() -> Operation {
    let mut taken = form(&["form_token", "decision"]);
    taken.1["properties"]["decision"]["enum"] = json!(["allow", "deny", "switch"]);
    of_browser("consent", "Takes the user's decision")
        .takes(true, &[taken])
        .answers(StatusCode::SEE_OTHER, Answer::new("Back to the client, or to the sign-in page.").headers(EVERY).headers(["Location"]))
        .answers_as(StatusCode::FORBIDDEN, "PageForeign")
}

/// A page or form, with what all of them may answer.
fn of_browser(id: &str, summary: &str) -> Operation {
    Operation::new(id, TAG, summary)
        .secured(&[("Session", &[])])
        .answers_as(StatusCode::BAD_REQUEST, "PageRefused")
        .answers_as(StatusCode::UNAUTHORIZED, "PageEnded")
        .answers_as(StatusCode::INTERNAL_SERVER_ERROR, "PageFailed")
        .answers_as(StatusCode::SERVICE_UNAVAILABLE, "PageUnavailable")
}

/// A form with fields that all have to be there.
fn form(names: &[&str]) -> (&'static str, Value) {
    let mut schema = json!({ "type": "object", "required": names, "additionalProperties": false });
    for name in names {
        schema["properties"][name] = filled();
    }
    ("application/x-www-form-urlencoded", schema)
}

fn session(schemas: &mut Schemas, external_login: bool) -> Operation {
    let pending = Answer::new("What is asked for.").body("application/json", schemas.of::<SessionBody>()).headers(EVERY);
    let ended = oauth(schemas, &[("invalid_session", "there is no such sign-in, or it has ended")]);
    let refused = oauth(
        schemas,
        &[("invalid_scope", "a scope that the sign-in asks for is gone"), ("invalid_request", "a parameter is repeated or badly encoded")],
    );
    let operation = Operation::new("session", TAG, "The sign-in of this browser").secured(&[("Session", &[])]);
    let operation = if external_login {
        let token = Parameter::of_query("token", filled(), "The sign-in's token, in place of the cookie.");
        operation.perhaps_secured("Session").parameters(vec![token])
    } else {
        operation
    };
    operation
        .answers(StatusCode::OK, pending)
        .answers(StatusCode::BAD_REQUEST, refused)
        .answers(StatusCode::UNAUTHORIZED, ended)
        .answers_as(StatusCode::INTERNAL_SERVER_ERROR, "OAuthFailed")
        .answers_as(StatusCode::SERVICE_UNAVAILABLE, "OAuthUnavailable")
}

fn session_of_token(schemas: &mut Schemas) -> Operation {
    let body = enveloped(Some(schemas.of::<SessionBody>()));
    let ended = Answer::refusal(&[("invalid_session", "there is no such sign-in, or it has ended")])
        .body("application/json", schemas.of::<crate::http::wire::ErrorBody<'static>>())
        .headers(EVERY);
    Operation::new("sessionOfToken", TAG, "The sign-in with this token")
        .parameters(vec![Parameter::path("token", filled(), "The sign-in's token.")])
        .answers(StatusCode::OK, Answer::new("What is asked for.").body("application/json", body).headers(EVERY))
        .answers(
            StatusCode::BAD_REQUEST,
            refused(schemas, StatusCode::BAD_REQUEST, &[("invalid_scope", "a scope that the sign-in asks for is gone")]),
        )
        .answers(StatusCode::UNAUTHORIZED, ended)
        .answers_as(StatusCode::INTERNAL_SERVER_ERROR, "ManagedFailed")
        .answers_as(StatusCode::SERVICE_UNAVAILABLE, "ManagedUnavailable")
}

fn asset(schemas: &mut Schemas) -> Operation {
    let missing = oauth(schemas, &[("not_found", "there is no such file")]).body("text/html", json!({ "type": "string" }));
    let text = || json!({ "type": "string" });
    let found = Answer::new("The stylesheet or the script.").body("text/css", text()).body("text/javascript", text());
    let name = Parameter::path("name", filled(), "The name, which changes with the content.");
    Operation::new("asset", TAG, "What the pages are shown with")
        .parameters(vec![name])
        .answers(StatusCode::OK, found.headers(EVERY))
        .answers(StatusCode::NOT_MODIFIED, Answer::new("The browser has it already.").headers(EVERY))
        .answers(StatusCode::NOT_FOUND, missing)
}
