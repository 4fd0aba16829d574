use super::{EN, YearTexts};
use crate::domain::EnrollmentEnd;

impl YearTexts {
    /// What ended an enrollment.
    pub(crate) fn end_of(&self, end: EnrollmentEnd) -> &'static str {
        self.end.get(end.as_str()).unwrap_or_default()
    }
}

const _: () = {
    let mut at = 0;
    while at < EnrollmentEnd::ALL.len() {
        EN.year.end.require(EnrollmentEnd::ALL[at].as_str());
        at += 1;
    }
    assert!(
        EN.year.end.0.len() == at,
        "an attribute is no end of an enrollment"
    );
};
