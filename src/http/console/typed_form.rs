//! Forms that are sent after their session has ended.
//!
//! What was typed waits in a sealed cookie, without passwords, until the user has signed in again.
//! The page of the form then shows it, to the same user only; nothing is carried out.

use std::time::Duration;

use bytes::Bytes;
use http::Request;

use super::cookie;
use super::form::FORM_TOKEN;
use super::server::Server;
pub(super) use super::wire::TypedForm;
use crate::crypto::UserForms;
use crate::domain::SubjectId;
use crate::http::form_urlencoded;
use crate::http::request_body::has_media_type;

/// Time to sign in again: that of the sign-in form.
const LIFETIME: Duration = Duration::from_secs(60 * 60);

/// Maximum length of the sealed form. Browsers drop cookies of more than 4,096 bytes, and some
/// proxies take responses whose headers have 4,096 bytes in all.
const MAX_LENGTH: usize = 3000;

/// What the seal is bound to. The session has ended and its user is not known yet, so the form's
/// token proves both when the form is shown.
const OWNER: &[u8] = b"typed form";

/// Fields with passwords.
const SECRET_FIELDS: &[&str] = &["new_password", "old_password", "password", "repeated"];

impl TypedForm {
    /// The `Set-Cookie` value with the form of a request, if its page can show it again.
    pub(super) fn keep(server: &Server, request: &Request<Bytes>) -> Option<String> {
        let session = server.shared.user_sessions.token(request.headers())?;
        let path = server.page_uri.clone()?;
        if !has_media_type(request.headers(), "application/x-www-form-urlencoded") {
            return None;
        }
        let body = std::str::from_utf8(request.body()).ok()?;
        let pairs = form_urlencoded::parse(body).ok()?;
        let token = pairs.iter().find(|(name, _)| name == FORM_TOKEN)?;
        let is_kept = |name: &str| name != FORM_TOKEN && !SECRET_FIELDS.contains(&name);
        let form = Self {
            path,
            session: *session.digest().as_bytes(),
            token: token.1.to_string(),
            fields: pairs
                .iter()
                .filter(|(name, value)| is_kept(name) && !value.is_empty())
                .map(|(name, value)| (name.to_string(), value.to_string()))
                .collect(),
        };
        if form.fields.is_empty() {
            return None;
        }
        let contents = serde_json::to_vec(&form).ok()?;
        let (management, until) = (&server.shared.management, server.now().plus(LIFETIME));
        let sealed = management
            .cookie_seal
            .seal(OWNER, until, &contents, &*management.entropy)
            .ok()?;
        (sealed.len() <= MAX_LENGTH).then(|| cookie::set_typed(&sealed, LIFETIME, server))
    }

    /// The form of the requested page that this user had typed.
    pub(super) fn restore(
        server: &Server,
        request: &Request<Bytes>,
        user: &SubjectId,
    ) -> Option<Self> {
        let sealed = cookie::typed(request.headers(), server)?;
        let management = &server.shared.management;
        let contents = management
            .cookie_seal
            .open(OWNER, server.now(), sealed)
            .ok()?;
        let form: Self = serde_json::from_slice(&contents).ok()?;
        let forms = UserForms::new(form.session, user.clone());
        let is_theirs = management.form_tokens.matches(&forms, &form.token);
        (is_theirs && form.path == request.uri().path()).then_some(form)
    }

    /// `Set-Cookie` value that removes the form from the browser.
    pub(super) fn forget(server: &Server) -> String {
        cookie::set_typed("", Duration::ZERO, server)
    }

    /// Names and values of the fields.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        let fields = self.fields.iter();
        fields.map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Proves: threats 53
    /// Fails if a template has a password that would be kept.
    #[test]
    fn no_password_of_a_form_is_kept() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/templates/console");
        let mut found = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if !path.is_file() {
                continue;
            }
            let page = std::fs::read_to_string(path).unwrap();
            let fields = page.split("password_field(\"").skip(1);
            let inputs = page.split("type=\"password\"").skip(1).map(|_| "password");
            let names = fields.map(|rest| rest.split('"').next().unwrap());
            for name in names.chain(inputs) {
                assert!(SECRET_FIELDS.contains(&name), "{name}");
                found += 1;
            }
        }
        assert!(found > 5);
    }
}
