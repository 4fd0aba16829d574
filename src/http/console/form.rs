use std::str::FromStr;

use bytes::Bytes;
use http::{Request, StatusCode};

use super::error::Error;
use super::server::Server;
use super::views::FormErrors;
use crate::crypto::FormSession;
use crate::http::audit::RefusalRule;
use crate::http::body::has_media_type;
use crate::http::form_urlencoded::{self, Pairs};
use crate::http::pages::texts::Texts;

/// Name of the field that binds a form to its session.
const FORM_TOKEN: &str = "form_token";

/// Fields of a form.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FormFields {
    /// Fields that occur at most once.
    pub(super) single: &'static [&'static str],
    /// Fields that occur once for each selected value.
    pub(super) repeated: &'static [&'static str],
}

/// Submitted form of the console, without unknown fields.
#[derive(Debug)]
pub(super) struct Form<'a>(Pairs<'a>);

impl<'a> Form<'a> {
    /// Parses the form and checks its token against the session.
    pub(super) fn parse(
        server: &Server,
        session: &impl FormSession,
        request: &'a Request<Bytes>,
        fields: FormFields,
    ) -> Result<Self, Error> {
        if !has_media_type(request.headers(), "application/x-www-form-urlencoded") {
            return Err(Error::bad_request(RefusalRule::BodyType));
        }
        let text = std::str::from_utf8(request.body())
            .map_err(|_| Error::bad_request(RefusalRule::ParametersMalformed))?;
        let form = Self(
            form_urlencoded::parse(text)
                .map_err(|_| Error::bad_request(RefusalRule::ParametersMalformed))?,
        );
        let single = || {
            form.0
                .iter()
                .map(|(name, _)| &**name)
                .filter(|name| !fields.repeated.contains(name))
        };
        // Access decisions use stored data, never form fields, so an unknown field is tampering.
        if single().any(|name| name != FORM_TOKEN && !fields.single.contains(&name)) {
            return Err(Error::bad_request(RefusalRule::FormField));
        }
        let mut names: Vec<&str> = single().collect();
        names.sort_unstable();
        if names.windows(2).any(|two| two[0] == two[1]) {
            return Err(Error::bad_request(RefusalRule::ParameterRepeated));
        }
        if !server
            .form_tokens
            .matches(session, form.field(FORM_TOKEN).unwrap_or_default())
        {
            return Err(Error::new(RefusalRule::FormToken, StatusCode::FORBIDDEN));
        }
        Ok(form)
    }

    /// Value of a field.
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(found, _)| found == name)
            .map(|(_, value)| &**value)
    }

    /// Parses a field. If that fails, adds the message for the management JSON's field `in_json` to
    /// `errors`.
    pub(super) fn parse_field<T: FromStr>(
        &self,
        name: &str,
        in_json: &str,
        errors: &mut FormErrors,
        text: &Texts,
    ) -> Option<T> {
        let value = self.field(name).unwrap_or_default();
        let read = value.parse().ok();
        if read.is_none() {
            let rule = if value.is_empty() {
                RefusalRule::FieldMissing
            } else {
                RefusalRule::FieldInvalid
            };
            errors.add(name, text.errors.message(rule, Some(in_json)));
        }
        read
    }

    /// Values of a repeated field.
    pub(super) fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0
            .iter()
            .filter(move |(found, _)| found == name)
            .map(|(_, value)| &**value)
    }

    /// Whether a checkbox is checked.
    pub(super) fn is_checked(&self, name: &str) -> bool {
        self.field(name).is_some()
    }
}
