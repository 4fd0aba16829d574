use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use fluent_uri::Uri;

use crate::domain::{Invalid, vocabulary};

/// A registered redirect URI: absolute, without a fragment, `https` (or `http` on loopback, or a private-use scheme with a dot).
///
/// A presented URI is compared byte for byte, without any normalisation: what looks the same but is spelled otherwise is another URI.
/// Only the port of a loopback IP literal may differ (RFC 8252 §7.3), because native applications get whichever is free.
///
/// ```
/// use lyceum::domain::RedirectUri;
///
/// let registered: RedirectUri = "http://127.0.0.1:8400/callback".parse()?;
/// assert!(registered.allows("http://127.0.0.1:51004/callback"));
/// assert!(!registered.allows("http://localhost:8400/callback"));
/// assert!("javascript:alert(1)".parse::<RedirectUri>().is_err());
/// # Ok::<(), lyceum::domain::Invalid>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RedirectUri(Box<str>);

impl RedirectUri {
    /// The URI as registered.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a request may send its user to `presented`.
    pub fn allows(&self, presented: &str) -> bool {
        if *self.0 == *presented {
            return true;
        }
        match (without_loopback_port(&self.0), without_loopback_port(presented)) {
            (Some(registered), Some(presented)) => registered == presented,
            _ => false,
        }
    }

    /// Whether anyone can put themselves where it leads: any program of the user's may listen on loopback or claim a private-use scheme
    /// (RFC 8252 §8.6), but only its owner answers at an `https` address.
    pub fn can_be_imitated(&self) -> bool {
        let Some(rest) = self.0.strip_prefix("https://") else { return true };
        let authority = rest.split(['/', '?']).next().unwrap_or_default();
        let is_here = |ip: Ipv4Addr| ip.is_loopback() || ip.is_unspecified();
        if let Some(literal) = authority.strip_prefix('[') {
            let address = literal.split(']').next().unwrap_or_default().parse::<Ipv6Addr>();
            return address.map_or(true, |ip| ip.is_loopback() || ip.is_unspecified() || ip.to_ipv4_mapped().is_some_and(is_here));
        }
        let host = authority.split(':').next().unwrap_or_default().trim_end_matches('.');
        let last_label = host.rsplit('.').next().unwrap_or_default();
        // Browsers take escapes apart, and read what ends in a number as an address, such as 127.1.
        let is_odd = host.contains('%') || last_label.starts_with(|first: char| first.is_ascii_digit());
        last_label.eq_ignore_ascii_case("localhost") || host.parse::<Ipv4Addr>().map_or(is_odd, is_here)
    }
}

impl FromStr for RedirectUri {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        RedirectFault::of(text).map_or_else(|| Ok(Self(text.into())), |fault| Err(Invalid::new(fault.rule())))
    }
}

vocabulary! {
    /// Why an address cannot be registered as a redirect URI. The script of the web interface has the same words for the same addresses.
    RedirectFault {
        /// It is longer than 2,000 bytes.
        Length = "length",
        /// It is no absolute URI (RFC 3986 §4.3).
        Absolute = "absolute",
        /// It has a fragment (RFC 6749 §3.1.2).
        Fragment = "fragment",
        /// It has user information, which looks like a host.
        User = "user",
        /// Its port is beyond 65535.
        Port = "port",
        /// It is `https` without a host.
        Host = "host",
        /// It is neither `https`, nor `http` on loopback, nor a private-use scheme with a dot.
        Scheme = "scheme",
        /// It has a parameter that an authorization response adds.
        Reserved = "reserved",
    }
}

impl RedirectFault {
    /// The first rule that the address breaks, if it breaks one.
    pub fn of(text: &str) -> Option<Self> {
        if text.len() > 2000 {
            return Some(Self::Length);
        }
        let Ok(uri) = Uri::parse(text) else { return Some(Self::Absolute) };
        if uri.has_fragment() {
            return Some(Self::Fragment);
        }
        if uri.authority().is_some_and(|authority| authority.has_userinfo()) {
            return Some(Self::User);
        }
        if uri.authority().is_some_and(|authority| authority.port_to_u16().is_err()) {
            return Some(Self::Port);
        }
        let host = uri.authority().map_or("", |authority| authority.host());
        match uri.scheme().as_str() {
            "https" if host.is_empty() => return Some(Self::Host),
            "https" => {}
            "http" if matches!(host, "127.0.0.1" | "[::1]" | "localhost") => {}
            private if private.contains('.') && !private.bytes().any(|byte| byte.is_ascii_uppercase()) => {}
            _ => return Some(Self::Scheme),
        }
        answers_a_request(uri.query().map_or("", |query| query.as_str())).then_some(Self::Reserved)
    }

    /// The rule, worded to follow the name of what breaks it.
    const fn rule(self) -> &'static str {
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

/// Whether a query already holds a parameter that an authorization response would add (RFC 6749 §4.1.2, RFC 9207).
fn answers_a_request(query: &str) -> bool {
    query.split('&').any(|pair| {
        let name = pair.split('=').next().unwrap_or_default();
        let name = percent_decoded(name);
        ["code", "state", "iss", "error", "error_description"].iter().any(|reserved| name == reserved.as_bytes())
    })
}

/// The bytes behind `%xx`; the URI parser has already refused a malformed one.
fn percent_decoded(text: &str) -> Vec<u8> {
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        let escaped = (byte == b'%').then(|| bytes.next().zip(bytes.next())).flatten();
        let hex = |digit: u8| char::from(digit).to_digit(16).unwrap_or_default() as u8;
        decoded.push(escaped.map_or(byte, |(high, low)| hex(high) << 4 | hex(low)));
    }
    decoded
}

/// The URI's host and what follows the port, if its host is a loopback IP literal behind `http`.
fn without_loopback_port(uri: &str) -> Option<(&str, &str)> {
    let host = ["http://127.0.0.1", "http://[::1]"].into_iter().find(|host| uri.starts_with(host))?;
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
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn registered(text: &str) -> RedirectUri {
        text.parse().unwrap()
    }

    #[test]
    fn https_loopback_and_private_schemes_can_be_registered() {
        for text in [
            "https://app.example/callback",
            "https://app.example:8443/callback?tenant=1",
            "http://127.0.0.1/callback",
            "http://[::1]:8400/callback",
            "http://localhost:3000/callback",
            "com.example.app:/callback",
            "com.example.app://callback",
        ] {
            assert!(text.parse::<RedirectUri>().is_ok(), "{text:?} was refused");
        }
    }

    /// Fails if every address has one.
    #[test]
    fn s21_only_an_https_address_of_somewhere_else_has_an_owner() {
        for text in
            ["https://app.example/callback", "https://app.example:8443", "https://127.example/", "https://[2001:db8::1]:8443/callback"]
        {
            assert!(!registered(text).can_be_imitated(), "{text:?}");
        }
        for text in [
            "http://127.0.0.1/callback",
            "http://[::1]:8400/callback",
            "http://localhost:3000/callback",
            "https://127.0.0.1/callback",
            "https://127.0.0.2:8443?a",
            "https://[::1]/callback",
            "https://[::1]:8443/callback",
            "https://localhost:8443/callback",
            "https://[0:0:0:0:0:0:0:1]/callback",
            "https://[::ffff:127.0.0.1]/callback",
            "https://[::]/callback",
            "https://app.localhost/callback",
            "https://localhost.:8443/callback",
            "https://%6cocalhost/callback",
            "https://127.1/callback",
            "https://0x7f000001/callback",
            "https://2130706433/callback",
            "https://0.0.0.0/callback",
            "com.example.app:/callback",
            "com.example.app://app.example/callback",
        ] {
            assert!(registered(text).can_be_imitated(), "{text:?}");
        }
    }

    /// The script of the web interface is run against the same table. Fails if a rule changes in one of the two.
    #[test]
    fn s12_every_address_of_the_table_is_good_or_breaks_its_rule_first() {
        let table = include_str!("../../assets/redirect_uris.txt");
        let cases: Vec<_> = table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split_once(' ').unwrap()).collect();
        for (word, text) in &cases {
            assert_eq!(RedirectFault::of(text).map_or("good", RedirectFault::as_str), *word, "{text:?}");
            assert_eq!(text.parse::<RedirectUri>().is_ok(), *word == "good");
        }
        for fault in RedirectFault::ALL.iter().filter(|fault| **fault != RedirectFault::Length) {
            assert!(cases.iter().any(|(word, _)| *word == fault.as_str()), "{fault} has no case");
        }
        let long = |length| RedirectFault::of(&format!("{:x<length$}", "https://app.example/"));
        assert_eq!((long(2000), long(2001)), (None, Some(RedirectFault::Length)));
    }

    /// Fails if any scheme is good.
    #[test]
    fn s12_javascript_and_its_friends_cannot_be_registered() {
        for text in [
            "",
            "/callback",
            "//app.example/callback",
            "app.example/callback",
            "http://app.example/callback",
            "http://127.0.0.2.example/callback",
            "http://127.0.0.1.example/callback",
            "http://127.0.0.1@evil.example/callback",
            "https://user@app.example/callback",
            "https://app.example/callback#fragment",
            "https://app.example/callback#",
            "https://app.example:99999/callback",
            "https:///callback",
            "https:callback",
            "https://app.example\\@evil.example/",
            "https://app.example/a b",
            "https://app.example/\tcallback",
            "https://äpp.example/callback",
            "https://app.example/%zz",
            "HTTPS://app.example/callback",
            "javascript:alert(1)",
            "javascript://app.example/%0aalert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "myapp:/callback",
            "Com.Example.App:/callback",
        ] {
            assert!(text.parse::<RedirectUri>().is_err(), "{text:?} was accepted");
        }
    }

    /// Fails if the query of a redirect URI is not looked at.
    #[test]
    fn s15_a_redirect_that_already_answers_cannot_be_registered() {
        for query in ["code=1", "a=1&state=2", "%63ode=1", "iss", "error=access_denied", "c%6Fde"] {
            assert!(format!("https://app.example/callback?{query}").parse::<RedirectUri>().is_err(), "{query:?} was accepted");
        }
        assert!("https://app.example/callback?codec=1&restate=2".parse::<RedirectUri>().is_ok());
    }

    /// Fails if either the host or the path may differ as well.
    #[test]
    fn s11_only_the_port_of_a_loopback_literal_may_differ() {
        let uri = registered("http://127.0.0.1:8400/callback");
        for presented in [
            "http://127.0.0.1:8400/callback",
            "http://127.0.0.1:1/callback",
            "http://127.0.0.1/callback",
            "http://127.0.0.1:65535/callback",
        ] {
            assert!(uri.allows(presented), "{presented:?} was refused");
        }
        for presented in [
            "http://localhost:8400/callback",
            "http://[::1]:8400/callback",
            "https://127.0.0.1:8400/callback",
            "http://127.0.0.1:8400/other",
            "http://127.0.0.1:8400/callback/",
            "http://127.0.0.1:8400/callback?x=1",
            "http://127.0.0.1:8400/callback#x",
            "http://u@127.0.0.1:8400/callback",
            "http://127.0.0.1:u@evil.example/callback",
            "http://127.0.0.1:80@evil.example/callback",
            "http://127.0.0.1:/callback",
            "http://127.0.0.1:080/callback",
            "http://127.0.0.1:65536/callback",
            "http://127.0.0.1.evil.example/callback",
            "http://127.0.0.11/callback",
            "http://127.1:8400/callback",
        ] {
            assert!(!uri.allows(presented), "{presented:?} was accepted");
        }
        assert!(!registered("http://localhost:8400/callback").allows("http://localhost:8401/callback"));
        assert!(!registered("https://127.0.0.1:8400/callback").allows("https://127.0.0.1:8401/callback"));
    }

    /// Fails if the comparison goes by the beginning, or not by upper and lower case.
    #[test]
    fn s10_look_alikes_of_a_redirect_are_refused() {
        let uri = registered("https://app.example/callback");
        let look_alikes = [
            "https://app.example.evil.example/callback",
            "https://evil.example/app.example/callback",
            "https://app.example@evil.example/callback",
            "https://evil.example@app.example/callback",
            "https://app.example:443/callback",
            "https://app.example:/callback",
            "https://app.example./callback",
            "https://APP.example/callback",
            "HTTPS://app.example/callback",
            "Https://app.example/callback",
            "http://app.example/callback",
            "https:/app.example/callback",
            "https:app.example/callback",
            "https:\\\\app.example\\callback",
            "https://app.example\\callback",
            "https://app.example/\\callback",
            "https://app.example//callback",
            "https://app.example/./callback",
            "https://app.example/x/../callback",
            "https://app.example/%2e/callback",
            "https://app.example/%63allback",
            "https://app.example/callback/",
            "https://app.example/callback//",
            "https://app.example/callback/.",
            "https://app.example/callback/..",
            "https://app.example/callback?",
            "https://app.example/callback?x=1",
            "https://app.example/callback&x=1",
            "https://app.example/callback#",
            "https://app.example/callback#x",
            "https://app.example/callback%23",
            "https://app.example/callback%3f",
            "https://app.example/callback%2f",
            "https://app.example/callback%00",
            "https://app.example/callback\0",
            "https://app.example/callback ",
            " https://app.example/callback",
            "https://app.example/callback\t",
            "\thttps://app.example/callback",
            "https://app.example/call\tback",
            "https://app.example/callback\n",
            "https://app.example/callback\r\n",
            "https://app.example/callback;x",
            "https://app.example/callback.evil",
            "https://app.example/callbacks",
            "https://app.example/callbac",
            "https://app.example/Callback",
            "https://app.example/CALLBACK",
            "https://app%2eexample/callback",
            "https://app。example/callback",
            "https://ａpp.example/callback",
            "https://app.exаmple/callback",
            "https://xn--pp-8cd.example/callback",
            "https://app.example\u{200b}/callback",
            "https://app.example/callba\u{212a}",
            "https://app.example/ｃallback",
            "https://app.example/callback\u{ad}",
            "https://app.example%00.evil.example/callback",
            "https://app.example%2f@evil.example/callback",
            "https://app.example#@evil.example/callback",
            "https://app.example?@evil.example/callback",
            "https://[app.example]/callback",
            "https://0x7f.1/callback",
            "//app.example/callback",
            "/callback",
            "callback",
            "",
            "*",
            "https://*/callback",
            "https://app.example/*",
            "javascript:alert(1)//https://app.example/callback",
        ];
        assert!(look_alikes.len() >= 60);
        assert!(uri.allows("https://app.example/callback"));
        for presented in look_alikes {
            assert!(!uri.allows(presented), "{presented:?} was accepted");
        }
    }

    proptest! {
        #[test]
        fn arbitrary_text_is_never_allowed_in_place_of_https(presented in any::<String>()) {
            prop_assert_eq!(registered("https://app.example/callback").allows(&presented), presented == "https://app.example/callback");
        }

        #[test]
        fn arbitrary_text_is_parsed_or_refused(text in any::<String>()) {
            if let Ok(uri) = text.parse::<RedirectUri>() {
                prop_assert!(uri.allows(&text));
            }
        }
    }
}
