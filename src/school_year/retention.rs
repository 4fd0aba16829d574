use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;

use super::UNDO_PERIOD;
use super::error::{YearError, turns};
use super::undo::is_in_time;
use crate::directory::{Directory, DirectoryChange, WriteOutcome};
use crate::domain::{Date, EnrollmentEnd, PageRequest, StudentId, Timestamp, Year};
use crate::store::{HistoryFilter, SchoolHistoryStore, StorageError};

/// How long former students and the history are kept, in school years after the one that has them.
///
/// A student who graduates or leaves in the school year 2026 and is kept for 2 years has a record
/// until the end of the school year 2028.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryRetention {
    /// Years of the records of former students; `None` keeps them.
    pub leavers: Option<u16>,
    /// Years of the history, which is kept at least as long as the records of former students: for
    /// ever if they are. `None` keeps it.
    pub history: Option<u16>,
}

/// What was removed because its time was over.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RemovedHistory {
    /// Number of former students.
    pub students: usize,
    /// Number of entries of the history.
    pub entries: usize,
}

/// A removal that failed after it had perhaps removed something.
#[derive(Debug)]
pub struct RetentionError {
    /// What was removed all the same. It is to be recorded.
    pub removed: RemovedHistory,
    /// Why the rest was not.
    pub error: YearError,
}

impl fmt::Display for RetentionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl Error for RetentionError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.error.source()
    }
}

/// Maximum number of former students that a call removes.
const MAX_REMOVED_STUDENTS: usize = 1000;

/// Number of attempts to remove former students, while others write to the directory.
const MAX_ATTEMPTS: usize = 5;

/// Maximum number of statements that delete history in a call: of the oldest year, and of the oldest
/// turn.
const MAX_DELETIONS: usize = 100;

impl HistoryRetention {
    /// Removes former students and history beyond their time, and what undoes turns that can no
    /// longer be undone. At most 1,000 students at a time: call it daily. While former students
    /// remain who are beyond their time, the history that says so stays.
    ///
    /// What belongs to a turn of the school year that can still be undone stays.
    ///
    /// A former student without an entry of the history, which began with schema 21, is kept:
    /// nobody knows since when. So is one who has a record of an enrolled student again.
    ///
    /// # Errors
    /// When the directory keeps no history, or the store does not respond. The error has what was
    /// removed before.
    pub async fn apply(
        &self,
        directory: &Directory,
        at: Timestamp,
    ) -> Result<RemovedHistory, RetentionError> {
        let mut removed = RemovedHistory::default();
        match self.remove(directory, at, &mut removed).await {
            Ok(()) => Ok(removed),
            Err(error) => Err(RetentionError { removed, error }),
        }
    }

    async fn remove(
        &self,
        directory: &Directory,
        at: Timestamp,
        removed: &mut RemovedHistory,
    ) -> Result<(), YearError> {
        let store = directory.history_store().ok_or(YearError::NoHistory)?;
        let year = Year::of_school(Date::korean(at));
        // Students first: the history says when they left.
        let mut is_complete = true;
        if let Some(years) = self.leavers {
            (removed.students, is_complete) =
                remove_leavers(directory, store, first_kept(year, years), at).await?;
        }
        // At least as long as former students: it says since when they are.
        let years = self.history.zip(self.leavers);
        let years = years.map(|(history, leavers)| history.max(leavers));
        let years = years.filter(|_| is_complete);
        let before = first_kept(year, years.unwrap_or(u16::MAX));
        let before = before.min(oldest_undoable(directory, at).await?.unwrap_or(before));
        let turned_until = at.minus(UNDO_PERIOD);
        for _ in 0..MAX_DELETIONS {
            let deleted = store.delete_old_history(before, turned_until).await?;
            if deleted.is_empty() {
                break;
            }
            removed.entries += usize::try_from(deleted.entries).unwrap_or(usize::MAX);
        }
        Ok(())
    }
}

/// The oldest year that is kept. Nothing is before the year 1.
fn first_kept(year: Year, years: u16) -> Year {
    let first = i64::from(year.get()) - i64::from(years);
    Year::new(first.max(1)).unwrap_or(year)
}

/// The oldest school year whose turn can be undone.
async fn oldest_undoable(directory: &Directory, at: Timestamp) -> Result<Option<Year>, YearError> {
    let turns = turns(directory).await?.into_iter();
    let undoable = turns.filter(|turn| turn.undone.is_none() && is_in_time(turn, at));
    Ok(undoable.map(|turn| turn.year).min())
}

/// Removes former students. Returns their number, and whether all who are beyond their time are gone.
async fn remove_leavers(
    directory: &Directory,
    store: &dyn SchoolHistoryStore,
    first_kept: Year,
    at: Timestamp,
) -> Result<(usize, bool), YearError> {
    for _ in 0..MAX_ATTEMPTS {
        let snapshot = directory.snapshot().await?;
        // After the snapshot: what a turn in between changes is not removed.
        let undoable = oldest_undoable(directory, at).await?;
        let first_kept = first_kept.min(undoable.unwrap_or(first_kept));
        let left = years_of_leaving(store).await?;
        let mut due: Vec<DirectoryChange> = snapshot
            .students()
            .iter()
            .filter(|profile| profile.student.enrollment().is_none())
            .filter(|profile| {
                let left = left.get(&profile.student.id);
                left.is_some_and(|year| *year < first_kept)
            })
            .map(|profile| DirectoryChange::RemoveStudent(profile.student.id))
            .collect();
        let is_complete = due.len() <= MAX_REMOVED_STUDENTS;
        due.truncate(MAX_REMOVED_STUDENTS);
        let students = due.len();
        if students == 0 {
            return Ok((0, true));
        }
        // Not if somebody was enrolled again meanwhile.
        match directory.write_if(snapshot.version(), due).await? {
            WriteOutcome::Written(_) => return Ok((students, is_complete)),
            WriteOutcome::Contended => {}
            WriteOutcome::Rejected { .. } => break,
        }
    }
    Ok((0, false))
}

/// The last year in which each student of the history left the school.
async fn years_of_leaving(
    store: &dyn SchoolHistoryStore,
) -> Result<BTreeMap<StudentId, Year>, StorageError> {
    let mut left: BTreeMap<StudentId, Year> = BTreeMap::new();
    for number in 0.. {
        let Ok(page) = PageRequest::new(number, PageRequest::MAX_SIZE) else {
            break;
        };
        let found = store.school_history(HistoryFilter::default(), page).await?;
        let is_last = found.items.len() < PageRequest::MAX_SIZE as usize;
        for entry in found.items {
            // Also a year that ended for a student who stayed: the last entry counts.
            if entry.end != EnrollmentEnd::Removed {
                let year = left.entry(entry.student).or_insert(entry.year);
                *year = (*year).max(entry.year);
            }
        }
        if is_last {
            break;
        }
    }
    Ok(left)
}
