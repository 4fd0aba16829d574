use rusqlite::{Connection, Result, TransactionBehavior};

/// Application id of this library's databases: "lyce" in ASCII.
pub(super) const APPLICATION_ID: i64 = 0x6c79_6365;

/// All schema versions, from 1. A released migration is never edited.
const MIGRATIONS: &[&str] = &[
    include_str!("../../../../migrations/sqlite/0001_initial.sql"),
    include_str!("../../../../migrations/sqlite/0002_sweep.sql"),
    include_str!("../../../../migrations/sqlite/0003_management.sql"),
    include_str!("../../../../migrations/sqlite/0004_consents.sql"),
    include_str!("../../../../migrations/sqlite/0005_signing_key_revocation.sql"),
    include_str!("../../../../migrations/sqlite/0006_pkce_required.sql"),
    include_str!("../../../../migrations/sqlite/0007_api_keys.sql"),
    include_str!("../../../../migrations/sqlite/0008_changes.sql"),
    include_str!("../../../../migrations/sqlite/0009_console.sql"),
    include_str!("../../../../migrations/sqlite/0010_api_key_values.sql"),
    include_str!("../../../../migrations/sqlite/0011_client_verification.sql"),
    include_str!("../../../../migrations/sqlite/0012_caps.sql"),
    include_str!("../../../../migrations/sqlite/0013_suspended_clients.sql"),
    include_str!("../../../../migrations/sqlite/0014_directory_marks.sql"),
    include_str!("../../../../migrations/sqlite/0015_suspended_api_keys.sql"),
];

/// The version that this build knows.
pub(super) const VERSION: i64 = MIGRATIONS.len() as i64;

/// State of a database's schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SchemaState {
    /// A schema of this library at this version, or an empty database (0).
    Schema(i64),
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
            Ok(SchemaState::Schema(version))
        }
        _ => Ok(SchemaState::Foreign),
    }
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
        transaction.execute_batch(migration)?;
        let record = "INSERT INTO schema_migrations (version, applied_by) VALUES (?, ?)";
        transaction.execute(
            record,
            (number, concat!("lyceum ", env!("CARGO_PKG_VERSION"))),
        )?;
    }
    transaction.commit()?;
    Ok(SchemaState::Schema(VERSION))
}
