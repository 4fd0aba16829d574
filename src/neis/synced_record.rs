use std::sync::Arc;

use super::NeisSchool;
use super::wire::{BadRow, Row};
use crate::directory::{Directory, DirectoryChange, Snapshot};
use crate::domain::{Date, DateRange, InvalidValue, Lesson, Meal, SchoolEvent, SchoolIdentity};

/// A kind of records that is read from the portal.
pub(super) trait SyncedRecord:
    Clone + PartialEq + Into<DirectoryChange> + Send + Sync + 'static
{
    /// The field with the day.
    const DATE: &'static str;

    /// If this field is invalid, the row is not a record of this kind (a room of elective subjects),
    /// so it protects no stored record.
    const FOREIGN_ROW_FIELD: Option<&'static str> = None;

    /// Parses a row.
    fn parse(row: &Row, school: &NeisSchool) -> Result<Self, BadRow>;

    fn id(&self) -> String;

    /// What only one record is about, such as the department, class, day and period of a lesson in
    /// any room.
    fn place(&self) -> String {
        self.id()
    }

    fn date(&self) -> Date;

    fn school(&self) -> &SchoolIdentity;

    /// The change that removes the record with this id.
    fn removal(id: String) -> DirectoryChange;

    /// The records of these days in the directory.
    fn of_days(snapshot: &Snapshot, window: DateRange) -> &[Arc<Self>];

    /// Checks the record against the school's bounds.
    fn check(&self, _: &Directory, _: &Snapshot) -> Result<(), (&'static str, InvalidValue)> {
        Ok(())
    }
}

macro_rules! synced_record {
    ($record:ident: $date:literal, $parse:ident, $removal:ident, $list:ident, |$it:ident| $id:expr $(, $($more:tt)+)?) => {
        impl SyncedRecord for $record {
            const DATE: &'static str = $date;

            fn parse(row: &Row, school: &NeisSchool) -> Result<Self, BadRow> {
                row.$parse(school)
            }

            fn id(&self) -> String {
                let $it = self;
                $id
            }

            fn date(&self) -> Date {
                self.date
            }

            fn school(&self) -> &SchoolIdentity {
                &self.school
            }

            fn removal(id: String) -> DirectoryChange {
                DirectoryChange::$removal(id)
            }

            fn of_days(snapshot: &Snapshot, window: DateRange) -> &[Arc<Self>] {
                snapshot.$list(window)
            }

            $($($more)+)?
        }
    };
}

synced_record!(Meal: "MLSV_YMD", meal, RemoveMeal, meals, |meal| Meal::id(meal));
synced_record!(SchoolEvent: "AA_YMD", event, RemoveEvent, events, |event| event.id.to_string());
synced_record!(
    Lesson: "ALL_TI_YMD", lesson, RemoveLesson, lessons, |lesson| lesson.id.to_string(),
    // A room of elective subjects.
    const FOREIGN_ROW_FIELD: Option<&'static str> = Some("CLASS_NM");

    fn place(&self) -> String {
        let (grade, class, period) = (self.grade.get(), self.class_num.get(), self.period.get());
        let department = self.department.as_deref().unwrap_or_default();
        format!("{} {grade}-{class} {period} {department}", self.date)
    }

    fn check(
        &self,
        directory: &Directory,
        snapshot: &Snapshot,
    ) -> Result<(), (&'static str, InvalidValue)> {
        directory.check_lesson(snapshot, self)
    }
);
