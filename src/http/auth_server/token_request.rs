//! What a client sends to the token, revocation and introspection endpoints, as JSON or as a form: one strict decoder, so that both get the same verdict.

mod wire;

use bytes::Bytes;
use http::Request;

use super::error::Refusal;
use super::form::has_media_type;
use crate::domain::ScopeSet;
use crate::http::audit::Rule;
use crate::http::pairs;
use crate::oauth::TokenError;
use wire::{Fields, Value, canonical};

/// The parameters of such a request. An empty one counts as absent (RFC 6749 §3.2), and those that are not known are passed over.
#[derive(Default)]
#[cfg_attr(test, derive(Debug, PartialEq))]
pub(super) struct TokenRequest {
    pub(super) grant_type: Option<String>,
    pub(super) client_id: Option<String>,
    pub(super) client_secret: Option<String>,
    pub(super) code: Option<String>,
    pub(super) redirect_uri: Option<String>,
    pub(super) code_verifier: Option<String>,
    pub(super) refresh_token: Option<String>,
    /// What is to be revoked or introspected.
    pub(super) token: Option<String>,
    /// What was asked for as `scope`, taken apart and not yet looked at.
    pub(super) scopes: Vec<String>,
}

impl TokenRequest {
    /// Reads a request whose body is at most as long as the endpoint allows.
    ///
    /// Whatever two readers could understand differently is refused: a parameter that is repeated, also under its other name or in the
    /// query, a value that is not text, a body of another or of two types, broken text, anything after the JSON object.
    pub(super) fn read(request: &Request<Bytes>) -> Result<Self, Refusal> {
        if request.uri().query().is_some_and(|query| !query.is_empty()) {
            return Err(Refusal::invalid_request(Rule::ParametersInQuery, "The parameters belong into the body, not into the query."));
        }
        let body = request.body();
        if body.starts_with(b"\xEF\xBB\xBF") {
            return Err(Refusal::invalid_request(Rule::BodyMalformed, "The body must not begin with a byte order mark."));
        }
        if has_media_type(request.headers(), "application/json") {
            Self::from_fields(json_fields(body)?)
        } else if has_media_type(request.headers(), "application/x-www-form-urlencoded") {
            Self::from_fields(form_fields(body)?)
        } else {
            let types = "The Content-Type must be application/json or application/x-www-form-urlencoded, in UTF-8.";
            Err(Refusal::invalid_request(Rule::BodyType, types))
        }
    }

    /// The scopes that were asked for; none if none were.
    pub(super) fn scope_set(&self) -> Result<ScopeSet, TokenError> {
        ScopeSet::collect(self.scopes.iter().map(String::as_str)).map_err(|_| TokenError::MalformedScope)
    }

    fn from_fields(fields: Fields<'_>) -> Result<Self, Refusal> {
        let mut names: Vec<&str> = fields.iter().map(|(name, _)| canonical(name)).collect();
        names.sort_unstable();
        if names.windows(2).any(|two| two[0] == two[1]) {
            return Err(Refusal::invalid_request(Rule::ParameterRepeated, "A parameter is repeated."));
        }
        let mut request = Self::default();
        for (name, value) in fields {
            match (canonical(&name), value) {
                ("scope", Value::List(scopes)) => request.scopes = scopes,
                (_, Value::List(_)) => {
                    return Err(Refusal::invalid_request(Rule::ParameterIsList, "A parameter is a list, and only scope may be one."));
                }
                (_, Value::Text(text)) if text.is_empty() => {}
                ("scope", Value::Text(text)) => request.scopes = text.split(' ').map(str::to_owned).collect(),
                (name, Value::Text(text)) => {
                    if let Some(slot) = request.slot(name) {
                        *slot = Some(text);
                    }
                }
            }
        }
        Ok(request)
    }

    fn slot(&mut self, name: &str) -> Option<&mut Option<String>> {
        Some(match name {
            "grant_type" => &mut self.grant_type,
            "client_id" => &mut self.client_id,
            "client_secret" => &mut self.client_secret,
            "code" => &mut self.code,
            "redirect_uri" => &mut self.redirect_uri,
            "code_verifier" => &mut self.code_verifier,
            "refresh_token" => &mut self.refresh_token,
            "token" => &mut self.token,
            _ => return None,
        })
    }
}

fn form_fields(body: &[u8]) -> Result<Fields<'_>, Refusal> {
    let malformed = || Refusal::invalid_request(Rule::BodyMalformed, "The body is not a well-formed form.");
    let text = std::str::from_utf8(body).map_err(|_| malformed())?;
    let pairs = pairs::parse(text).map_err(|_| malformed())?;
    Ok(pairs.into_iter().map(|(name, value)| (name, Value::Text(value.into_owned()))).collect())
}

fn json_fields(body: &[u8]) -> Result<Fields<'_>, Refusal> {
    wire::every_field(body)
        .map_err(|_| Refusal::invalid_request(Rule::BodyMalformed, "The body is not a well-formed JSON object whose values are strings."))
}

#[cfg(test)]
mod tests;
