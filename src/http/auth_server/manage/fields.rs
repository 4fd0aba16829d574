//! The fields of a body: each at most once, each of its type, and none that the endpoint does not know.

use bytes::Bytes;
use http::{Request, StatusCode};
use serde_json::Value;

use super::wire;
use crate::domain::Invalid;
use crate::http::audit::Rule;
use crate::http::auth_server::error::Refusal;
use crate::http::auth_server::form::has_media_type;
use crate::http::manage::Denial;

/// The fields of a JSON object. Each one that an endpoint knows is taken by its name; what is left at the end is unknown, so that nobody
/// believes to have set what only the service sets.
pub(super) struct Fields {
    given: Vec<(String, Value)>,
    known: Vec<&'static str>,
}

impl Fields {
    pub(super) fn read(request: &Request<Bytes>) -> Result<Self, Refusal> {
        if !has_media_type(request.headers(), "application/json") {
            return Err(Refusal::invalid_request(Rule::BodyType, "The Content-Type must be application/json, in UTF-8."));
        }
        let given = wire::every_field(request.body())
            .map_err(|_| Refusal::invalid_request(Rule::BodyMalformed, "The body is not a well-formed JSON object."))?;
        let mut names: Vec<&str> = given.iter().map(|(name, _)| &**name).collect();
        names.sort_unstable();
        if let Some(two) = names.windows(2).find(|two| two[0] == two[1]) {
            let description = "The field is given more than once.";
            return Err(Refusal::told(Rule::FieldRepeated, StatusCode::BAD_REQUEST, description).of_parameter(shown(two[0])));
        }
        Ok(Self { given, known: Vec::new() })
    }

    /// A text, as what it must be.
    pub(super) fn text<T>(&mut self, name: &'static str, parse: impl FnOnce(&str) -> Result<T, Invalid>) -> Result<Option<T>, Refusal> {
        self.take(name, |value| match value {
            Value::String(text) => parse(&text),
            _ => Err(Invalid::new("must be a string")),
        })
    }

    /// A list of texts, as what it must be.
    pub(super) fn texts<T>(
        &mut self,
        name: &'static str,
        parse: impl FnOnce(&[String]) -> Result<T, Invalid>,
    ) -> Result<Option<T>, Refusal> {
        self.take(name, |value| parse(&texts(value).ok_or(Invalid::new("must be a list of strings"))?))
    }

    /// `true` or `false`.
    pub(super) fn boolean(&mut self, name: &'static str) -> Result<Option<bool>, Refusal> {
        self.take(name, |value| value.as_bool().ok_or(Invalid::new("must be true or false")))
    }

    /// A whole number, also where it is written as `60.0`, which JSON does not tell from `60`.
    pub(super) fn number(&mut self, name: &'static str) -> Result<Option<u32>, Refusal> {
        self.take(name, |value| whole(&value).ok_or(Invalid::new("must be a whole number from 0 to 4294967295")))
    }

    /// Refuses what nobody took.
    pub(super) fn finish(self) -> Result<(), Refusal> {
        let Some((name, _)) = self.given.first() else { return Ok(()) };
        let description = match &self.known[..] {
            [] => "The body must have no fields.".to_owned(),
            known => format!("The field is not known here; known are {}.", known.join(", ")),
        };
        Err(Refusal::told(Rule::FieldUnknown, StatusCode::BAD_REQUEST, description).of_parameter(shown(name)))
    }

    fn take<T>(&mut self, name: &'static str, parse: impl FnOnce(Value) -> Result<T, Invalid>) -> Result<Option<T>, Refusal> {
        self.known.push(name);
        let Some(at) = self.given.iter().position(|(given, _)| given == name) else { return Ok(None) };
        let (_, value) = self.given.remove(at);
        Ok(Some(parse(value).map_err(|rule| Denial::invalid(name, &rule))?))
    }
}

/// The fields of a body of which none has to be there. No body at all is as good as an empty object.
pub(super) fn read_any(request: &Request<Bytes>) -> Result<Fields, Refusal> {
    if request.body().is_empty() { Ok(Fields { given: Vec::new(), known: Vec::new() }) } else { Fields::read(request) }
}

/// Refuses a body that says something where nothing is to be said.
pub(super) fn none(request: &Request<Bytes>) -> Result<(), Refusal> {
    read_any(request)?.finish()
}

/// The value of a field that has to be there.
pub(super) fn required<T>(name: &'static str, value: Option<T>) -> Result<T, Denial> {
    value.ok_or_else(|| Denial::missing(name))
}

fn whole(value: &Value) -> Option<u32> {
    let number = value.as_f64().filter(|number| number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(number))?;
    Some(number as u32)
}

fn texts(value: Value) -> Option<Vec<String>> {
    let Value::Array(values) = value else { return None };
    let text = |value| if let Value::String(text) = value { Some(text) } else { None };
    values.into_iter().map(text).collect()
}

/// A name that a caller made up, as much of it as helps them find it.
fn shown(name: &str) -> String {
    name.chars().take(64).collect()
}
