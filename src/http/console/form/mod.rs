pub(crate) mod flash;
pub(crate) mod former_session;
pub(crate) mod sent_once;
pub(crate) mod translations;
pub(crate) mod typed;
pub(crate) mod version;

use std::str::FromStr;

use bytes::Bytes;
use http::{Request, StatusCode};

use crate::crypto::FormSession;
use crate::http::audit::RefusalRule;
use crate::http::console::error::Error;
use crate::http::console::form::sent_once::FORM_ID;
use crate::http::console::server::Server;
use crate::http::console::views::FormErrors;
use crate::http::form_urlencoded::{self, Pairs};
use crate::http::pages::texts::Texts;
use crate::http::request_body::has_media_type;
use crate::import::is_form_column;

/// Name of the field that binds a form to its session.
pub(crate) const FORM_TOKEN: &str = "form_token";

/// Fields of a form.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FormFields {
    /// Fields that occur at most once.
    single: &'static [&'static str],
    /// Fields that occur once for each selected value.
    repeated: &'static [&'static str],
    /// Fields that occur at most once, and only in administrators' forms.
    privileged: &'static [&'static str],
    /// Whether there are fields for the columns of the school's records.
    has_columns: bool,
}

impl FormFields {
    /// Fields that occur at most once.
    pub(crate) const fn new(single: &'static [&'static str]) -> Self {
        Self {
            single,
            repeated: &[],
            privileged: &[],
            has_columns: false,
        }
    }

    /// Adds the columns of the school's records.
    pub(crate) const fn with_columns(mut self) -> Self {
        self.has_columns = true;
        self
    }

    pub(crate) const fn with_repeated(mut self, names: &'static [&'static str]) -> Self {
        self.repeated = names;
        self
    }

    pub(crate) const fn with_privileged(mut self, names: &'static [&'static str]) -> Self {
        self.privileged = names;
        self
    }

    /// The fields of other users' forms.
    pub(crate) const fn without_privileged(self) -> Self {
        self.with_privileged(&[])
    }

    fn is_single(&self, name: &str) -> bool {
        self.single.contains(&name)
            || self.privileged.contains(&name)
            || (self.has_columns && is_form_column(name))
    }
}

/// Refuses a form that is not bound to the session.
pub(crate) fn check_token(
    server: &Server,
    session: &impl FormSession,
    token: &str,
) -> Result<(), Error> {
    if server.shared.management.form_tokens.matches(session, token) {
        Ok(())
    } else {
        Err(Error::new(RefusalRule::FormToken, StatusCode::FORBIDDEN))
    }
}

/// Submitted form of the console, without unknown fields.
#[derive(Debug)]
pub(crate) struct Form<'a> {
    pairs: Pairs<'a>,
    fields: FormFields,
}

impl<'a> Form<'a> {
    /// Parses the form and checks its token.
    pub(crate) fn parse(
        request: &'a Request<Bytes>,
        fields: FormFields,
        check_token: impl FnOnce(&str) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        if !has_media_type(request.headers(), "application/x-www-form-urlencoded") {
            return Err(Error::bad_request(RefusalRule::BodyType));
        }
        let text = std::str::from_utf8(request.body())
            .map_err(|_| Error::bad_request(RefusalRule::ParametersMalformed))?;
        let pairs = form_urlencoded::parse(text)
            .map_err(|_| Error::bad_request(RefusalRule::ParametersMalformed))?;
        let form = Self { pairs, fields };
        let single = || {
            form.pairs
                .iter()
                .map(|(name, _)| &**name)
                .filter(|name| !fields.repeated.contains(name))
        };
        // Access decisions use stored data, never form fields, so an unknown field is tampering.
        let is_known = |name: &str| [FORM_TOKEN, FORM_ID].contains(&name) || fields.is_single(name);
        if single().any(|name| !is_known(name)) {
            return Err(Error::bad_request(RefusalRule::FormField));
        }
        let mut names: Vec<&str> = single().collect();
        names.sort_unstable();
        if names.windows(2).any(|two| two[0] == two[1]) {
            return Err(Error::bad_request(RefusalRule::ParameterRepeated));
        }
        check_token(form.field(FORM_TOKEN).unwrap_or_default())?;
        Ok(form)
    }

    /// A form that was typed before, without fields that it may not have.
    pub(crate) fn from_typed(
        pairs: impl Iterator<Item = (&'a str, &'a str)>,
        fields: FormFields,
    ) -> Self {
        let is_known = |name: &str| fields.is_single(name) || fields.repeated.contains(&name);
        let known = pairs.filter(|(name, _)| is_known(name));
        Self {
            pairs: known
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
            fields,
        }
    }

    /// Names of the fields that the form may have.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        [
            self.fields.single,
            self.fields.repeated,
            self.fields.privileged,
        ]
        .concat()
    }

    /// Names and values of the fields.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(name, value)| (&**name, &**value))
    }

    /// Value of a field.
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        self.pairs
            .iter()
            .find(|(found, _)| found == name)
            .map(|(_, value)| &**value)
    }

    /// Parses a field. If that fails, adds the message for the management JSON's field `in_json` to
    /// `errors`.
    pub(crate) fn parse_field<T: FromStr>(
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
    pub(crate) fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.pairs
            .iter()
            .filter(move |(found, _)| found == name)
            .map(|(_, value)| &**value)
    }

    /// Whether a checkbox is checked.
    pub(crate) fn is_checked(&self, name: &str) -> bool {
        self.field(name).is_some()
    }
}
