//! The names and the JSON of a token request.

use std::borrow::Cow;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// A parameter's name in RFC 6749, also for the spelling of some client libraries.
pub(super) fn canonical(name: &str) -> &str {
    match name {
        "grantType" => "grant_type",
        "clientId" => "client_id",
        "clientSecret" => "client_secret",
        "redirectUri" => "redirect_uri",
        "codeVerifier" => "code_verifier",
        "refreshToken" => "refresh_token",
        other => other,
    }
}

/// Every name and value in the order in which they were sent, repeated ones too.
pub(super) type Fields<'a> = Vec<(Cow<'a, str>, Value)>;

/// What a parameter may be: only a scope is ever a list.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Value {
    Text(String),
    List(Vec<String>),
}

/// The fields of a JSON object, of which nothing may be left over.
pub(super) fn every_field(body: &[u8]) -> Result<Fields<'static>, serde_json::Error> {
    serde_json::from_slice(body).map(|EveryField(fields)| fields)
}

/// A JSON object that keeps repeated keys, of which a map would silently keep the last.
struct EveryField(Fields<'static>);

impl<'de> Deserialize<'de> for EveryField {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EveryFieldVisitor).map(Self)
    }
}

struct EveryFieldVisitor;

impl<'de> Visitor<'de> for EveryFieldVisitor {
    type Value = Fields<'static>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'static>, A::Error> {
        let mut fields = Vec::new();
        while let Some((name, value)) = map.next_entry::<String, Value>()? {
            fields.push((Cow::Owned(name), value));
        }
        Ok(fields)
    }
}
