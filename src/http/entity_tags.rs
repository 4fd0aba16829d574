//! Entity tags that a client presents (RFC 9110 §13.1).

use http::HeaderMap;
use http::header::{HeaderName, IF_NONE_MATCH};

/// Whether `If-None-Match` has the tag or is a lone `*`. Tags are compared weakly (RFC 9110
/// §8.8.3.2).
pub(super) fn is_not_modified(headers: &HeaderMap, tag: &[u8]) -> bool {
    is_any(headers, IF_NONE_MATCH)
        || presented(headers, IF_NONE_MATCH)
            .any(|presented| opaque(presented.as_bytes()) == opaque(tag))
}

/// The tag without the `W/` of a weak one.
fn opaque(tag: &[u8]) -> &[u8] {
    tag.strip_prefix(b"W/").unwrap_or(tag)
}

/// Whether a header is a lone `*`, which matches every tag. In a list of tags it is invalid.
pub(super) fn is_any(headers: &HeaderMap, header: HeaderName) -> bool {
    let mut values = headers.get_all(header).into_iter();
    matches!((values.next(), values.next()), (Some(value), None) if value.as_bytes().trim_ascii() == b"*")
}

/// The tags in a header. Tags of this crate contain no comma, so splitting at commas is safe.
pub(super) fn presented(headers: &HeaderMap, header: HeaderName) -> impl Iterator<Item = &str> {
    let values = headers
        .get_all(header)
        .into_iter()
        .filter_map(|value| value.to_str().ok());
    values
        .flat_map(|value| value.split(','))
        .map(|tag| tag.trim_matches([' ', '\t']))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn matches(lines: &[&'static str]) -> bool {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(IF_NONE_MATCH, HeaderValue::from_static(line));
        }
        is_not_modified(&headers, b"\"a\"")
    }

    #[test]
    fn a_tag_is_found_in_a_list_strong_or_weak() {
        for lines in [
            &["\"a\""][..],
            &["W/\"a\""],
            &["\"b\", \"a\""],
            &["\"b\"", "\"c\",\tW/\"a\""],
            &["*"],
            &[" * "],
        ] {
            assert!(matches(lines), "{lines:?}");
        }
    }

    #[test]
    fn another_tag_and_an_asterisk_in_a_list_do_not_match() {
        for lines in [
            &[][..],
            &["\"b\""],
            &["a"],
            &["w/\"a\""],
            &["\"*\""],
            &["\"b\", *"],
            &["*", "\"b\""],
        ] {
            assert!(!matches(lines), "{lines:?}");
        }
    }
}
