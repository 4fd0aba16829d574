//! Parsers of forwarding headers: the address of the peer of each proxy, one per hop.

use std::net::{IpAddr, SocketAddr};

/// Parses the hops of one `X-Forwarded-For` line, the latest last. `None` is a hop without an
/// address.
pub(super) fn parse_x_forwarded_for(line: &str) -> Vec<Option<IpAddr>> {
    line.split(',')
        .map(|hop| parse_node(hop.trim_matches([' ', '\t'])))
        .collect()
}

/// Parses the hops of one `Forwarded` line (RFC 7239 §4), the latest last. A malformed line is one
/// hop without an address, because a quotation mark that a client leaves open may hide the hop that
/// a proxy appends.
pub(super) fn parse_forwarded(line: &str) -> Vec<Option<IpAddr>> {
    parse_elements(line).unwrap_or_else(|| vec![None])
}

fn parse_elements(line: &str) -> Option<Vec<Option<IpAddr>>> {
    let (mut hops, mut rest) = (Vec::new(), line);
    loop {
        // Whether the element is empty, and its `for` node.
        let (mut is_empty, mut hop) = (true, None);
        loop {
            rest = rest.trim_start_matches([' ', '\t']);
            if !rest.starts_with([',', ';']) && !rest.is_empty() {
                let (name, value, after) = parse_pair(rest)?;
                // A parameter occurs at most once (§4).
                if name.eq_ignore_ascii_case("for") && hop.replace(parse_node(&value)).is_some() {
                    return None;
                }
                is_empty = false;
                rest = after.trim_start_matches([' ', '\t']);
            }
            match rest.strip_prefix(';') {
                Some(after) => rest = after,
                None => break,
            }
        }
        // Lists may have empty elements (RFC 9110 §5.6.1).
        if !is_empty {
            hops.push(hop.flatten());
        }
        match rest.strip_prefix(',') {
            Some(after) => rest = after,
            None if rest.is_empty() => return Some(hops),
            None => return None,
        }
    }
}

/// Parses `token=value`, where the value is a token or a quoted string; also returns the rest.
fn parse_pair(text: &str) -> Option<(&str, String, &str)> {
    let (name, rest) = parse_token(text)?;
    let rest = rest.strip_prefix('=')?;
    let (value, after) = match rest.strip_prefix('"') {
        Some(quoted) => parse_quoted_string(quoted)?,
        None => parse_token(rest).map(|(value, after)| (value.to_owned(), after))?,
    };
    Some((name, value, after))
}

/// Parses a token (RFC 9110 §5.6.2); also returns the rest. Allows the colon of a port and the
/// brackets of IPv6, which the grammar forbids but proxies often send unquoted.
fn parse_token(text: &str) -> Option<(&str, &str)> {
    let in_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~:[]".contains(c);
    let end = text.find(|c| !in_token(c)).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// Parses a quoted string after its opening mark; also returns the rest after the closing one.
fn parse_quoted_string(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => value.push(characters.next()?.1),
            _ => value.push(character),
        }
    }
    None
}

/// Parses the address of a node, with or without a port. `unknown` and obfuscated identifiers have
/// none.
fn parse_node(text: &str) -> Option<IpAddr> {
    let bare = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'))
        .unwrap_or(text);
    let address = bare
        .parse()
        .or_else(|_| text.parse::<SocketAddr>().map(|with_port| with_port.ip()))
        .ok()?;
    Some(IpAddr::to_canonical(&address))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn addresses(texts: &[&str]) -> Vec<Option<IpAddr>> {
        texts.iter().map(|text| text.parse().ok()).collect()
    }

    #[test]
    fn hops_of_x_forwarded_for_may_have_ports_and_be_unknown() {
        let line = "192.0.2.1,198.51.100.2:4711 ,\t2001:db8::1, [2001:db8::2], [2001:db8::3]:80,unknown,,::ffff:192.0.2.9";
        let expected = [
            "192.0.2.1",
            "198.51.100.2",
            "2001:db8::1",
            "2001:db8::2",
            "2001:db8::3",
            "unknown",
            "",
            "192.0.2.9",
        ];
        assert_eq!(parse_x_forwarded_for(line), addresses(&expected));
    }

    /// Examples of RFC 7239 §4.
    #[test]
    fn hops_of_forwarded_are_those_of_the_rfc() {
        for (line, expected) in [
            (r#"for="_gazonk""#, &[""][..]),
            (r#"For="[2001:db8:cafe::17]:4711""#, &["2001:db8:cafe::17"]),
            ("for=192.0.2.60;proto=http;by=203.0.113.43", &["192.0.2.60"]),
            (
                "for=192.0.2.43, for=198.51.100.17",
                &["192.0.2.43", "198.51.100.17"],
            ),
            ("for=192.0.2.43,for=unknown;by=1.2.3.4", &["192.0.2.43", ""]),
            ("proto=https", &[""]),
            (r#"by="a,b;for=\"6.6.6.6";FOR=192.0.2.1, ,"#, &["192.0.2.1"]),
            ("for=192.0.2.1:80 ; proto=http", &["192.0.2.1"]),
            ("", &[]),
        ] {
            assert_eq!(parse_forwarded(line), addresses(expected), "{line}");
        }
    }

    // Proves: threats 40
    #[test]
    fn a_malformed_forwarded_header_names_no_client() {
        for line in [
            r#"for=6.6.6.6;x=", for=192.0.2.1"#,
            r#"for=6.6.6.6;x=", for="[2001:db8::1]:80""#,
            r#"for="6.6.6.6\"#,
            "for=6.6.6.6;for=7.7.7.7",
            "for=6.6.6.6 for=7.7.7.7",
            "for",
            "for=",
            "=6.6.6.6",
            "for = 6.6.6.6",
            "for=ü",
        ] {
            assert_eq!(parse_forwarded(line), [None], "{line}");
        }
    }

    proptest! {
        #[test]
        fn arbitrary_lines_are_read_or_not(line in any::<String>(), likely in "[forby=;,\" .:0-9\\[\\]\\\\]{0,40}") {
            for line in [line, likely] {
                let _ = (parse_x_forwarded_for(&line), parse_forwarded(&line));
            }
        }

        // Proves: threats 40
        #[test]
        fn a_forged_prefix_never_changes_the_hop_that_a_proxy_appends(start in "[forby=;,\" .:0-9\\\\]{0,40}") {
            let appended: IpAddr = [192, 0, 2, 1].into();
            let last = parse_forwarded(&format!("{start}, for=192.0.2.1")).pop().flatten();
            prop_assert!(last.is_none() || last == Some(appended), "{:?}", last);
            prop_assert_eq!(parse_x_forwarded_for(&format!("{start}, 192.0.2.1")).pop().flatten(), Some(appended));
        }
    }
}
