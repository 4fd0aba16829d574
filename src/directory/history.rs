//! The history that a write of the directory makes.

use super::snapshot::Snapshot;
use crate::domain::{
    Date, Enrollment, EnrollmentEnd, EnrollmentStatus, HistoryEntry, Student, Timestamp, Year,
};
#[cfg(feature = "import")]
use crate::domain::{StudentId, SubjectId, YearTurnRecord, YearTurnUndo};
use crate::store::{DirectoryRows, HistoryChange};
#[cfg(feature = "import")]
use crate::store::{TurnedRecords, TurnedStudent};

/// What a write means for the school's history.
pub(crate) enum HistoryStep {
    /// The enrollments that it ends get an entry.
    Leaving,
    /// It turns the school year: every enrollment of that year gets an entry.
    #[cfg(feature = "import")]
    Turn {
        year: Year,
        at: Timestamp,
        by: SubjectId,
    },
    /// It undoes the turn with this number, whose entries are deleted, apart from those of students
    /// who keep what the turn gave them.
    #[cfg(feature = "import")]
    Undo {
        turn: u64,
        kept: Vec<StudentId>,
        at: Timestamp,
        by: SubjectId,
    },
}

/// Returns the history of a write from one snapshot to the next, which changes these rows; `None` if
/// it makes none.
pub(super) fn history_change(
    (base, rows, next): (&Snapshot, &DirectoryRows, &Snapshot),
    step: &HistoryStep,
    now: Timestamp,
) -> Option<HistoryChange> {
    let version = rows.version.number;
    match step {
        HistoryStep::Leaving => {
            let year = Year::of_school(Date::korean(now));
            let left = rows.students.iter().filter_map(|row| {
                let student = base.student(row.id)?;
                let end = end(next.student(row.id))?;
                entry(base, student, (year, version, now), end)
            });
            let entries: Vec<HistoryEntry> = left.collect();
            (!entries.is_empty()).then(|| HistoryChange {
                entries,
                ..HistoryChange::default()
            })
        }
        #[cfg(feature = "import")]
        HistoryStep::Turn { year, at, by } => {
            let enrolled = base.students().iter().filter_map(|profile| {
                let student = &profile.student;
                let end = end(next.student(student.id)).unwrap_or(EnrollmentEnd::YearEnd);
                entry(base, student, (*year, version, *at), end)
            });
            let entries: Vec<HistoryEntry> = enrolled.collect();
            let turned = turned_records(base, rows);
            let (new, others): (Vec<_>, Vec<_>) = turned
                .students
                .iter()
                .partition(|turned| turned.before.is_none());
            let graduates = entries
                .iter()
                .filter(|entry| entry.end == EnrollmentEnd::Graduated);
            let graduated = graduates.count() as u64;
            let turn = YearTurnRecord {
                version,
                version_before: base.version().number,
                year: *year,
                at: *at,
                by: by.clone(),
                graduated,
                moved: others.len() as u64 - graduated,
                added: new.len() as u64,
                undone: None,
            };
            Some(HistoryChange {
                entries,
                turn: Some((turn, turned)),
                ..HistoryChange::default()
            })
        }
        #[cfg(feature = "import")]
        HistoryStep::Undo { turn, kept, at, by } => Some(HistoryChange {
            kept: kept.clone(),
            undone: Some((
                *turn,
                YearTurnUndo {
                    version,
                    at: *at,
                    by: by.clone(),
                },
            )),
            ..HistoryChange::default()
        }),
    }
}

/// What ends an enrollment, by the record after it; `None` if the student is still enrolled.
fn end(after: Option<&Student>) -> Option<EnrollmentEnd> {
    match after.map(|student| &student.enrollment_status) {
        Some(EnrollmentStatus::Enrolled(_)) => None,
        Some(EnrollmentStatus::Graduate) => Some(EnrollmentEnd::Graduated),
        Some(EnrollmentStatus::Withdrawn) => Some(EnrollmentEnd::Withdrawn),
        None => Some(EnrollmentEnd::Removed),
    }
}

/// The entry of an enrolled student.
fn entry(
    base: &Snapshot,
    student: &Student,
    (year, version, at): (Year, u64, Timestamp),
    end: EnrollmentEnd,
) -> Option<HistoryEntry> {
    let Enrollment {
        grade,
        class_num,
        number,
        major,
        major_club,
        autonomous_club,
        ..
    } = student.enrollment()?;
    let clubs = [major_club, autonomous_club].into_iter().flatten();
    Some(HistoryEntry {
        student: student.id,
        version,
        year,
        name: student.name.clone(),
        grade: *grade,
        class_num: *class_num,
        number: *number,
        major: major.clone(),
        clubs: clubs
            .filter_map(|club| base.club(*club).map(|club| club.name.clone()))
            .collect(),
        end,
        at: at.floor_to_seconds(),
    })
}

/// What undoes a turn: students with another enrollment status, and clubs that lost their leader.
#[cfg(feature = "import")]
fn turned_records(base: &Snapshot, rows: &DirectoryRows) -> TurnedRecords {
    let students = rows.students.iter().filter_map(|row| {
        let before = base
            .student(row.id)
            .map(|student| student.enrollment_status.clone());
        let after = row.value.as_ref()?.enrollment_status.clone();
        (before.as_ref() != Some(&after)).then_some(TurnedStudent {
            student: row.id,
            before,
            after,
        })
    });
    let leaders = rows.clubs.iter().filter_map(|row| {
        let leader = base.club(row.id)?.leader?;
        let after = row.value.as_ref()?.leader;
        (after != Some(leader)).then_some((row.id, leader))
    });
    TurnedRecords {
        students: students.collect(),
        leaders: leaders.collect(),
    }
}
