use std::time::Duration;

use http::HeaderMap;

use crate::domain::SessionToken;
use crate::http::cookie;
use crate::http::issuer::Issuer;

/// The authorization session's cookie value in a request.
pub(super) fn session_token(headers: &HeaderMap, issuer: &Issuer) -> Option<SessionToken> {
    SessionToken::parse(cookie::unique_value(headers, name(issuer))?).ok()
}

/// The `Set-Cookie` value that sets the session cookie for this time.
pub(super) fn set_session(token: &SessionToken, max_age: Duration, issuer: &Issuer) -> String {
    cookie::set_cookie_value(
        name(issuer),
        token.expose(),
        Some(max_age),
        issuer.is_secure(),
    )
}

/// The `Set-Cookie` value that removes the session cookie.
pub(super) fn clear_session(issuer: &Issuer) -> String {
    cookie::set_cookie_value(name(issuer), "", Some(Duration::ZERO), issuer.is_secure())
}

/// The name of the session cookie. Browsers accept a `__Host-` cookie only from the host itself
/// over TLS (RFC 6265bis §4.1.3.2), so no subdomain can plant one. Without TLS, on loopback, they
/// would reject that name.
pub(in crate::http::auth_server) fn name(issuer: &Issuer) -> &'static str {
    if issuer.is_secure() {
        "__Host-lyceum-session"
    } else {
        "lyceum-session"
    }
}
