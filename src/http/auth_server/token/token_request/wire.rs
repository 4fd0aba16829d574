//! Field names and JSON form of a token request.

use std::borrow::Cow;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// The name of a parameter in RFC 6749. Maps the camelCase names that some client libraries send.
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

/// All names and values in the order in which they were sent, with duplicates.
pub(super) type Fields<'a> = Vec<(Cow<'a, str>, Value)>;

/// Value of a parameter; only `scope` may be a list.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Value {
    Text(String),
    List(Vec<String>),
}

/// The fields of a JSON object; trailing input is an error.
pub(super) fn fields_with_duplicates(body: &[u8]) -> Result<Fields<'static>, serde_json::Error> {
    serde_json::from_slice(body).map(|FieldList(fields)| fields)
}

/// A JSON object with its duplicate keys, of which a map would silently use the last.
struct FieldList(Fields<'static>);

impl<'de> Deserialize<'de> for FieldList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldListVisitor).map(Self)
    }
}

struct FieldListVisitor;

impl<'de> Visitor<'de> for FieldListVisitor {
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
