use bytes::Bytes;
use http::{Request, StatusCode};

use super::error::Refusal;
use super::server::Server;
use crate::domain::SessionToken;
use crate::http::audit::Rule;
pub(super) use crate::http::body::has_media_type;
use crate::http::pairs::{self, Pairs};

/// The name of the field that binds a form to its session.
const FORM_TOKEN: &str = "form_token";

/// The fields of one of our own forms: each at most once, and none that the form does not have.
pub(super) struct Form<'a>(Pairs<'a>);

impl<'a> Form<'a> {
    /// Reads the form and checks that it was made for this session (RFC 6749 §10.12).
    pub(super) fn of_session(
        server: &Server,
        session: &SessionToken,
        request: &'a Request<Bytes>,
        fields: &[&str],
    ) -> Result<Self, Refusal> {
        if !has_media_type(request.headers(), "application/x-www-form-urlencoded") {
            return Err(Refusal::invalid_request(Rule::BodyType, "The body must be a form."));
        }
        let form = Self(parameters(std::str::from_utf8(request.body()).map_err(|_| malformed())?)?);
        if !server.form_tokens.matches(session, form.field(FORM_TOKEN).unwrap_or_default()) {
            return Err(foreign_form());
        }
        // What decides is kept here and not in the form, so a field that is not the form's own is an attempt at something.
        if form.0.iter().any(|(name, _)| name != FORM_TOKEN && !fields.contains(&&**name)) {
            return Err(Refusal::invalid_request(Rule::FormField, "The form has a field that it was not given."));
        }
        Ok(form)
    }

    /// The value of a field.
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(found, _)| found == name).map(|(_, value)| &**value)
    }
}

/// The parameters of a query or form, each at most once (RFC 6749 §3.1).
pub(super) fn parameters(text: &str) -> Result<Pairs<'_>, Refusal> {
    let pairs = pairs::parse(text).map_err(|_| malformed())?;
    match pairs::repeated(&pairs) {
        Some(_) => Err(Refusal::invalid_request(Rule::ParameterRepeated, "A parameter is repeated.")),
        None => Ok(pairs),
    }
}

fn malformed() -> Refusal {
    Refusal::invalid_request(Rule::ParametersMalformed, "The parameters are not properly encoded.")
}

fn foreign_form() -> Refusal {
    let description = "The form does not belong to this sign-in. Go back, reload the page and try again.";
    Refusal::new(Rule::FormToken, StatusCode::FORBIDDEN, "access_denied", description)
}
