use deadpool_postgres::ClientWrapper;
use tokio_postgres::Error;

use crate::store::sql::migrations::{MIGRATIONS, OLDEST_BESIDE, VERSION};

/// The oldest supported server, which is the first with `MATERIALIZED`.
const OLDEST: i32 = 120_000;

/// The advisory lock of migrations: "lyceum" in ASCII.
const LOCK: i64 = 0x6c79_6365_756d;

/// What tells a database from those that its dumps are restored into: the cluster, the database, and
/// the table of migrations, each of which is new after a restoration. `pg_upgrade` makes another
/// cluster.
macro_rules! identity {
    () => {
        "(SELECT concat_ws('/', system_identifier, (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()),
            'lyceum_migrations'::regclass::oid) FROM pg_catalog.pg_control_system())"
    };
}

/// Returns the identity of the open database.
pub(in crate::store::sql) const IDENTITY: &str = concat!("SELECT ", identity!());

/// Stores the identity of the open database in the row of the newest version.
pub(in crate::store::sql) const ACCEPT_DATABASE: &str = concat!(
    "UPDATE lyceum_migrations SET database = ",
    identity!(),
    " WHERE version = (SELECT max(version) FROM lyceum_migrations)"
);

/// Returns 1 if the database is another than the one in the row of the newest version.
pub(in crate::store::sql) const COUNT_RESTORED: &str = concat!(
    "SELECT count(*) FROM lyceum_migrations WHERE database <> ",
    identity!(),
    " AND version = (SELECT max(version) FROM lyceum_migrations)"
);

/// State of a database.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Inspected {
    pub(super) schema: SchemaState,
    /// Whether it was restored from a dump, and not accepted since. A dump of a schema before 17 is
    /// not recognized.
    pub(super) is_restored: bool,
}

/// State of the schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SchemaState {
    /// A schema of this library at this version, or none yet (0).
    Schema(i64),
    /// A schema of this newer version, on which this build may run.
    NewerCompatible(i64),
    /// Other tables have names that this library uses.
    Foreign,
    /// The server or database cannot be used, for this reason.
    Unsupported(String),
}

/// Inspects the first schema of the search path without changing it.
pub(super) async fn inspect_schema(client: &ClientWrapper) -> Result<Inspected, Error> {
    let not_restored = |schema| Inspected {
        schema,
        is_restored: false,
    };
    const PLACE: &str = "SELECT current_schema()::text, current_setting('server_encoding'), current_setting('server_version_num')::int";
    let row = client.query_one(PLACE, &[]).await?;
    let (schema, encoding, version): (Option<String>, String, i32) =
        (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
    if let Some(reason) = unsupported_reason(schema.as_deref(), &encoding, version) {
        return Ok(not_restored(SchemaState::Unsupported(reason)));
    }
    // The view `information_schema.columns` reads the table of every schema, as one of many schools
    // or tests.
    const MARK: &str = "SELECT count(*) FROM pg_catalog.pg_attribute
        WHERE attrelid = to_regclass(quote_ident(current_schema()) || '.lyceum_migrations')
        AND attname IN ('version', 'applied_by')
        AND has_column_privilege(attrelid, attnum, 'SELECT, INSERT, UPDATE, REFERENCES')";
    match client.query_one(MARK, &[]).await?.try_get(0)? {
        2_i64 => {}
        _ if has_tables_of_our_names(client).await? => {
            return Ok(not_restored(SchemaState::Foreign));
        }
        _ => return Ok(not_restored(SchemaState::Schema(0))),
    }
    // Versions before 16 and 17 have no such columns.
    const NEWEST: &str = concat!(
        "SELECT version, (to_jsonb(lyceum_migrations) ->> 'oldest_beside')::bigint,
        coalesce(to_jsonb(lyceum_migrations) ->> 'database' <> ",
        identity!(),
        ", false) FROM lyceum_migrations ORDER BY version DESC LIMIT 1"
    );
    let Some(row) = client.query_opt(NEWEST, &[]).await? else {
        return Ok(not_restored(SchemaState::Schema(0)));
    };
    let (version, oldest_beside): (i64, Option<i64>) = (row.try_get(0)?, row.try_get(1)?);
    let is_compatible = oldest_beside.is_some_and(|oldest| oldest <= VERSION);
    let schema = if version > VERSION && is_compatible {
        SchemaState::NewerCompatible(version)
    } else {
        SchemaState::Schema(version)
    };
    Ok(Inspected {
        schema,
        is_restored: row.try_get(2)?,
    })
}

/// Migrates the schema to the version of this build, inside the open transaction. Of several nodes
/// that migrate concurrently one does, and the others wait and find it done. A restored database is
/// migrated only if that is allowed, and stays one, as does one that may have been restored.
pub(super) async fn migrate(
    client: &ClientWrapper,
    allow_restored: bool,
) -> Result<Inspected, Error> {
    // Without a timeout, because rewriting a large table takes longer than a request. The timeout
    // for idle transactions stays, so a node that is gone does not hold the lock.
    client
        .batch_execute("SET LOCAL statement_timeout = 0")
        .await?;
    client
        .execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK])
        .await?;
    let found = inspect_schema(client).await?;
    let SchemaState::Schema(version @ ..VERSION) = found.schema else {
        return Ok(found);
    };
    if found.is_restored && !allow_restored {
        return Ok(found);
    }
    // While a migration waits for the lock of a table, all requests of running nodes wait behind
    // it: it gives up before theirs time out.
    client
        .batch_execute("SET LOCAL lock_timeout = '3s'")
        .await?;
    if version == 0 {
        client.batch_execute("CREATE TABLE lyceum_migrations (version BIGINT PRIMARY KEY, applied_by TEXT NOT NULL)").await?;
    }
    for (number, migration) in (1_i64..)
        .zip(MIGRATIONS)
        .filter(|(number, _)| *number > version)
    {
        client.batch_execute(migration.postgres).await?;
        let record = "INSERT INTO lyceum_migrations (version, applied_by) VALUES ($1, $2)";
        client
            .execute(
                record,
                &[&number, &concat!("lyceum ", env!("CARGO_PKG_VERSION"))],
            )
            .await?;
    }
    client
        .execute(
            "UPDATE lyceum_migrations SET oldest_beside = $1 WHERE version = $2",
            &[&OLDEST_BESIDE, &VERSION],
        )
        .await?;
    // A dump of a schema before 17 cannot be told from the original.
    let is_restored = found.is_restored || allow_restored && version > 0;
    if is_restored {
        // It equals no identity, so that the database still counts as restored.
        const KEEP: &str = "UPDATE lyceum_migrations SET database = 'restored' WHERE version = $1";
        client.execute(KEEP, &[&VERSION]).await?;
    } else {
        client.execute(ACCEPT_DATABASE, &[]).await?;
    }
    Ok(Inspected {
        schema: SchemaState::Schema(VERSION),
        is_restored,
    })
}

/// The reason why such a server or database cannot be used.
fn unsupported_reason(schema: Option<&str>, encoding: &str, version: i32) -> Option<String> {
    if version < OLDEST {
        return Some(format!(
            "its server is PostgreSQL {} and must be {} or newer",
            version / 10_000,
            OLDEST / 10_000
        ));
    }
    if schema.is_none() {
        return Some("its search path names no schema that exists".to_owned());
    }
    (encoding != "UTF8").then(|| format!("its encoding is {encoding} and must be UTF8"))
}

async fn has_tables_of_our_names(client: &ClientWrapper) -> Result<bool, Error> {
    let created = |line: &'static str| {
        line.strip_prefix("CREATE TABLE ")
            .and_then(|rest| rest.split(' ').next())
    };
    let mut ours: Vec<&str> = MIGRATIONS
        .iter()
        .flat_map(|migration| migration.postgres.lines())
        .filter_map(created)
        .collect();
    ours.push("lyceum_migrations");
    const TAKEN: &str = "SELECT count(*) FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace
        WHERE nspname = current_schema() AND relname = ANY($1)";
    Ok(client
        .query_one(TAKEN, &[&ours])
        .await?
        .try_get::<_, i64>(0)?
        > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_without_required_features_is_unsupported() {
        let old = unsupported_reason(Some("public"), "UTF8", 110_022);
        assert_eq!(
            old.as_deref(),
            Some("its server is PostgreSQL 11 and must be 12 or newer")
        );
        assert_eq!(unsupported_reason(Some("public"), "UTF8", 120_000), None);
        assert!(
            unsupported_reason(None, "UTF8", 150_000).is_some()
                && unsupported_reason(Some("public"), "LATIN1", 150_000).is_some()
        );
    }
}
