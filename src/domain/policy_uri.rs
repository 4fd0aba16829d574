use std::fmt;
use std::str::FromStr;

use fluent_uri::Uri;

use crate::domain::InvalidValue;

/// The address of a client's privacy policy (`policy_uri` of RFC 7591 §2): an absolute `https` URI,
/// or `http` on loopback, of at most 2,000 characters.
///
/// Consent pages link to it, so no other scheme is allowed, and no user information, which can be
/// mistaken for a host.
///
/// ```
/// use lyceum::domain::PolicyUri;
///
/// assert!("https://club.example/privacy#data".parse::<PolicyUri>().is_ok());
/// assert!("javascript:alert(1)".parse::<PolicyUri>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PolicyUri(Box<str>);

impl PolicyUri {
    /// Maximum length, in characters.
    pub const MAX_LENGTH: usize = 2000;

    /// The URI as registered.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for PolicyUri {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        if text.len() > Self::MAX_LENGTH {
            return Err(InvalidValue::new("must have at most 2000 characters"));
        }
        let uri = Uri::parse(text).map_err(|_| InvalidValue::new("must be an absolute URI"))?;
        let authority = uri.authority();
        let host = authority.map_or("", |authority| authority.host());
        match uri.scheme().as_str() {
            "https" if host.is_empty() => return Err(InvalidValue::new("must have a host")),
            "https" => {}
            "http" if matches!(host, "127.0.0.1" | "[::1]" | "localhost") => {}
            _ => return Err(InvalidValue::new("must use https, or http on loopback")),
        }
        if authority.is_some_and(|authority| authority.has_userinfo()) {
            return Err(InvalidValue::new("must not have user information"));
        }
        if authority.is_some_and(|authority| authority.port_to_u16().is_err()) {
            return Err(InvalidValue::new("must have a port up to 65535"));
        }
        Ok(Self(text.into()))
    }
}

impl fmt::Display for PolicyUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for PolicyUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_privacy_policy_has_an_address_that_browsers_can_open_safely() {
        for good in [
            "https://club.example",
            "https://club.example/privacy?language=ko#data",
            "https://club.example:8443/%EA%B0%9C%EC%9D%B8",
            "http://localhost:3000/privacy",
            "http://127.0.0.1/privacy",
            "http://[::1]:8080/",
        ] {
            assert_eq!(
                good.parse::<PolicyUri>().map(|uri| uri.to_string()),
                Ok(good.to_owned())
            );
        }
        for bad in [
            "",
            " https://club.example",
            "/privacy",
            "club.example/privacy",
            "//club.example/privacy",
            "https:///privacy",
            "https:privacy",
            "http://club.example/privacy",
            "http://localhost.club.example/privacy",
            "HTTPS://club.example/privacy",
            "javascript:alert(1)",
            "data:text/html,<script>alert(1)</script>",
            "com.example.club:/privacy",
            "https://school.example@club.example/privacy",
            "https://club.example:65536/privacy",
            "https://club.example/\"><script>",
            "https://club.example/개인정보",
            "https://club.example/\nprivacy",
        ] {
            assert!(bad.parse::<PolicyUri>().is_err(), "{bad:?} was accepted");
        }
    }

    #[test]
    fn an_address_of_a_privacy_policy_has_2000_characters_at_most() {
        let long = |length: usize| format!("{:a<length$}", "https://club.example/");
        assert!(long(2000).parse::<PolicyUri>().is_ok());
        assert!(long(2001).parse::<PolicyUri>().is_err());
    }
}
