//! What sessions and grants have in common: a challenge, a subject and scopes.

use super::row::Row;
use crate::domain::{CodeChallenge, ScopeSet, Subject};
use crate::store::StorageError;

/// The challenge's method and value.
pub(super) fn challenge_columns(challenge: Option<&CodeChallenge>) -> (Option<&'static str>, Option<String>) {
    challenge.map(|challenge| (challenge.method().as_str(), challenge.as_str().to_owned())).unzip()
}

/// The subject's id, address and role.
pub(super) fn subject_columns(subject: Option<&Subject>) -> (Option<String>, Option<String>, Option<&'static str>) {
    match subject {
        Some(subject) => (Some(subject.id.as_str().to_owned()), Some(subject.email.as_str().to_owned()), Some(subject.role.as_str())),
        None => (None, None, None),
    }
}

/// Reads what [`challenge_columns`] wrote.
pub(super) fn challenge(row: &mut Row) -> Result<Option<CodeChallenge>, StorageError> {
    const COLUMN: &str = "challenge";
    let method = row.optional(|row| row.parsed("challenge_method"))?;
    let value = row.optional(|row| row.text(COLUMN))?;
    match (method, value) {
        (None, None) => Ok(None),
        // A challenge that is lost must not pass for one that never was.
        (Some(method), Some(value)) => CodeChallenge::new(method, &value).map(Some).map_err(|_| StorageError::corrupt(COLUMN)),
        _ => Err(StorageError::corrupt(COLUMN)),
    }
}

/// Reads what [`subject_columns`] wrote.
pub(super) fn subject(row: &mut Row) -> Result<Option<Subject>, StorageError> {
    let id = row.optional(|row| row.parsed("subject_id"))?;
    let email = row.optional(|row| row.parsed("subject_email"))?;
    let role = row.optional(|row| row.parsed("subject_role"))?;
    match (id, email, role) {
        (None, None, None) => Ok(None),
        (Some(id), Some(email), Some(role)) => Ok(Some(Subject { id, email, role })),
        _ => Err(StorageError::corrupt("subject_id")),
    }
}

/// Reads scopes, which are kept as they travel.
pub(super) fn scopes(row: &mut Row, column: &'static str) -> Result<ScopeSet, StorageError> {
    ScopeSet::parse(&row.text(column)?).map_err(|_| StorageError::corrupt(column))
}
