use super::public_url::parse_public_url;
use crate::domain::InvalidValue;

/// Public URL of the authorization service (RFC 8414 §2): `https`, or `http` on a loopback address,
/// without a query, fragment or trailing slash.
#[derive(Debug, Clone)]
pub(crate) struct Issuer {
    text: Box<str>,
    path_start: usize,
}

impl Issuer {
    /// Parses the configured issuer.
    pub(crate) fn parse(text: &str) -> Result<Self, InvalidValue> {
        let uri = parse_public_url(text)?;
        if uri.has_query() {
            return Err(InvalidValue::new("must not have a query"));
        }
        if text.ends_with('/') {
            return Err(InvalidValue::new("must not end with a slash"));
        }
        let path = uri.path().as_str();
        // The path is inserted into pages and headers without escaping.
        if path.contains("//") || path.contains(['\'', ';', ',']) {
            return Err(InvalidValue::new("must have a plain path"));
        }
        Ok(Self {
            text: text.into(),
            path_start: text.len() - path.len(),
        })
    }

    /// The issuer, as in `iss`.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// The path, without a trailing slash; empty at the root of a host.
    pub(crate) fn path(&self) -> &str {
        &self.text[self.path_start..]
    }

    /// Path of the endpoints from the root of the host, without a trailing slash.
    pub(crate) fn endpoints_path(&self) -> String {
        format!("{}/v1/oauth", self.path())
    }

    /// Path of one endpoint from the root of the host.
    pub(crate) fn endpoint_path(&self, name: &str) -> String {
        format!("{}/{name}", self.endpoints_path())
    }

    /// Whether both have the same scheme, host and port (RFC 6454 §4), so that a browser sends the
    /// cookies of one to the other.
    #[cfg(feature = "console")]
    pub(crate) fn has_origin_of(&self, other: &Self) -> bool {
        fn origin(address: &Issuer) -> &str {
            let default_port = if address.is_secure() { ":443" } else { ":80" };
            let origin = &address.text[..address.path_start];
            origin.strip_suffix(default_port).unwrap_or(origin)
        }
        origin(self).eq_ignore_ascii_case(origin(other))
    }

    /// Whether the scheme is `https`.
    pub(crate) fn is_secure(&self) -> bool {
        self.text.starts_with("https://")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_issuer_is_a_plain_public_address() {
        for (text, login) in [
            ("https://auth.school.example", "/v1/oauth/login"),
            ("https://school.example/auth", "/auth/v1/oauth/login"),
            ("http://127.0.0.1:8080", "/v1/oauth/login"),
            ("http://[::1]:8080/a/b", "/a/b/v1/oauth/login"),
            ("http://localhost:8080", "/v1/oauth/login"),
        ] {
            assert_eq!(Issuer::parse(text).unwrap().endpoint_path("login"), login);
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
