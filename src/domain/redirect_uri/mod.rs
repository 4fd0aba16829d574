use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use fluent_uri::Uri;
use fluent_uri::pct_enc::EStr;
use fluent_uri::pct_enc::encoder::Query;

use crate::domain::{InvalidValue, string_enum};

/// A registered redirect URI: absolute, without a fragment, `https` (or `http` on loopback, or a
/// private-use scheme with a dot).
///
/// A presented URI is compared byte for byte, without normalization. Only the port of a loopback IP
/// literal may differ (RFC 8252 §7.3), because native applications use any free port.
///
/// ```
/// use lyceum::domain::RedirectUri;
///
/// let registered: RedirectUri = "http://127.0.0.1:8400/callback".parse()?;
/// assert!(registered.allows("http://127.0.0.1:51004/callback"));
/// assert!(!registered.allows("http://localhost:8400/callback"));
/// assert!("javascript:alert(1)".parse::<RedirectUri>().is_err());
/// # Ok::<(), lyceum::domain::InvalidValue>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RedirectUri(Box<str>);

impl RedirectUri {
    /// The URI as registered.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether an authorization request may redirect to `presented`.
    pub fn allows(&self, presented: &str) -> bool {
        if *self.0 == *presented {
            return true;
        }
        match (
            without_loopback_port(&self.0),
            without_loopback_port(presented),
        ) {
            (Some(registered), Some(presented)) => registered == presented,
            _ => false,
        }
    }

    /// Whether another program can receive redirects to this URI. Any program on the user's machine
    /// may listen on loopback or claim a private-use scheme (RFC 8252 §8.6), but only the owner of
    /// an `https` host receives its requests.
    pub fn can_be_impersonated(&self) -> bool {
        let Some(rest) = self.0.strip_prefix("https://") else {
            return true;
        };
        let authority = rest.split(['/', '?']).next().unwrap_or_default();
        let is_local = |ip: Ipv4Addr| ip.is_loopback() || ip.is_unspecified();
        if let Some(literal) = authority.strip_prefix('[') {
            let address = literal
                .split(']')
                .next()
                .unwrap_or_default()
                .parse::<Ipv6Addr>();
            return address.map_or(true, |ip| {
                ip.is_loopback() || ip.is_unspecified() || ip.to_ipv4_mapped().is_some_and(is_local)
            });
        }
        let host = authority
            .split(':')
            .next()
            .unwrap_or_default()
            .trim_end_matches('.');
        let last_label = host.rsplit('.').next().unwrap_or_default();
        // Browsers decode escapes, and parse a host that ends in a number as an address, such as
        // 127.1.
        let is_ambiguous =
            host.contains('%') || last_label.starts_with(|first: char| first.is_ascii_digit());
        last_label.eq_ignore_ascii_case("localhost")
            || host.parse::<Ipv4Addr>().map_or(is_ambiguous, is_local)
    }
}

impl FromStr for RedirectUri {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        InvalidRedirectUri::detect(text).map_or_else(
            || Ok(Self(text.into())),
            |rule| Err(InvalidValue::new(rule.message())),
        )
    }
}

string_enum! {
    /// Reason why a text cannot be registered as a redirect URI. The script of the web interface
    /// implements the same rules with the same names.
    InvalidRedirectUri {
        /// It is longer than 2,000 bytes.
        Length = "length",
        /// It is not an absolute URI (RFC 3986 §4.3).
        Absolute = "absolute",
        /// It has a fragment (RFC 6749 §3.1.2).
        Fragment = "fragment",
        /// It has user information, which can be mistaken for a host.
        User = "user",
        /// Its port is above 65535.
        Port = "port",
        /// It is `https` without a host.
        Host = "host",
        /// It is neither `https`, nor `http` on loopback, nor a private-use scheme with a dot.
        Scheme = "scheme",
        /// It has a parameter of authorization responses.
        Reserved = "reserved",
    }
}

impl InvalidRedirectUri {
    /// Returns the first rule that the text breaks, if any.
    pub fn detect(text: &str) -> Option<Self> {
        if text.len() > 2000 {
            return Some(Self::Length);
        }
        let Ok(uri) = Uri::parse(text) else {
            return Some(Self::Absolute);
        };
        if uri.has_fragment() {
            return Some(Self::Fragment);
        }
        if uri
            .authority()
            .is_some_and(|authority| authority.has_userinfo())
        {
            return Some(Self::User);
        }
        if uri
            .authority()
            .is_some_and(|authority| authority.port_to_u16().is_err())
        {
            return Some(Self::Port);
        }
        let host = uri.authority().map_or("", |authority| authority.host());
        match uri.scheme().as_str() {
            "https" if host.is_empty() => return Some(Self::Host),
            "https" => {}
            "http" if matches!(host, "127.0.0.1" | "[::1]" | "localhost") => {}
            private
                if private.contains('.')
                    && !private.bytes().any(|byte| byte.is_ascii_uppercase()) => {}
            _ => return Some(Self::Scheme),
        }
        uri.query()
            .is_some_and(has_response_parameter)
            .then_some(Self::Reserved)
    }

    /// The rule, worded to follow the name of the value.
    const fn message(self) -> &'static str {
        match self {
            Self::Length => "must have at most 2000 characters",
            Self::Absolute => "must be an absolute URI",
            Self::Fragment => "must not have a fragment",
            Self::User => "must not have user information",
            Self::Port => "must have a port up to 65535",
            Self::Host => "must have a host",
            Self::Scheme => "must use https, http on loopback, or a private-use scheme with a dot",
            Self::Reserved => "must not have the parameters code, state, iss or error",
        }
    }
}

/// Whether a query already has a parameter of authorization responses (RFC 6749 §4.1.2, RFC 9207),
/// percent-encoded or not.
fn has_response_parameter(query: &EStr<Query>) -> bool {
    query.split('&').any(|pair| {
        let name = pair.split_once('=').map_or(pair, |(name, _)| name);
        let name = name.decode().to_bytes();
        ["code", "state", "iss", "error", "error_description"]
            .iter()
            .any(|reserved| *name == *reserved.as_bytes())
    })
}

/// Splits an `http` URI with a loopback IP literal into its host and the part after the port.
fn without_loopback_port(uri: &str) -> Option<(&str, &str)> {
    let host = ["http://127.0.0.1", "http://[::1]"]
        .into_iter()
        .find(|host| uri.starts_with(host))?;
    let rest = &uri[host.len()..];
    let Some(port_and_rest) = rest.strip_prefix(':') else {
        return (rest.is_empty() || rest.starts_with(['/', '?'])).then_some((host, rest));
    };
    let digits = port_and_rest.bytes().take_while(u8::is_ascii_digit).count();
    let (port, rest) = port_and_rest.split_at(digits);
    let port_is_plain = port.parse::<u16>().is_ok() && !port.starts_with('0');
    (port_is_plain && (rest.is_empty() || rest.starts_with(['/', '?']))).then_some((host, rest))
}

impl fmt::Display for RedirectUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for RedirectUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

#[cfg(test)]
mod tests;
