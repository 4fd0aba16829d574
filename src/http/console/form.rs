use std::str::FromStr;

use bytes::Bytes;
use http::{Request, StatusCode};

use super::refusal::Refusal;
use super::server::Server;
use super::views::Problems;
use crate::crypto::FormSession;
use crate::http::audit::Rule;
use crate::http::body::has_media_type;
use crate::http::pages::texts::Texts;
use crate::http::pairs::{self, Pairs};

/// The name of the field that binds a form to its session.
const FORM_TOKEN: &str = "form_token";

/// What a form has.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Fields {
    /// Fields that come at most once.
    pub(super) once: &'static [&'static str],
    /// Fields that come as often as something is ticked.
    pub(super) lists: &'static [&'static str],
}

/// The fields of one of our own forms, and none that the form does not have.
#[derive(Debug)]
pub(super) struct Form<'a>(Pairs<'a>);

impl<'a> Form<'a> {
    /// Reads the form and checks that it was made for this session.
    pub(super) fn of_session(
        server: &Server,
        session: &impl FormSession,
        request: &'a Request<Bytes>,
        fields: Fields,
    ) -> Result<Self, Refusal> {
        if !has_media_type(request.headers(), "application/x-www-form-urlencoded") {
            return Err(Refusal::broken(Rule::BodyType));
        }
        let text = std::str::from_utf8(request.body()).map_err(|_| Refusal::broken(Rule::ParametersMalformed))?;
        let form = Self(pairs::parse(text).map_err(|_| Refusal::broken(Rule::ParametersMalformed))?);
        let once = || form.0.iter().map(|(name, _)| &**name).filter(|name| !fields.lists.contains(name));
        // What decides is kept here and not in the form, so a field that is not the form's own is an attempt at something.
        if once().any(|name| name != FORM_TOKEN && !fields.once.contains(&name)) {
            return Err(Refusal::broken(Rule::FormField));
        }
        let mut names: Vec<&str> = once().collect();
        names.sort_unstable();
        if names.windows(2).any(|two| two[0] == two[1]) {
            return Err(Refusal::broken(Rule::ParameterRepeated));
        }
        if !server.form_tokens.matches(session, form.field(FORM_TOKEN).unwrap_or_default()) {
            return Err(Refusal::new(Rule::FormToken, StatusCode::FORBIDDEN));
        }
        Ok(form)
    }

    /// The value of a field.
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(found, _)| found == name).map(|(_, value)| &**value)
    }

    /// What a field says. If it does not say it, what is wrong is said beside it, as of the field that the management JSON calls `in_json`.
    pub(super) fn read<T: FromStr>(&self, name: &str, in_json: &str, problems: &mut Problems, text: &Texts) -> Option<T> {
        let value = self.field(name).unwrap_or_default();
        let read = value.parse().ok();
        if read.is_none() {
            let rule = if value.is_empty() { Rule::FieldMissing } else { Rule::FieldInvalid };
            problems.add(name, text.faults.of(rule, Some(in_json)));
        }
        read
    }

    /// The values of a field that comes as often as something is ticked.
    pub(super) fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(found, _)| found == name).map(|(_, value)| &**value)
    }

    /// Whether a switch is on.
    pub(super) fn is_on(&self, name: &str) -> bool {
        self.field(name).is_some()
    }
}
