use rusqlite::{Error, ErrorCode};

use crate::store::StorageError;

/// Converts an error of SQLite. A locked or full database is unavailable, and so is a read that was
/// interrupted at its deadline; everything else has failed.
pub(super) fn storage_error(error: Error) -> StorageError {
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            StorageError::unavailable("the database is locked", error)
        }
        Some(ErrorCode::DiskFull) => {
            StorageError::unavailable("there is no room for the database", error)
        }
        Some(ErrorCode::OperationInterrupted) => {
            StorageError::unavailable("a read did not end in time", error)
        }
        _ => StorageError::failed("SQLite failed", error),
    }
}
