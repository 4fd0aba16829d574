use std::fmt;

use zeroize::Zeroizing;

use crate::domain::InvalidValue;

/// The school's key for the portal. It prints `(..)`.
#[derive(Clone)]
pub struct NeisKey(Zeroizing<String>);

impl NeisKey {
    /// Parses a key.
    ///
    /// # Errors
    /// If it is not 1 to 128 ASCII letters and digits.
    pub fn parse(text: &str) -> Result<Self, InvalidValue> {
        let is_key = (1..=128).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if is_key {
            Ok(Self(Zeroizing::new(text.to_owned())))
        } else {
            Err(InvalidValue::new("must be 1 to 128 letters and digits"))
        }
    }

    /// The key in clear text, for the query of a request only.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for NeisKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NeisKey(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails if a key can change the query that it is part of, or is printed.
    #[test]
    fn a_key_has_letters_and_digits_only_and_is_never_printed() {
        let key = NeisKey::parse("0123456789abcdefABCDEF").unwrap();
        assert_eq!(format!("{key:?}"), "NeisKey(..)");
        for text in ["", "a&Type=xml", "a b", "a\n", "키", &"a".repeat(129)] {
            assert!(NeisKey::parse(text).is_err(), "{text:?}");
        }
    }
}
