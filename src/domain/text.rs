use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use smol_str::SmolStr;

use crate::domain::InvalidValue;

/// One line of text: 1 to 255 characters, no control characters, not only blanks.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShortText(SmolStr);

/// Text of several lines: up to 10,000 characters, no control characters except tabs and line
/// breaks. May be empty.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct LongText(Box<str>);

impl ShortText {
    /// Creates a text from a literal.
    ///
    /// # Panics
    /// If the literal is not a valid short text.
    pub fn from_static(text: &'static str) -> Self {
        match text.parse() {
            Ok(text) => text,
            Err(reason) => panic!("{text:?} {reason}"),
        }
    }
}

impl FromStr for ShortText {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        if text.trim().is_empty() {
            return Err(InvalidValue::new("must not be empty"));
        }
        if text.chars().nth(255).is_some() {
            return Err(InvalidValue::new("must have at most 255 characters"));
        }
        if text.chars().any(char::is_control) {
            return Err(InvalidValue::new("must not contain control characters"));
        }
        Ok(Self(text.into()))
    }
}

impl FromStr for LongText {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        if text.chars().nth(10_000).is_some() {
            return Err(InvalidValue::new("must have at most 10000 characters"));
        }
        if text
            .chars()
            .any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
        {
            return Err(InvalidValue::new("must not contain control characters"));
        }
        Ok(Self(text.into()))
    }
}

macro_rules! text {
    ($($name:ident),+) => {$(
        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl Deref for $name {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&*self.0, f)
            }
        }
    )+};
}

text!(ShortText, LongText);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_text_is_one_line_of_1_to_255_characters() {
        assert_eq!("김하늘".parse::<ShortText>().unwrap().as_str(), "김하늘");
        assert!("가".repeat(255).parse::<ShortText>().is_ok());
        for text in ["", " \u{3000}", "a\nb", "a\0b", &"가".repeat(256)] {
            assert!(text.parse::<ShortText>().is_err(), "{text:?} was accepted");
        }
    }

    #[test]
    fn long_text_may_be_empty_and_have_several_lines() {
        assert!("".parse::<LongText>().is_ok());
        assert!("one\r\n\ttwo".parse::<LongText>().is_ok());
        assert!("a\0b".parse::<LongText>().is_err());
        assert!("x".repeat(10_001).parse::<LongText>().is_err());
    }
}
