//! Redirect URIs: registration and matching.

use std::net::IpAddr;

use lyceum::domain::RedirectUri;

/// Registers the first line and presents the rest. Without a second line, the first is presented,
/// too.
pub fn redirect_uri(input: &[u8]) -> bool {
    let text = String::from_utf8_lossy(input);
    let (registered, presented) = text.split_once('\n').unwrap_or((&text, &text));
    let Ok(uri) = registered.parse::<RedirectUri>() else {
        return false;
    };
    assert!(
        may_be_registered(registered),
        "{registered:?} was registered"
    );
    assert_eq!((uri.as_str(), &*uri.to_string()), (registered, registered));
    assert!(
        uri.allows(registered),
        "{registered:?} does not allow itself"
    );
    assert_eq!(
        uri.can_be_impersonated(),
        may_be_local(registered),
        "{registered:?}"
    );
    let allows = uri.allows(presented);
    assert_eq!(
        allows,
        may_stand_for(registered, presented),
        "{registered:?} and {presented:?}"
    );
    allows
}

/// A second implementation of the rule, on the text alone. It is weaker than the parser, which also
/// checks the grammar of URIs.
fn may_be_registered(uri: &str) -> bool {
    let is_plain = uri
        .bytes()
        .all(|byte| byte.is_ascii_graphic() && !br##"#\"<>^`{|}"##.contains(&byte));
    let Some((scheme, rest)) = uri.split_once(':') else {
        return false;
    };
    let host_and_port = rest
        .strip_prefix("//")
        .map(|rest| rest.split(['/', '?']).next().unwrap_or_default());
    let (host, port) = match host_and_port {
        // The colons of an IPv6 address are in brackets.
        Some(text) => text
            .rsplit_once(':')
            .filter(|(_, port)| !port.contains(']'))
            .unwrap_or((text, "")),
        None => ("", ""),
    };
    let may_scheme = match scheme {
        "https" => !host.is_empty(),
        "http" => ["127.0.0.1", "[::1]", "localhost"].contains(&host),
        private => {
            private.contains('.')
                && private
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"+-.".contains(&b))
        }
    };
    let is_port = port.is_empty()
        || port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok();
    uri.len() <= 2000
        && is_plain
        && may_scheme
        && !host.contains('@')
        && is_port
        && !answers_already(uri)
}

/// Whether the query has a parameter of authorization responses.
fn answers_already(uri: &str) -> bool {
    let query = uri.split_once('?').map_or("", |(_, query)| query);
    let names = query.split('&').map(|pair| {
        super::pairs::decoded(
            &pair
                .split('=')
                .next()
                .unwrap_or_default()
                .replace('+', "%2B"),
        )
    });
    let reserved = ["code", "state", "iss", "error", "error_description"];
    names.flatten().any(|name| reserved.contains(&&*name))
}

/// Whether a browser could reach a program on the user's machine.
fn may_be_local(uri: &str) -> bool {
    let Some(rest) = uri.strip_prefix("https://") else {
        return true;
    };
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    let port = authority
        .rfind(|last: char| !last.is_ascii_digit())
        .filter(|at| authority[*at..].starts_with(':'));
    let host = authority[..port.unwrap_or(authority.len())].to_ascii_lowercase();
    let host = host.trim_end_matches('.');
    match host
        .trim_matches(['[', ']'])
        .parse::<IpAddr>()
        .map(|address| address.to_canonical())
    {
        Ok(address) => address.is_loopback() || address.is_unspecified(),
        Err(_) => {
            host.starts_with('[')
                || host.contains('%')
                || is_local_name(host.rsplit('.').next().unwrap_or_default())
        }
    }
}

/// Whether a host's last label is local, or a number in a notation that browsers accept.
fn is_local_name(label: &str) -> bool {
    label == "localhost" || label.starts_with(|first: char| first.is_ascii_digit())
}

/// Whether a presented URI matches a registered one: the same bytes, or only another port of a
/// loopback literal (RFC 8252 §7.3).
pub fn may_stand_for(registered: &str, presented: &str) -> bool {
    registered == presented
        || without_port(registered).is_some_and(|rest| Some(rest) == without_port(presented))
}

/// A loopback URI without its port.
fn without_port(uri: &str) -> Option<String> {
    let scheme_and_host = ["http://127.0.0.1", "http://[::1]"]
        .into_iter()
        .find(|prefix| uri.starts_with(prefix))?;
    let rest = &uri[scheme_and_host.len()..];
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let is_port = |text: &str| {
        text.parse::<u16>()
            .is_ok_and(|port| port > 0 && format!(":{port}") == rest[..end])
    };
    let port = &rest[..end];
    (port.is_empty() || port.strip_prefix(':').is_some_and(is_port))
        .then(|| format!("{scheme_and_host}{}", &rest[end..]))
}
