use std::borrow::Cow;

use fluent_uri::pct_enc::EString;
use fluent_uri::pct_enc::encoder::{Data, Query};

use super::failure::Failure;
use crate::domain::Invalid;
use crate::http::pairs::{self, Pairs};

/// The parameters of a request's query. Each one that an endpoint knows is taken by its name; what is left at the end is unknown.
pub(super) struct Parameters<'a> {
    given: Pairs<'a>,
    known: Vec<&'static str>,
    taken: Vec<(&'static str, Cow<'a, str>)>,
}

impl<'a> Parameters<'a> {
    pub(super) fn read(query: &'a str) -> Result<Self, Failure> {
        let given = pairs::parse(query).map_err(|_| Failure::QueryMalformed)?;
        if given.iter().any(|(name, _)| name.is_empty()) {
            return Err(Failure::QueryMalformed);
        }
        if let Some(name) = pairs::repeated(&given) {
            return Err(Failure::ParameterRepeated(name.to_owned()));
        }
        Ok(Self { given, known: Vec::new(), taken: Vec::new() })
    }

    /// The value of a parameter, or `None` when it is absent or empty.
    pub(super) fn take<T>(&mut self, name: &'static str, parse: impl FnOnce(&str) -> Result<T, Invalid>) -> Result<Option<T>, Failure> {
        self.take_either([name], parse)
    }

    /// The value of a parameter that has several names, the first of which is its own. Two names at once are a repetition.
    pub(super) fn take_either<T, const N: usize>(
        &mut self,
        names: [&'static str; N],
        parse: impl FnOnce(&str) -> Result<T, Invalid>,
    ) -> Result<Option<T>, Failure> {
        self.known.extend(names);
        let mut found = None;
        for name in names {
            let Some(at) = self.given.iter().position(|(given, _)| given == name) else { continue };
            let (_, text) = self.given.remove(at);
            if found.replace((name, text)).is_some() {
                return Err(Failure::ParameterRepeated(name.to_owned()));
            }
        }
        let Some((name, text)) = found.filter(|(_, text)| !text.is_empty()) else { return Ok(None) };
        let value = parse(&text).map_err(|rule| Failure::ParameterInvalid { name, rule })?;
        self.taken.push((names[0], text));
        Ok(Some(value))
    }

    /// Refuses what nobody took, unless it is to be ignored.
    pub(super) fn finish(self, ignore_unknown: bool) -> Result<Taken<'a>, Failure> {
        match self.given.into_iter().next() {
            Some((name, _)) if !ignore_unknown => Err(Failure::ParameterUnknown { name: name.into_owned(), known: self.known }),
            _ => Ok(Taken(self.taken)),
        }
    }
}

/// The parameters that had a value and were understood, under their own names and in the endpoint's order.
pub(super) struct Taken<'a>(Vec<(&'static str, Cow<'a, str>)>);

impl Taken<'_> {
    /// A query that says the same, except for one parameter. It ends in `&` unless it is empty.
    pub(super) fn query_without(&self, left_out: &str) -> String {
        let mut query = EString::<Query>::new();
        for (name, value) in self.0.iter().filter(|(name, _)| *name != left_out) {
            query.encode_str::<Data>(name);
            query.push('=');
            query.encode_str::<Data>(value);
            query.push('&');
        }
        query.into_string()
    }
}

/// A whole number in ASCII digits, perhaps after `-`, that keeps to a rule.
pub(super) fn integer<T>(rule: impl Fn(i64) -> Result<T, Invalid>) -> impl Fn(&str) -> Result<T, Invalid> {
    move |text| {
        // The shortest writing of an i64 has at most 20 characters; anything longer only blows up the links.
        let number = if text.len() > 20 || text.starts_with('+') { None } else { text.parse().ok() };
        match number {
            Some(number) => rule(number),
            // No rule here admits the smallest number, so this says what the rule is.
            None => rule(i64::MIN).and(Err(Invalid::new("must be a whole number"))),
        }
    }
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
    use crate::domain::{Grade, StudentId};

    fn taken(query: &str) -> Result<String, Failure> {
        let mut parameters = Parameters::read(query)?;
        parameters.take("name", |text| Ok(text.to_owned()))?;
        parameters.take_either(["status", "clubStatus"], |text| Ok(text.to_owned()))?;
        parameters.take("grade", integer(Grade::new))?;
        Ok(parameters.finish(false)?.query_without("page"))
    }

    #[test]
    fn parameters_come_back_in_the_endpoints_order_and_encoding() {
        assert_eq!(taken("").unwrap(), "");
        assert_eq!(taken("clubStatus=X&name=a+%26%3d%ed%95%9c").unwrap(), "name=a%20%26%3D%ED%95%9C&status=X&");
        assert_eq!(taken("name=&grade=").unwrap(), "");
    }

    #[test]
    fn an_unknown_name_is_refused_with_the_known_ones() {
        let Err(Failure::ParameterUnknown { name, known }) = taken("grades=1") else { panic!() };
        assert_eq!((name.as_str(), known), ("grades", vec!["name", "status", "clubStatus", "grade"]));
        let ignoring = Parameters::read("grades=1").unwrap();
        assert!(ignoring.finish(true).is_ok());
    }

    #[test]
    fn a_value_without_a_name_is_malformed_also_where_unknown_names_are_ignored() {
        for query in ["=1", "=", "name=a&=1", "=1&=1"] {
            assert!(matches!(Parameters::read(query), Err(Failure::QueryMalformed)), "{query}");
        }
    }

    #[test]
    fn a_repetition_is_refused_also_through_an_alias_or_an_escape_or_when_empty() {
        for query in ["name=a&name=a", "name=&name=", "name=a&n%61me=b", "status=A&clubStatus=A", "x=1&x=2"] {
            assert!(matches!(taken(query), Err(Failure::ParameterRepeated(_))), "{query}");
        }
    }

    #[test]
    fn s38_a_whole_number_is_ascii_digits_that_fit() {
        let read = integer(StudentId::new);
        assert_eq!(read("007").unwrap().get(), 7);
        assert_eq!(read("9223372036854775807").unwrap().get(), i64::MAX);
        let refused =
            ["9223372036854775808", "-9223372036854775809", "+1", "-1", "0", "1.0", "1e3", " 1", "1 ", "0x1", "٣", "１", "--1", "-"];
        for text in refused.into_iter().chain(["000000000000000000001"]) {
            assert_eq!(read(text).unwrap_err().reason(), "must be a whole number above 0", "{text:?}");
        }
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
        fn arbitrary_text_is_taken_or_refused(text in any::<String>()) {
            let _ = taken(&text);
            let _ = integer(Grade::new)(&text);
            let _ = boolean(&text);
        }

        #[test]
        fn what_was_taken_says_the_same_again(text in "[^\\x00]{1,40}") {
            let mut query = EString::<Query>::new();
            query.push_estr(fluent_uri::pct_enc::EStr::new_or_panic("name="));
            query.encode_str::<Data>(&text);
            let once = taken(query.as_str()).unwrap();
            prop_assert_eq!(taken(&once).unwrap(), once);
        }
    }
}
