//! The commands of the chapters on roles and backups, on real databases.

use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use lyceum::directory::{Directory, WriteOutcome};
use lyceum::domain::Timestamp;
use lyceum::sample_data::SampleSchool;
use lyceum::store::DirectoryStore;
use lyceum::store::sql::{OpenError, SqlStore};

use crate::logins::simulate_login;
use crate::postgres_server::{Cluster, needs_postgres};
use crate::{OPERATIONS, block};

fn school() -> SampleSchool {
    SampleSchool::new(1, "2026-05-20".parse().unwrap())
}

fn number_of_students() -> usize {
    school().students.len()
}

async fn fill(store: &SqlStore) {
    let directory = Directory::open(Arc::new(store.clone())).await.unwrap();
    assert!(matches!(
        directory.write(school().changes()).await.unwrap(),
        WriteOutcome::Written(_)
    ));
    simulate_login(store, 1).await.unwrap();
}

#[tokio::test]
async fn a_backup_of_sqlite_has_what_a_copy_of_the_file_lacks() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqlStore::sqlite(folder.path().join("school.db")).unwrap();
    // While this transaction reads the empty tables, no checkpoint can move what follows from the log into the file.
    let reader = rusqlite::Connection::open(folder.path().join("school.db")).unwrap();
    reader
        .execute_batch("BEGIN; SELECT count(*) FROM students;")
        .unwrap();
    fill(&store).await;
    // The SQL of the command, without the command that runs it.
    let statement = block(OPERATIONS, "sh", "VACUUM INTO")
        .split('"')
        .nth(1)
        .unwrap();
    let statement = statement.replace(
        "backup.db",
        folder.path().join("backup.db").to_str().unwrap(),
    );
    rusqlite::Connection::open(folder.path().join("school.db"))
        .unwrap()
        .execute_batch(&statement)
        .unwrap();
    std::fs::copy(
        folder.path().join("school.db"),
        folder.path().join("copy.db"),
    )
    .unwrap();
    drop(reader);
    let students = |name: &str| -> usize {
        let file = rusqlite::Connection::open(folder.path().join(name)).unwrap();
        file.query_row("SELECT count(*) FROM students", [], |row| {
            row.get::<_, i64>(0)
        })
        .map_or(0, |count| count.try_into().unwrap())
    };
    assert_eq!(
        (students("backup.db"), students("copy.db")),
        (number_of_students(), 0)
    );
    rusqlite::Connection::open(folder.path().join("backup.db"))
        .unwrap()
        .execute_batch(block(OPERATIONS, "sql", "random();"))
        .unwrap();
    let backup = SqlStore::sqlite(folder.path().join("backup.db")).unwrap();
    is_another_lineage(&store, &backup).await;
}

/// Fails if the calls of the page do not restore a school that serves.
#[tokio::test]
async fn a_backup_of_sqlite_is_restored_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (backup, now) = (
        path("school-2026-09-21.db"),
        Timestamp::from_seconds(1_790_001_000),
    );
    for call in [
        "store.backup_to(\"school-2026-09-21.db\").await?",
        "SqlStore::restore_sqlite(\"school-2026-09-21.db\", \"school.db\", None, now)?",
        "store.after_restore(None, now).await?",
        "SqlStore::sqlite_builder(\"lost.db\").read_only().open()?.credentials().await?",
    ] {
        assert!(
            block(OPERATIONS, "rust", call)
                .trim_end()
                .ends_with(&format!("{call};"))
        );
    }
    let store = SqlStore::sqlite(path("lost.db")).unwrap();
    fill(&store).await;
    simulate_login(&store, 50).await.unwrap();
    store.backup_to(&backup).await.unwrap();
    drop(store);
    let lost = SqlStore::sqlite_builder(path("lost.db")).read_only().open();
    let last_known = lost.unwrap().credentials().await.unwrap();
    for (name, last_known, suspended) in [("all.db", None, 1), ("changed.db", Some(last_known), 0)]
    {
        let report = SqlStore::restore_sqlite(&backup, path(name), last_known, now).unwrap();
        assert_eq!(
            (report.grants, report.suspended_api_keys.len()),
            (1, suspended)
        );
        let restored = SqlStore::sqlite(path(name)).unwrap();
        let rows = restored.load_directory().await.unwrap();
        assert_eq!(rows.students.len(), number_of_students());
        simulate_login(&restored, 2).await.unwrap();
    }
}

/// The same records in two directories that refuse each other's cursors and entity tags.
async fn is_another_lineage(store: &SqlStore, restored: &SqlStore) {
    let (one, other) = (
        store.directory_version().await.unwrap(),
        restored.directory_version().await.unwrap(),
    );
    assert!(
        one.number == other.number && one.lineage != other.lineage,
        "{one:?} {other:?}"
    );
}

/// Runs a script of the page, with the server's programs in `PATH`.
fn shell(script: &str, bin: &Path, folder: &Path, variables: &[(&str, &str)]) {
    let path = format!("{}:/usr/bin:/bin", bin.display());
    let mut command = Command::new("sh");
    command
        .args(["-euc", script])
        .current_dir(folder)
        .env("PATH", path)
        .envs(variables.iter().copied());
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{script}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Returns the URL of another database of the server, for this user.
fn database(cluster: &Cluster, name: &str) -> String {
    Cluster::query_at(&cluster.url(), &format!("CREATE DATABASE {name}"));
    with_database(&cluster.url(), name)
}

fn with_database(url: &str, name: &str) -> String {
    let (place, query) = url
        .split_once('?')
        .map_or((url, String::new()), |(place, query)| {
            (place, format!("?{query}"))
        });
    format!("{}/{name}{query}", place.rsplit_once('/').unwrap().0)
}

#[tokio::test]
async fn a_dump_of_postgresql_is_restored_and_goes_on() {
    needs_postgres!();
    let (cluster, folder) = (
        Cluster::start_private(&[], &[]),
        tempfile::tempdir().unwrap(),
    );
    let (url, empty) = (database(&cluster, "school"), database(&cluster, "restored"));
    let store = SqlStore::postgres(&url).migrate(true).open().await.unwrap();
    fill(&store).await;
    // A login with a grant, a session in the console and an API key.
    simulate_login(&store, 50).await.unwrap();
    let script = block(OPERATIONS, "sh", "pg_restore");
    shell(
        script,
        cluster.bin(),
        folder.path(),
        &[("URL", &url), ("EMPTY_URL", &empty)],
    );
    let refused = SqlStore::postgres(&empty).open().await.unwrap_err();
    assert!(matches!(refused, OpenError::Restored { .. }), "{refused}");
    let restored = SqlStore::postgres(&empty).allow_restored(true);
    let restored = restored.open().await.unwrap();
    Cluster::query_at(&empty, block(OPERATIONS, "sql", "random() * 9e18"));
    is_another_lineage(&store, &restored).await;
    assert_eq!(
        Cluster::query_at(&empty, "SELECT count(*) FROM students"),
        [number_of_students().to_string()]
    );
    let live = "SELECT count(*) FROM grants WHERE revoked_at IS NULL";
    assert_eq!(Cluster::query_at(&empty, live), ["1"]);
    let at = Timestamp::from_seconds(1_790_001_000);
    let report = restored.after_restore(None, at).await.unwrap();
    assert_eq!(
        (
            report.grants,
            report.user_sessions,
            report.suspended_api_keys.len()
        ),
        (1, 1, 1)
    );
    assert_eq!(Cluster::query_at(&empty, live), ["0"]);
    simulate_login(&restored, 2).await.unwrap();
    // The dump is as readable as the database was not.
    let mode = folder.path().join("lyceum.dump").metadata().unwrap().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[tokio::test]
async fn a_node_needs_no_right_to_change_tables() {
    needs_postgres!();
    let cluster = Cluster::start_private(&[], &[]);
    let url = database(&cluster, "school");
    drop(SqlStore::postgres(&url).migrate(true).open().await.unwrap());
    Cluster::query_at(&url, "CREATE ROLE lyceum_node");
    Cluster::query_at(&url, block(OPERATIONS, "sql", "GRANT USAGE"));
    let separator = if url.contains('?') { '&' } else { '?' };
    let as_node = format!("{url}{separator}options=-crole%3Dlyceum_node");
    assert_eq!(
        Cluster::query_at(&as_node, "SELECT current_user"),
        ["lyceum_node"]
    );
    let node = SqlStore::postgres(&as_node).open().await.unwrap();
    fill(&node).await;
    assert!(
        SqlStore::postgres(&as_node)
            .migrate(true)
            .open()
            .await
            .is_ok(),
        "nothing is left to migrate"
    );
    let may = "SELECT has_schema_privilege('public', 'CREATE')::text || has_table_privilege('lyceum_migrations', 'INSERT')::text";
    assert_eq!(Cluster::query_at(&as_node, may), ["falsefalse"]);
}
