use unicode_normalization::UnicodeNormalization;

use crate::domain::Invalid;

/// Text as string filters compare it: Unicode case folding between two canonical compositions (NFC).
///
/// Every store keeps the folded form beside the original and searches it byte by byte, so that no database's own idea of case, accents
/// or wildcards decides what is found.
///
/// ```
/// use lyceum::domain::fold;
///
/// assert_eq!(fold("STRASSE"), fold("Straße"));
/// assert_eq!(fold("ΟΔΟΣ"), fold("οδος"));
/// assert_eq!(fold("\u{1112}\u{1161}\u{11ab}"), fold("한")); // Hangul jamo and the composed syllable
/// ```
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let composed: String = text.nfc().collect();
    unicase::UniCase::unicode(composed).to_folded_case().nfc().collect()
}

/// What a string filter looks for: folded text of 1 to 255 characters without control characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Needle(Box<str>);

impl Needle {
    /// A needle from what a caller wrote.
    ///
    /// # Errors
    /// When the text is empty, longer than 255 characters, or has a control character.
    pub fn new(text: &str) -> Result<Self, Invalid> {
        if text.is_empty() {
            return Err(Invalid::new("must not be empty"));
        }
        if text.chars().nth(255).is_some() {
            return Err(Invalid::new("must have at most 255 characters"));
        }
        if text.chars().any(char::is_control) {
            return Err(Invalid::new("must not contain control characters"));
        }
        Ok(Self(fold(text).into()))
    }

    /// The folded text to look for.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the needle is somewhere in `folded`, which [`fold`] made.
    pub fn is_in(&self, folded: &str) -> bool {
        folded.contains(&*self.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn wildcards_mean_themselves() {
        assert!(Needle::new("100%").unwrap().is_in(&fold("to 100% sure")));
        assert!(!Needle::new("a_c").unwrap().is_in(&fold("abc")));
        assert!(!Needle::new("%").unwrap().is_in(&fold("abc")));
    }

    #[test]
    fn case_is_ignored_beyond_ascii() {
        for (one, other) in [("ÅNGSTRÖM", "ångström"), ("A\u{30a}", "å"), ("ﬀ", "FF"), ("ẞ", "ss"), ("Σίσυφος", "ΣΊΣΥΦΟΣ")]
        {
            assert_eq!(fold(one), fold(other), "{one} {other}");
        }
    }

    proptest! {
        #[test]
        fn folding_twice_changes_nothing(text in "\\PC*") {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
        }
    }
}
