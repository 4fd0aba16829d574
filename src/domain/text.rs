use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use smol_str::SmolStr;

use crate::domain::Invalid;

/// One line of text: 1 to 255 characters, none of them a control character, not all of them blank.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Line(SmolStr);

/// Text of several lines: at most 10,000 characters, no control characters but tabs and line ends. It may be empty.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Prose(Box<str>);

impl Line {
    /// A line from a literal.
    ///
    /// # Panics
    /// When the literal is not a line.
    pub fn literal(text: &'static str) -> Self {
        match text.parse() {
            Ok(line) => line,
            Err(reason) => panic!("{text:?} {reason}"),
        }
    }
}

impl FromStr for Line {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        if text.trim().is_empty() {
            return Err(Invalid::new("must not be empty"));
        }
        if text.chars().nth(255).is_some() {
            return Err(Invalid::new("must have at most 255 characters"));
        }
        if text.chars().any(char::is_control) {
            return Err(Invalid::new("must not contain control characters"));
        }
        Ok(Self(text.into()))
    }
}

impl FromStr for Prose {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        if text.chars().nth(10_000).is_some() {
            return Err(Invalid::new("must have at most 10000 characters"));
        }
        if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
            return Err(Invalid::new("must not contain control characters"));
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

text!(Line, Prose);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_neither_blank_nor_long_nor_broken() {
        assert_eq!("김하늘".parse::<Line>().unwrap().as_str(), "김하늘");
        assert!("가".repeat(255).parse::<Line>().is_ok());
        for text in ["", " \u{3000}", "a\nb", "a\0b", &"가".repeat(256)] {
            assert!(text.parse::<Line>().is_err(), "{text:?} was accepted");
        }
    }

    #[test]
    fn prose_may_be_empty_and_have_lines() {
        assert!("".parse::<Prose>().is_ok());
        assert!("one\r\n\ttwo".parse::<Prose>().is_ok());
        assert!("a\0b".parse::<Prose>().is_err());
        assert!("x".repeat(10_001).parse::<Prose>().is_err());
    }
}
