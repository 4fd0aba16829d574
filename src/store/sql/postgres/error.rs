use std::error::Error as _;
use std::fmt;
use std::io;

use deadpool_postgres::{HookError, PoolError};
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

use crate::store::StorageError;

/// What a failure of the server or of the way to it means to a caller.
pub(super) fn storage_error(error: Error) -> StorageError {
    let reason = reason(&error);
    match may_pass(&error) {
        true => StorageError::unavailable("PostgreSQL cannot answer at the moment", reason),
        false => StorageError::failed("PostgreSQL failed", reason),
    }
}

/// What it means that the pool has no connection.
pub(super) fn no_connection(error: PoolError) -> StorageError {
    match error {
        PoolError::Backend(error) | PoolError::PostCreateHook(HookError::Backend(error)) => {
            let reason = reason(&error);
            match may_pass(&error) {
                true => StorageError::unavailable("PostgreSQL cannot be reached", reason),
                false => StorageError::failed("PostgreSQL does not let us in", reason),
            }
        }
        _ => StorageError::failed("there is no connection to PostgreSQL", "the pool failed"),
    }
}

/// Whether the same call may succeed later: the connection is lost, or the server is going, coming, full or too busy.
///
/// Deadlocks and failed serializations count as too busy once they have been [tried again](is_conflict) in vain.
fn may_pass(error: &Error) -> bool {
    let Some(state) = error.code() else { return error.is_closed() || is_lost(error) };
    // Classes of Appendix A of PostgreSQL's manual: 08 connection exceptions, 53 insufficient resources.
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
        // A server that is only a copy until it takes over.
        &SqlState::READ_ONLY_SQL_TRANSACTION,
        // The answer of a hot standby to `BEGIN … READ WRITE`.
        &SqlState::FEATURE_NOT_SUPPORTED,
    ];
    matches!(class, "08" | "53") || passing.contains(&state)
}

/// Whether the server undid the whole transaction because of what others did at the same time, so that it can be done once more from its
/// beginning. No transition locks rows in an order of its own, and none writes above READ COMMITTED, so this comes of what others do to
/// the tables, or of a server that is a copy.
pub(super) fn is_conflict(error: &Error) -> bool {
    [Some(&SqlState::T_R_DEADLOCK_DETECTED), Some(&SqlState::T_R_SERIALIZATION_FAILURE)].contains(&error.code())
}

/// Whether bytes could not be sent or did not come. A certificate that is not trusted comes as invalid data, and stays so.
fn is_lost(error: &Error) -> bool {
    let cause = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
    cause.is_some_and(|cause| cause.kind() != io::ErrorKind::InvalidData)
}

/// The failure for the log, without the values that a server repeats in its details.
pub(super) fn reason(error: &Error) -> String {
    match error.as_db_error() {
        Some(told) => format!("{} ({})", told.message(), told.code().code()),
        None => format!("{}{}", Chain(error), hint(error)),
    }
}

/// What to do about a failure of TLS, which the driver tells apart from others only by its text.
fn hint(error: &Error) -> &'static str {
    match error.to_string().contains("TLS handshake") {
        true => " (in the URL, sslrootcert names the file of the authorities to trust, and sslmode says whether TLS is spoken)",
        false => "",
    }
}

/// An error and what caused it, in one line.
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
