use http::StatusCode;
use serde_json::{Value, json};

use super::answers::{COMMON_HEADERS, oauth};
use crate::directory::SchoolResources;
use crate::domain::Scope;
use crate::http::auth_server::ErrorReason;
use crate::http::auth_server::wire::{Introspection, TokenReply, UserInfo};
use crate::http::openapi::{ApiDescription, Operation, Response, Schemas};

const TAG: &str = "Tokens";

/// Describes the endpoints for codes and tokens.
pub(super) fn describe(
    description: &mut ApiDescription,
    schemas: &mut Schemas,
    school: Option<&SchoolResources>,
) {
    description.operation("/v1/oauth/token", "post", token(schemas));
    description.operation("/v1/oauth/revoke", "post", revoke(schemas));
    description.operation("/v1/oauth/introspect", "post", introspect(schemas));
    description.operation(
        "/v1/oauth/userinfo",
        "get",
        userinfo("userInfo", schemas, school),
    );
    description.operation(
        "/userinfo",
        "get",
        userinfo("userInfoAtRoot", schemas, school),
    );
}

fn token(schemas: &mut Schemas) -> Operation {
    let properties = json!({
        "grant_type": { "type": "string", "enum": ["authorization_code", "refresh_token", "client_credentials"] },
        "code": { "type": "string", "minLength": 1, "description": "For `authorization_code`." },
        "redirect_uri": { "type": "string", "minLength": 1, "format": "uri", "description": "The redirect URI that the code was sent to." },
        "code_verifier": {
            "type": "string", "minLength": 43, "maxLength": 128, "pattern": "^[A-Za-z0-9._~-]+$",
            "description": "The PKCE verifier of the code.",
        },
        "refresh_token": { "type": "string", "minLength": 1, "description": "The newest refresh token. Each use replaces it." },
        "scope": {
            "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }],
            "description": "A part of the granted scopes, as one text or, in JSON, as a list.",
        },
    });
    let refusals = [
        (
            ErrorReason::InvalidRequest,
            "a parameter is missing, repeated or of a wrong type; two authentications; a verifier without a challenge",
        ),
        (
            ErrorReason::InvalidGrant,
            "the code or refresh token is unknown, expired, used, revoked, or another client's",
        ),
        (
            ErrorReason::InvalidScope,
            "a scope was not granted, or none is left",
        ),
        (
            ErrorReason::UnsupportedGrantType,
            "the grant type is not supported",
        ),
        (
            ErrorReason::UnauthorizedClient,
            "the client may not use `client_credentials`, or is suspended",
        ),
    ];
    let unproven = [
        (
            ErrorReason::InvalidClient,
            "the client is unknown or failed to authenticate; with `WWW-Authenticate` if it used Basic",
        ),
        (
            ErrorReason::InvalidGrant,
            "the verifier is missing, malformed or wrong",
        ),
    ];
    let issued = Response::new("The issued tokens.")
        .body(
            "application/json",
            schemas.for_type::<TokenReply<'static>>(),
        )
        .headers(COMMON_HEADERS);
    client_operation(
        "token",
        "Get tokens for a code, a refresh token or the client itself",
        "grant_type",
        properties,
    )
    .response(StatusCode::OK, issued)
    .response(StatusCode::BAD_REQUEST, oauth(schemas, &refusals))
    .response(StatusCode::UNAUTHORIZED, oauth(schemas, &unproven))
}

fn revoke(schemas: &mut Schemas) -> Operation {
    let refusals = [
        (
            ErrorReason::InvalidRequest,
            "a parameter is missing, repeated or of a wrong type; two authentications",
        ),
        (
            ErrorReason::UnsupportedTokenType,
            "a token that was issued to the client itself",
        ),
    ];
    let unproven = oauth(
        schemas,
        &[(
            ErrorReason::InvalidClient,
            "the client is unknown or failed to authenticate",
        )],
    );
    client_operation(
        "revoke",
        "Revoke a token and its grant (RFC 7009)",
        "token",
        token_properties(),
    )
    .response(
        StatusCode::OK,
        Response::new("The token is not valid any more, or never was.").headers(COMMON_HEADERS),
    )
    .response(StatusCode::BAD_REQUEST, oauth(schemas, &refusals))
    .response(StatusCode::UNAUTHORIZED, unproven)
}

fn introspect(schemas: &mut Schemas) -> Operation {
    let refusals = [
        (
            ErrorReason::InvalidRequest,
            "a parameter is missing, repeated or of a wrong type; two authentications",
        ),
        (ErrorReason::UnauthorizedClient, "the client is suspended"),
    ];
    let refused = oauth(schemas, &refusals);
    let unproven = oauth(
        schemas,
        &[(
            ErrorReason::InvalidClient,
            "the client is unknown, failed to authenticate, or has no secret",
        )],
    );
    let known = Response::new("The state of the token.")
        .body("application/json", schemas.for_type::<Introspection>());
    client_operation(
        "introspect",
        "Introspect a token (RFC 7662)",
        "token",
        token_properties(),
    )
    .response(StatusCode::OK, known.headers(COMMON_HEADERS))
    .response(StatusCode::BAD_REQUEST, refused)
    .response(StatusCode::UNAUTHORIZED, unproven)
}

fn token_properties() -> Value {
    json!({
        "token": { "type": "string", "minLength": 1, "description": "An access or refresh token." },
        "token_type_hint": { "type": "string", "description": "Ignored." },
    })
}

/// A request of a client, as JSON or as a form, with one required parameter.
fn client_operation(id: &str, summary: &str, required: &str, mut properties: Value) -> Operation {
    properties["client_id"] = json!({ "type": "string", "description": "The client ID, unless it is in the Authorization header." });
    properties["client_secret"] = json!({ "type": "string", "description": "The client secret, unless it is in the Authorization header." });
    let schema = |properties: &Value| json!({ "type": "object", "properties": properties, "required": [required], "additionalProperties": { "type": "string" } });
    let mut in_form = properties.clone();
    if in_form.get("scope").is_some() {
        in_form["scope"] = json!({ "type": "string", "description": "A part of the granted scopes, separated by spaces." });
    }
    Operation::new(id, TAG, summary)
        .optional_security("ClientSecret")
        .request_body(
            true,
            &[
                ("application/x-www-form-urlencoded", schema(&in_form)),
                ("application/json", schema(&properties)),
            ],
        )
        .response_ref(StatusCode::TOO_MANY_REQUESTS, "OAuthTooManyRequests")
        .response_ref(StatusCode::INTERNAL_SERVER_ERROR, "OAuthFailed")
        .response_ref(StatusCode::SERVICE_UNAVAILABLE, "OAuthUnavailable")
}

fn userinfo(id: &str, schemas: &mut Schemas, school: Option<&SchoolResources>) -> Operation {
    let invalid = oauth(
        schemas,
        &[(
            ErrorReason::InvalidToken,
            ErrorReason::InvalidToken.condition(),
        )],
    );
    let lacking = oauth(
        schemas,
        &[(
            ErrorReason::InsufficientScope,
            "a token without `service:self_read`",
        )],
    );
    let refused = oauth(
        schemas,
        &[(
            ErrorReason::InvalidRequest,
            "a token in the query, or two of them",
        )],
    );
    let user = schemas.for_type::<UserInfo<'static>>();
    // Comes after the type that refers to it, because it replaces its placeholder.
    match school {
        Some(school) => _ = schemas.object(&school.students.definition().record),
        None => schemas.without_student(),
    }
    Operation::new(id, TAG, "Get the user of an access token")
        .security(&[("OAuth2", &[&Scope::self_read().to_string()])])
        .response(
            StatusCode::OK,
            Response::new("The user of today.")
                .body("application/json", user)
                .headers(COMMON_HEADERS),
        )
        .response(
            StatusCode::BAD_REQUEST,
            refused.headers(["WWW-Authenticate"]),
        )
        .response(
            StatusCode::UNAUTHORIZED,
            invalid.headers(["WWW-Authenticate"]),
        )
        .response(StatusCode::FORBIDDEN, lacking.headers(["WWW-Authenticate"]))
        .response_ref(StatusCode::INTERNAL_SERVER_ERROR, "OAuthFailed")
        .response_ref(StatusCode::SERVICE_UNAVAILABLE, "OAuthUnavailable")
}
