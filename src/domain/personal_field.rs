use crate::domain::{enum_set, string_enum};

string_enum! {
    /// A field of a student or participant that can be hidden from an API key. Responses always
    /// contain the id, the name and the role.
    PersonalField {
        /// `sex`.
        Sex = "SEX",
        /// `email`.
        Email = "EMAIL",
        /// `grade`, `classNum`, `number` and `studentNumber`.
        Class = "CLASS",
        /// `major`.
        Major = "MAJOR",
        /// `specialty`.
        Specialty = "SPECIALTY",
        /// `dormitoryFloor` and `dormitoryRoom`.
        Dormitory = "DORMITORY",
        /// `githubId` and `githubUrl`.
        Github = "GITHUB",
    }
}

enum_set! {
    /// The fields that responses to a key omit: its field policy.
    HiddenFields of PersonalField
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_policy_is_read_back_as_printed() {
        for policy in [
            HiddenFields::default(),
            [PersonalField::Email, PersonalField::Dormitory]
                .into_iter()
                .collect(),
            HiddenFields::all(),
        ] {
            assert_eq!(HiddenFields::parse(&policy.to_string()).unwrap(), policy);
        }
        assert_eq!(
            HiddenFields::all().to_string(),
            "SEX EMAIL CLASS MAJOR SPECIALTY DORMITORY GITHUB"
        );
        assert!(HiddenFields::parse("NAME").is_err());
    }
}
