//! Forms of the sessions that the browser had before its last sign-ins to the console.
//!
//! A sign-in opens a new session, to which forms are bound. Other tabs still show forms of the
//! sessions before. The digests of these wait in a sealed cookie, so that the forms are accepted, of
//! the same user only: a form's token proves the session and the user.

use std::time::Duration;

use http::HeaderMap;

use crate::http::console::cookie;
use crate::http::console::server::Server;

/// Time after the last sign-in for which forms of former sessions are accepted.
const LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);

/// Number of former sessions.
const MAX_KNOWN: usize = 8;

/// What the seal is bound to.
const OWNER: &[u8] = b"former sessions";

/// `Set-Cookie` value with the session that a sign-in replaces, if the browser presents one, and
/// those before.
pub(crate) fn cookie(server: &Server, headers: &HeaderMap) -> Option<String> {
    let replaced = *server
        .shared
        .user_sessions
        .token(headers)?
        .digest()
        .as_bytes();
    let former = digests(server, headers).into_iter();
    let former = former.filter(|digest| *digest != replaced);
    let known: Vec<[u8; 32]> = std::iter::once(replaced)
        .chain(former)
        .take(MAX_KNOWN)
        .collect();
    let (management, until) = (&server.shared.management, server.now().plus(LIFETIME));
    let sealed = management
        .cookie_seal
        .seal(OWNER, until, &known.concat(), &*management.entropy);
    let sealed = sealed.ok()?;
    Some(cookie::set_former(&sealed, LIFETIME, server))
}

/// `Set-Cookie` value with which the browser forgets its former sessions.
pub(crate) fn forget(server: &Server) -> String {
    cookie::set_former("", Duration::ZERO, server)
}

/// The digests of the sessions before the last sign-ins, the latest first.
pub(crate) fn digests(server: &Server, headers: &HeaderMap) -> Vec<[u8; 32]> {
    let seal = &server.shared.management.cookie_seal;
    let sealed = cookie::former(headers, server);
    let known = sealed.and_then(|sealed| seal.open(OWNER, server.now(), sealed).ok());
    let (digests, _) = known.as_deref().unwrap_or_default().as_chunks();
    digests.to_vec()
}
