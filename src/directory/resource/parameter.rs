use std::ops::RangeInclusive;

use smol_str::SmolStr;

use super::enum_values::EnumValues;
use super::query::FilterValue;
use crate::domain::{InvalidValue, PersonalField, SearchTerm};

/// A query parameter that filters by a field.
#[derive(Debug)]
pub struct Parameter {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    pub(super) alias: Option<&'static str>,
    pub(super) example: Option<&'static str>,
    pub(super) default: Option<SmolStr>,
    pub(super) is_pinned: bool,
}

impl Parameter {
    /// Creates a parameter with this name and description. The name begins with no underscore, as
    /// those of the console do.
    pub const fn new(name: &'static str, description: &'static str) -> Self {
        Self {
            name,
            description,
            alias: None,
            example: None,
            default: None,
            is_pinned: false,
        }
    }

    /// Adds an alternative name.
    pub fn alias(self, name: &'static str) -> Self {
        Self {
            alias: Some(name),
            ..self
        }
    }

    /// Sets the example value in OpenAPI.
    pub fn example(self, value: &'static str) -> Self {
        Self {
            example: Some(value),
            ..self
        }
    }

    /// Sets the value that applies if the parameter is absent. By default an absent parameter does
    /// not filter.
    pub fn default_value(self, value: &'static str) -> Self {
        Self {
            default: Some(SmolStr::new_static(value)),
            ..self
        }
    }

    /// Always shows the parameter in the console's form, which folds the others away.
    pub fn pinned(self) -> Self {
        Self {
            is_pinned: true,
            ..self
        }
    }
}

/// A parameter without the type of its record.
#[derive(Debug)]
pub(crate) struct ParameterInfo {
    pub(crate) name: &'static str,
    pub(crate) alias: Option<&'static str>,
    pub(crate) description: &'static str,
    pub(crate) example: Option<&'static str>,
    pub(crate) kind: ParameterType,
    pub(crate) default: Option<SmolStr>,
    /// The name of the field that the parameter filters by.
    pub(crate) field: &'static str,
    /// The field's label, if the definition sets one.
    pub(crate) label: Option<&'static str>,
    /// An API key without access to this field may not filter by it, because a client could guess
    /// values by filtering.
    pub(crate) personal: Option<PersonalField>,
    pub(crate) is_pinned: bool,
}

/// The type of a parameter's value.
#[derive(Debug, Clone)]
pub(crate) enum ParameterType {
    /// An integer in this range.
    Number(RangeInclusive<i64>),
    Enum(EnumValues),
    /// A substring of a text.
    Search,
    Boolean,
}

impl ParameterType {
    pub(super) fn parse(&self, text: &str) -> Result<FilterValue, InvalidValue> {
        match self {
            Self::Number(bounds) => {
                let number = whole_number(text).filter(|number| bounds.contains(number));
                number
                    .map(FilterValue::Number)
                    .ok_or_else(|| outside(bounds))
            }
            Self::Enum(values) => values.parse(text).map(FilterValue::Enum),
            Self::Search => SearchTerm::new(text).map(FilterValue::Search),
            Self::Boolean => boolean(text).map(FilterValue::Boolean),
        }
    }

    /// Checks that a record may have this value.
    pub(super) fn check(&self, value: &FilterValue) -> Result<(), InvalidValue> {
        match (self, value) {
            (Self::Number(bounds), FilterValue::Number(number)) if !bounds.contains(number) => {
                Err(outside(bounds))
            }
            (Self::Enum(values), FilterValue::Enum(value)) => values.parse(value).map(drop),
            _ => Ok(()),
        }
    }
}

fn outside(bounds: &RangeInclusive<i64>) -> InvalidValue {
    match (*bounds.start(), *bounds.end()) {
        (1, i64::MAX) => InvalidValue::new("must be a whole number above 0"),
        (i64::MIN, i64::MAX) => InvalidValue::new("must be a whole number"),
        (low, high) => {
            InvalidValue::from_string(format!("must be a whole number from {low} to {high}"))
        }
    }
}

/// Parses an integer of ASCII digits, with an optional `-`.
pub(super) fn whole_number(text: &str) -> Option<i64> {
    // The canonical form of an i64 has at most 20 characters. Longer forms would only lengthen
    // links.
    if text.len() > 20 || text.starts_with('+') {
        None
    } else {
        text.parse().ok()
    }
}

/// Parses `true` or `false`, without regard to case.
pub(super) fn boolean(text: &str) -> Result<bool, InvalidValue> {
    match text {
        _ if text.eq_ignore_ascii_case("true") => Ok(true),
        _ if text.eq_ignore_ascii_case("false") => Ok(false),
        _ => Err(InvalidValue::new("must be true or false")),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    // Proves: threats 38
    #[test]
    fn a_whole_number_is_ascii_digits_that_fit() {
        let read = |text: &str| ParameterType::Number(1..=i64::MAX).parse(text);
        assert_eq!(read("007"), Ok(FilterValue::Number(7)));
        assert_eq!(
            read("9223372036854775807"),
            Ok(FilterValue::Number(i64::MAX))
        );
        let refused = [
            "9223372036854775808",
            "-9223372036854775809",
            "+1",
            "-1",
            "0",
            "1.0",
            "1e3",
            " 1",
            "1 ",
            "0x1",
            "٣",
            "１",
            "--1",
            "-",
        ];
        for text in refused.into_iter().chain(["000000000000000000001"]) {
            assert_eq!(
                read(text).unwrap_err().reason(),
                "must be a whole number above 0",
                "{text:?}"
            );
        }
        let bounded = ParameterType::Number(1..=3);
        assert_eq!(bounded.parse("3"), Ok(FilterValue::Number(3)));
        assert_eq!(
            bounded.parse("4").unwrap_err().reason(),
            "must be a whole number from 1 to 3"
        );
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
            let values = EnumValues::new("Word", ["A", "B"]);
            for kind in [ParameterType::Number(1..=3), ParameterType::Enum(values), ParameterType::Search, ParameterType::Boolean] {
                let _ = kind.parse(&text);
            }
        }
    }
}
