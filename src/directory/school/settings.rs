use std::ops::RangeInclusive;

use super::super::resource::EnumValues;
use crate::domain::{ClassNum, Grade, InvalidValue, Major, SeatNumber};
use crate::store::StorageError;

/// The bounds and majors of one school. Stored records outside them are served all the same.
#[derive(Debug, Clone)]
pub(in crate::directory) struct SchoolSettings {
    pub(in crate::directory) grades: RangeInclusive<i32>,
    pub(in crate::directory) classes: RangeInclusive<i32>,
    pub(in crate::directory) seat_numbers: RangeInclusive<i32>,
    pub(in crate::directory) majors: EnumValues,
}

/// The ranges of spec 2.5.
impl Default for SchoolSettings {
    fn default() -> Self {
        Self {
            grades: 1..=3,
            classes: 1..=4,
            seat_numbers: 1..=18,
            majors: major_values(&Major::STANDARD),
        }
    }
}

impl SchoolSettings {
    /// Checks that the settings are valid.
    pub(in crate::directory) fn validated(self) -> Result<Self, StorageError> {
        let check =
            |what, bounds: &RangeInclusive<i32>, new: fn(i64) -> Result<(), InvalidValue>| {
                let ends = [bounds.start(), bounds.end()]
                    .into_iter()
                    .try_for_each(|end| new(i64::from(*end)));
                let rule = if bounds.is_empty() {
                    Err(InvalidValue::new("must not be above the other"))
                } else {
                    ends
                };
                rule.map_err(|rule| {
                    StorageError::failed(
                        "the directory cannot be opened",
                        format!("each end of the {what} {rule}"),
                    )
                })
            };
        check("grades", &self.grades, |end| Grade::new(end).map(drop))?;
        check("classes", &self.classes, |end| ClassNum::new(end).map(drop))?;
        check("numbers", &self.seat_numbers, |end| {
            SeatNumber::new(end).map(drop)
        })?;
        let majors: Vec<&str> = self.majors.iter().collect();
        if majors.is_empty() || (1..majors.len()).any(|at| majors[..at].contains(&majors[at])) {
            return Err(StorageError::failed(
                "the directory cannot be opened",
                "there must be majors, each of them once",
            ));
        }
        Ok(self)
    }
}

pub(in crate::directory) fn major_values(majors: &[Major]) -> EnumValues {
    EnumValues::new("Major", majors.iter().map(Major::as_str))
}

/// Converts bounds to those of a field.
pub(super) fn widen(bounds: &RangeInclusive<i32>) -> RangeInclusive<i64> {
    i64::from(*bounds.start())..=i64::from(*bounds.end())
}
