//! Secrets that a page shows once.
//!
//! The form that makes a secret answers with a redirect, so that a refreshed page makes no second
//! one. The secret reaches the page in a cookie, sealed for the session and a few minutes; the page
//! removes it. It is in no address, log or store. Each page has a cookie of its own, so that forms
//! sent in several tabs at once do not replace each other's secret.

use std::time::Duration;

use base64ct::{Base64UrlUnpadded, Encoding};
use http::header::SET_COOKIE;
use http::{Method, StatusCode};

use super::error::Error;
use super::form::flash::Flash;
use super::query::encode;
use super::route_matching::HandlerResult;
use super::user_request::UserRequest;
pub(super) use super::wire::ShownSecret;
use super::{accounts, clients, cookie, keys, return_to};
use crate::domain::Timestamp;
use crate::http::response;

/// Time in which the page has to be requested.
const LIFETIME: Duration = Duration::from_secs(5 * 60);

/// Maximum number of secrets that wait for their pages. A cookie has some 500 bytes, and servers
/// and proxies limit the header of all cookies to some thousands.
const MAX_WAITING: usize = 4;

/// Length of a page's id.
const PAGE_BYTES: usize = 8;

impl ShownSecret {
    /// Path of the record's page.
    fn record_path(&self) -> String {
        match self {
            Self::NewKey { key, .. }
            | Self::RenewedKey { key, .. }
            | Self::CalendarFeed { key, .. } => format!("/keys/{key}"),
            Self::NewClient { client, .. } | Self::AddedClientSecret { client, .. } => {
                format!("/clients/{client}")
            }
            Self::GeneratedPassword { account, .. } | Self::PasswordLink { account, .. } => {
                format!("/admin/people/{account}")
            }
        }
    }
}

impl UserRequest<'_> {
    /// Redirects to the page that shows the secret once.
    pub(super) fn redirect_to_secret(&self, secret: &ShownSecret) -> HandlerResult {
        let server = self.server;
        let contents = serde_json::to_vec(secret).map_err(Error::internal)?;
        let sealed = server.shared.management.cookie_seal.seal(
            &self.seal_owner(),
            server.now().plus(LIFETIME),
            &contents,
            &*server.shared.management.entropy,
        );
        let sealed = sealed.map_err(|_| Error::internal("a secret could not be sealed"))?;
        let page = Base64UrlUnpadded::encode_string(
            &server.shared.management.entropy.bytes::<PAGE_BYTES>(),
        );
        let query = encode([("next", &*secret.record_path()), ("page", &*page)]);
        let answer = response::redirect(
            StatusCode::SEE_OTHER,
            &server.href(&format!("/shown?{query}")),
        )?;
        let set = cookie::set_secret(&page, &sealed, LIFETIME, server);
        let mut answer = response::with_header(answer, SET_COOKIE, &set)?;
        // Browsers send the oldest cookies first.
        let waiting: Vec<&str> = cookie::secret_pages(self.request.headers(), server)
            .filter(|page| is_page(page))
            .collect();
        let surplus = (waiting.len() + 1).saturating_sub(MAX_WAITING);
        for page in &waiting[..surplus] {
            let clear = cookie::set_secret(page, "", Duration::ZERO, server);
            answer = response::with_header(answer, SET_COOKIE, &clear)?;
        }
        Ok(answer)
    }

    /// The session, to which the cookie is bound.
    fn seal_owner(&self) -> Vec<u8> {
        [b"secret:", self.user.token.digest().as_bytes().as_slice()].concat()
    }

    /// The secret of the page with this id.
    fn sealed_secret(&self, page: &str) -> Option<ShownSecret> {
        let server = self.server;
        let sealed = cookie::secret(page, self.request.headers(), server)?;
        let seal = &server.shared.management.cookie_seal;
        let contents = seal.open(&self.seal_owner(), server.now(), sealed).ok()?;
        serde_json::from_slice(&contents).ok()
    }
}

/// Whether a text can be the id of a page, and stand in the name of a cookie.
fn is_page(text: &str) -> bool {
    let mut decoded = [0; PAGE_BYTES];
    Base64UrlUnpadded::decode(text, &mut decoded).is_ok_and(|bytes| bytes.len() == PAGE_BYTES)
}

/// `GET /shown`: shows the secret that waits for the page and removes it from the browser. Without
/// one it leads to the page of the record.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let query = request.query()?;
    let next = query.value("next").and_then(return_to::validated);
    let path = next.map_or("/", |next| next.split('?').next().unwrap_or(next));
    let page = query.value("page").filter(|page| is_page(page));
    let page = page.unwrap_or_default();
    let secret = request
        .sealed_secret(page)
        .filter(|secret| secret.record_path() == path);
    let Some(secret) = secret else {
        return request.redirect_with_flash(path, Flash::SecretShownBefore);
    };
    let answer = match secret {
        ShownSecret::NewKey { key, secret } => keys::new::shown(request, &key, secret).await?,
        ShownSecret::RenewedKey {
            key,
            secret,
            old_until,
        } => {
            let old_until = old_until.map(Timestamp::from_seconds);
            keys::renew::shown(request, &key, secret, old_until).await?
        }
        ShownSecret::NewClient { client, secret } => {
            clients::secrets::shown(request, &client, secret, true).await?
        }
        ShownSecret::AddedClientSecret { client, secret } => {
            clients::secrets::shown(request, &client, secret, false).await?
        }
        ShownSecret::CalendarFeed { key, token } => {
            keys::calendars::shown(request, &key, &token).await?
        }
        ShownSecret::GeneratedPassword { account, password } => {
            accounts::update::shown(request, &account, password).await?
        }
        ShownSecret::PasswordLink {
            account,
            link,
            mail,
        } => accounts::invite::shown(request, &account, link, mail).await?,
    };
    if request.request.method() == Method::HEAD {
        return Ok(answer);
    }
    let clear = cookie::set_secret(page, "", Duration::ZERO, request.server);
    Ok(response::with_header(answer, SET_COOKIE, &clear)?)
}
