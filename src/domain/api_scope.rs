use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use smol_str::SmolStr;

use crate::domain::{InvalidValue, check_upper_snake_case};

/// A list of the data API that an API key may read: a built-in list or a custom list of the host.
///
/// The name has 1 to 64 capital ASCII letters, digits and underscores, starting with a letter.
/// Built-in scopes sort before the others, which sort by name.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ApiScope(SmolStr);

impl ApiScope {
    /// `GET /v1/students`.
    pub const STUDENT_READ: Self = Self(SmolStr::new_static("STUDENT_READ"));
    /// `GET /v1/clubs`.
    pub const CLUB_READ: Self = Self(SmolStr::new_static("CLUB_READ"));
    /// `GET /v1/projects`.
    pub const PROJECT_READ: Self = Self(SmolStr::new_static("PROJECT_READ"));
    /// `GET /v1/neis/meals`, `/v1/neis/schedules` and `/v1/neis/timetables`.
    pub const NEIS_READ: Self = Self(SmolStr::new_static("NEIS_READ"));

    /// The scopes of the built-in lists.
    pub const BUILT_IN: [Self; 4] = [
        Self::STUDENT_READ,
        Self::CLUB_READ,
        Self::PROJECT_READ,
        Self::NEIS_READ,
    ];

    /// The name on the wire and in the store.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ApiScope {
    type Err = InvalidValue;

    fn from_str(name: &str) -> Result<Self, InvalidValue> {
        check_upper_snake_case(name).map(|()| Self(name.into()))
    }
}

impl Ord for ApiScope {
    fn cmp(&self, other: &Self) -> Ordering {
        let place = |scope| {
            Self::BUILT_IN
                .iter()
                .position(|built_in| built_in == scope)
                .unwrap_or(Self::BUILT_IN.len())
        };
        place(self)
            .cmp(&place(other))
            .then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for ApiScope {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for ApiScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for ApiScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A set of [`ApiScope`]s, in sort order.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct ApiScopes(Arc<[ApiScope]>);

impl ApiScopes {
    /// The scopes of the built-in lists.
    pub fn built_in() -> Self {
        Self(ApiScope::BUILT_IN.into())
    }

    /// Whether the set contains the scope.
    pub fn contains(&self, scope: &ApiScope) -> bool {
        self.0.contains(scope)
    }

    /// Whether every scope of this set is in `others`.
    pub fn is_subset(&self, others: &Self) -> bool {
        self.iter().all(|scope| others.contains(scope))
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The scopes, built-in ones first.
    pub fn iter(&self) -> impl Iterator<Item = &ApiScope> {
        self.0.iter()
    }

    /// The scopes of both sets.
    #[must_use]
    pub fn union(&self, others: &Self) -> Self {
        self.iter().chain(others.iter()).cloned().collect()
    }

    /// Parses names separated by single spaces; the empty text is the empty set.
    ///
    /// # Errors
    /// If a part is not the name of a scope.
    pub fn parse(text: &str) -> Result<Self, InvalidValue> {
        if text.is_empty() {
            Ok(Self::default())
        } else {
            text.split(' ').map(str::parse).collect()
        }
    }
}

impl FromIterator<ApiScope> for ApiScopes {
    fn from_iter<I: IntoIterator<Item = ApiScope>>(scopes: I) -> Self {
        let mut scopes: Vec<ApiScope> = scopes.into_iter().collect();
        scopes.sort_unstable();
        scopes.dedup();
        Self(scopes.into())
    }
}

/// Formats as the names separated by single spaces.
impl fmt::Display for ApiScopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.iter().map(ApiScope::as_str).collect();
        f.write_str(&names.join(" "))
    }
}

impl fmt::Debug for ApiScopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails if the built-in scopes are not printed first, or a scope is printed twice.
    #[test]
    fn a_set_of_api_scopes_is_read_back_as_printed() {
        let set = ApiScopes::parse("ROOM_READ NEIS_READ BUS_READ CLUB_READ NEIS_READ").unwrap();
        assert_eq!(set.to_string(), "CLUB_READ NEIS_READ BUS_READ ROOM_READ");
        assert_eq!(ApiScopes::parse(&set.to_string()).unwrap(), set);
        assert!(set.contains(&ApiScope::CLUB_READ) && !set.contains(&ApiScope::STUDENT_READ));
        assert!(ApiScopes::parse("CLUB_READ  NEIS_READ").is_err());
        assert_eq!(ApiScopes::parse("").unwrap(), ApiScopes::default());
        assert_eq!(
            ApiScopes::built_in().to_string(),
            "STUDENT_READ CLUB_READ PROJECT_READ NEIS_READ"
        );
        assert!(
            !set.is_subset(&ApiScopes::built_in())
                && set.is_subset(&ApiScopes::built_in().union(&set))
                && !set.is_empty()
        );
    }

    /// Fails if a name could be parsed as two names, or is not printed as parsed.
    #[test]
    fn names_of_api_scopes_are_capitals_digits_and_underscores() {
        let longest = "A".repeat(64);
        for name in ["ROOM_READ", "A", "A_1", longest.as_str(), "STUDENT_READ"] {
            assert_eq!(name.parse::<ApiScope>().unwrap().to_string(), name);
        }
        let too_long = "A".repeat(65);
        for name in [
            "",
            "room_read",
            "_READ",
            "1_READ",
            "ROOM READ",
            "ROOM-READ",
            "ROOM_RÉAD",
            too_long.as_str(),
        ] {
            assert!(name.parse::<ApiScope>().is_err(), "{name:?}");
        }
        assert_eq!(
            "STUDENT_READ".parse::<ApiScope>().unwrap(),
            ApiScope::STUDENT_READ
        );
    }
}
