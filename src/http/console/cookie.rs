use std::time::Duration;

use http::HeaderMap;

use super::server::Server;
use crate::domain::UserSessionToken;
use crate::http::cookie;

/// The token of a browser before sign-in. It is not stored; the sign-in form is bound to it, which
/// prevents login CSRF.
pub(super) fn pre_session_token(headers: &HeaderMap, server: &Server) -> Option<UserSessionToken> {
    UserSessionToken::parse(cookie::unique_value(headers, name(server))?).ok()
}

/// `Set-Cookie` value that stores the token for this time; zero removes it.
pub(super) fn set_pre_session(
    token: Option<&UserSessionToken>,
    max_age: Duration,
    server: &Server,
) -> String {
    cookie::set_cookie_value(
        name(server),
        token.map_or("", UserSessionToken::expose),
        Some(max_age),
        server.shared.address.is_secure(),
    )
}

/// The sealed secret that the page with this id shows.
pub(super) fn secret<'a>(page: &str, headers: &'a HeaderMap, server: &Server) -> Option<&'a str> {
    cookie::unique_value(headers, &secret_name(page, server))
}

/// The ids of the pages for which sealed secrets wait, as the browser sends them.
pub(super) fn secret_pages<'a>(
    headers: &'a HeaderMap,
    server: &Server,
) -> impl Iterator<Item = &'a str> {
    let prefix = secret_name("", server);
    cookie::names(headers).filter_map(move |name| name.strip_prefix(&*prefix))
}

/// `Set-Cookie` value that stores the sealed secret of a page for this time; zero removes it.
pub(super) fn set_secret(page: &str, sealed: &str, max_age: Duration, server: &Server) -> String {
    let is_secure = server.shared.address.is_secure();
    cookie::set_cookie_value(&secret_name(page, server), sealed, Some(max_age), is_secure)
}

/// The sealed form that was sent after its session had ended.
pub(super) fn typed<'a>(headers: &'a HeaderMap, server: &Server) -> Option<&'a str> {
    cookie::unique_value(headers, typed_name(server))
}

/// `Set-Cookie` value that stores a sealed form for this time; zero removes it.
pub(super) fn set_typed(sealed: &str, max_age: Duration, server: &Server) -> String {
    let is_secure = server.shared.address.is_secure();
    cookie::set_cookie_value(typed_name(server), sealed, Some(max_age), is_secure)
}

/// The sealed digest of the session before the last sign-in.
pub(super) fn former<'a>(headers: &'a HeaderMap, server: &Server) -> Option<&'a str> {
    cookie::unique_value(headers, former_name(server))
}

/// `Set-Cookie` value that stores the sealed digest of a session for this time.
pub(super) fn set_former(sealed: &str, max_age: Duration, server: &Server) -> String {
    let is_secure = server.shared.address.is_secure();
    cookie::set_cookie_value(former_name(server), sealed, Some(max_age), is_secure)
}

/// The ids of forms that the browser has sent.
pub(super) fn sent<'a>(headers: &'a HeaderMap, server: &Server) -> Option<&'a str> {
    cookie::unique_value(headers, sent_name(server))
}

/// `Set-Cookie` value that stores ids of forms for this time.
pub(super) fn set_sent(ids: &str, max_age: Duration, server: &Server) -> String {
    let is_secure = server.shared.address.is_secure();
    cookie::set_cookie_value(sent_name(server), ids, Some(max_age), is_secure)
}

fn former_name(server: &Server) -> &'static str {
    if server.shared.address.is_secure() {
        "__Host-lyceum-former"
    } else {
        "lyceum-former"
    }
}

fn sent_name(server: &Server) -> &'static str {
    if server.shared.address.is_secure() {
        "__Host-lyceum-sent"
    } else {
        "lyceum-sent"
    }
}

fn typed_name(server: &Server) -> &'static str {
    if server.shared.address.is_secure() {
        "__Host-lyceum-typed"
    } else {
        "lyceum-typed"
    }
}

fn secret_name(page: &str, server: &Server) -> String {
    if server.shared.address.is_secure() {
        format!("__Host-lyceum-shown-{page}")
    } else {
        format!("lyceum-shown-{page}")
    }
}

/// Name of the cookie, with `__Host-` for the reason that
/// [`UserSessions`](crate::http::login::UserSessions) have.
fn name(server: &Server) -> &'static str {
    if server.shared.address.is_secure() {
        "__Host-lyceum-visit"
    } else {
        "lyceum-visit"
    }
}
