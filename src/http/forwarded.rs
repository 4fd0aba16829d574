//! What forwarding headers say of who sent a request: the address that each proxy saw, one hop for each.

use std::net::{IpAddr, SocketAddr};

/// The hops of one line of `X-Forwarded-For`, the latest last. `None` is a hop that names no address.
pub(super) fn x_forwarded_for(line: &str) -> Vec<Option<IpAddr>> {
    line.split(',').map(|hop| node(hop.trim_matches([' ', '\t']))).collect()
}

/// The hops of one line of `Forwarded` (RFC 7239 §4), the latest last. A line that is malformed anywhere is one hop without an address: what
/// stands behind an open quotation mark may be what a proxy appended to a stranger's beginning.
pub(super) fn forwarded(line: &str) -> Vec<Option<IpAddr>> {
    elements(line).unwrap_or_else(|| vec![None])
}

fn elements(line: &str) -> Option<Vec<Option<IpAddr>>> {
    let (mut hops, mut rest) = (Vec::new(), line);
    loop {
        // Of an element of the list: whether it says anything, and for whom.
        let (mut is_empty, mut hop) = (true, None);
        loop {
            rest = rest.trim_start_matches([' ', '\t']);
            if !rest.starts_with([',', ';']) && !rest.is_empty() {
                let (name, value, after) = pair(rest)?;
                // Once at most (§4).
                if name.eq_ignore_ascii_case("for") && hop.replace(node(&value)).is_some() {
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

/// `token=value`, where the value is a token or a quoted string, and what comes after.
fn pair(text: &str) -> Option<(&str, String, &str)> {
    let (name, rest) = token(text)?;
    let rest = rest.strip_prefix('=')?;
    let (value, after) = match rest.strip_prefix('"') {
        Some(quoted) => unquoted(quoted)?,
        None => token(rest).map(|(value, after)| (value.to_owned(), after))?,
    };
    Some((name, value, after))
}

/// A token (RFC 9110 §5.6.2) and what comes after. A port's colon and the brackets of IPv6 are none, but are often sent without quotes.
fn token(text: &str) -> Option<(&str, &str)> {
    let in_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~:[]".contains(c);
    let end = text.find(|c| !in_token(c)).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// What a quoted string says whose opening mark has been read, and what comes after its closing one.
fn unquoted(text: &str) -> Option<(String, &str)> {
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

/// The address of a node, which may have a port. `unknown` and invented names have none.
fn node(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse().or_else(|_| text.parse::<SocketAddr>().map(|with_port| with_port.ip())).ok()?;
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
    fn hops_of_x_forwarded_for_may_have_ports_and_be_nobody() {
        let line = "192.0.2.1,198.51.100.2:4711 ,\t2001:db8::1, [2001:db8::2], [2001:db8::3]:80,unknown,,::ffff:192.0.2.9";
        let expected = ["192.0.2.1", "198.51.100.2", "2001:db8::1", "2001:db8::2", "2001:db8::3", "unknown", "", "192.0.2.9"];
        assert_eq!(x_forwarded_for(line), addresses(&expected));
    }

    /// The examples of RFC 7239 §4.
    #[test]
    fn hops_of_forwarded_are_those_of_the_rfc() {
        for (line, expected) in [
            (r#"for="_gazonk""#, &[""][..]),
            (r#"For="[2001:db8:cafe::17]:4711""#, &["2001:db8:cafe::17"]),
            ("for=192.0.2.60;proto=http;by=203.0.113.43", &["192.0.2.60"]),
            ("for=192.0.2.43, for=198.51.100.17", &["192.0.2.43", "198.51.100.17"]),
            ("for=192.0.2.43,for=unknown;by=1.2.3.4", &["192.0.2.43", ""]),
            ("proto=https", &[""]),
            (r#"by="a,b;for=\"6.6.6.6";FOR=192.0.2.1, ,"#, &["192.0.2.1"]),
            ("for=192.0.2.1:80 ; proto=http", &["192.0.2.1"]),
            ("", &[]),
        ] {
            assert_eq!(forwarded(line), addresses(expected), "{line}");
        }
    }

    #[test]
    fn s40_a_malformed_line_is_nobody_however_it_goes_on() {
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
            assert_eq!(forwarded(line), [None], "{line}");
        }
    }

    proptest! {
        #[test]
        fn arbitrary_lines_are_read_or_not(line in any::<String>(), likely in "[forby=;,\" .:0-9\\[\\]\\\\]{0,40}") {
            for line in [line, likely] {
                let _ = (x_forwarded_for(&line), forwarded(&line));
            }
        }

        #[test]
        fn s40_what_a_stranger_sends_before_it_never_changes_the_hop_that_a_proxy_appends(start in "[forby=;,\" .:0-9\\\\]{0,40}") {
            let appended: IpAddr = [192, 0, 2, 1].into();
            let last = forwarded(&format!("{start}, for=192.0.2.1")).pop().flatten();
            prop_assert!(last.is_none() || last == Some(appended), "{:?}", last);
            prop_assert_eq!(x_forwarded_for(&format!("{start}, 192.0.2.1")).pop().flatten(), Some(appended));
        }
    }
}
