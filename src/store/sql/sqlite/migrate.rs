use rusqlite::{Connection, Result, TransactionBehavior};

/// What marks a database as one of ours: "lyce" in ASCII.
pub(super) const APPLICATION_ID: i64 = 0x6c79_6365;

/// Every schema there has been, from version 1. None is ever edited once it has been released.
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
];

/// The version that this build knows.
pub(super) const VERSION: i64 = MIGRATIONS.len() as i64;

/// Whose database it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// Ours, or nobody's yet, at this version of the schema.
    Schema(i64),
    /// Somebody else's.
    Foreign,
}

/// Looks at a database without changing it.
pub(super) fn examine(connection: &Connection) -> Result<Found> {
    let application: i64 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    match (application, tables) {
        (0, 0) => Ok(Found::Schema(0)),
        (APPLICATION_ID, _) => {
            let version = connection.query_row("SELECT coalesce(max(version), 0) FROM schema_migrations", [], |row| row.get(0))?;
            Ok(Found::Schema(version))
        }
        _ => Ok(Found::Foreign),
    }
}

/// Brings the database to the version of this build, wholly or not at all. Of several processes that do it at once one does it, and the
/// others find it done.
pub(super) fn migrate(connection: &mut Connection) -> Result<Found> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = examine(&transaction)?;
    let Found::Schema(version @ ..VERSION) = found else { return Ok(found) };
    if version == 0 {
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.execute_batch("CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY, applied_by TEXT NOT NULL) STRICT")?;
    }
    for (number, migration) in (1_i64..).zip(MIGRATIONS).filter(|(number, _)| *number > version) {
        transaction.execute_batch(migration)?;
        let record = "INSERT INTO schema_migrations (version, applied_by) VALUES (?, ?)";
        transaction.execute(record, (number, concat!("lyceum ", env!("CARGO_PKG_VERSION"))))?;
    }
    transaction.commit()?;
    Ok(Found::Schema(VERSION))
}
