//! Enrollments that have ended, and the turns of the school year.

use super::{ClassNum, Grade, Major, SeatNumber, Year};
use crate::domain::{ShortText, StudentId, SubjectId, Timestamp, string_enum};

string_enum! {
    /// What ended an enrollment.
    EnrollmentEnd {
        /// The school year ended, and the student has stayed.
        YearEnd = "YEAR_END",
        /// The student graduated.
        Graduated = "GRADUATED",
        /// The student left without graduating.
        Withdrawn = "WITHDRAWN",
        /// The student's record was removed.
        Removed = "REMOVED",
    }
}

/// The class and the clubs that a student had until an enrollment ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryEntry {
    /// The student.
    pub student: StudentId,
    /// The number of the directory's version that ended the enrollment.
    pub version: u64,
    /// The school year, by the calendar year in which it begins.
    pub year: Year,
    /// The student's name at that time, which the record may have no longer.
    pub name: ShortText,
    /// The grade.
    pub grade: Grade,
    /// The class within the grade.
    pub class_num: ClassNum,
    /// The number within the class.
    pub number: SeatNumber,
    /// The major.
    pub major: Major,
    /// The names of the clubs, the major club first.
    pub clubs: Vec<ShortText>,
    /// What ended the enrollment.
    pub end: EnrollmentEnd,
    /// When it ended.
    pub at: Timestamp,
}

/// A turn of the school year.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct YearTurnRecord {
    /// The number of the directory's version that the turn made, by which it is identified.
    pub version: u64,
    /// The number of the version before.
    pub version_before: u64,
    /// The school year that ended, by the calendar year in which it began.
    pub year: Year,
    /// When the year was turned.
    pub at: Timestamp,
    /// Who turned it.
    pub by: SubjectId,
    /// Number of students who graduated.
    pub graduated: u64,
    /// Number of students who stayed, and changed their class.
    pub moved: u64,
    /// Number of new students.
    pub added: u64,
    /// The undo of the turn.
    pub undone: Option<YearTurnUndo>,
}

/// The undo of a turn of the school year.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct YearTurnUndo {
    /// The number of the directory's version that the undo made.
    pub version: u64,
    /// When the turn was undone.
    pub at: Timestamp,
    /// Who undid it.
    pub by: SubjectId,
}

#[cfg(test)]
mod tests {
    use crate::domain::{Date, Timestamp, Year};

    #[test]
    fn a_school_year_begins_in_march_and_is_turned_between_september_and_august() {
        for (day, year, ending) in [
            ("2026-02-28", 2025, 2025),
            ("2026-03-01", 2026, 2025),
            ("2026-08-31", 2026, 2025),
            ("2026-09-01", 2026, 2026),
            ("2027-01-08", 2026, 2026),
        ] {
            let day: Date = day.parse().unwrap();
            assert_eq!(Year::of_school(day).get(), year, "{day}");
            assert_eq!(Year::ending(day).get(), ending, "{day}");
        }
        let midnight = "2027-02-28T15:00:00Z"
            .parse()
            .map(jiff::Timestamp::as_second);
        let day = Date::korean(Timestamp::from_seconds(midnight.unwrap()));
        assert_eq!(day.to_string(), "2027-03-01");
    }
}
