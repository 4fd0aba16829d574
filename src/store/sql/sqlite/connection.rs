use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Result};

/// How long a connection waits for another process that writes.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// Opens the file, which is made if it is missing. Nothing is read or written yet.
pub(super) fn connect(path: &Path) -> Result<Connection> {
    // Each connection stays with one thread. Without the URI flag a path is a path, whatever it looks like.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    connection.set_prepared_statement_cache_capacity(256);
    Ok(connection)
}

/// Makes the connection durable, and one on which references hold.
pub(super) fn prepare_to_write(connection: &Connection) -> Result<()> {
    prepare(connection)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    // What undoes one job of a batch is kept in memory: a batch with an audit record would write it to a file, page by page.
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    // A log that has grown for one large batch gives its room back.
    connection.pragma_update_and_check(None, "journal_size_limit", 64 << 20, |_| Ok(()))?;
    // The writer's thread writes the log back between two batches, never inside one.
    connection.pragma_update_and_check(None, "wal_autocheckpoint", 0, |_| Ok(()))
}

/// Makes the connection one that cannot change anything.
pub(super) fn prepare_to_read(connection: &Connection) -> Result<()> {
    prepare(connection)?;
    connection.pragma_update(None, "query_only", true)
}

/// Runs a statement without values, which stays prepared.
pub(super) fn run_alone(connection: &Connection, statement: &str) -> Result<()> {
    connection.prepare_cached(statement)?.execute([]).map(drop)
}

fn prepare(connection: &Connection) -> Result<()> {
    connection.pragma_update(None, "foreign_keys", true)?;
    // A plan holds for all values, or SQLite would plan each statement with a limit anew at every use.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.pragma_update(None, "trusted_schema", false)
}
