//! Cookies, read and written.

use http::HeaderMap;
use http::header::COOKIE;

/// The value of the only cookie of this name. Two of them are none: a neighbouring subdomain may have planted one, and there is no telling
/// which.
pub(crate) fn only<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut values = values(headers, name);
    let value = values.next()?;
    values.next().is_none().then_some(value)
}

/// The values of all cookies of this name.
pub(crate) fn values<'a>(headers: &'a HeaderMap, name: &str) -> impl Iterator<Item = &'a str> {
    let pairs = headers.get_all(COOKIE).into_iter().flat_map(|header| header.as_bytes().split(|byte| *byte == b';'));
    let pairs = pairs.filter_map(|pair| std::str::from_utf8(pair).ok()?.trim_matches([' ', '\t']).split_once('='));
    pairs.filter_map(move |(found, value)| (found == name).then_some(value))
}

/// The `Set-Cookie` value that gives a browser a cookie for `seconds`, or takes it away with 0.
///
/// `SameSite=Lax` lets the cookie come along when another site sends the browser here, and not with a form that another site posts.
pub(crate) fn set(name: &str, value: &str, seconds: i64, is_secure: bool) -> String {
    let secure = if is_secure { "; Secure" } else { "" };
    format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}")
}
