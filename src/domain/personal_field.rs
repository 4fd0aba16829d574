use crate::domain::{vocabulary, word_set};

vocabulary! {
    /// What answers tell of a student or a participant that a key may have to do without. The id, the name and the role always stay: without
    /// them a record says nothing.
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

word_set! {
    /// The fields that a key does without: its field policy.
    HiddenFields of PersonalField
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_policy_is_read_back_as_printed() {
        for policy in [HiddenFields::default(), [PersonalField::Email, PersonalField::Dormitory].into_iter().collect(), HiddenFields::all()]
        {
            assert_eq!(HiddenFields::parse(&policy.to_string()).unwrap(), policy);
        }
        assert_eq!(HiddenFields::all().to_string(), "SEX EMAIL CLASS MAJOR SPECIALTY DORMITORY GITHUB");
        assert!(HiddenFields::parse("NAME").is_err());
    }
}
