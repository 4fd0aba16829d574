use fluent_uri::Uri;

use crate::domain::Invalid;

/// The address of the authorization service as the world sees it (RFC 8414 §2): `https`, or `http` on a loopback address, without a
/// query, fragment or trailing slash.
#[derive(Debug, Clone)]
pub(super) struct Issuer {
    text: Box<str>,
    path_at: usize,
}

impl Issuer {
    /// The issuer from its configuration.
    pub(super) fn parse(text: &str) -> Result<Self, Invalid> {
        let uri = public_address(text)?;
        if uri.has_query() {
            return Err(Invalid::new("must not have a query"));
        }
        if text.ends_with('/') {
            return Err(Invalid::new("must not end with a slash"));
        }
        let path = uri.path().as_str();
        // The path goes into pages and headers as it is.
        if path.contains("//") || path.contains(['\'', ';', ',']) {
            return Err(Invalid::new("must have a plain path"));
        }
        Ok(Self { text: text.into(), path_at: text.len() - path.len() })
    }

    /// The issuer, the value of `iss`.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// The path under which the endpoints lie: empty, or with a leading slash and without a trailing one.
    pub(super) fn path(&self) -> &str {
        &self.text[self.path_at..]
    }

    /// Whether browsers reach it through TLS.
    pub(super) fn is_secure(&self) -> bool {
        self.text.starts_with("https://")
    }
}

/// An absolute URL that people's browsers may be sent to.
pub(super) fn public_address(text: &str) -> Result<Uri<&str>, Invalid> {
    let uri = Uri::parse(text).map_err(|_| Invalid::new("must be an absolute URL"))?;
    let host = uri.authority().map_or("", |authority| authority.host());
    match uri.scheme().as_str() {
        "https" if !host.is_empty() => {}
        "http" if matches!(host, "127.0.0.1" | "[::1]" | "localhost") => {}
        _ => return Err(Invalid::new("must use https, or http on a loopback address")),
    }
    if uri.authority().is_some_and(|authority| authority.has_userinfo() || authority.port_to_u16().is_err()) {
        return Err(Invalid::new("must have a plain host and port"));
    }
    if uri.has_fragment() {
        return Err(Invalid::new("must not have a fragment"));
    }
    Ok(uri)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_issuer_is_a_plain_public_address() {
        for (text, path) in [
            ("https://auth.school.example", ""),
            ("https://school.example/auth", "/auth"),
            ("http://127.0.0.1:8080", ""),
            ("http://[::1]:8080/a/b", "/a/b"),
            ("http://localhost:8080", ""),
        ] {
            assert_eq!(Issuer::parse(text).unwrap().path(), path);
        }
        assert!(Issuer::parse("https://a.example").unwrap().is_secure());
        assert!(!Issuer::parse("http://localhost").unwrap().is_secure());
    }

    #[test]
    fn other_addresses_are_refused() {
        for text in [
            "",
            "auth.school.example",
            "/auth",
            "http://auth.school.example",
            "https://",
            "https:///auth",
            "https://auth.school.example/",
            "https://auth.school.example?a=b",
            "https://auth.school.example#a",
            "https://u@auth.school.example",
            "https://auth.school.example:99999",
            "https://auth.school.example/a//b",
            "https://auth.school.example/a b",
            "ftp://auth.school.example",
        ] {
            assert!(Issuer::parse(text).is_err(), "{text:?} was accepted");
        }
    }
}
