//! Secrets that a page shows once.
//!
//! The form that makes a secret answers with a redirect, so that a refreshed page makes no second
//! one. The secret reaches the page in a cookie, sealed for the session and a few minutes; the page
//! removes it. It is in no address, log or store.

use std::time::Duration;

use http::header::SET_COOKIE;
use http::{Method, StatusCode};

use super::error::Error;
use super::flash::Flash;
use super::query::encode;
use super::route_matching::HandlerResult;
use super::user_request::UserRequest;
pub(super) use super::wire::ShownSecret;
use super::{accounts, clients, cookie, keys, return_to};
use crate::domain::Timestamp;
use crate::http::response;

/// Time in which the page has to be requested.
const LIFETIME: Duration = Duration::from_secs(5 * 60);

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
        let query = encode([("next", &*secret.record_path())]);
        let answer = response::redirect(
            StatusCode::SEE_OTHER,
            &server.href(&format!("/shown?{query}")),
        )?;
        let set = cookie::set_secret(&sealed, LIFETIME, server);
        Ok(response::with_header(answer, SET_COOKIE, &set)?)
    }

    /// The session, to which the cookie is bound.
    fn seal_owner(&self) -> Vec<u8> {
        [b"secret:", self.user.token.digest().as_bytes().as_slice()].concat()
    }

    fn sealed_secret(&self) -> Option<ShownSecret> {
        let server = self.server;
        let sealed = cookie::secret(self.request.headers(), server)?;
        let seal = &server.shared.management.cookie_seal;
        let contents = seal.open(&self.seal_owner(), server.now(), sealed).ok()?;
        serde_json::from_slice(&contents).ok()
    }
}

/// `GET /shown`: shows the secret of the session's last form and removes it from the browser. Without
/// one it leads to the page of the record.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let query = request.query()?;
    let next = query.value("next").and_then(return_to::validated);
    let path = next.map_or("/", |next| next.split('?').next().unwrap_or(next));
    // Another tab may have made another secret since.
    let secret = request
        .sealed_secret()
        .filter(|secret| secret.record_path() == path);
    let Some(secret) = secret else {
        return request.redirect_with_flash(path, Flash::SecretShownBefore);
    };
    let page = match secret {
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
        return Ok(page);
    }
    let clear = cookie::set_secret("", Duration::ZERO, request.server);
    Ok(response::with_header(page, SET_COOKIE, &clear)?)
}
