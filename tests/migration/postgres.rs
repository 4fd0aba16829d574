//! A PostgreSQL schema of version 1, opened by this build.

use std::sync::Arc;

use lyceum::store::sql::{OpenError, SqlStore};
use tokio_postgres::NoTls;

use crate::fixtures::NOW;
use crate::postgres_server::{Cluster, cluster, needs_postgres};
use crate::{VERSION_1_ROWS, restored, services, store};

const VERSION_1: &str = include_str!("../../migrations/postgres/0001_initial.sql");

/// Migrations before rows for the scopes of grants and consents.
const UNTIL_VERSION_9: [&str; 8] = [
    include_str!("../../migrations/postgres/0002_sweep.sql"),
    include_str!("../../migrations/postgres/0003_management.sql"),
    include_str!("../../migrations/postgres/0004_consents.sql"),
    include_str!("../../migrations/postgres/0005_signing_key_revocation.sql"),
    include_str!("../../migrations/postgres/0006_pkce_required.sql"),
    include_str!("../../migrations/postgres/0007_api_keys.sql"),
    include_str!("../../migrations/postgres/0008_changes.sql"),
    include_str!("../../migrations/postgres/0009_console.sql"),
];

/// Versions of a schema of this build.
const KNOWN: [&str; 26] = [
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17",
    "18", "19", "20", "21", "22", "23", "24", "25", "26",
];

/// Creates a schema as version 1 left it, and returns its address.
async fn version_1() -> String {
    let url = cluster().new_schema();
    run(
        &url,
        "CREATE TABLE lyceum_migrations (version BIGINT PRIMARY KEY, applied_by TEXT NOT NULL)",
    )
    .await;
    run(&url, VERSION_1).await;
    run(
        &url,
        "INSERT INTO lyceum_migrations (version, applied_by) VALUES (1, 'lyceum 0.1.0')",
    )
    .await;
    run(&url, &VERSION_1_ROWS.replace("X'", "'\\x")).await;
    url
}

async fn run(url: &str, statements: &str) {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client.batch_execute(statements).await.unwrap();
}

async fn open(url: &str) -> Result<SqlStore, OpenError> {
    SqlStore::postgres(url)
        .connections(2)
        .migrate(true)
        .compare_clock(false)
        .open()
        .await
}

fn versions(url: &str) -> Vec<String> {
    Cluster::query_at(
        url,
        "SELECT version FROM lyceum_migrations ORDER BY version",
    )
}

/// Returns the columns, the indexes and every row.
fn contents(url: &str) -> Vec<String> {
    let tables = Cluster::query_at(
        url,
        "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1",
    );
    let columns = "SELECT table_name || ' ' || column_name || ' ' || data_type FROM information_schema.columns
        WHERE table_schema = current_schema() ORDER BY 1";
    let indexes = "SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1";
    let rows = tables.iter().flat_map(|table| {
        Cluster::query_at(
            url,
            &format!("SELECT {table}::text FROM {table} ORDER BY 1"),
        )
    });
    [
        Cluster::query_at(url, columns),
        Cluster::query_at(url, indexes),
        rows.collect(),
    ]
    .concat()
}

#[tokio::test]
async fn everything_that_version_1_kept_is_found_by_this_build() {
    needs_postgres!();
    let url = version_1().await;
    store::finds_everything(Arc::new(open(&url).await.unwrap())).await;
    assert_eq!(versions(&url), KNOWN);
    // Again after a restart, when nothing is left to migrate and migration is not allowed.
    store::finds_everything(Arc::new(SqlStore::postgres(&url).open().await.unwrap())).await;
}

/// Creates a database of version 9 with a consent.
async fn version_9() -> String {
    let url = version_1().await;
    for (number, migration) in (2..).zip(UNTIL_VERSION_9) {
        run(&url, migration).await;
        run(&url, &format!("INSERT INTO lyceum_migrations (version, applied_by) VALUES ({number}, 'lyceum 0.1.0')")).await;
    }
    run(&url, &store::a_consent()).await;
    url
}

#[tokio::test]
async fn grants_and_consents_of_version_9_lose_a_scope_that_goes() {
    needs_postgres!();
    store::loses_a_scope_that_goes(&open(&version_9().await).await.unwrap()).await;
}

/// Fails if they count as never used: the next consent would delete them.
#[tokio::test(flavor = "multi_thread")]
async fn consents_of_version_9_count_as_used_when_they_are_migrated() {
    needs_postgres!();
    let url = version_9().await;
    drop(open(&url).await.unwrap());
    let used = tokio::task::block_in_place(|| {
        Cluster::query_at(&url, "SELECT (last_used_at > 0)::text FROM consents")
    });
    assert_eq!(used, ["true"]);
}

#[tokio::test]
async fn tokens_keys_and_sign_ins_of_version_1_keep_working() {
    needs_postgres!();
    services::go_on(Arc::new(open(&version_1().await).await.unwrap())).await;
}

#[tokio::test]
async fn migrations_run_only_when_asked_for() {
    needs_postgres!();
    let url = version_1().await;
    let before = contents(&url);
    let error = SqlStore::postgres(&url).open().await.unwrap_err();
    assert!(
        matches!(error, OpenError::NotMigrated { schema: 1, .. }),
        "{error}"
    );
    assert_eq!(contents(&url), before);
}

#[tokio::test]
async fn a_migration_that_fails_at_its_end_leaves_version_1_as_it_was() {
    needs_postgres!();
    let url = version_1().await;
    let refuse = "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no room for more''; END';
        CREATE TRIGGER refuse BEFORE INSERT ON lyceum_migrations FOR EACH ROW EXECUTE FUNCTION refuse()";
    run(&url, refuse).await;
    let before = contents(&url);
    let error = open(&url).await.unwrap_err();
    assert!(
        matches!(&error, OpenError::Unusable { reason, .. } if reason.contains("no room for more")),
        "{error}"
    );
    assert_eq!(contents(&url), before);
    run(&url, "DROP TRIGGER refuse ON lyceum_migrations").await;
    open(&url).await.unwrap();
    assert_eq!(versions(&url), KNOWN);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_that_migrate_at_once_one_does_and_all_find_everything() {
    needs_postgres!();
    let url = version_1().await;
    let opening: Vec<_> = (0..8)
        .map(|_| {
            tokio::spawn({
                let url = url.clone();
                async move { open(&url).await.unwrap() }
            })
        })
        .collect();
    for opened in opening {
        store::finds_everything(Arc::new(opened.await.unwrap())).await;
    }
    assert_eq!(versions(&url), KNOWN);
}

#[tokio::test]
async fn data_of_a_newer_version_is_refused_and_left_alone() {
    needs_postgres!();
    let url = version_1().await;
    run(
        &url,
        "INSERT INTO lyceum_migrations (version, applied_by) VALUES (99, 'the future')",
    )
    .await;
    let before = contents(&url);
    assert!(matches!(
        open(&url).await.unwrap_err(),
        OpenError::Newer { schema: 99, .. }
    ));
    assert_eq!(contents(&url), before);
}

/// Migrates a database as a newer build may: with a column that this build does not know, and the
/// oldest version that may run beside it.
async fn migrate_further(url: &str, oldest_beside: &str) {
    let next = KNOWN.len() + 1;
    let migration = format!(
        "ALTER TABLE clients ADD COLUMN shown_first BIGINT NOT NULL DEFAULT 0;
        INSERT INTO lyceum_migrations (version, applied_by, oldest_beside) VALUES ({next}, 'the future', {oldest_beside})"
    );
    run(url, &migration).await;
}

// Proves: spec 1.5
/// Fails if an older build cannot be started while newer ones run, or changes what they made.
#[tokio::test]
async fn a_newer_database_that_names_this_version_is_served() {
    needs_postgres!();
    let url = version_1().await;
    drop(open(&url).await.unwrap());
    let stored = "SELECT version || ' beside ' || oldest_beside FROM lyceum_migrations WHERE oldest_beside IS NOT NULL";
    assert_eq!(Cluster::query_at(&url, stored), ["26 beside 21"]);
    migrate_further(&url, &KNOWN.len().to_string()).await;
    // A built-in scope that newer builds have no more.
    run(
        &url,
        "DELETE FROM scopes WHERE application_id = 'service' AND name = 'manage'",
    )
    .await;
    let before = contents(&url);
    drop(SqlStore::postgres(&url).open().await.unwrap());
    let store = Arc::new(open(&url).await.unwrap());
    assert_eq!(contents(&url), before);
    store::finds_everything(store.clone()).await;
    services::go_on(store).await;
}

// Proves: threats 44
/// Fails if a dump of a schema that cannot be told from the original is served because a restoration
/// ended after its migration.
#[tokio::test]
async fn a_restored_database_of_an_old_schema_is_refused_once_it_is_migrated() {
    needs_postgres!();
    let url = version_1().await;
    let restored = || SqlStore::postgres(&url).migrate(true).allow_restored(true);
    drop(restored().open().await.unwrap());
    assert_eq!(versions(&url), KNOWN);
    let error = open(&url).await.unwrap_err();
    assert!(matches!(error, OpenError::Restored { .. }), "{error}");
    let store = restored().open().await.unwrap();
    assert!(store.is_restored().await.unwrap());
    store.after_restore(None, NOW).await.unwrap();
    assert!(!store.is_restored().await.unwrap());
    drop(open(&url).await.unwrap());
}

// Proves: spec 1.5
/// Fails if an older build runs on a schema whose rules it does not know.
#[tokio::test]
async fn a_newer_database_that_names_a_later_version_or_none_is_refused() {
    needs_postgres!();
    for oldest_beside in ["27", "NULL"] {
        let url = version_1().await;
        drop(open(&url).await.unwrap());
        migrate_further(&url, oldest_beside).await;
        let before = contents(&url);
        for opened in [open(&url).await, SqlStore::postgres(&url).open().await] {
            let error = opened.unwrap_err();
            assert!(
                matches!(error, OpenError::Newer { schema: 27, .. }),
                "{error}"
            );
        }
        assert_eq!(contents(&url), before);
    }
}

/// Fails if a restoration by an older build leaves something valid that only newer builds know.
#[tokio::test]
async fn an_older_build_restores_no_newer_database() {
    needs_postgres!();
    let url = version_1().await;
    let store = open(&url).await.unwrap();
    // Another node migrates it meanwhile.
    migrate_further(&url, &KNOWN.len().to_string()).await;
    let before = contents(&url);
    let error = store.after_restore(None, NOW).await.unwrap_err();
    assert_eq!(error.to_string(), "a restored database has a newer schema");
    assert_eq!(contents(&url), before);
}

/// Fails if the migration waits as long as the lock is held: requests would wait behind it.
#[tokio::test]
async fn a_migration_that_cannot_lock_a_table_gives_up_and_changes_nothing() {
    needs_postgres!();
    let url = version_1().await;
    let before = contents(&url);
    let (reader, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
    tokio::spawn(connection);
    reader
        .batch_execute(
            "BEGIN; SET idle_in_transaction_session_timeout = '30s'; SELECT count(*) FROM clients",
        )
        .await
        .unwrap();
    let error = open(&url).await.unwrap_err();
    assert!(
        matches!(&error, OpenError::Unusable { reason, .. } if reason.contains("lock timeout")),
        "{error}"
    );
    assert_eq!(contents(&url), before);
    reader.batch_execute("COMMIT").await.unwrap();
    open(&url).await.unwrap();
    assert_eq!(versions(&url), KNOWN);
}

// Proves: threats 44
/// Fails if a token, session, key or password of the backup works without a confirmation.
#[tokio::test]
async fn a_restored_backup_opens_nothing_until_it_is_confirmed() {
    needs_postgres!();
    let store = open(&version_1().await).await.unwrap();
    let report = store.after_restore(None, NOW).await.unwrap();
    restored::opens_nothing_until_it_is_confirmed(store, &report).await;
}
