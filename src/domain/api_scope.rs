use crate::domain::{vocabulary, word_set};

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

word_set! {
    /// A set of [`ApiScope`]s.
    ApiScopes of ApiScope
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
        assert!(set.is_subset(ApiScopes::all()) && !ApiScopes::all().is_subset(set) && !set.is_empty());
    }
}
