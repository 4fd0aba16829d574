//! The names on the wire, and nowhere else.

use serde::{Deserialize, Serialize};

/// An error of an OAuth endpoint (RFC 6749 §5.2).
#[derive(Debug, Serialize)]
pub(super) struct OAuthError<'a> {
    pub(super) error: &'a str,
    pub(super) error_description: &'a str,
}

/// A success in the envelope (service.md, "Success envelope").
#[derive(Debug, Serialize)]
pub(super) struct Envelope<T> {
    status: &'static str,
    code: u16,
    message: &'static str,
    data: T,
}

impl<T> Envelope<T> {
    pub(super) fn ok(data: T) -> Self {
        Self { status: "OK", code: 200, message: "OK", data }
    }
}

/// What a login page on another origin posts (decisions 3.6). Exactly these fields, each once.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Credentials {
    pub(super) email: String,
    pub(super) password: String,
    pub(super) token: String,
}

/// A pending authorization session (service.md, `GET /v1/oauth/authorize/session`).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SessionBody {
    pub(super) service_name: String,
    /// Epoch seconds.
    pub(super) expires_at: i64,
    pub(super) requested_scopes: Vec<RequestedScope>,
}

/// One of the scopes that a session asks for (service.md, "Requested scope entry").
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RequestedScope {
    pub(super) scope: String,
    pub(super) description: String,
    pub(super) application_name: String,
}

/// What the token endpoint issues (RFC 6749 §5.1).
#[derive(Serialize)]
pub(super) struct TokenReply<'a> {
    pub(super) access_token: &'a str,
    pub(super) token_type: &'static str,
    /// In seconds.
    pub(super) expires_in: u64,
    pub(super) refresh_token: &'a str,
    pub(super) scope: &'a str,
}
