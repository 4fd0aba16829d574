use std::ops::RangeInclusive;
use std::sync::Arc;

use lyceum::directory::Directory;
use lyceum::domain::Major;
use lyceum::store::sql::SqlStore;

use super::{CLASSES, GRADES, MAJORS, SEAT_NUMBERS, Setting, Settings};
use crate::BoxError;

/// The grades, classes, seat numbers and majors of the school, which every write keeps to.
#[derive(Debug, Clone)]
pub struct SchoolBounds {
    grades: RangeInclusive<i32>,
    classes: RangeInclusive<i32>,
    seat_numbers: RangeInclusive<i32>,
    /// None for those of the library.
    majors: Vec<Major>,
}

/// Those of the library.
impl Default for SchoolBounds {
    fn default() -> Self {
        Self {
            grades: 1..=3,
            classes: 1..=4,
            seat_numbers: 1..=18,
            majors: Vec::new(),
        }
    }
}

impl SchoolBounds {
    pub fn from_settings(settings: &Settings) -> Result<Self, BoxError> {
        let bounds = |setting: &Setting, max| settings.parse(setting, |text| range(text, max));
        let majors = settings.optional(&MAJORS, |text| {
            let mut majors: Vec<Major> = Vec::new();
            for name in text.split(',') {
                let major = name.trim().parse().ok()?;
                if majors.contains(&major) {
                    return None;
                }
                majors.push(major);
            }
            Some(majors)
        })?;
        Ok(Self {
            grades: bounds(&GRADES, 12)?,
            classes: bounds(&CLASSES, 99)?,
            seat_numbers: bounds(&SEAT_NUMBERS, 99)?,
            majors: majors.unwrap_or_default(),
        })
    }

    /// Opens the directory of the school.
    pub async fn open(&self, store: Arc<SqlStore>) -> Result<Directory, BoxError> {
        let directory = Directory::builder_with_history(store.clone())
            .freshness(store)
            .grades(self.grades.clone())
            .classes(self.classes.clone())
            .seat_numbers(self.seat_numbers.clone());
        let directory = match &self.majors[..] {
            [] => directory,
            majors => directory.majors(majors.iter().cloned()),
        };
        Ok(directory.open().await?)
    }
}

/// Two numbers such as `1-6`, within 1 to `max`.
fn range(text: &str, max: i32) -> Option<RangeInclusive<i32>> {
    let (first, last) = text.split_once('-')?;
    let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    (1 <= first && first <= last && last <= max).then_some(first..=last)
}
