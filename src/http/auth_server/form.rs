use bytes::Bytes;
use http::Request;

use super::error::Error;
use super::server::Server;
use crate::domain::SessionToken;
use crate::http::form_urlencoded::{self, Pairs};
use crate::http::management::Rejection;
pub(super) use crate::http::request_body::has_media_type;

/// The name of the field that binds a form to its session.
const FORM_TOKEN: &str = "form_token";

/// The fields of one of this server's own forms: each at most once, and no others.
pub(super) struct Form<'a>(Pairs<'a>);

impl<'a> Form<'a> {
    /// Parses the form and checks that it was issued for this session (RFC 6749 §10.12).
    pub(super) fn read_bound(
        server: &Server,
        session: &SessionToken,
        request: &'a Request<Bytes>,
        fields: &[&str],
    ) -> Result<Self, Error> {
        if !has_media_type(request.headers(), "application/x-www-form-urlencoded") {
            return Err(Error::form_type());
        }
        let form = Self(parameters(
            std::str::from_utf8(request.body()).map_err(|_| Rejection::parameters_malformed())?,
        )?);
        if !server
            .management()
            .form_tokens
            .matches(session, form.field(FORM_TOKEN).unwrap_or_default())
        {
            return Err(Error::form_token_mismatch());
        }
        // All decisive state is in the session, so an unexpected field indicates tampering.
        if form
            .0
            .iter()
            .any(|(name, _)| name != FORM_TOKEN && !fields.contains(&&**name))
        {
            return Err(Error::form_field());
        }
        Ok(form)
    }

    /// The value of a field.
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(found, _)| found == name)
            .map(|(_, value)| &**value)
    }
}

/// The parameters of a query or form, each at most once (RFC 6749 §3.1).
pub(super) fn parameters(text: &str) -> Result<Pairs<'_>, Rejection> {
    let pairs = form_urlencoded::parse(text).map_err(|_| Rejection::parameters_malformed())?;
    match form_urlencoded::first_duplicate(&pairs) {
        Some(_) => Err(Rejection::parameter_repeated()),
        None => Ok(pairs),
    }
}
