//! Shared columns of sessions and grants: the challenge and the scopes.

use super::row::Row;
use crate::domain::{CodeChallenge, ScopeSet};
use crate::store::StorageError;

/// The challenge's method and value.
pub(super) fn challenge_columns(
    challenge: Option<&CodeChallenge>,
) -> (Option<&'static str>, Option<String>) {
    challenge
        .map(|challenge| (challenge.method().as_str(), challenge.as_str().to_owned()))
        .unzip()
}

/// Reads the columns of [`challenge_columns`].
pub(super) fn challenge(row: &mut Row) -> Result<Option<CodeChallenge>, StorageError> {
    const COLUMN: &str = "challenge";
    let method = row.optional(|row| row.parsed("challenge_method"))?;
    let value = row.optional(|row| row.text(COLUMN))?;
    match (method, value) {
        (None, None) => Ok(None),
        // A lost challenge must not be taken for a missing one.
        (Some(method), Some(value)) => CodeChallenge::new(method, &value)
            .map(Some)
            .map_err(|_| StorageError::corrupt(COLUMN)),
        _ => Err(StorageError::corrupt(COLUMN)),
    }
}

/// Reads scopes, which are stored as a space-separated string.
pub(super) fn scopes(row: &mut Row, column: &'static str) -> Result<ScopeSet, StorageError> {
    ScopeSet::parse(&row.text(column)?).map_err(|_| StorageError::corrupt(column))
}
