use super::address::public_address;
use crate::domain::Invalid;

/// The address of the authorization service as the world sees it (RFC 8414 §2): `https`, or `http` on a loopback address, without a
/// query, fragment or trailing slash.
#[derive(Debug, Clone)]
pub(crate) struct Issuer {
    text: Box<str>,
    path_at: usize,
}

impl Issuer {
    /// The issuer from its configuration.
    pub(crate) fn parse(text: &str) -> Result<Self, Invalid> {
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
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// The path, without a trailing slash; empty at the root of a host.
    pub(crate) fn path(&self) -> &str {
        &self.text[self.path_at..]
    }

    /// Where a browser finds the endpoints, from the root of the host and without a trailing slash.
    pub(crate) fn root(&self) -> String {
        format!("{}/v1/oauth", self.path())
    }

    /// Where a browser finds one endpoint, from the root of the host.
    pub(crate) fn endpoint(&self, name: &str) -> String {
        format!("{}/{name}", self.root())
    }

    /// Whether browsers reach it through TLS.
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
            assert_eq!(Issuer::parse(text).unwrap().endpoint("login"), login);
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
