use std::fmt;
use std::str::FromStr;

use crate::domain::{ApplicationId, InvalidValue};

/// The name of a scope within its application: `^[a-z0-9_-]+$`, at most 100 characters (spec 3.26).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScopeName(Box<str>);

impl ScopeName {
    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ScopeName {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let allowed = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-');
        if text.is_empty() || !text.bytes().all(allowed) {
            return Err(InvalidValue::new(
                "must consist of lower-case letters, digits, '_' and '-'",
            ));
        }
        if text.len() > 100 {
            return Err(InvalidValue::new("must have at most 100 characters"));
        }
        Ok(Self(text.into()))
    }
}

impl fmt::Display for ScopeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A scope: `{applicationId}:{scopeName}`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Scope {
    /// The application that defines the scope and whose API checks it.
    pub application: ApplicationId,
    /// The name within the application.
    pub name: ScopeName,
}

impl Scope {
    /// `service:self_read`, the user's own basic information and student details (spec 3.21).
    pub fn self_read() -> Self {
        Self::service_scope("self_read")
    }

    /// `service:manage`, which first-party clients use to manage applications, clients and keys.
    pub fn manage() -> Self {
        Self::service_scope("manage")
    }

    fn service_scope(name: &str) -> Self {
        Self {
            application: ApplicationId::Service,
            name: ScopeName(name.into()),
        }
    }
}

impl FromStr for Scope {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        const REFUSED: InvalidValue =
            InvalidValue::new("must have the form {applicationId}:{scopeName}");
        let (application, name) = text.split_once(':').ok_or(REFUSED)?;
        let application = application.parse().map_err(|_| REFUSED)?;
        let name = name.parse().map_err(|_| REFUSED)?;
        Ok(Self { application, name })
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.application, self.name)
    }
}

/// Distinct scopes in the order of the request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScopeSet(Vec<Scope>);

impl ScopeSet {
    /// Maximum number of parsed scopes.
    const MAX_SCOPES: usize = 200;

    /// Parses scopes separated by single spaces (RFC 6749 §3.3) and removes duplicates. The empty
    /// text is the empty set.
    ///
    /// # Errors
    /// If a part is not a scope, or there are more than 200.
    pub fn parse(text: &str) -> Result<Self, InvalidValue> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        Self::parse_all(text.split(' '))
    }

    /// Parses scopes that are already separate, such as the elements of a JSON array.
    ///
    /// # Errors
    /// As [`ScopeSet::parse`].
    pub fn parse_all<'a>(parts: impl IntoIterator<Item = &'a str>) -> Result<Self, InvalidValue> {
        let mut set = Self::default();
        for part in parts {
            set.insert(part.parse()?);
            if set.0.len() > Self::MAX_SCOPES {
                return Err(InvalidValue::new("must list at most 200 scopes"));
            }
        }
        Ok(set)
    }

    /// Adds a scope at the end, unless it is present.
    pub fn insert(&mut self, scope: Scope) {
        if !self.contains(&scope) {
            self.0.push(scope);
        }
    }

    /// Whether the set contains the scope.
    pub fn contains(&self, scope: &Scope) -> bool {
        self.0.contains(scope)
    }

    /// Whether every scope of this set is in `other`.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.0.iter().all(|scope| other.contains(scope))
    }

    /// The scopes that are also in `other`, in the order of this set.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        Self(
            self.0
                .iter()
                .filter(|scope| other.contains(scope))
                .cloned()
                .collect(),
        )
    }

    /// The scopes except one, in order.
    #[must_use]
    pub fn without(&self, scope: &Scope) -> Self {
        Self(
            self.0
                .iter()
                .filter(|kept| *kept != scope)
                .cloned()
                .collect(),
        )
    }

    /// The scopes of this set, then those only in `other`. The result is truncated to the number of
    /// scopes that can be parsed.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let mut union: Self = self.iter().chain(other).cloned().collect();
        union.0.truncate(Self::MAX_SCOPES);
        union
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of scopes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The scopes in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Scope> {
        self.0.iter()
    }

    /// The applications that define these scopes, without duplicates, in order of first mention.
    pub fn applications(&self) -> Vec<ApplicationId> {
        let mut seen = Vec::new();
        for scope in &self.0 {
            if !seen.contains(&scope.application) {
                seen.push(scope.application);
            }
        }
        seen
    }
}

impl<'a> IntoIterator for &'a ScopeSet {
    type Item = &'a Scope;
    type IntoIter = std::slice::Iter<'a, Scope>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl FromIterator<Scope> for ScopeSet {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        let mut set = Self::default();
        scopes.into_iter().for_each(|scope| set.insert(scope));
        set
    }
}

/// Formats as the scopes separated by single spaces (RFC 6749 §3.3).
impl fmt::Display for ScopeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, scope) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_str(" ")?;
            }
            scope.fmt(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const APPLICATION: &str = "7d444840-9dc0-41d1-b245-5ffdce74fad2";

    #[test]
    fn a_scope_name_keeps_the_pattern_of_the_specification() {
        for name in ["read", "a", "0", "_", "-", "read_all-2", &"x".repeat(100)] {
            assert!(name.parse::<ScopeName>().is_ok(), "{name:?} was refused");
        }
        for name in [
            "",
            "Read",
            "a b",
            "a:b",
            "é",
            "a.b",
            "a\n",
            &"x".repeat(101),
        ] {
            assert!(name.parse::<ScopeName>().is_err(), "{name:?} was accepted");
        }
    }

    #[test]
    fn a_scope_is_an_application_and_a_name() {
        let text = format!("{APPLICATION}:read");
        assert_eq!(text.parse::<Scope>().unwrap().to_string(), text);
        assert_eq!(
            "service:self_read".parse::<Scope>().unwrap(),
            Scope::self_read()
        );
        for text in [
            "",
            "read",
            ":read",
            "service:",
            "service:a:b",
            "other:read",
            &format!("{}:read", APPLICATION.to_uppercase()),
        ] {
            assert!(text.parse::<Scope>().is_err(), "{text:?} was accepted");
        }
    }

    #[test]
    fn a_set_keeps_order_and_drops_repetitions() {
        let set =
            ScopeSet::parse(&format!("service:b service:a {APPLICATION}:c service:b")).unwrap();
        assert_eq!(
            set.to_string(),
            format!("service:b service:a {APPLICATION}:c")
        );
        assert_eq!(
            set.applications(),
            [ApplicationId::Service, APPLICATION.parse().unwrap()]
        );
        assert!(ScopeSet::parse("").unwrap().is_empty());
        for text in [
            " ",
            "service:a  service:b",
            " service:a",
            "service:a\tservice:b",
            "service:a,service:b",
        ] {
            assert!(ScopeSet::parse(text).is_err(), "{text:?} was accepted");
        }
    }

    #[test]
    fn a_union_can_be_read_again_however_much_there_is() {
        let set = |names: std::ops::Range<u32>| {
            names
                .map(|number| format!("service:{number}").parse().unwrap())
                .collect::<ScopeSet>()
        };
        assert_eq!(
            set(1..3).union(&set(0..4)).to_string(),
            "service:1 service:2 service:0 service:3"
        );
        assert_eq!(set(0..3).union(&ScopeSet::default()), set(0..3));
        let union = set(100..300).union(&set(0..100));
        assert_eq!(union, set(100..300), "the last scopes are truncated");
        assert_eq!(
            ScopeSet::parse(&set(0..150).union(&set(150..250)).to_string()).unwrap(),
            set(0..200)
        );
    }

    proptest! {
        #[test]
        fn a_printed_set_is_parsed_to_the_same_set(names in proptest::collection::vec("[a-z0-9_-]{1,12}", 0..20)) {
            let set = ScopeSet::parse_all(names.iter().map(|name| format!("service:{name}")).collect::<Vec<_>>().iter().map(String::as_str)).unwrap();
            prop_assert_eq!(ScopeSet::parse(&set.to_string()).unwrap(), set);
        }

        #[test]
        fn arbitrary_text_is_read_or_refused(text in any::<String>()) {
            if let Ok(scope) = text.parse::<Scope>() {
                prop_assert_eq!(scope.to_string(), text);
            }
        }
    }
}
