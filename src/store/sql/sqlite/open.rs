use std::fmt;
use std::fs::OpenOptions;
use std::io;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode};

use super::connection::{connect, prepare_to_read, prepare_to_write};
use super::executor::SqliteExecutor;
use super::job::drive;
use super::migrate::{Found, VERSION, examine, migrate};
use super::pool::{Connections, Pool};
use crate::store::StorageError;
use crate::store::sql::open_error::OpenError;
use crate::store::sql::registry;
use crate::store::sql::watch::Watched;

/// Opens a database, which is made if it is missing, and starts its threads.
pub(super) fn open(path: &Path, [lookups, lists]: [usize; 2], read_deadline: Duration) -> Result<Pool, OpenError> {
    // An absolute path never is one of the names that SQLite reads in its own way.
    let path = std::path::absolute(path).map_err(|error| unusable(path, error))?;
    let writer = open_writer(&path)?;
    let readers = |count| (0..count).map(|_| open_reader(&path)).collect::<Result<_, _>>().map_err(|error| refusal(&path, error));
    let connections = Connections { writer, lookups: readers(lookups)?, lists: readers(lists)? };
    Pool::start(connections, read_deadline).map_err(|error| unusable(&path, error))
}

fn open_writer(path: &Path) -> Result<Connection, OpenError> {
    let refused = |error| refusal(path, error);
    check_place(path)?;
    create(path).map_err(|error| unusable(path, error))?;
    let mut connection = connect(path).map_err(refused)?;
    // In one transaction, or another process's schema could come between two looks.
    let found = connection.transaction().and_then(|transaction| examine(&transaction)).map_err(refused)?;
    check(path, found)?;
    if connection.is_readonly("main").map_err(refused)? {
        return Err(unusable(path, "it is read-only"));
    }
    keep_a_log(path, &connection)?;
    prepare_to_write(&connection).map_err(refused)?;
    check(path, migrate(&mut connection).map_err(refused)?)?;
    fill(&mut connection).map_err(refused)?.map_err(|error| unusable(path, error))?;
    Ok(connection)
}

fn open_reader(path: &Path) -> rusqlite::Result<Connection> {
    let connection = connect(path)?;
    prepare_to_read(&connection)?;
    Ok(connection)
}

/// SQLite says only that it cannot open a file. This says why, for the faults that people make.
fn check_place(path: &Path) -> Result<(), OpenError> {
    if path.is_dir() {
        return Err(unusable(path, "it is a folder"));
    }
    match path.parent() {
        Some(folder) if !folder.is_dir() => Err(unusable(path, "its folder does not exist")),
        _ => Ok(()),
    }
}

/// Makes an empty file if there is none, which only its owner can read: it will hold password hashes and sealed keys.
fn create(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

fn check(path: &Path, found: Found) -> Result<(), OpenError> {
    match found {
        Found::Schema(schema) if schema > VERSION => Err(OpenError::Newer { database: name(path), schema, known: VERSION }),
        Found::Schema(_) => Ok(()),
        Found::Foreign => Err(OpenError::Foreign { database: name(path) }),
    }
}

/// Inserts what every store holds from the start.
fn fill(connection: &mut Connection) -> rusqlite::Result<Result<(), StorageError>> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let filled = drive(registry::create_defaults(&mut SqliteExecutor::new(connection, &Watched::default())));
    connection.execute_batch(if filled.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    Ok(filled)
}

/// Turns the write-ahead log on. SQLite does not wait for another process that does the same at this moment, so this does.
fn keep_a_log(path: &Path, connection: &Connection) -> Result<(), OpenError> {
    for _ in 0..100 {
        match connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0)) {
            Ok(mode) if mode == "wal" => return Ok(()),
            Ok(_) => return Err(unusable(path, "its file system cannot keep a write-ahead log")),
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => {}
            Err(error) => return Err(refusal(path, error)),
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Err(unusable(path, "another process keeps it locked"))
}

fn refusal(path: &Path, error: rusqlite::Error) -> OpenError {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => OpenError::Foreign { database: name(path) },
        _ => unusable(path, error),
    }
}

fn unusable(path: &Path, reason: impl fmt::Display) -> OpenError {
    let reason = reason.to_string().lines().next().unwrap_or_default().to_owned();
    OpenError::Unusable { database: name(path), reason }
}

fn name(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
