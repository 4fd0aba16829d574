use rusqlite::{Connection, Result, TransactionBehavior};

use crate::store::sql::migrations::{MIGRATIONS, OLDEST_BESIDE, VERSION};

/// Application id of this library's databases: "lyce" in ASCII.
pub(super) const APPLICATION_ID: i64 = 0x6c79_6365;

/// State of a database's schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SchemaState {
    /// A schema of this library at this version, or an empty database (0).
    Schema(i64),
    /// A schema of this newer version, on which this build may run.
    NewerCompatible(i64),
    /// Another application's database.
    Foreign,
}

/// Inspects a database without changing it.
pub(super) fn inspect_schema(connection: &Connection) -> Result<SchemaState> {
    let application: i64 =
        connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    match (application, tables) {
        (0, 0) => Ok(SchemaState::Schema(0)),
        (APPLICATION_ID, _) => {
            let version = connection.query_row(
                "SELECT coalesce(max(version), 0) FROM schema_migrations",
                [],
                |row| row.get(0),
            )?;
            Ok(
                if version > VERSION && is_compatible(connection, version)? {
                    SchemaState::NewerCompatible(version)
                } else {
                    SchemaState::Schema(version)
                },
            )
        }
        _ => Ok(SchemaState::Foreign),
    }
}

/// Marks a copy as a backup, in the row of the newest version.
pub(super) const MARK_BACKUP: &str = "UPDATE schema_migrations SET database = 'backup'
    WHERE version = (SELECT max(version) FROM schema_migrations)";

/// Removes the mark of a backup.
pub(in crate::store::sql) const ACCEPT_DATABASE: &str =
    "UPDATE schema_migrations SET database = NULL WHERE database IS NOT NULL";

/// Whether a database of this library is a backup, which is restored and not served. Backups of
/// schemas before 17 are not marked.
pub(super) fn is_backup(connection: &Connection) -> Result<bool> {
    Ok(has_column(connection, "database")?
        && connection.query_row(
            "SELECT count(*) FROM schema_migrations WHERE database IS NOT NULL",
            [],
            |row| row.get::<_, i64>(0),
        )? > 0)
}

/// Whether the table of migrations has a column that a later migration added. It has none in a
/// database without a schema.
pub(super) fn has_column(connection: &Connection, name: &str) -> Result<bool> {
    const COUNT: &str =
        "SELECT count(*) FROM pragma_table_info('schema_migrations') WHERE name = ?";
    connection.query_row(COUNT, [name], |row| Ok(row.get::<_, i64>(0)? > 0))
}

/// Whether a newer version of the schema names this build's version, or an older one, as the oldest
/// that may run on it.
fn is_compatible(connection: &Connection, version: i64) -> Result<bool> {
    if !has_column(connection, "oldest_beside")? {
        return Ok(false);
    }
    let oldest_beside: Option<i64> = connection.query_row(
        "SELECT oldest_beside FROM schema_migrations WHERE version = ?",
        [version],
        |row| row.get(0),
    )?;
    Ok(oldest_beside.is_some_and(|oldest| oldest <= VERSION))
}

/// Migrates the database to the schema version of this build, wholly or not at all. Of several
/// processes that migrate concurrently one does, and the others find it done.
pub(super) fn migrate(connection: &mut Connection) -> Result<SchemaState> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = inspect_schema(&transaction)?;
    let SchemaState::Schema(version @ ..VERSION) = found else {
        return Ok(found);
    };
    if version == 0 {
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.execute_batch("CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY, applied_by TEXT NOT NULL) STRICT")?;
    }
    for (number, migration) in (1_i64..)
        .zip(MIGRATIONS)
        .filter(|(number, _)| *number > version)
    {
        transaction.execute_batch(migration.sqlite)?;
        let record = "INSERT INTO schema_migrations (version, applied_by) VALUES (?, ?)";
        transaction.execute(
            record,
            (number, concat!("lyceum ", env!("CARGO_PKG_VERSION"))),
        )?;
    }
    transaction.execute(
        "UPDATE schema_migrations SET oldest_beside = ? WHERE version = ?",
        (OLDEST_BESIDE, VERSION),
    )?;
    transaction.commit()?;
    Ok(SchemaState::Schema(VERSION))
}
