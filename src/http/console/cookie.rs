use std::time::Duration;

use http::HeaderMap;

use super::server::Server;
use crate::domain::UserSessionToken;
use crate::http::cookie;

/// Purpose of a token.
#[derive(Debug, Clone, Copy)]
pub(super) enum CookieKind {
    /// A signed-in session.
    Session,
    /// A browser before sign-in. The token is not stored; the sign-in form is bound to it, which
    /// prevents login CSRF.
    PreSession,
}

/// The token in the request's cookie.
pub(super) fn token(
    kind: CookieKind,
    headers: &HeaderMap,
    server: &Server,
) -> Option<UserSessionToken> {
    UserSessionToken::parse(cookie::unique_value(headers, name(kind, server))?).ok()
}

/// `Set-Cookie` value that stores a token for this time.
pub(super) fn set_token(
    kind: CookieKind,
    token: &UserSessionToken,
    max_age: Duration,
    server: &Server,
) -> String {
    cookie::set_cookie_value(
        name(kind, server),
        token.expose(),
        max_age,
        server.shared.address.is_secure(),
    )
}

/// `Set-Cookie` value that removes the token.
pub(super) fn clear_token(kind: CookieKind, server: &Server) -> String {
    cookie::set_cookie_value(
        name(kind, server),
        "",
        Duration::ZERO,
        server.shared.address.is_secure(),
    )
}

/// Name of the cookie. Browsers accept a `__Host-` cookie only from the host itself over TLS (RFC
/// 6265bis §4.1.3.2), so a subdomain cannot set one. On loopback without TLS, browsers would reject
/// it.
fn name(kind: CookieKind, server: &Server) -> &'static str {
    match (kind, server.shared.address.is_secure()) {
        (CookieKind::Session, true) => "__Host-lyceum-console",
        (CookieKind::Session, false) => "lyceum-console",
        (CookieKind::PreSession, true) => "__Host-lyceum-visit",
        (CookieKind::PreSession, false) => "lyceum-visit",
    }
}
