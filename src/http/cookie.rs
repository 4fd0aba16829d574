//! Parsing and writing of cookies.

use std::time::Duration;

use http::HeaderMap;
use http::header::COOKIE;

/// Returns the value of the cookie of this name. Returns `None` if there are several: a
/// neighbouring subdomain may have set one of them.
pub(crate) fn unique_value<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut values = values(headers, name);
    let value = values.next()?;
    values.next().is_none().then_some(value)
}

/// Returns the values of all cookies of this name.
pub(crate) fn values<'a>(headers: &'a HeaderMap, name: &str) -> impl Iterator<Item = &'a str> {
    pairs(headers).filter_map(move |(found, value)| (found == name).then_some(value))
}

/// Returns the names of all cookies, in their order.
#[cfg(feature = "console")]
pub(crate) fn names(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    pairs(headers).map(|(name, _)| name)
}

fn pairs(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let pairs = headers
        .get_all(COOKIE)
        .into_iter()
        .flat_map(|header| header.as_bytes().split(|byte| *byte == b';'));
    pairs.filter_map(|pair| {
        std::str::from_utf8(pair)
            .ok()?
            .trim_matches([' ', '\t'])
            .split_once('=')
    })
}

/// Formats a `Set-Cookie` value with this `Max-Age`; zero deletes the cookie, and without one it
/// ends with the browser.
///
/// `SameSite=Lax`: the browser sends the cookie when it follows a link from another site, but not
/// with a form that another site posts.
pub(crate) fn set_cookie_value(
    name: &str,
    value: &str,
    max_age: Option<Duration>,
    is_secure: bool,
) -> String {
    let secure = if is_secure { "; Secure" } else { "" };
    let max_age = match max_age {
        Some(max_age) => format!("; Max-Age={}", max_age.as_secs()),
        None => String::new(),
    };
    format!("{name}={value}; Path=/{max_age}; HttpOnly; SameSite=Lax{secure}")
}
