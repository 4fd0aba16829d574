use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Result};

/// Time that a connection waits for another process that writes.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Opens the file, which is created if it is missing. Nothing is read or written yet.
pub(super) fn connect(path: &Path) -> Result<Connection> {
    // Each connection stays on one thread. Without the URI flag, SQLite does not interpret a path
    // as a URI.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_prepared_statement_cache_capacity(256);
    Ok(connection)
}

/// Opens an existing file. Nothing is read or written yet.
pub(super) fn connect_existing(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    Ok(connection)
}

/// Opens an existing file for reading, beside processes that write it. The operating system keeps it
/// from being changed: a log that a crashed process left is read, and not checkpointed.
pub(super) fn connect_read_only(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_prepared_statement_cache_capacity(256);
    prepare_to_read(&connection)?;
    Ok(connection)
}

/// Opens a file that no process changes, for reading. SQLite creates no log beside it.
pub(super) fn connect_immutable(path: &Path) -> Result<Connection> {
    let mut uri = "file:".to_owned();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' => uri.push(char::from(*byte)),
            _ if byte.is_ascii_alphanumeric() => uri.push(char::from(*byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri.push_str("?immutable=1");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(uri, flags)
}

/// Configures the connection to be durable and to enforce foreign keys.
pub(super) fn prepare_to_write(connection: &Connection) -> Result<()> {
    prepare(connection)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    // What is deleted is overwritten: a person who was erased is in no free page of the file.
    connection.pragma_update_and_check(None, "secure_delete", true, |_| Ok(()))?;
    // The undo data of a job's savepoint stays in memory. Otherwise a batch with an audit record
    // would write it to a file, page by page.
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    // A log that has grown for one large batch is truncated afterwards.
    connection.pragma_update_and_check(None, "journal_size_limit", 64 << 20, |_| Ok(()))?;
    // The writer thread checkpoints between two batches, never inside one.
    connection.pragma_update_and_check(None, "wal_autocheckpoint", 0, |_| Ok(()))
}

/// Configures the connection to be read-only.
pub(super) fn prepare_to_read(connection: &Connection) -> Result<()> {
    prepare(connection)?;
    connection.pragma_update(None, "query_only", true)
}

/// Runs a statement without values, which is cached as a prepared statement.
pub(super) fn execute_cached(connection: &Connection, statement: &str) -> Result<()> {
    connection.prepare_cached(statement)?.execute([]).map(drop)
}

fn prepare(connection: &Connection) -> Result<()> {
    connection.pragma_update(None, "foreign_keys", true)?;
    // Query plans are independent of bound values. Otherwise SQLite would plan each statement with
    // a limit again at every use.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.pragma_update(None, "trusted_schema", false)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails if a person who was erased can be read from the file.
    #[test]
    fn deleted_records_are_in_no_page_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("school.db");
        let connection = Connection::open(&path).unwrap();
        prepare_to_write(&connection).unwrap();
        connection
            .execute_batch(
                "CREATE TABLE people (name TEXT);
                 INSERT INTO people VALUES ('Kim Who Stays'), ('Lee Who Left');
                 DELETE FROM people WHERE name = 'Lee Who Left';",
            )
            .unwrap();
        drop(connection);
        let file = std::fs::read(&path).unwrap();
        let has = |name: &[u8]| file.windows(name.len()).any(|bytes| bytes == name);
        assert!(has(b"Kim Who Stays") && !has(b"Lee Who Left"));
    }
}
