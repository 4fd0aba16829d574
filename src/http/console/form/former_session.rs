//! Forms of the session that the browser had before its last sign-in.
//!
//! A sign-in opens a new session, to which forms are bound. Other tabs still show forms of the
//! session before. Its digest waits in a sealed cookie, so that they are accepted, of the same user
//! only: a form's token proves the session and the user.

use std::time::Duration;

use http::HeaderMap;

use crate::http::console::cookie;
use crate::http::console::server::Server;

/// Time for which forms of the former session are accepted.
const LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);

/// What the seal is bound to.
const OWNER: &[u8] = b"former session";

/// `Set-Cookie` value with the session that a sign-in replaces, if the browser presents one.
pub(crate) fn cookie(server: &Server, headers: &HeaderMap) -> Option<String> {
    let digest = server.shared.user_sessions.token(headers)?.digest();
    let (management, until) = (&server.shared.management, server.now().plus(LIFETIME));
    let sealed = management
        .cookie_seal
        .seal(OWNER, until, digest.as_bytes(), &*management.entropy);
    let sealed = sealed.ok()?;
    Some(cookie::set_former(&sealed, LIFETIME, server))
}

/// The digest of the session before the last sign-in.
pub(crate) fn digest(server: &Server, headers: &HeaderMap) -> Option<[u8; 32]> {
    let sealed = cookie::former(headers, server)?;
    let seal = &server.shared.management.cookie_seal;
    let digest = seal.open(OWNER, server.now(), sealed).ok()?;
    digest.try_into().ok()
}
