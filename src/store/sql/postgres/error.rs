use std::error::Error as _;
use std::fmt;
use std::io;

use deadpool_postgres::{HookError, PoolError};
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

use crate::store::StorageError;

/// Converts an error of the server or of the connection to it.
pub(super) fn storage_error(error: Error) -> StorageError {
    let reason = reason(&error);
    match is_transient(&error) {
        true => StorageError::unavailable("PostgreSQL cannot answer at the moment", reason),
        false => StorageError::failed("PostgreSQL failed", reason),
    }
}

/// Converts an error of the pool.
pub(super) fn pool_error(error: PoolError) -> StorageError {
    match error {
        PoolError::Backend(error) | PoolError::PostCreateHook(HookError::Backend(error)) => {
            let reason = reason(&error);
            match is_transient(&error) {
                true => StorageError::unavailable("PostgreSQL cannot be reached", reason),
                false => StorageError::failed("PostgreSQL rejected the connection", reason),
            }
        }
        PoolError::PostCreateHook(HookError::Message(message)) => {
            StorageError::unavailable("PostgreSQL refuses the connection", message.into_owned())
        }
        _ => StorageError::failed("there is no connection to PostgreSQL", "the pool failed"),
    }
}

/// Whether the same call may succeed later: the connection was lost, or the server is starting,
/// stopping, full or too busy.
///
/// Deadlocks and serialization failures count as too busy once [retries](is_conflict) have failed.
fn is_transient(error: &Error) -> bool {
    let Some(state) = error.code() else {
        return error.is_closed() || is_lost(error);
    };
    // Classes of Appendix A of PostgreSQL's manual: 08 connection exceptions, 53 insufficient
    // resources.
    let class = state.code().get(..2).unwrap_or_default();
    let passing = [
        &SqlState::ADMIN_SHUTDOWN,
        &SqlState::CRASH_SHUTDOWN,
        &SqlState::CANNOT_CONNECT_NOW,
        &SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
        &SqlState::QUERY_CANCELED,
        &SqlState::LOCK_NOT_AVAILABLE,
        &SqlState::T_R_DEADLOCK_DETECTED,
        &SqlState::T_R_SERIALIZATION_FAILURE,
        // A standby that may become the primary.
        &SqlState::READ_ONLY_SQL_TRANSACTION,
        // The error of a hot standby for `BEGIN … READ WRITE`.
        &SqlState::FEATURE_NOT_SUPPORTED,
    ];
    matches!(class, "08" | "53") || passing.contains(&state)
}

/// Whether the server rolled back the whole transaction because of concurrent ones, so that it can
/// be retried from its beginning. All transitions lock rows in one order and write at READ
/// COMMITTED, so this results from other access to the tables or from a standby.
pub(super) fn is_conflict(error: &Error) -> bool {
    [
        Some(&SqlState::T_R_DEADLOCK_DETECTED),
        Some(&SqlState::T_R_SERIALIZATION_FAILURE),
    ]
    .contains(&error.code())
}

/// Whether bytes could not be sent or received. An untrusted certificate is reported as invalid
/// data and is permanent.
fn is_lost(error: &Error) -> bool {
    let cause = error
        .source()
        .and_then(|cause| cause.downcast_ref::<io::Error>());
    cause.is_some_and(|cause| cause.kind() != io::ErrorKind::InvalidData)
}

/// The failure for the log, without the values that a server repeats in its details.
pub(super) fn reason(error: &Error) -> String {
    match error.as_db_error() {
        Some(db_error) => format!("{} ({})", db_error.message(), db_error.code().code()),
        None => format!("{}{}", Chain(error), hint(error)),
    }
}

/// Advice for a TLS failure, which the driver distinguishes only by its text.
fn hint(error: &Error) -> &'static str {
    match error.to_string().contains("TLS handshake") {
        true => {
            " (in the URL, sslrootcert names the file of the authorities to trust, and sslmode says whether TLS is spoken)"
        }
        false => "",
    }
}

/// An error and its causes, in one line.
struct Chain<'e>(&'e Error);

impl fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)?;
        let mut cause = self.0.source();
        while let Some(error) = cause {
            write!(f, ": {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}
