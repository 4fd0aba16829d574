use std::fmt;

use crate::domain::{Invalid, vocabulary};

vocabulary! {
    /// What an API key may read (service.md, "Authentication").
    ApiScope {
        /// `GET /v1/students`.
        StudentRead = "STUDENT_READ",
        /// `GET /v1/clubs`.
        ClubRead = "CLUB_READ",
        /// `GET /v1/projects`.
        ProjectRead = "PROJECT_READ",
        /// `GET /v1/neis/meals`, `/v1/neis/schedules` and `/v1/neis/timetables`.
        NeisRead = "NEIS_READ",
    }
}

/// A set of [`ApiScope`]s.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ApiScopes(u8);

impl ApiScopes {
    /// Every scope there is.
    pub fn all() -> Self {
        ApiScope::ALL.iter().copied().collect()
    }

    /// Whether the scope is one of these.
    pub const fn contains(self, scope: ApiScope) -> bool {
        self.0 & (1 << scope as u8) != 0
    }

    /// The scopes, in the order of their declaration.
    pub fn iter(self) -> impl Iterator<Item = ApiScope> {
        ApiScope::ALL.iter().copied().filter(move |scope| self.contains(*scope))
    }

    /// Reads names separated by single spaces; the empty text is the empty set.
    ///
    /// # Errors
    /// When a part is not the name of a scope.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        if text.is_empty() { Ok(Self::default()) } else { text.split(' ').map(str::parse).collect() }
    }
}

impl FromIterator<ApiScope> for ApiScopes {
    fn from_iter<I: IntoIterator<Item = ApiScope>>(scopes: I) -> Self {
        Self(scopes.into_iter().fold(0, |bits, scope| bits | 1 << scope as u8))
    }
}

/// The names separated by single spaces.
impl fmt::Display for ApiScopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.iter().map(ApiScope::as_str).collect();
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

    #[test]
    fn a_set_of_api_scopes_is_read_back_as_printed() {
        let set: ApiScopes = [ApiScope::NeisRead, ApiScope::ClubRead].into_iter().collect();
        assert_eq!(set.to_string(), "CLUB_READ NEIS_READ");
        assert_eq!(ApiScopes::parse("CLUB_READ NEIS_READ").unwrap(), set);
        assert!(set.contains(ApiScope::ClubRead) && !set.contains(ApiScope::StudentRead));
        assert!(ApiScopes::parse("club_read").is_err());
        assert_eq!(ApiScopes::all().iter().count(), 4);
    }
}
