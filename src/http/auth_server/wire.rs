//! JSON bodies of the endpoints. Field names on the wire are defined only here.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

#[cfg(feature = "openapi")]
use crate::domain::Role;
use crate::domain::{ClientId, ScopeSet, Subject};
use crate::oauth::{AccessTokenClaims, TokenOrigin};

/// An OAuth error (RFC 6749 §5.2).
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub(super) struct OAuthError<'a> {
    /// A stable error code.
    pub(super) error: &'a str,
    /// A sentence for developers. It may change.
    pub(super) error_description: &'a str,
}

/// A success in the envelope (spec 2.1).
#[derive(Debug, Serialize)]
pub(super) struct Envelope<T> {
    status: &'static str,
    code: u16,
    message: &'static str,
    data: T,
}

impl<T> Envelope<T> {
    pub(super) fn ok(data: T) -> Self {
        Self {
            status: "OK",
            code: 200,
            message: "OK",
            data,
        }
    }
}

/// What a login page on another origin posts. Exactly these fields, each once.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct Credentials {
    pub(super) email: String,
    pub(super) password: String,
    pub(super) token: String,
}

/// A sign-in in progress.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct SessionBody {
    pub(super) service_name: String,
    /// Epoch seconds.
    pub(super) expires_at: i64,
    pub(super) requested_scopes: Vec<RequestedScope>,
}

/// A scope that a sign-in requests.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct RequestedScope {
    pub(super) scope: String,
    pub(super) description: String,
    pub(super) application_name: String,
}

/// A token response (RFC 6749 §5.1).
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub(super) struct TokenReply<'a> {
    pub(super) access_token: &'a str,
    pub(super) token_type: &'static str,
    /// In seconds.
    pub(super) expires_in: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) refresh_token: Option<&'a str>,
    pub(super) scope: &'a str,
}

/// The state of a token (RFC 7662 §2.2). An inactive token has only `active`.
#[derive(Default, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub(super) struct Introspection {
    active: bool,
    #[serde(flatten)]
    token: Option<ActiveToken>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
struct ActiveToken {
    scope: String,
    scopes: Vec<String>,
    client_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    username: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schemars(with = "Option<Role>"))]
    role: Option<String>,
    sub: String,
    iss: String,
    #[serde(flatten)]
    access: Option<ActiveAccessToken>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
struct ActiveAccessToken {
    token_type: &'static str,
    aud: Vec<String>,
    /// Epoch seconds, as is `exp`.
    iat: i64,
    exp: i64,
    jti: String,
}

impl Introspection {
    pub(super) fn from_access_token(claims: AccessTokenClaims) -> Self {
        let is_of_user = matches!(claims.origin(), Some(TokenOrigin::Grant(_)));
        Self::active(ActiveToken {
            scope: claims.scope,
            scopes: claims.scopes,
            client_id: claims.client,
            username: is_of_user.then(|| claims.subject.clone()),
            role: claims.role,
            sub: claims.subject,
            iss: claims.issuer,
            access: Some(ActiveAccessToken {
                token_type: "Bearer",
                aud: claims.audience,
                iat: claims.issued_at,
                exp: claims.expires_at,
                jti: claims.id,
            }),
        })
    }

    pub(super) fn from_refresh_token(
        issuer: &str,
        client: ClientId,
        subject: &Subject,
        scopes: &ScopeSet,
    ) -> Self {
        Self::active(ActiveToken {
            scope: scopes.to_string(),
            scopes: scopes.iter().map(ToString::to_string).collect(),
            client_id: client.to_string(),
            username: Some(subject.email.to_string()),
            role: Some(subject.role.to_string()),
            sub: subject.email.to_string(),
            iss: issuer.to_owned(),
            access: None,
        })
    }

    fn active(token: ActiveToken) -> Self {
        Self {
            active: true,
            token: Some(token),
        }
    }
}

/// The user of an access token.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct UserInfo<'a> {
    /// The user's number, which never changes.
    #[cfg_attr(
        feature = "openapi",
        schemars(range(min = 0, max = 9_007_199_254_740_991_i64))
    )]
    id: i64,
    email: &'a str,
    #[cfg_attr(feature = "openapi", schemars(with = "Role"))]
    role: &'static str,
    /// Always `ACTIVE`. Other users get no response.
    #[cfg_attr(feature = "openapi", schemars(extend("const" = "ACTIVE")))]
    status: &'static str,
    /// `STUDENT` if the user is one.
    #[cfg_attr(feature = "openapi", schemars(extend("enum" = ["STUDENT", null])))]
    object_type: Option<&'static str>,
    is_student: bool,
    #[cfg_attr(
        feature = "openapi",
        schemars(with = "Option<crate::http::openapi::StudentRecord>")
    )]
    student: Option<&'a RawValue>,
    /// The `sub` claim of the user's tokens: the e-mail address.
    sub: &'a str,
}

impl<'a> UserInfo<'a> {
    pub(super) fn new(subject: &'a Subject, student: Option<&'a RawValue>) -> Self {
        Self {
            id: subject.numeric_id(),
            email: subject.email.as_str(),
            role: subject.role.as_str(),
            status: "ACTIVE",
            object_type: student.map(|_| "STUDENT"),
            is_student: student.is_some(),
            student,
            sub: subject.email.as_str(),
        }
    }
}

/// Metadata of the authorization server (RFC 8414 §2, RFC 9207 §3).
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub(super) struct Metadata<'a> {
    pub(super) issuer: &'a str,
    pub(super) authorization_endpoint: String,
    pub(super) token_endpoint: String,
    pub(super) jwks_uri: String,
    pub(super) revocation_endpoint: String,
    pub(super) introspection_endpoint: String,
    pub(super) userinfo_endpoint: String,
    pub(super) scopes_supported: [String; 1],
    pub(super) response_types_supported: &'static [&'static str],
    pub(super) response_modes_supported: &'static [&'static str],
    pub(super) grant_types_supported: &'static [&'static str],
    pub(super) token_endpoint_auth_methods_supported: &'static [&'static str],
    pub(super) revocation_endpoint_auth_methods_supported: &'static [&'static str],
    pub(super) introspection_endpoint_auth_methods_supported: &'static [&'static str],
    pub(super) code_challenge_methods_supported: &'static [&'static str],
    pub(super) authorization_response_iss_parameter_supported: bool,
    pub(super) ui_locales_supported: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) service_documentation: Option<&'a str>,
}
