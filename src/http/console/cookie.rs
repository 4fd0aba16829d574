use http::HeaderMap;

use super::server::Shared;
use crate::domain::UserSessionToken;
use crate::http::cookie;

/// What a token is for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// Somebody has signed in.
    Session,
    /// Somebody is about to. Nothing is kept of it; the sign-in form belongs to it, so that nobody else can have it sent.
    Visit,
}

/// The token that the browser presents.
pub(super) fn token(kind: Kind, headers: &HeaderMap, server: &Shared) -> Option<UserSessionToken> {
    UserSessionToken::presented(cookie::only(headers, name(kind, server))?).ok()
}

/// The `Set-Cookie` value that gives the browser a token for `seconds`.
pub(super) fn give(kind: Kind, token: &UserSessionToken, seconds: i64, server: &Shared) -> String {
    cookie::set(name(kind, server), token.expose(), seconds, server.address.is_secure())
}

/// The `Set-Cookie` value that takes the token away.
pub(super) fn take_away(kind: Kind, server: &Shared) -> String {
    cookie::set(name(kind, server), "", 0, server.address.is_secure())
}

/// Browsers accept a `__Host-` cookie only from the host itself through TLS (RFC 6265bis §4.1.3.2), so no subdomain can plant one. Without
/// TLS, on loopback, they would not accept it at all.
fn name(kind: Kind, server: &Shared) -> &'static str {
    match (kind, server.address.is_secure()) {
        (Kind::Session, true) => "__Host-lyceum-console",
        (Kind::Session, false) => "lyceum-console",
        (Kind::Visit, true) => "__Host-lyceum-visit",
        (Kind::Visit, false) => "lyceum-visit",
    }
}
