//! Strict parser of names and values in query strings and forms.
//!
//! Written by hand because common decoders repair malformed input, and two components that repair
//! it differently can be exploited. This one rejects it.

use std::borrow::Cow;

pub(crate) use super::form_decoding::{DecodeError, decode};

/// Names and values in their original order.
pub(crate) type Pairs<'a> = Vec<(Cow<'a, str>, Cow<'a, str>)>;

/// Parses pairs of `name=value` between `&`. `+` and `%20` are spaces; malformed escapes and
/// invalid UTF-8 are errors. Empty pairs are skipped.
pub(crate) fn parse(text: &str) -> Result<Pairs<'_>, DecodeError> {
    let pairs = text.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Ok((decode(name)?, decode(value)?))
        })
        .collect()
}

/// Returns a name that occurs more than once, if there is one.
pub(crate) fn first_duplicate<'a>(pairs: &'a [(Cow<'_, str>, Cow<'_, str>)]) -> Option<&'a str> {
    // Sorting allocates no hash table, and the length of the request line or of the body bounds it.
    let mut names: Vec<&str> = pairs.iter().map(|(name, _)| &**name).collect();
    names.sort_unstable();
    names
        .windows(2)
        .find(|two| two[0] == two[1])
        .map(|two| two[0])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parsed(text: &str) -> Vec<(String, String)> {
        parse(text)
            .unwrap()
            .into_iter()
            .map(|(name, value)| (name.into_owned(), value.into_owned()))
            .collect()
    }

    #[test]
    fn plus_and_percent_20_are_blanks() {
        assert_eq!(
            parsed("name=a+b&x=a%20b"),
            [("name".into(), "a b".into()), ("x".into(), "a b".into())]
        );
    }

    #[test]
    fn a_name_without_a_value_is_empty_and_empty_pairs_are_passed_over() {
        assert_eq!(
            parsed("&a&&b=&"),
            [("a".into(), String::new()), ("b".into(), String::new())]
        );
        assert_eq!(parsed("a=b=c"), [("a".into(), "b=c".into())]);
        assert!(parsed("").is_empty());
    }

    #[test]
    fn broken_escapes_and_bad_utf8_are_refused() {
        for text in [
            "a=%",
            "a=%2",
            "a=%zz",
            "a=%+1",
            "%=1",
            "a=%ff",
            "a=%c3%28",
            "a=%ed%a0%80",
        ] {
            assert_eq!(parse(text), Err(DecodeError), "{text:?} was accepted");
        }
    }

    #[test]
    fn a_repeated_name_is_found_however_it_is_spelled() {
        assert_eq!(first_duplicate(&parse("a=1&b=2&%61=3").unwrap()), Some("a"));
        assert_eq!(first_duplicate(&parse("a=1&b=2").unwrap()), None);
    }

    proptest! {
        #[test]
        fn arbitrary_text_is_parsed_or_refused(text in any::<String>()) {
            let _ = parse(&text);
        }

        #[test]
        fn text_that_is_escaped_byte_by_byte_is_decoded(text in any::<String>()) {
            let escaped: String = text.bytes().map(|byte| format!("%{byte:02x}")).collect();
            prop_assert_eq!(parsed(&format!("v={escaped}")), [("v".to_owned(), text)]);
        }
    }
}
