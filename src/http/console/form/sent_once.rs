//! Forms that are carried out once, however often the browser sends them.
//!
//! The page gives the form a random id, and the response to the form stores a digest of the id and
//! the entries in a cookie. A form that is sent again as it was has the same digest, so it leads to
//! the page that its route names. Two forms that are sent at once are left to the script of the
//! pages. The cookie is not sealed, because it only prevents accidents: a user can open the page of
//! the form again and gets a new id.

use std::time::Duration;

use base64ct::{Base64UrlUnpadded, Encoding};
use http::header::SET_COOKIE;
use http::{HeaderMap, Response};
use sha2::{Digest, Sha256};

use crate::http::console::cookie;
use crate::http::console::error::Error;
use crate::http::console::form::FORM_TOKEN;
use crate::http::console::server::Server;
use crate::http::console::user_request::UserRequest;
use crate::http::{Body, response};

/// Name of the field with the id.
pub(crate) const FORM_ID: &str = "form_id";

/// Length of an id: 128 random bits.
const LENGTH: usize = 22;
/// Time for which the browser knows an id. A page may stay open for long.
const LIFETIME: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// Number of ids in the cookie.
const MAX_KNOWN: usize = 20;
/// Separator of the ids in the cookie.
const SEPARATOR: &str = ".";

impl UserRequest<'_> {
    /// A new id for a form.
    pub(crate) fn new_form_id(&self) -> String {
        let id: [u8; 16] = self.server.shared.management.entropy.bytes();
        Base64UrlUnpadded::encode_string(&id)
    }

    /// Whether the browser has sent the form with this id before.
    pub(crate) fn is_sent_before(&self, id: &str) -> bool {
        is_sent(self.server, self.request.headers(), id)
    }

    /// Lets the browser remember that the form with this id is carried out. A refused one may be sent
    /// again.
    pub(crate) fn mark_sent(
        &self,
        id: &str,
        response: Response<Body>,
    ) -> Result<Response<Body>, Error> {
        if response.status().is_client_error() {
            return Ok(response);
        }
        let known = sent_forms(self.server, self.request.headers());
        let earlier = known.take(MAX_KNOWN - 1);
        let ids: Vec<&str> = std::iter::once(id).chain(earlier).collect();
        let set = cookie::set_sent(&ids.join(SEPARATOR), LIFETIME, self.server);
        Ok(response::with_header(response, SET_COOKIE, &set)?)
    }
}

/// Whether the browser has sent the form with this id before.
pub(crate) fn is_sent(server: &Server, headers: &HeaderMap, id: &str) -> bool {
    sent_forms(server, headers).any(|known| known == id)
}

/// The ids in the cookie, the latest first.
fn sent_forms<'a>(server: &Server, headers: &'a HeaderMap) -> impl Iterator<Item = &'a str> {
    let sent = cookie::sent(headers, server);
    let ids = sent.unwrap_or_default().split(SEPARATOR);
    ids.filter(|id| is_id(id))
}

/// Fields of buttons: how the answer is shown is no part of what the form does.
const BUTTONS: &[&str] = &["as"];

/// What identifies a form with its entries, if its page has given it an id. A form that the user has
/// changed after the way back is another one.
pub(crate) fn id_of<'a>(fields: impl Iterator<Item = (&'a str, &'a str)>) -> Option<String> {
    let (mut has_id, mut digest) = (false, Sha256::new());
    let is_entry = |name: &str| name != FORM_TOKEN && !BUTTONS.contains(&name);
    let entries = fields.filter(|(name, value)| is_entry(name) && !value.is_empty());
    for (name, value) in entries {
        has_id |= name == FORM_ID && is_id(value);
        for part in [name, value] {
            digest.update((part.len() as u64).to_be_bytes());
            digest.update(part);
        }
    }
    let digest = digest.finalize();
    has_id.then(|| Base64UrlUnpadded::encode_string(&digest[..16]))
}

/// Whether a text can be an id, and stand in a cookie.
fn is_id(text: &str) -> bool {
    let is_known = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    text.len() == LENGTH && text.bytes().all(is_known)
}
