//! A second parser and writer of token requests.

use std::fmt;

use base64ct::{Base64, Encoding};
use http::HeaderValue;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use super::pairs::{self, decoded, pairs};

/// The names and values in the order of the request, including duplicates. A value is a text, or
/// for `scope` a list of texts.
pub struct Fields(Vec<(String, Value)>);

impl Fields {
    /// The fields of a JSON object; `None` if it is something else or has other values.
    pub fn of_json(body: &[u8]) -> Option<Self> {
        let Self(fields) = serde_json::from_slice(body).ok()?;
        let is_text = |name: &str, value: &Value| match value {
            Value::String(_) => true,
            Value::Array(parts) => name == "scope" && parts.iter().all(Value::is_string),
            _ => false,
        };
        fields
            .iter()
            .all(|(name, value)| is_text(name, value))
            .then_some(Self(fields))
    }

    /// The fields of a form; `None` if it is malformed.
    pub fn of_form(body: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(body)
            .ok()
            .filter(|text| !text.starts_with('\u{feff}'))?;
        Some(Self(
            pairs(text)?
                .into_iter()
                .map(|(name, value)| (name, Value::String(value)))
                .collect(),
        ))
    }

    /// Serializes as JSON.
    pub fn as_json(&self) -> String {
        let fields: Vec<String> = self
            .0
            .iter()
            .map(|(name, value)| format!("{}:{value}", Value::from(&**name)))
            .collect();
        format!("{{{}}}", fields.join(","))
    }

    /// Serializes as a form; `None` if it has a list that cannot be one text.
    pub fn as_form(&self) -> Option<String> {
        let as_text = |value: &Value| match value {
            Value::Array(parts) => {
                let parts: Option<Vec<_>> = parts
                    .iter()
                    .map(|part| part.as_str().filter(|part| is_word(part)))
                    .collect();
                parts.map(|parts| parts.join(" "))
            }
            value => value.as_str().map(str::to_owned),
        };
        let fields: Option<Vec<_>> = self
            .0
            .iter()
            .map(|(name, value)| Some((&**name, as_text(value)?)))
            .collect();
        Some(pairs::form(
            fields?.iter().map(|(name, value)| (*name, &**value)),
        ))
    }

    /// The value of a parameter under either of its names; an empty one counts as absent.
    pub fn text(&self, name: &str) -> Option<&str> {
        let value = self
            .0
            .iter()
            .find(|(found, _)| canonical(found) == name)?
            .1
            .as_str()?;
        Some(value).filter(|value| !value.is_empty())
    }

    /// The requested scopes.
    pub fn scopes(&self) -> Vec<String> {
        match self.0.iter().find(|(name, _)| name == "scope") {
            Some((_, Value::Array(parts))) => parts
                .iter()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
            Some((_, Value::String(text))) if !text.is_empty() => {
                text.split(' ').map(str::to_owned).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether a parameter appears twice, including under its two names.
    pub fn has_repetition(&self) -> bool {
        pairs::has_repetition(self.0.iter().map(|(name, _)| canonical(name)))
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && !text.contains(' ')
}

/// The name in RFC 6749 of a parameter sent in camel case.
fn canonical(name: &str) -> &str {
    const NAMES: [(&str, &str); 6] = [
        ("grantType", "grant_type"),
        ("clientId", "client_id"),
        ("clientSecret", "client_secret"),
        ("redirectUri", "redirect_uri"),
        ("codeVerifier", "code_verifier"),
        ("refreshToken", "refresh_token"),
    ];
    NAMES
        .into_iter()
        .find(|(camel, _)| *camel == name)
        .map_or(name, |(_, snake)| snake)
}

/// A client's presented id and secret.
pub struct Client {
    pub id: String,
    pub secret: Option<String>,
}

impl Client {
    /// From the `Authorization` header, or else from the fields; `None` if the two disagree or name
    /// no client.
    pub fn of(fields: &Fields, header: Option<&HeaderValue>) -> Option<Self> {
        let (id, secret) = (fields.text("client_id"), fields.text("client_secret"));
        let Some(header) = header else {
            return Some(Self {
                id: id?.to_owned(),
                secret: secret.map(str::to_owned),
            });
        };
        let (scheme, credentials) = header.to_str().ok()?.split_once(' ')?;
        let credentials =
            String::from_utf8(Base64::decode_vec(credentials.trim_start_matches(' ')).ok()?)
                .ok()?;
        let (name, password) = credentials.split_once(':')?;
        let client = Self {
            id: decoded(name)?,
            secret: Some(decoded(password)?).filter(|secret| !secret.is_empty()),
        };
        let agrees = secret.is_none() && id.is_none_or(|id| id == client.id);
        (scheme.eq_ignore_ascii_case("basic") && agrees).then_some(client)
    }
}

/// Includes duplicate keys, of which a map would hold only the last.
impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Vec<(String, Value)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(pairs)
            }
        }
        deserializer.deserialize_map(Pairs).map(Self)
    }
}
