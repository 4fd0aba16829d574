//! Copies of a database that is in use, and their restoration.

use std::fs::File;
use std::io;
use std::path::Path;

use rusqlite::{Connection, ErrorCode};

use super::connection::{connect, connect_existing, connect_immutable, prepare_to_write};
use super::error::storage_error;
use super::executor::SqliteExecutor;
use super::job::block_on;
use super::migrate::{MARK_BACKUP, SchemaState, has_column, inspect_schema, migrate};
use super::open;
use super::partial_file::{PartialFile, unmerged_log};
use crate::domain::Timestamp;
use crate::store::sql::after_restore::{RestoreReport, after_restore};
use crate::store::sql::backup_error::BackupError;
use crate::store::sql::credentials::Credentials;
use crate::store::sql::transaction_hook::OptionalHook;

/// Writes a copy of a database, with everything that was committed before the call.
///
/// The copy is read in one transaction, which delays no writer. It has no pages of deleted rows, and
/// is one file without a log.
pub(in crate::store::sql) fn back_up(database: &Path, to: &Path) -> Result<(), BackupError> {
    let (copy, file) = PartialFile::create(to)?;
    drop(file);
    let name = copy.path().to_str().ok_or_else(|| {
        BackupError::io(to)(io::Error::new(
            io::ErrorKind::InvalidFilename,
            "the path is not UTF-8",
        ))
    })?;
    let source = connect_existing(database).map_err(failed)?;
    source.execute("VACUUM INTO ?1", [name]).map_err(failed)?;
    drop(source);
    mark_as_backup(copy.path()).map_err(failed)?;
    let written = connect_immutable(copy.path()).map_err(failed)?;
    check(&written, copy.path(), to)?;
    drop(written);
    copy.finish()
}

/// Marks a copy, so that it is not served before it is restored. A copy with an older schema stays
/// as it is, because older builds restore it too.
fn mark_as_backup(copy: &Path) -> rusqlite::Result<()> {
    let connection = connect_existing(copy)?;
    if has_column(&connection, "database")? {
        connection.execute(MARK_BACKUP, [])?;
    }
    Ok(())
}

/// Checks that a file, which no process changes, is a complete backup that this build can restore.
pub(in crate::store::sql) fn check_backup(backup: &Path) -> Result<(), BackupError> {
    refuse_in_use(backup)?;
    File::open(backup).map_err(BackupError::io(backup))?;
    let connection = connect_immutable(backup).map_err(failed)?;
    check_restorable(&connection, backup, backup)
}

/// Copies a backup to a new database, migrates it and ends what may have been revoked since. The
/// file has its name only when all of that is on disk.
pub(in crate::store::sql) fn restore(
    backup: &Path,
    database: &Path,
    last_known: Option<Credentials>,
    at: Timestamp,
    hook: &OptionalHook,
) -> Result<RestoreReport, BackupError> {
    refuse_in_use(backup)?;
    let mut source = File::open(backup).map_err(BackupError::io(backup))?;
    let (copy, mut file) = PartialFile::create(database)?;
    io::copy(&mut source, &mut file).map_err(BackupError::io(copy.path()))?;
    drop(file);
    let mut connection = connect(copy.path()).map_err(failed)?;
    check_restorable(&connection, copy.path(), backup)?;
    prepare_to_write(&connection).map_err(failed)?;
    // A copy of a closed database would otherwise get a log.
    connection
        .pragma_update_and_check(None, "journal_mode", "DELETE", |_| Ok(()))
        .map_err(failed)?;
    migrate(&mut connection).map_err(failed)?;
    open::insert_defaults(&mut connection).map_err(failed)??;
    connection
        .execute_batch("BEGIN IMMEDIATE")
        .map_err(failed)?;
    let mut executor = SqliteExecutor::new(&mut connection, hook);
    let report = block_on(after_restore(&mut executor, last_known, at))?;
    connection.execute_batch("COMMIT").map_err(failed)?;
    drop(connection);
    copy.finish()?;
    Ok(report)
}

/// A file with a log is a database that is in use, or was not closed.
fn refuse_in_use(backup: &Path) -> Result<(), BackupError> {
    match unmerged_log(backup) {
        Some(_) => Err(BackupError::InUse {
            file: backup.to_owned(),
        }),
        None => Ok(()),
    }
}

/// Checks that a file is a complete database that this build can restore. `file` is its name in
/// errors.
fn check_restorable(connection: &Connection, path: &Path, file: &Path) -> Result<(), BackupError> {
    match check(connection, path, file)? {
        // This build does not know everything that has to end.
        SchemaState::NewerCompatible(schema) => {
            Err(BackupError::Unsuitable(open::newer(file, schema)))
        }
        _ => Ok(()),
    }
}

/// Checks that a file is a complete database on which this build may run, and returns its schema.
/// `file` is its name in errors.
fn check(connection: &Connection, path: &Path, file: &Path) -> Result<SchemaState, BackupError> {
    let unreadable = |error: rusqlite::Error| match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => BackupError::Unsuitable(open::foreign(file)),
        Some(ErrorCode::DatabaseCorrupt) => BackupError::damaged(file, error),
        _ => failed(error),
    };
    let found = inspect_schema(connection).map_err(unreadable)?;
    if found == SchemaState::Schema(0) {
        return Err(BackupError::Unsuitable(open::foreign(file)));
    }
    open::check(file, found).map_err(BackupError::Unsuitable)?;
    let known: bool = connection
        .query_row(
            "SELECT min(version) = 1 AND count(*) = max(version) FROM schema_migrations",
            [],
            |row| row.get(0),
        )
        .map_err(unreadable)?;
    if !known {
        return Err(BackupError::damaged(file, "a migration is missing"));
    }
    // SQLite reads the missing end of the last page as zeros.
    let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let size =
        pragma("page_count").map_err(unreadable)? * pragma("page_size").map_err(unreadable)?;
    let metadata = path.metadata().map_err(BackupError::io(file))?;
    if metadata.len() < size.cast_unsigned() {
        return Err(BackupError::damaged(file, "its end is missing"));
    }
    let fault: String = connection
        .query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))
        .map_err(unreadable)?;
    match fault.as_str() {
        "ok" => Ok(found),
        _ => Err(BackupError::damaged(file, fault)),
    }
}

fn failed(error: rusqlite::Error) -> BackupError {
    BackupError::Storage(storage_error(error))
}
