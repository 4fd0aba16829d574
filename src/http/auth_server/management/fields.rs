//! Parsing of JSON bodies: each field at most once and of its type, and no unknown fields.

use bytes::Bytes;
use http::Request;
use serde_json::Value;

use super::wire;
use crate::domain::{InvalidValue, Translations};
use crate::http::auth_server::error::Error;
use crate::http::auth_server::form::has_media_type;
use crate::http::management::Rejection;

/// The fields of a JSON object. An endpoint takes each field it knows by name. Remaining fields are
/// refused, so that a caller does not believe to have set a field that is ignored.
pub(super) struct Fields {
    remaining: Vec<(String, Value)>,
    known: Vec<&'static str>,
}

impl Fields {
    pub(super) fn read(request: &Request<Bytes>) -> Result<Self, Error> {
        if !has_media_type(request.headers(), "application/json") {
            return Err(Rejection::body_type().into());
        }
        let remaining = wire::fields_with_duplicates(request.body())
            .map_err(|_| Rejection::body_malformed())?;
        let mut names: Vec<&str> = remaining.iter().map(|(name, _)| &**name).collect();
        names.sort_unstable();
        if let Some(two) = names.windows(2).find(|two| two[0] == two[1]) {
            return Err(Error::from(Rejection::field_repeated()).with_parameter(truncated(two[0])));
        }
        Ok(Self {
            remaining,
            known: Vec::new(),
        })
    }

    /// Takes a text field and parses it.
    pub(super) fn text<T>(
        &mut self,
        name: &'static str,
        parse: impl FnOnce(&str) -> Result<T, InvalidValue>,
    ) -> Result<Option<T>, Error> {
        self.take(name, |value| match value {
            Value::String(text) => parse(&text),
            _ => Err(InvalidValue::new("must be a string")),
        })
    }

    /// Takes a text field and parses it; `null` is no text.
    pub(super) fn nullable_text<T>(
        &mut self,
        name: &'static str,
        parse: impl FnOnce(&str) -> Result<T, InvalidValue>,
    ) -> Result<Option<Option<T>>, Error> {
        self.take(name, |value| match value {
            Value::String(text) => parse(&text).map(Some),
            Value::Null => Ok(None),
            _ => Err(InvalidValue::new("must be a string or null")),
        })
    }

    /// Takes a list of texts and parses it.
    pub(super) fn texts<T>(
        &mut self,
        name: &'static str,
        parse: impl FnOnce(&[String]) -> Result<T, InvalidValue>,
    ) -> Result<Option<T>, Error> {
        self.take(name, |value| {
            parse(&texts(value).ok_or(InvalidValue::new("must be a list of strings"))?)
        })
    }

    /// Takes an object of texts by language tag.
    pub(super) fn translations(
        &mut self,
        name: &'static str,
    ) -> Result<Option<Translations>, Error> {
        const NO_OBJECT: InvalidValue =
            InvalidValue::new("must be an object of strings by language tag");
        self.take(name, |value| {
            let Value::Object(texts) = value else {
                return Err(NO_OBJECT);
            };
            let pairs: Option<Vec<(&str, &str)>> = texts
                .iter()
                .map(|(tag, text)| Some((&**tag, text.as_str()?)))
                .collect();
            Translations::from_pairs(pairs.ok_or(NO_OBJECT)?)
        })
    }

    /// Takes a boolean.
    pub(super) fn boolean(&mut self, name: &'static str) -> Result<Option<bool>, Error> {
        self.take(name, |value| {
            value
                .as_bool()
                .ok_or(InvalidValue::new("must be true or false"))
        })
    }

    /// Takes a whole number, also written as `60.0`, which equals `60` in JSON.
    pub(super) fn number(&mut self, name: &'static str) -> Result<Option<u32>, Error> {
        self.take(name, |value| {
            whole_number(&value).ok_or(InvalidValue::new(
                "must be a whole number from 0 to 4294967295",
            ))
        })
    }

    /// Refuses the remaining fields.
    pub(super) fn finish(self) -> Result<(), Error> {
        let Some((name, _)) = self.remaining.first() else {
            return Ok(());
        };
        let rejection = match &self.known[..] {
            [] => Rejection::no_fields(),
            known => Rejection::field_unknown(known.join(", ")),
        };
        Err(Error::from(rejection).with_parameter(truncated(name)))
    }

    fn take<T>(
        &mut self,
        name: &'static str,
        parse: impl FnOnce(Value) -> Result<T, InvalidValue>,
    ) -> Result<Option<T>, Error> {
        self.known.push(name);
        let Some(at) = self
            .remaining
            .iter()
            .position(|(remaining, _)| remaining == name)
        else {
            return Ok(None);
        };
        let (_, value) = self.remaining.remove(at);
        Ok(Some(
            parse(value).map_err(|rule| Rejection::invalid(name, &rule))?,
        ))
    }
}

/// The fields of a body in which every field is optional. An absent body counts as an empty object.
pub(super) fn read_optional(request: &Request<Bytes>) -> Result<Fields, Error> {
    if request.body().is_empty() {
        Ok(Fields {
            remaining: Vec::new(),
            known: Vec::new(),
        })
    } else {
        Fields::read(request)
    }
}

/// Refuses any field where none is expected.
pub(super) fn require_none(request: &Request<Bytes>) -> Result<(), Error> {
    read_optional(request)?.finish()
}

/// The value of a required field.
pub(super) fn required<T>(name: &'static str, value: Option<T>) -> Result<T, Rejection> {
    value.ok_or_else(|| Rejection::missing(name))
}

fn whole_number(value: &Value) -> Option<u32> {
    let number = value
        .as_f64()
        .filter(|number| number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(number))?;
    Some(number as u32)
}

fn texts(value: Value) -> Option<Vec<String>> {
    let Value::Array(values) = value else {
        return None;
    };
    let text = |value| {
        if let Value::String(text) = value {
            Some(text)
        } else {
            None
        }
    };
    values.into_iter().map(text).collect()
}

/// A field name from the caller, truncated for an error message.
fn truncated(name: &str) -> String {
    name.chars().take(64).collect()
}
