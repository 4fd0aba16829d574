use super::error::YearError;
use crate::directory::{Directory, DirectoryChange, WriteOutcome};
use crate::domain::{StudentId, SubjectId, Timestamp};
use crate::store::Erasure;

/// What was erased of a student.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct StudentErasure {
    /// Whether the student had a record, with memberships of clubs and participations in projects.
    pub had_record: bool,
    /// The record of the erasure, with the number of entries that this call deleted.
    pub erasure: Erasure,
}

/// Erases a student: the record with its memberships of clubs and participations in projects, the
/// history, and what undoes turns. A record of the erasure is stored, which has no personal data but
/// the id.
///
/// These are two transitions. If the call fails it can be repeated, and then erases what is left.
/// Accounts of the student are removed by
/// [`Accounts::remove`](crate::http::auth_server::Accounts::remove).
///
/// # Errors
/// When the directory keeps no history, other processes write at every attempt, or the store does
/// not respond.
pub async fn erase_student(
    directory: &Directory,
    student: StudentId,
    by: SubjectId,
    at: Timestamp,
) -> Result<StudentErasure, YearError> {
    let store = directory.history_store().ok_or(YearError::NoHistory)?;
    directory.check().await?;
    let had_record = {
        let snapshot = directory.snapshot().await?;
        snapshot.students().get(student.get()).is_some()
    };
    // The record first: its removal may add an entry of the history.
    let changes = vec![DirectoryChange::RemoveStudent(student)];
    match directory.write(changes).await? {
        WriteOutcome::Written(_) => {}
        WriteOutcome::Contended => return Err(YearError::Busy),
        WriteOutcome::Rejected { reason, .. } => return Err(YearError::Rejected(reason)),
    }
    let erasure = Erasure {
        student,
        at: at.floor_to_seconds(),
        by,
        entries: 0,
    };
    Ok(StudentErasure {
        had_record,
        erasure: store.erase_history(erasure).await?,
    })
}
