use std::borrow::Cow;
use std::fmt;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::crypto::{NumericDate, TimeBoundClaims};

/// Claims of an access token (RFC 9068 §2.2).
#[derive(Deserialize)]
pub(super) struct Claims<'a> {
    #[serde(rename = "iss", borrow)]
    pub(super) issuer: Cow<'a, str>,
    #[serde(rename = "sub")]
    pub(super) subject: String,
    #[serde(rename = "aud", borrow)]
    audience: Audience<'a>,
    #[serde(rename = "client_id", borrow)]
    pub(super) client: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) role: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) scope: Cow<'a, str>,
    #[serde(rename = "jti")]
    pub(super) id: String,
    #[serde(rename = "iat")]
    pub(super) issued_at: NumericDate,
    #[serde(rename = "exp")]
    pub(super) expires_at: NumericDate,
    #[serde(rename = "nbf", default)]
    not_before: NumericDate,
}

impl Claims<'_> {
    /// Whether `audience` is one of the token's audiences.
    pub(super) fn is_for(&self, audience: &str) -> bool {
        self.audience.0.iter().any(|one| one == audience)
    }
}

impl TimeBoundClaims for Claims<'_> {
    fn validity_period(&self) -> (NumericDate, NumericDate) {
        (self.not_before, self.expires_at)
    }
}

/// Audiences of a token. A single one need not be in a list (RFC 7519 §4.1.3).
struct Audience<'a>(Vec<Cow<'a, str>>);

impl<'de: 'a, 'a> Deserialize<'de> for Audience<'a> {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        value.deserialize_any(AudienceVisitor)
    }
}

struct AudienceVisitor;

impl<'de> Visitor<'de> for AudienceVisitor {
    type Value = Audience<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a list of texts")
    }

    fn visit_borrowed_str<E>(self, one: &'de str) -> Result<Self::Value, E> {
        Ok(Audience(vec![Cow::Borrowed(one)]))
    }

    fn visit_str<E>(self, one: &str) -> Result<Self::Value, E> {
        Ok(Audience(vec![Cow::Owned(one.to_owned())]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut several: A) -> Result<Self::Value, A::Error> {
        let mut audiences = Vec::new();
        while let Some(Text(one)) = several.next_element()? {
            audiences.push(one);
        }
        Ok(Audience(audiences))
    }
}

/// A string of a list, borrowed unless it contains escapes.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// Body of a refusal, in the authorization service's format.
#[derive(Serialize)]
pub(super) struct ErrorBody<'a> {
    pub(super) error: &'a str,
    pub(super) error_description: &'a str,
}

impl ErrorBody<'_> {
    pub(super) fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("two strings have a JSON form")
    }
}
