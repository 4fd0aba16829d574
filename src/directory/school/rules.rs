use std::ops::RangeInclusive;

use super::super::resource::Words;
use crate::domain::{ClassNum, Grade, Invalid, Major, SeatNumber};
use crate::store::StorageError;

/// What differs from school to school: which numbers and words its records have. Records that a store has with others are served all the same.
#[derive(Debug, Clone)]
pub(in crate::directory) struct SchoolRules {
    pub(in crate::directory) grades: RangeInclusive<i32>,
    pub(in crate::directory) classes: RangeInclusive<i32>,
    pub(in crate::directory) numbers: RangeInclusive<i32>,
    pub(in crate::directory) majors: Words,
}

/// The rules of service.md.
impl Default for SchoolRules {
    fn default() -> Self {
        Self { grades: 1..=3, classes: 1..=4, numbers: 1..=18, majors: majors(&Major::STANDARD) }
    }
}

impl SchoolRules {
    /// These rules, if they can be those of a school.
    pub(in crate::directory) fn checked(self) -> Result<Self, StorageError> {
        let of = |what, bounds: &RangeInclusive<i32>, new: fn(i64) -> Result<(), Invalid>| {
            let ends = [bounds.start(), bounds.end()].into_iter().try_for_each(|end| new(i64::from(*end)));
            let rule = if bounds.is_empty() { Err(Invalid::new("must not be above the other")) } else { ends };
            rule.map_err(|rule| StorageError::failed("the directory cannot be opened", format!("each end of the {what} {rule}")))
        };
        of("grades", &self.grades, |end| Grade::new(end).map(drop))?;
        of("classes", &self.classes, |end| ClassNum::new(end).map(drop))?;
        of("numbers", &self.numbers, |end| SeatNumber::new(end).map(drop))?;
        let majors: Vec<&str> = self.majors.iter().collect();
        if majors.is_empty() || (1..majors.len()).any(|at| majors[..at].contains(&majors[at])) {
            return Err(StorageError::failed("the directory cannot be opened", "the majors must be some, each of them once"));
        }
        Ok(self)
    }
}

pub(in crate::directory) fn majors(majors: &[Major]) -> Words {
    Words::new("Major", majors.iter().map(Major::as_str))
}

/// The same bounds for fields, which have wider numbers.
pub(super) fn wide(bounds: &RangeInclusive<i32>) -> RangeInclusive<i64> {
    i64::from(*bounds.start())..=i64::from(*bounds.end())
}
