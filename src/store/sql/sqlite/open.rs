use std::fmt;
use std::io;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode};

use super::connection::{connect, connect_read_only, prepare_to_read, prepare_to_write};
use super::executor::SqliteExecutor;
use super::job::block_on;
use super::migrate::{SchemaState, inspect_schema, is_backup, migrate};
use super::partial_file::create_private;
use super::pool::{Connections, Pool};
use crate::store::StorageError;
use crate::store::sql::built_in_records::insert_built_in_records;
use crate::store::sql::migrations::VERSION;
use crate::store::sql::open_error::OpenError;
use crate::store::sql::transaction_hook::OptionalHook;

/// Opens a database, which is created if it is missing, and starts its threads.
pub(super) fn open(
    path: &Path,
    [lookups, lists]: [usize; 2],
    read_deadline: Duration,
) -> Result<Pool, OpenError> {
    // SQLite gives some relative names a special meaning, but no absolute path.
    let path = std::path::absolute(path).map_err(|error| unusable(path, error))?;
    let writer = open_writer(&path)?;
    start(&path, writer, open_reader, [lookups, lists], read_deadline)
}

/// Opens an existing database without changing it, and starts its threads. All connections refuse to
/// write.
pub(super) fn open_read_only(
    path: &Path,
    readers: [usize; 2],
    read_deadline: Duration,
) -> Result<Pool, OpenError> {
    let path = std::path::absolute(path).map_err(|error| unusable(path, error))?;
    check_path(&path)?;
    if !path.exists() {
        return Err(unusable(&path, "it does not exist"));
    }
    let refused = |error| open_error(&path, error);
    let connection = connect_read_only(&path).map_err(refused)?;
    let found = inspect_schema(&connection).map_err(refused)?;
    check(&path, found)?;
    check_is_no_backup(&path, &connection)?;
    match found {
        SchemaState::Schema(schema @ ..VERSION) => Err(OpenError::NotMigrated {
            database: name(&path),
            schema,
            supported: VERSION,
        }),
        _ => start(&path, connection, connect_read_only, readers, read_deadline),
    }
}

fn start(
    path: &Path,
    writer: Connection,
    open_reader: fn(&Path) -> rusqlite::Result<Connection>,
    [lookups, lists]: [usize; 2],
    read_deadline: Duration,
) -> Result<Pool, OpenError> {
    let readers = |count| {
        (0..count)
            .map(|_| open_reader(path))
            .collect::<Result<_, _>>()
            .map_err(|error| open_error(path, error))
    };
    let connections = Connections {
        writer,
        lookups: readers(lookups)?,
        lists: readers(lists)?,
    };
    Pool::start(path, connections, read_deadline).map_err(|error| unusable(path, error))
}

fn open_writer(path: &Path) -> Result<Connection, OpenError> {
    let refused = |error| open_error(path, error);
    check_path(path)?;
    create(path).map_err(|error| unusable(path, error))?;
    let mut connection = connect(path).map_err(refused)?;
    // In one transaction. Otherwise another process could create its schema between two reads.
    let found = connection
        .transaction()
        .and_then(|transaction| inspect_schema(&transaction))
        .map_err(refused)?;
    check(path, found)?;
    check_is_no_backup(path, &connection)?;
    if connection.is_readonly("main").map_err(refused)? {
        return Err(unusable(path, "it is read-only"));
    }
    enable_wal(path, &connection)?;
    prepare_to_write(&connection).map_err(refused)?;
    let found = migrate(&mut connection).map_err(refused)?;
    check(path, found)?;
    // A newer build has inserted its own.
    if found == SchemaState::Schema(VERSION) {
        insert_defaults(&mut connection)
            .map_err(refused)?
            .map_err(|error| unusable(path, error))?;
    }
    Ok(connection)
}

fn open_reader(path: &Path) -> rusqlite::Result<Connection> {
    let connection = connect(path)?;
    prepare_to_read(&connection)?;
    Ok(connection)
}

/// Explains common mistakes, because SQLite reports only that it cannot open a file.
fn check_path(path: &Path) -> Result<(), OpenError> {
    if path.is_dir() {
        return Err(unusable(path, "it is a folder"));
    }
    match path.parent() {
        Some(folder) if !folder.is_dir() => Err(unusable(path, "its folder does not exist")),
        _ => Ok(()),
    }
}

/// Creates an empty file if there is none.
fn create(path: &Path) -> io::Result<()> {
    match create_private(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Refuses a backup: it is restored first.
fn check_is_no_backup(path: &Path, connection: &Connection) -> Result<(), OpenError> {
    if is_backup(connection).map_err(|error| open_error(path, error))? {
        return Err(OpenError::Restored {
            database: name(path),
        });
    }
    Ok(())
}

/// Refuses a database of another application, or of a newer version on which this build may not
/// run.
pub(super) fn check(path: &Path, found: SchemaState) -> Result<(), OpenError> {
    match found {
        SchemaState::Schema(schema) if schema > VERSION => Err(newer(path, schema)),
        SchemaState::Schema(_) | SchemaState::NewerCompatible(_) => Ok(()),
        SchemaState::Foreign => Err(foreign(path)),
    }
}

/// The error for a database of a newer version.
pub(super) fn newer(path: &Path, schema: i64) -> OpenError {
    OpenError::Newer {
        database: name(path),
        schema,
        supported: VERSION,
    }
}

/// The error for a file that is no database of this library.
pub(super) fn foreign(path: &Path) -> OpenError {
    OpenError::Foreign {
        database: name(path),
    }
}

/// Inserts the built-in application and scopes.
pub(super) fn insert_defaults(
    connection: &mut Connection,
) -> rusqlite::Result<Result<(), StorageError>> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let filled = block_on(insert_built_in_records(&mut SqliteExecutor::new(
        connection,
        &OptionalHook::default(),
    )));
    connection.execute_batch(if filled.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    Ok(filled)
}

/// Enables the write-ahead log. SQLite does not wait for another process that does the same at this
/// moment, so this function retries.
fn enable_wal(path: &Path, connection: &Connection) -> Result<(), OpenError> {
    for _ in 0..100 {
        match connection
            .pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0))
        {
            Ok(mode) if mode == "wal" => return Ok(()),
            Ok(_) => {
                return Err(unusable(
                    path,
                    "its file system does not support a write-ahead log",
                ));
            }
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => {}
            Err(error) => return Err(open_error(path, error)),
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Err(unusable(path, "another process keeps it locked"))
}

fn open_error(path: &Path, error: rusqlite::Error) -> OpenError {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => foreign(path),
        _ => unusable(path, error),
    }
}

fn unusable(path: &Path, reason: impl fmt::Display) -> OpenError {
    let reason = reason
        .to_string()
        .lines()
        .next()
        .unwrap_or_default()
        .to_owned();
    OpenError::Unusable {
        database: name(path),
        reason,
    }
}

fn name(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
