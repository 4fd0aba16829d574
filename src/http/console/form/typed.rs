//! Forms that are sent after their session has ended, or that need the password again.
//!
//! What was typed waits in a sealed cookie, without passwords, until the user has signed in again.
//! The page of the form then shows it, to the same user only; nothing is carried out. The cookie has
//! the forms of several tabs, as many of the latest as fit.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method, Request};

use crate::crypto::UserForms;
use crate::domain::SubjectId;
use crate::http::console::applications::requests::BACK_FIELD;
use crate::http::console::cookie;
use crate::http::console::form::FORM_TOKEN;
use crate::http::console::form::former_session;
use crate::http::console::form::sent_once::{self, FORM_ID, is_sent};
use crate::http::console::form::version::VERSION_FIELD;
use crate::http::console::server::Server;
pub(crate) use crate::http::console::wire::TypedForm;
use crate::http::form_urlencoded;
use crate::http::request_body::has_media_type;

/// Time to sign in again: that of the sign-in form.
const LIFETIME: Duration = Duration::from_secs(60 * 60);

/// Maximum length of the sealed forms. Browsers drop cookies of more than 4,096 bytes, and some
/// proxies take responses whose headers have 4,096 bytes in all.
const MAX_LENGTH: usize = 3000;

/// What the seal is bound to. The session has ended and its user is not known yet, so the form's
/// token proves both when the form is shown.
const OWNER: &[u8] = b"typed form";

/// Fields with passwords.
const SECRET_FIELDS: &[&str] = &["new_password", "old_password", "password", "repeated"];

/// Fields that pages fill in, which nobody types.
const FILLED_FIELDS: &[&str] = &[
    FORM_TOKEN,
    VERSION_FIELD,
    BACK_FIELD,
    FORM_ID,
    "apply",
    "decision",
];

/// What becomes of a request whose user signs in first.
pub(crate) enum LateForm {
    /// Nothing was typed.
    None,
    /// The form is kept in this `Set-Cookie` value.
    Kept(String),
    /// The form cannot be kept: its page does not show it again, it is too long, or it has a file
    /// or nothing but passwords. The `Set-Cookie` value removes an earlier form of the same page,
    /// which would be taken for this one.
    Lost(Option<String>),
}

impl LateForm {
    /// Keeps the form of a request, if its page shows it again.
    pub(crate) fn of(server: &Server, request: &Request<Bytes>) -> Self {
        let sessions = &server.shared.user_sessions;
        let (Some(session), &Method::POST) = (sessions.token(request.headers()), request.method())
        else {
            return Self::None;
        };
        // A form without its token is one that was not read.
        let Some((token, fields)) = fields(request) else {
            return Self::lost(server, request.headers());
        };
        let pairs = fields.iter().map(|(name, value)| (&**name, &**value));
        // It is carried out already.
        if sent_once::id_of(pairs).is_some_and(|id| is_sent(server, request.headers(), &id)) {
            return Self::None;
        }
        if fields
            .iter()
            .all(|(name, _)| FILLED_FIELDS.contains(&&**name))
        {
            return Self::None;
        }
        let is_restored = server
            .route
            .as_ref()
            .is_some_and(|it| it.route.restores_form);
        let Some(path) = server.form_page.clone().filter(|_| is_restored) else {
            return Self::lost(server, request.headers());
        };
        let fields = fields.into_iter();
        let form = TypedForm {
            path,
            session: *session.digest().as_bytes(),
            token,
            fields: fields
                .filter(|(name, _)| {
                    name != FORM_TOKEN && name != FORM_ID && !SECRET_FIELDS.contains(&&**name)
                })
                .collect(),
        };
        let mut forms = kept_forms(server, request.headers());
        forms.retain(|kept| kept.path != form.path);
        forms.push(form);
        let mut forms = &forms[..];
        // The latest form is the most likely one to be wanted.
        while !forms.is_empty() {
            match set_cookie(server, forms) {
                Some(cookie) => return Self::Kept(cookie),
                None => forms = &forms[1..],
            }
        }
        Self::lost(server, request.headers())
    }

    fn lost(server: &Server, headers: &HeaderMap) -> Self {
        let path = server.form_page.as_deref().unwrap_or_default();
        let mut forms = kept_forms(server, headers).into_iter();
        let is_kept = forms.any(|form| form.path == path);
        Self::Lost(is_kept.then(|| cookie_without(path, server, headers)))
    }
}

/// The token of a form, and its fields that have a value.
fn fields(request: &Request<Bytes>) -> Option<(String, Vec<(String, String)>)> {
    if !has_media_type(request.headers(), "application/x-www-form-urlencoded") {
        return None;
    }
    let body = std::str::from_utf8(request.body()).ok()?;
    let pairs = form_urlencoded::parse(body).ok()?;
    let token = pairs.iter().find(|(name, _)| name == FORM_TOKEN)?;
    let typed = pairs.iter().filter(|(_, value)| !value.is_empty());
    let typed = typed.map(|(name, value)| (name.to_string(), value.to_string()));
    Some((token.1.to_string(), typed.collect()))
}

/// The forms in the browser's cookie.
fn kept_forms(server: &Server, headers: &HeaderMap) -> Vec<TypedForm> {
    let seal = &server.shared.management.cookie_seal;
    let sealed = cookie::typed(headers, server);
    let contents = sealed.and_then(|sealed| seal.open(OWNER, server.now(), sealed).ok());
    contents
        .and_then(|contents| serde_json::from_slice(&contents).ok())
        .unwrap_or_default()
}

/// `Set-Cookie` value without the form of a page.
fn cookie_without(path: &str, server: &Server, headers: &HeaderMap) -> String {
    let mut forms = kept_forms(server, headers);
    forms.retain(|form| form.path != path);
    let others = (!forms.is_empty()).then(|| set_cookie(server, &forms));
    others
        .flatten()
        .unwrap_or_else(|| cookie::set_typed("", Duration::ZERO, server))
}

/// `Set-Cookie` value with forms, unless they are too long together.
fn set_cookie(server: &Server, forms: &[TypedForm]) -> Option<String> {
    let contents = serde_json::to_vec(forms).ok()?;
    let (management, until) = (&server.shared.management, server.now().plus(LIFETIME));
    let sealed = management
        .cookie_seal
        .seal(OWNER, until, &contents, &*management.entropy)
        .ok()?;
    (sealed.len() <= MAX_LENGTH).then(|| cookie::set_typed(&sealed, LIFETIME, server))
}

impl TypedForm {
    /// The form of the requested page that this user had typed.
    pub(crate) fn restore(
        server: &Server,
        request: &Request<Bytes>,
        user: &SubjectId,
    ) -> Option<Self> {
        let path = request.uri().path();
        let mut kept = kept_forms(server, request.headers()).into_iter();
        let form = kept.find(|form| form.path == path)?;
        let tokens = &server.shared.management.form_tokens;
        let former = former_session::digests(server, request.headers());
        let mut sessions = std::iter::once(form.session).chain(former);
        let is_theirs = sessions.any(|session| {
            let forms = UserForms::new(session, user.clone());
            tokens.matches(&forms, &form.token)
        });
        is_theirs.then_some(form)
    }

    /// `Set-Cookie` value that removes the form from the browser, and leaves those of other pages.
    pub(crate) fn forget(&self, server: &Server, headers: &HeaderMap) -> String {
        cookie_without(&self.path, server, headers)
    }

    /// Names and values of the fields.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
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
