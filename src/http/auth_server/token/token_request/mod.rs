//! Parameters of the token, revocation and introspection endpoints, as JSON or as a form. One
//! strict decoder serves both, so that both are accepted or refused alike.

mod wire;

use bytes::Bytes;
use http::Request;

use crate::domain::ScopeSet;
use crate::http::auth_server::error::Error;
use crate::http::auth_server::form::has_media_type;
use crate::http::form_urlencoded;
use crate::http::management::Rejection;
use crate::oauth::TokenError;
use wire::{Fields, Value, canonical};

/// The parameters of a token, revocation or introspection request. An empty parameter counts as
/// absent (RFC 6749 §3.2), and unknown parameters are ignored.
#[derive(Default)]
#[cfg_attr(test, derive(Debug, PartialEq))]
pub(in crate::http::auth_server) struct TokenRequest {
    pub(super) grant_type: Option<String>,
    pub(super) client_id: Option<String>,
    pub(super) client_secret: Option<String>,
    pub(super) code: Option<String>,
    pub(super) redirect_uri: Option<String>,
    pub(super) code_verifier: Option<String>,
    pub(super) refresh_token: Option<String>,
    /// The token to revoke or introspect.
    pub(in crate::http::auth_server) token: Option<String>,
    /// The requested `scope`, split and not yet validated.
    pub(super) scopes: Vec<String>,
}

impl TokenRequest {
    /// Parses a request whose body is within the endpoint's limit.
    ///
    /// Refuses input that two parsers could read differently: a parameter that is repeated, also
    /// under its alias or in the query; a value that is not text; another media type or two of
    /// them; invalid encoding; anything after the JSON object.
    pub(in crate::http::auth_server) fn read(request: &Request<Bytes>) -> Result<Self, Error> {
        if request.uri().query().is_some_and(|query| !query.is_empty()) {
            return Err(Error::parameters_in_query());
        }
        let body = request.body();
        if body.starts_with(b"\xEF\xBB\xBF") {
            return Err(Error::byte_order_mark());
        }
        if has_media_type(request.headers(), "application/json") {
            Self::from_fields(json_fields(body)?)
        } else if has_media_type(request.headers(), "application/x-www-form-urlencoded") {
            Self::from_fields(form_fields(body)?)
        } else {
            Err(Error::body_type())
        }
    }

    /// The requested scopes; empty if there is no `scope`.
    pub(super) fn scope_set(&self) -> Result<ScopeSet, TokenError> {
        ScopeSet::parse_all(self.scopes.iter().map(String::as_str))
            .map_err(|_| TokenError::MalformedScope)
    }

    fn from_fields(fields: Fields<'_>) -> Result<Self, Error> {
        let mut names: Vec<&str> = fields.iter().map(|(name, _)| canonical(name)).collect();
        names.sort_unstable();
        if names.windows(2).any(|two| two[0] == two[1]) {
            return Err(Rejection::parameter_repeated().into());
        }
        let mut request = Self::default();
        for (name, value) in fields {
            match (canonical(&name), value) {
                ("scope", Value::List(scopes)) => request.scopes = scopes,
                (_, Value::List(_)) => return Err(Error::parameter_is_list()),
                (_, Value::Text(text)) if text.is_empty() => {}
                ("scope", Value::Text(text)) => {
                    request.scopes = text.split(' ').map(str::to_owned).collect()
                }
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

fn form_fields(body: &[u8]) -> Result<Fields<'_>, Error> {
    let text = std::str::from_utf8(body).map_err(|_| Error::form_malformed())?;
    let pairs = form_urlencoded::parse(text).map_err(|_| Error::form_malformed())?;
    Ok(pairs
        .into_iter()
        .map(|(name, value)| (name, Value::Text(value.into_owned())))
        .collect())
}

fn json_fields(body: &[u8]) -> Result<Fields<'_>, Error> {
    wire::fields_with_duplicates(body).map_err(|_| Error::json_malformed())
}

#[cfg(test)]
mod tests;
