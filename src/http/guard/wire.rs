use serde::{Deserialize, Serialize};

/// What is read of an access token (RFC 9068 §2.2). Its times have been checked by the verifier.
#[derive(Deserialize)]
pub(super) struct Claims {
    #[serde(rename = "iss")]
    pub(super) issuer: String,
    #[serde(rename = "sub")]
    pub(super) subject: String,
    #[serde(rename = "aud")]
    audience: Audience,
    #[serde(rename = "client_id")]
    pub(super) client: String,
    pub(super) role: Option<String>,
    pub(super) scope: String,
    #[serde(rename = "jti")]
    pub(super) id: String,
    #[serde(rename = "iat")]
    pub(super) issued_at: i64,
    #[serde(rename = "exp")]
    pub(super) expires_at: i64,
}

impl Claims {
    /// Whether one of its audiences is this one.
    pub(super) fn is_for(&self, audience: &str) -> bool {
        match &self.audience {
            Audience::One(one) => one == audience,
            Audience::Several(several) => several.iter().any(|one| one == audience),
        }
    }
}

/// A single audience may stand without a list (RFC 7519 §4.1.3).
#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Several(Vec<String>),
}

/// The body of a refusal, as the authorization service has it.
#[derive(Serialize)]
pub(super) struct ErrorBody<'a> {
    pub(super) error: &'a str,
    pub(super) error_description: &'a str,
}

impl ErrorBody<'_> {
    pub(super) fn rendered(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("two strings have a JSON form")
    }
}
