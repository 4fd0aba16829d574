//! The turn of the school year, its undo, and the history of who was in which class.
//!
//! [`YearTurn`] graduates the last grade, moves the others up and adds the new first-years. Its
//! [`YearPlan`] shows every student and every conflict; [`YearPlan::apply`] then writes exactly that
//! in one transaction, with the history of the year that ends. [`YearUndo`] takes the turn back
//! within [`UNDO_PERIOD`], also as a plan.
//!
//! A directory of [`Directory::builder_with_history`] is needed. Its history is for administrators
//! and is in no list of the data API.
//!
//! ```
//! use std::sync::Arc;
//!
//! use lyceum::directory::Directory;
//! use lyceum::domain::{PageRequest, RecordKind, SubjectId, Timestamp};
//! use lyceum::import::{ApplyOutcome, Import};
//! use lyceum::school_year::{YearOutcome, YearTurn, YearUndo};
//! use lyceum::store::memory::MemoryStore;
//! use lyceum::store::{HistoryFilter, SchoolHistoryStore};
//!
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! let store = Arc::new(MemoryStore::new());
//! let directory = Directory::builder_with_history(store.clone()).open().await?;
//! let file = "이름,성별,이메일,학번,전공\n김하늘,여,haneul@school.example,3307,AI\n";
//! let import = Import::new(RecordKind::Students).plan(&directory, file).await?;
//! assert!(matches!(import.apply(&directory).await?, ApplyOutcome::Applied(_)));
//!
//! let february: Timestamp = Timestamp::from_seconds(1_802_000_000); // 7 February 2027
//! let plan = YearTurn::new().plan(&directory, february).await?;
//! assert_eq!((plan.year().get(), plan.graduated()), (2026, 1));
//! println!("{plan}");
//! let outcome = plan.apply(&directory, SubjectId::service(), february).await?;
//! assert!(matches!(outcome, YearOutcome::Applied(_)));
//! let history = store.school_history(HistoryFilter::default(), PageRequest::LARGEST).await?;
//! assert_eq!(history.items[0].year.get(), 2026);
//!
//! let undo = YearUndo::plan(&directory, february).await?;
//! let outcome = undo.apply(&directory, SubjectId::service(), february).await?;
//! assert!(matches!(outcome, YearOutcome::Applied(_)));
//! # Ok::<_, Box<dyn std::error::Error>>(()) }).unwrap();
//! ```
//!
//! [`Directory::builder_with_history`]: crate::directory::Directory::builder_with_history

mod error;
mod person;
mod plan;
mod planner;
mod report;
mod retention;
mod seat;
mod undo;

#[cfg(test)]
#[cfg(feature = "testing")]
mod tests;

use std::time::Duration;

#[cfg(feature = "console")]
pub(crate) use error::ConflictKind;
pub use error::{Conflict, YearError, YearObstacle, YearOutcome};
pub use person::{StudentErasure, erase_student};
pub use plan::YearPlan;
#[cfg(feature = "console")]
pub(crate) use plan::{PlannedStudent, Step};
#[cfg(feature = "console")]
pub(crate) use planner::besides_number;
pub use retention::{HistoryRetention, RemovedHistory, RetentionError};
pub use undo::{YearUndo, YearUndoPlan};

use crate::directory::Directory;
use crate::domain::{Date, Timestamp, Year};
use crate::import::FileFormat;

/// Time within which a turn of the school year can be undone.
pub const UNDO_PERIOD: Duration = Duration::from_secs(24 * 60 * 60);

/// How the school year is turned.
///
/// Without a file of classes, students keep their class, number, major, room and clubs, and go to
/// the next grade. Students of the school's last grade graduate.
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct YearTurn {
    year: Option<Year>,
    classes: Option<File>,
    first_years: Option<File>,
    resets_offices: bool,
    turns_again: bool,
}

/// A file of students.
#[derive(Clone)]
struct File {
    content: Vec<u8>,
    format: FileFormat,
}

/// Omits the content, which is personal data.
impl std::fmt::Debug for File {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("File").finish_non_exhaustive()
    }
}

impl YearTurn {
    /// A turn by rule, without new students.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the school year that ends, by the calendar year in which it began: the current school
    /// year or the one before. By default it is the one that began in March before the last
    /// September.
    pub fn year(self, year: Year) -> Self {
        Self {
            year: Some(year),
            ..self
        }
    }

    /// Sets a file with the new classes, which an [`Import`](crate::import::Import) could read. It
    /// has every student who stays: a student of the last grade whom it has repeats a year, all
    /// others of that grade graduate. It changes what only enrolled students have.
    pub fn classes(self, file: impl Into<Vec<u8>>, format: FileFormat) -> Self {
        Self {
            classes: Some(File {
                content: file.into(),
                format,
            }),
            ..self
        }
    }

    /// Sets a file with the new students of the first grade.
    pub fn first_years(self, file: impl Into<Vec<u8>>, format: FileFormat) -> Self {
        Self {
            first_years: Some(File {
                content: file.into(),
                format,
            }),
            ..self
        }
    }

    /// Ends the offices of all students who stay, such as in the student council.
    pub fn reset_offices(self) -> Self {
        Self {
            resets_offices: true,
            ..self
        }
    }

    /// Turns the year also if it, or a later one, was turned before.
    pub fn again(self) -> Self {
        Self {
            turns_again: true,
            ..self
        }
    }

    /// Shows what the turn would change. Nothing is written.
    ///
    /// # Errors
    /// When the year is neither the school year of `at` nor the one before, the directory keeps no
    /// history, a file as a whole is refused, or the store does not respond.
    pub async fn plan(&self, directory: &Directory, at: Timestamp) -> Result<YearPlan, YearError> {
        let today = Date::korean(at);
        let (year, current) = (
            self.year.unwrap_or_else(|| Year::ending(today)),
            Year::of_school(today),
        );
        if year > current || year.next() < current {
            return Err(YearError::OtherYear { year, current });
        }
        directory.check().await?;
        let base = directory.snapshot().await?;
        // After the snapshot: a turn in between is a later version, to which the plan is not applied.
        let turns = error::turns(directory).await?;
        let turn = self.clone();
        let later = turns.iter().filter(|turn| turn.undone.is_none());
        let is_turned = later.map(|turn| turn.year).max() >= Some(year);
        let context = directory.clone();
        let work = move || planner::plan(&turn, &context, &base, year, is_turned);
        Ok(directory.run_blocking(work).await??)
    }
}
