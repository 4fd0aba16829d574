use crate::domain::{InvalidValue, ShortText, string_enum};

string_enum! {
    /// The kind of a school, which has a resource of timetables of its own.
    SchoolKind {
        /// An elementary school.
        Elementary = "els",
        /// A middle school.
        Middle = "mis",
        /// A high school.
        High = "his",
        /// A school for special education.
        Special = "sps",
    }
}

/// A school as the portal identifies it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NeisSchool {
    pub(super) office_code: ShortText,
    pub(super) school_code: ShortText,
    pub(super) kind: SchoolKind,
}

impl NeisSchool {
    /// Creates a school from the codes of its education office, such as `F10`, and of itself, such
    /// as `7380292`.
    ///
    /// # Errors
    /// If a code is not 1 to 20 ASCII letters and digits.
    pub fn new(
        office_code: &str,
        school_code: &str,
        kind: SchoolKind,
    ) -> Result<Self, InvalidValue> {
        Ok(Self {
            office_code: code(office_code)?,
            school_code: code(school_code)?,
            kind,
        })
    }
}

fn code(text: &str) -> Result<ShortText, InvalidValue> {
    let is_code =
        (1..=20).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_code {
        text.parse()
    } else {
        Err(InvalidValue::new("must be 1 to 20 letters and digits"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails if a code can change the query that it is part of.
    #[test]
    fn codes_have_letters_and_digits_only() {
        assert!(NeisSchool::new("F10", "7380292", SchoolKind::High).is_ok());
        for code in ["", "F10&KEY=x", "F 10", "한국", "123456789012345678901"] {
            assert!(NeisSchool::new(code, "7380292", SchoolKind::High).is_err());
            assert!(NeisSchool::new("F10", code, SchoolKind::High).is_err());
        }
    }
}
