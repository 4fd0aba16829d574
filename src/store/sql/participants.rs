//! What clubs and projects tell of students.

use super::row::Row;
use super::tables::Students;
use crate::domain::{Participant, StudentId};
use crate::store::StorageError;

/// The columns of a participant, with their table: they are read beside those of another.
pub(super) const COLUMNS: [(Students, Students); 6] = [
    (Students::Table, Students::Id),
    (Students::Table, Students::Name),
    (Students::Table, Students::Email),
    (Students::Table, Students::StudentNumber),
    (Students::Table, Students::Major),
    (Students::Table, Students::Sex),
];

/// Reads [`COLUMNS`].
pub(super) fn read(row: &mut Row) -> Result<Participant, StorageError> {
    let number = |row: &mut Row| {
        i32::try_from(row.integer("students.student_number")?).map_err(|_| StorageError::corrupt("students.student_number"))
    };
    Ok(Participant {
        id: row.number("students.id", StudentId::new)?,
        name: row.parsed("students.name")?,
        email: row.parsed("students.email")?,
        student_number: row.optional(number)?,
        major: row.optional(|row| row.parsed("students.major"))?,
        sex: row.parsed("students.sex")?,
    })
}
