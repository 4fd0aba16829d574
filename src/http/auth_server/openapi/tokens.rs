use http::StatusCode;
use serde_json::{Value, json};

use super::answers::{EVERY, oauth};
use crate::directory::SchoolResources;
use crate::domain::Scope;
use crate::http::auth_server::wire::{Introspection, TokenReply, UserInfo};
use crate::http::openapi::{Answer, ApiDescription, Operation, Schemas};

const TAG: &str = "Tokens";

/// Describes what clients do with codes and tokens.
pub(super) fn describe(description: &mut ApiDescription, schemas: &mut Schemas, school: Option<&SchoolResources>) {
    description.operation("/v1/oauth/token", "post", token(schemas));
    description.operation("/v1/oauth/revoke", "post", revoke(schemas));
    description.operation("/v1/oauth/introspect", "post", introspect(schemas));
    description.operation("/v1/oauth/userinfo", "get", userinfo("userInfo", schemas, school));
    description.operation("/userinfo", "get", userinfo("userInfoAtRoot", schemas, school));
}

fn token(schemas: &mut Schemas) -> Operation {
    let properties = json!({
        "grant_type": { "type": "string", "enum": ["authorization_code", "refresh_token", "client_credentials"] },
        "code": { "type": "string", "minLength": 1, "description": "Of an `authorization_code`." },
        "redirect_uri": { "type": "string", "minLength": 1, "format": "uri", "description": "The one that the code was sent to." },
        "code_verifier": {
            "type": "string", "minLength": 43, "maxLength": 128, "pattern": "^[A-Za-z0-9._~-]+$",
            "description": "What the challenge of the code was made of.",
        },
        "refresh_token": { "type": "string", "minLength": 1, "description": "The newest one. It is replaced at each use." },
        "scope": {
            "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }],
            "description": "Fewer scopes than were granted, as one text or, in JSON, as a list.",
        },
    });
    let refusals = [
        ("invalid_request", "a parameter is missing, repeated or of a wrong type; two authentications; a verifier without a challenge"),
        ("invalid_grant", "the code or refresh token is unknown, expired, used, revoked, or another client's"),
        ("invalid_scope", "more than was granted, or nothing left"),
        ("unsupported_grant_type", "none of the three"),
        (
            "unauthorized_client",
            "`client_credentials` for a client that may not have them, or a suspended client that has proven its secret",
        ),
    ];
    let unproven = [
        ("invalid_client", "the client is unknown or has not proven itself; `WWW-Authenticate` if it tried Basic"),
        ("invalid_grant", "the verifier is missing, malformed or wrong"),
    ];
    let issued = Answer::new("What was issued.").body("application/json", schemas.of::<TokenReply<'static>>()).headers(EVERY);
    of_client("token", "Exchanges a code, refreshes, or issues to a client itself", "grant_type", properties)
        .answers(StatusCode::OK, issued)
        .answers(StatusCode::BAD_REQUEST, oauth(schemas, &refusals))
        .answers(StatusCode::UNAUTHORIZED, oauth(schemas, &unproven))
}

fn revoke(schemas: &mut Schemas) -> Operation {
    let refusals = [
        ("invalid_request", "a parameter is missing, repeated or of a wrong type; two authentications"),
        ("unsupported_token_type", "a token that was issued to the client itself"),
    ];
    let unproven = oauth(schemas, &[("invalid_client", "the client is unknown or has not proven itself")]);
    of_client("revoke", "Ends the grant of a token (RFC 7009)", "token", shown_token())
        .answers(StatusCode::OK, Answer::new("The token works no more, or never did.").headers(EVERY))
        .answers(StatusCode::BAD_REQUEST, oauth(schemas, &refusals))
        .answers(StatusCode::UNAUTHORIZED, unproven)
}

fn introspect(schemas: &mut Schemas) -> Operation {
    let refusals = [
        ("invalid_request", "a parameter is missing, repeated or of a wrong type; two authentications"),
        ("unauthorized_client", "the client has proven its secret, and is suspended"),
    ];
    let refused = oauth(schemas, &refusals);
    let unproven = oauth(schemas, &[("invalid_client", "the client is unknown, has not proven itself, or has no secret")]);
    let known = Answer::new("What the client may know of the token.").body("application/json", schemas.of::<Introspection>());
    of_client("introspect", "Tells what a token says, while it is alive (RFC 7662)", "token", shown_token())
        .answers(StatusCode::OK, known.headers(EVERY))
        .answers(StatusCode::BAD_REQUEST, refused)
        .answers(StatusCode::UNAUTHORIZED, unproven)
}

fn shown_token() -> Value {
    json!({
        "token": { "type": "string", "minLength": 1, "description": "An access or refresh token." },
        "token_type_hint": { "type": "string", "description": "Passed over, for a token shows what it is." },
    })
}

/// A request of a client, as JSON or as a form, which has to have one of the parameters.
fn of_client(id: &str, summary: &str, required: &str, mut properties: Value) -> Operation {
    properties["client_id"] = json!({ "type": "string", "description": "The client, unless Basic names it." });
    properties["client_secret"] = json!({ "type": "string", "description": "In place of Basic." });
    let schema = |properties: &Value| json!({ "type": "object", "properties": properties, "required": [required], "additionalProperties": { "type": "string" } });
    let mut in_form = properties.clone();
    if in_form.get("scope").is_some() {
        in_form["scope"] = json!({ "type": "string", "description": "Fewer scopes than were granted, with blanks between." });
    }
    Operation::new(id, TAG, summary)
        .perhaps_secured("ClientSecret")
        .takes(true, &[("application/x-www-form-urlencoded", schema(&in_form)), ("application/json", schema(&properties))])
        .answers_as(StatusCode::TOO_MANY_REQUESTS, "OAuthTooManyRequests")
        .answers_as(StatusCode::INTERNAL_SERVER_ERROR, "OAuthFailed")
        .answers_as(StatusCode::SERVICE_UNAVAILABLE, "OAuthUnavailable")
}

fn userinfo(id: &str, schemas: &mut Schemas, school: Option<&SchoolResources>) -> Operation {
    let invalid = oauth(schemas, &[("invalid_token", "no token, or one that is malformed, expired, revoked or for another service")]);
    let lacking = oauth(schemas, &[("insufficient_scope", "a token without `service:self_read`")]);
    let refused = oauth(schemas, &[("invalid_request", "a token in the query, or two of them")]);
    let user = schemas.of::<UserInfo<'static>>();
    // After the type that refers to it, whose placeholder it replaces.
    match school {
        Some(school) => _ = schemas.object(&school.students.definition().record),
        None => schemas.without_student(),
    }
    Operation::new(id, TAG, "Who the user of an access token is")
        .secured(&[("OAuth2", &[&Scope::self_read().to_string()])])
        .answers(StatusCode::OK, Answer::new("The user of today.").body("application/json", user).headers(EVERY))
        .answers(StatusCode::BAD_REQUEST, refused.headers(["WWW-Authenticate"]))
        .answers(StatusCode::UNAUTHORIZED, invalid.headers(["WWW-Authenticate"]))
        .answers(StatusCode::FORBIDDEN, lacking.headers(["WWW-Authenticate"]))
        .answers_as(StatusCode::INTERNAL_SERVER_ERROR, "OAuthFailed")
        .answers_as(StatusCode::SERVICE_UNAVAILABLE, "OAuthUnavailable")
}
