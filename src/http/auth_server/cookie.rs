use http::HeaderMap;
use http::header::COOKIE;

use crate::domain::SessionToken;
use crate::http::issuer::Issuer;

/// The token of the browser's authorization session. Two cookies of the name are none: a neighbouring subdomain may have planted one of
/// them, and there is no telling which.
pub(super) fn session_token(headers: &HeaderMap, issuer: &Issuer) -> Option<SessionToken> {
    let name = name(issuer);
    let mut values = headers
        .get_all(COOKIE)
        .into_iter()
        .flat_map(|header| header.as_bytes().split(|byte| *byte == b';'))
        .filter_map(|pair| std::str::from_utf8(pair).ok()?.trim_matches([' ', '\t']).split_once('='))
        .filter_map(|(found, value)| (found == name).then_some(value));
    let token = values.next()?;
    if values.next().is_some() {
        return None;
    }
    SessionToken::presented(token).ok()
}

/// The `Set-Cookie` value that gives the browser its session for `seconds`.
///
/// `SameSite=Lax` lets the cookie come along when an application sends the browser here, and not with a form that another site posts.
pub(super) fn give(token: &SessionToken, seconds: i64, issuer: &Issuer) -> String {
    set(token.expose(), seconds, issuer)
}

/// The `Set-Cookie` value that takes the session away.
pub(super) fn take_away(issuer: &Issuer) -> String {
    set("", 0, issuer)
}

fn set(value: &str, seconds: i64, issuer: &Issuer) -> String {
    let secure = if issuer.is_secure() { "; Secure" } else { "" };
    format!("{}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}", name(issuer))
}

/// Browsers accept a `__Host-` cookie only from the host itself through TLS (RFC 6265bis §4.1.3.2), so no subdomain can plant one. Without
/// TLS, on loopback, they would not accept it at all.
pub(super) fn name(issuer: &Issuer) -> &'static str {
    if issuer.is_secure() { "__Host-lyceum-session" } else { "lyceum-session" }
}
