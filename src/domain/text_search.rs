use unicode_normalization::UnicodeNormalization;

use crate::domain::InvalidValue;

/// Folds text for string filters: composes it (NFC), folds its case by Unicode's rules, and
/// composes it again.
///
/// Every store saves the folded form beside the original and compares it byte by byte. Search
/// results therefore do not depend on a database's rules for case, accents or wildcards.
///
/// ```
/// use lyceum::domain::fold_case;
///
/// assert_eq!(fold_case("STRASSE"), fold_case("Straße"));
/// assert_eq!(fold_case("ΟΔΟΣ"), fold_case("οδος"));
/// assert_eq!(fold_case("\u{1112}\u{1161}\u{11ab}"), fold_case("한")); // Hangul jamo and the composed syllable
/// ```
pub fn fold_case(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let composed: String = text.nfc().collect();
    unicase::UniCase::unicode(composed)
        .to_folded_case()
        .nfc()
        .collect()
}

/// The text of a string filter: folded, 1 to 255 characters, no control characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SearchTerm(Box<str>);

impl SearchTerm {
    /// Folds and checks the text of a filter.
    ///
    /// # Errors
    /// If the text is empty, longer than 255 characters, or has a control character.
    pub fn new(text: &str) -> Result<Self, InvalidValue> {
        if text.is_empty() {
            return Err(InvalidValue::new("must not be empty"));
        }
        if text.chars().nth(255).is_some() {
            return Err(InvalidValue::new("must have at most 255 characters"));
        }
        if text.chars().any(char::is_control) {
            return Err(InvalidValue::new("must not contain control characters"));
        }
        Ok(Self(fold_case(text).into()))
    }

    /// The folded text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether text folded by [`fold_case`] contains the term.
    pub fn matches(&self, folded: &str) -> bool {
        folded.contains(&*self.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn wildcards_mean_themselves() {
        assert!(
            SearchTerm::new("100%")
                .unwrap()
                .matches(&fold_case("to 100% sure"))
        );
        assert!(!SearchTerm::new("a_c").unwrap().matches(&fold_case("abc")));
        assert!(!SearchTerm::new("%").unwrap().matches(&fold_case("abc")));
    }

    #[test]
    fn case_is_ignored_beyond_ascii() {
        for (one, other) in [
            ("ÅNGSTRÖM", "ångström"),
            ("A\u{30a}", "å"),
            ("ﬀ", "FF"),
            ("ẞ", "ss"),
            ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
        ] {
            assert_eq!(fold_case(one), fold_case(other), "{one} {other}");
        }
    }

    proptest! {
        #[test]
        fn folding_twice_changes_nothing(text in "\\PC*") {
            let once = fold_case(&text);
            prop_assert_eq!(fold_case(&once), once);
        }
    }
}
