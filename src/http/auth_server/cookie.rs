use http::HeaderMap;

use crate::domain::SessionToken;
use crate::http::cookie;
use crate::http::issuer::Issuer;

/// The token of the browser's authorization session.
pub(super) fn session_token(headers: &HeaderMap, issuer: &Issuer) -> Option<SessionToken> {
    SessionToken::presented(cookie::only(headers, name(issuer))?).ok()
}

/// The `Set-Cookie` value that gives the browser its session for `seconds`.
pub(super) fn give(token: &SessionToken, seconds: i64, issuer: &Issuer) -> String {
    cookie::set(name(issuer), token.expose(), seconds, issuer.is_secure())
}

/// The `Set-Cookie` value that takes the session away.
pub(super) fn take_away(issuer: &Issuer) -> String {
    cookie::set(name(issuer), "", 0, issuer.is_secure())
}

/// Browsers accept a `__Host-` cookie only from the host itself through TLS (RFC 6265bis §4.1.3.2), so no subdomain can plant one. Without
/// TLS, on loopback, they would not accept it at all.
pub(super) fn name(issuer: &Issuer) -> &'static str {
    if issuer.is_secure() { "__Host-lyceum-session" } else { "lyceum-session" }
}
