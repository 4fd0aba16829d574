use std::ops::RangeInclusive;

use smol_str::SmolStr;

use super::query::Value;
use super::words::Words;
use crate::domain::{Invalid, Needle, PersonalField};

/// A query parameter that filters by a field.
#[derive(Debug)]
pub struct Parameter {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) alias: Option<&'static str>,
    pub(super) example: Option<&'static str>,
    pub(super) default: Option<SmolStr>,
    pub(super) is_common: bool,
}

impl Parameter {
    /// A parameter with this name and description.
    pub const fn new(name: &'static str, about: &'static str) -> Self {
        Self { name, about, alias: None, example: None, default: None, is_common: false }
    }

    /// Another name for it.
    pub fn alias(self, name: &'static str) -> Self {
        Self { alias: Some(name), ..self }
    }

    /// A value that OpenAPI shows.
    pub fn example(self, value: &'static str) -> Self {
        Self { example: Some(value), ..self }
    }

    /// The word that is meant if the parameter is absent; otherwise absence does not filter.
    pub fn default_word(self, word: &'static str) -> Self {
        Self { default: Some(SmolStr::new_static(word)), ..self }
    }

    /// Shows it in the console's form at once, where the others are folded away.
    pub fn common(self) -> Self {
        Self { is_common: true, ..self }
    }
}

/// A parameter as a request can give it.
#[derive(Debug)]
pub(crate) struct ParameterInfo {
    pub(crate) name: &'static str,
    pub(crate) alias: Option<&'static str>,
    pub(crate) about: &'static str,
    pub(crate) example: Option<&'static str>,
    pub(crate) kind: ParameterType,
    pub(crate) default: Option<SmolStr>,
    /// The name of the field that it filters by.
    pub(crate) field: &'static str,
    /// What people call the field, if the definition says so.
    pub(crate) label: Option<&'static str>,
    /// A key without this field may not filter by it: it would find out the value by trying.
    pub(crate) personal: Option<PersonalField>,
    pub(crate) is_common: bool,
}

/// What the value of a parameter can be.
#[derive(Debug, Clone)]
pub(crate) enum ParameterType {
    /// A whole number.
    Number(RangeInclusive<i64>),
    Words(Words),
    /// Part of a text.
    Search,
    Flag,
}

impl ParameterType {
    pub(super) fn parse(&self, text: &str) -> Result<Value, Invalid> {
        match self {
            Self::Number(bounds) => {
                let number = whole_number(text).filter(|number| bounds.contains(number));
                number.map(Value::Number).ok_or_else(|| outside(bounds))
            }
            Self::Words(words) => words.parse(text).map(Value::Word),
            Self::Search => Needle::new(text).map(Value::Search),
            Self::Flag => boolean(text).map(Value::Flag),
        }
    }

    /// Whether a record may have this value.
    pub(super) fn check(&self, value: &Value) -> Result<(), Invalid> {
        match (self, value) {
            (Self::Number(bounds), Value::Number(number)) if !bounds.contains(number) => Err(outside(bounds)),
            (Self::Words(words), Value::Word(word)) => words.parse(word).map(drop),
            _ => Ok(()),
        }
    }
}

fn outside(bounds: &RangeInclusive<i64>) -> Invalid {
    match (*bounds.start(), *bounds.end()) {
        (1, i64::MAX) => Invalid::new("must be a whole number above 0"),
        (i64::MIN, i64::MAX) => Invalid::new("must be a whole number"),
        (low, high) => Invalid::owned(format!("must be a whole number from {low} to {high}")),
    }
}

/// A whole number in ASCII digits, perhaps after `-`.
pub(super) fn whole_number(text: &str) -> Option<i64> {
    // The shortest spelling of an i64 has at most 20 characters; anything longer only blows up the links.
    if text.len() > 20 || text.starts_with('+') { None } else { text.parse().ok() }
}

/// `true` or `false`, in any case.
pub(super) fn boolean(text: &str) -> Result<bool, Invalid> {
    match text {
        _ if text.eq_ignore_ascii_case("true") => Ok(true),
        _ if text.eq_ignore_ascii_case("false") => Ok(false),
        _ => Err(Invalid::new("must be true or false")),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn s38_a_whole_number_is_ascii_digits_that_fit() {
        let read = |text: &str| ParameterType::Number(1..=i64::MAX).parse(text);
        assert_eq!(read("007"), Ok(Value::Number(7)));
        assert_eq!(read("9223372036854775807"), Ok(Value::Number(i64::MAX)));
        let refused =
            ["9223372036854775808", "-9223372036854775809", "+1", "-1", "0", "1.0", "1e3", " 1", "1 ", "0x1", "٣", "１", "--1", "-"];
        for text in refused.into_iter().chain(["000000000000000000001"]) {
            assert_eq!(read(text).unwrap_err().reason(), "must be a whole number above 0", "{text:?}");
        }
        let bounded = ParameterType::Number(1..=3);
        assert_eq!(bounded.parse("3"), Ok(Value::Number(3)));
        assert_eq!(bounded.parse("4").unwrap_err().reason(), "must be a whole number from 1 to 3");
    }

    #[test]
    fn a_boolean_is_read_in_any_case() {
        assert_eq!((boolean("TRUE"), boolean("False")), (Ok(true), Ok(false)));
        for text in ["1", "0", "yes", "t", "truе", " true"] {
            assert!(boolean(text).is_err(), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn arbitrary_text_is_read_or_refused(text in any::<String>()) {
            let words = Words::new("Word", ["A", "B"]);
            for kind in [ParameterType::Number(1..=3), ParameterType::Words(words), ParameterType::Search, ParameterType::Flag] {
                let _ = kind.parse(&text);
            }
        }
    }
}
