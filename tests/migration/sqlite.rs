//! A SQLite file of version 1, opened by this build.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Barrier};
use std::thread;

use lyceum::store::sql::{BackupError, OpenError, SqlStore};
use rusqlite::Connection;
use rusqlite::types::Value;

use crate::fixtures::NOW;
use crate::{VERSION_1_ROWS, restored, services, store};

const VERSION_1: &str = include_str!("../../migrations/sqlite/0001_initial.sql");

/// Migrations before rows for the scopes of grants and consents.
const UNTIL_VERSION_9: [&str; 8] = [
    include_str!("../../migrations/sqlite/0002_sweep.sql"),
    include_str!("../../migrations/sqlite/0003_management.sql"),
    include_str!("../../migrations/sqlite/0004_consents.sql"),
    include_str!("../../migrations/sqlite/0005_signing_key_revocation.sql"),
    include_str!("../../migrations/sqlite/0006_pkce_required.sql"),
    include_str!("../../migrations/sqlite/0007_api_keys.sql"),
    include_str!("../../migrations/sqlite/0008_changes.sql"),
    include_str!("../../migrations/sqlite/0009_console.sql"),
];

/// Versions of a database of this build.
const KNOWN: [&str; 26] = [
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17",
    "18", "19", "20", "21", "22", "23", "24", "25", "26",
];

/// Creates a file as version 1 left it.
fn version_1() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("school.db");
    let file = Connection::open(&path).unwrap();
    file.pragma_update(None, "application_id", 0x6c79_6365)
        .unwrap();
    file.execute_batch("CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY, applied_by TEXT NOT NULL) STRICT").unwrap();
    file.execute_batch(VERSION_1).unwrap();
    file.execute_batch(
        "INSERT INTO schema_migrations (version, applied_by) VALUES (1, 'lyceum 0.1.0')",
    )
    .unwrap();
    file.execute_batch("PRAGMA foreign_keys = ON").unwrap();
    file.execute_batch(VERSION_1_ROWS).unwrap();
    (folder, path)
}

/// Returns the rows of a query, each as one text.
fn rows(path: &Path, query: &str) -> Vec<String> {
    let file = Connection::open(path).unwrap();
    let mut statement = file.prepare(query).unwrap();
    let columns = statement.column_count();
    let text = |row: &rusqlite::Row<'_>| {
        let values =
            (0..columns).map(|at| row.get::<_, Value>(at).map(|value| format!("{value:?}")));
        values
            .collect::<Result<Vec<_>, _>>()
            .map(|values| values.join(", "))
    };
    statement
        .query_map([], text)
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap()
}

fn names(path: &Path, query: &str) -> Vec<String> {
    let file = Connection::open(path).unwrap();
    let mut statement = file.prepare(query).unwrap();
    statement
        .query_map([], |row| row.get(0))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap()
}

fn tables(path: &Path) -> Vec<String> {
    names(
        path,
        "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
    )
}

/// Returns the schema and every row.
fn contents(path: &Path) -> Vec<String> {
    let all = tables(path)
        .into_iter()
        .flat_map(|table| rows(path, &format!("SELECT '{table}', * FROM {table}")));
    rows(path, "SELECT * FROM sqlite_schema ORDER BY name")
        .into_iter()
        .chain(all)
        .collect()
}

fn versions(path: &Path) -> Vec<String> {
    names(
        path,
        "SELECT CAST(version AS TEXT) FROM schema_migrations ORDER BY version",
    )
}

#[test]
fn version_1_is_given_with_a_value_in_every_column() {
    let (_folder, path) = version_1();
    assert_eq!(tables(&path).len(), 19);
    for table in tables(&path) {
        for column in names(
            &path,
            &format!("SELECT name FROM pragma_table_info('{table}')"),
        ) {
            assert!(
                !rows(
                    &path,
                    &format!("SELECT 1 FROM {table} WHERE {column} IS NOT NULL")
                )
                .is_empty(),
                "{table}.{column}"
            );
        }
    }
}

#[tokio::test]
async fn everything_that_version_1_kept_is_found_by_this_build() {
    let (_folder, path) = version_1();
    store::finds_everything(Arc::new(SqlStore::sqlite(&path).unwrap())).await;
    assert_eq!(versions(&path), KNOWN);
    // Again after a restart, when nothing is left to migrate.
    store::finds_everything(Arc::new(SqlStore::sqlite(&path).unwrap())).await;
}

/// Creates a database of version 9 with a consent.
fn version_9() -> (tempfile::TempDir, PathBuf) {
    let (folder, path) = version_1();
    let file = Connection::open(&path).unwrap();
    for (number, migration) in (2..).zip(UNTIL_VERSION_9) {
        file.execute_batch(migration).unwrap();
        file.execute(
            "INSERT INTO schema_migrations (version, applied_by) VALUES (?, 'lyceum 0.1.0')",
            [number],
        )
        .unwrap();
    }
    file.execute_batch(&store::a_consent()).unwrap();
    (folder, path)
}

#[tokio::test]
async fn grants_and_consents_of_version_9_lose_a_scope_that_goes() {
    let (_folder, path) = version_9();
    store::loses_a_scope_that_goes(&SqlStore::sqlite(&path).unwrap()).await;
}

/// Fails if they count as never used: the next consent would delete them.
#[test]
fn consents_of_version_9_count_as_used_when_they_are_migrated() {
    let (_folder, path) = version_9();
    drop(SqlStore::sqlite(&path).unwrap());
    assert_eq!(
        rows(&path, "SELECT last_used_at > 0 FROM consents"),
        ["Integer(1)"]
    );
}

#[tokio::test]
async fn tokens_keys_and_sign_ins_of_version_1_keep_working() {
    let (_folder, path) = version_1();
    services::go_on(Arc::new(SqlStore::sqlite(&path).unwrap())).await;
}

#[test]
fn a_migration_that_fails_at_its_end_leaves_version_1_as_it_was() {
    let (_folder, path) = version_1();
    let refuse = "CREATE TRIGGER refuse BEFORE INSERT ON schema_migrations BEGIN SELECT raise(ABORT, 'no room for more'); END";
    Connection::open(&path)
        .unwrap()
        .execute_batch(refuse)
        .unwrap();
    let before = contents(&path);
    let error = SqlStore::sqlite(&path).unwrap_err();
    assert!(
        matches!(&error, OpenError::Unusable { reason, .. } if reason == "no room for more"),
        "{error}"
    );
    assert_eq!(contents(&path), before);
    // Once the obstacle is removed, it succeeds.
    Connection::open(&path)
        .unwrap()
        .execute_batch("DROP TRIGGER refuse")
        .unwrap();
    drop(SqlStore::sqlite(&path).unwrap());
    assert_eq!(versions(&path), KNOWN);
}

#[tokio::test]
async fn of_many_that_migrate_at_once_one_does_and_all_find_everything() {
    let (_folder, path) = version_1();
    let together = Barrier::new(8);
    let open = || {
        together.wait();
        SqlStore::sqlite(&path).unwrap()
    };
    let stores: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    assert_eq!(versions(&path), KNOWN);
    for store in stores {
        store::finds_everything(Arc::new(store.clone())).await;
    }
}

#[test]
fn data_of_a_newer_version_is_refused_and_left_alone() {
    let (_folder, path) = version_1();
    let newer = "INSERT INTO schema_migrations (version, applied_by) VALUES (99, 'the future')";
    Connection::open(&path)
        .unwrap()
        .execute_batch(newer)
        .unwrap();
    let before = contents(&path);
    assert!(matches!(
        SqlStore::sqlite(&path).unwrap_err(),
        OpenError::Newer { schema: 99, .. }
    ));
    assert_eq!(contents(&path), before);
}

/// Migrates a database as a newer build may: with a column that this build does not know, and the
/// oldest version that may run beside it.
fn migrate_further(path: &Path, oldest_beside: &str) {
    let next = KNOWN.len() + 1;
    let migration = format!(
        "ALTER TABLE clients ADD COLUMN shown_first INTEGER NOT NULL DEFAULT 0;
        INSERT INTO schema_migrations (version, applied_by, oldest_beside) VALUES ({next}, 'the future', {oldest_beside})"
    );
    Connection::open(path)
        .unwrap()
        .execute_batch(&migration)
        .unwrap();
}

// Proves: spec 1.5
/// Fails if an older build cannot be started while newer ones run, or changes what they made.
#[tokio::test]
async fn a_newer_database_that_names_this_version_is_served_and_backed_up() {
    let (folder, path) = version_1();
    drop(SqlStore::sqlite(&path).unwrap());
    assert_eq!(
        names(
            &path,
            "SELECT version || ' beside ' || oldest_beside FROM schema_migrations WHERE oldest_beside IS NOT NULL"
        ),
        ["26 beside 21"]
    );
    migrate_further(&path, &KNOWN.len().to_string());
    // A built-in scope that newer builds have no more.
    Connection::open(&path)
        .unwrap()
        .execute_batch("DELETE FROM scopes WHERE application_id = 'service' AND name = 'manage'")
        .unwrap();
    let before = contents(&path);
    let store = Arc::new(SqlStore::sqlite(&path).unwrap());
    assert_eq!(contents(&path), before);
    store::finds_everything(store.clone()).await;
    services::go_on(store.clone()).await;
    store
        .backup_to(folder.path().join("backup.db"))
        .await
        .unwrap();
}

/// Fails if a restoration by an older build leaves something valid that only newer builds know.
#[tokio::test]
async fn an_older_build_restores_no_newer_database() {
    let (folder, path) = version_1();
    drop(SqlStore::sqlite(&path).unwrap());
    migrate_further(&path, &KNOWN.len().to_string());
    let before = contents(&path);
    let store = SqlStore::sqlite(&path).unwrap();
    let error = store.after_restore(None, NOW).await.unwrap_err();
    assert_eq!(error.to_string(), "a restored database has a newer schema");
    assert_eq!(contents(&path), before);
    let backup = folder.path().join("backup.db");
    store.backup_to(&backup).await.unwrap();
    let new = folder.path().join("new.db");
    for error in [
        SqlStore::check_sqlite_backup(&backup).unwrap_err(),
        SqlStore::restore_sqlite(&backup, &new, None, NOW).unwrap_err(),
    ] {
        assert!(
            matches!(
                error,
                BackupError::Unsuitable(OpenError::Newer { schema: 27, .. })
            ),
            "{error}"
        );
    }
    assert!(!new.exists());
}

// Proves: spec 1.5
/// Fails if an older build runs on a schema whose rules it does not know.
#[test]
fn a_newer_database_that_names_a_later_version_or_none_is_refused() {
    for oldest_beside in ["27", "NULL"] {
        let (_folder, path) = version_1();
        drop(SqlStore::sqlite(&path).unwrap());
        migrate_further(&path, oldest_beside);
        let before = contents(&path);
        let error = SqlStore::sqlite(&path).unwrap_err();
        assert!(
            matches!(error, OpenError::Newer { schema: 27, .. }),
            "{error}"
        );
        assert_eq!(contents(&path), before);
    }
}

// Proves: threats 44
/// Fails if a token, session, key or password of the backup works without a confirmation.
#[tokio::test]
async fn a_restored_backup_opens_nothing_until_it_is_confirmed() {
    let (folder, path) = version_1();
    let (backup, new) = (
        folder.path().join("backup.db"),
        folder.path().join("new.db"),
    );
    let store = SqlStore::sqlite(&path).unwrap();
    store.backup_to(&backup).await.unwrap();
    restored::changes_after_the_backup(&store).await;
    let report = SqlStore::restore_sqlite(&backup, &new, None, NOW).unwrap();
    let store = SqlStore::sqlite(&new).unwrap();
    restored::opens_nothing_until_it_is_confirmed(store, &report).await;
}

/// Fails if a backup of an older version cannot be restored, or is changed.
#[tokio::test]
async fn a_backup_of_version_1_is_migrated_when_it_is_restored() {
    let (folder, path) = version_1();
    let (before, new) = (contents(&path), folder.path().join("new.db"));
    let report = SqlStore::restore_sqlite(&path, &new, None, NOW).unwrap();
    assert_eq!(versions(&new), KNOWN);
    assert_eq!(contents(&path), before);
    let store = SqlStore::sqlite(&new).unwrap();
    restored::opens_nothing_until_it_is_confirmed(store, &report).await;
}
