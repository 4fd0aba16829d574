use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;

use super::{NOW, SessionDigest, approved_grant, database, pending};
use crate::domain::{Application, ApplicationId, ScopeDefinition, ScopeSet};
use crate::store::sql::{OpenError, SqlStore};
use crate::store::{ClientLookup, ClientRegistry, GrantStore};

fn refusal(path: &Path) -> OpenError {
    let error = SqlStore::sqlite(path).unwrap_err();
    let line = error.to_string();
    assert!(
        line.lines().count() == 1 && line.contains(path.file_name().unwrap().to_str().unwrap()),
        "{line}"
    );
    error
}

#[test]
fn a_file_that_is_no_database_is_refused_and_left_alone() {
    let (_folder, path) = database();
    let text = "Dear diary, ".repeat(100);
    std::fs::write(&path, &text).unwrap();
    assert!(matches!(refusal(&path), OpenError::Foreign { .. }));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn another_programs_database_is_refused_and_left_alone() {
    let (_folder, path) = database();
    Connection::open(&path)
        .unwrap()
        .execute_batch("CREATE TABLE notes (text)")
        .unwrap();
    let before = std::fs::read(&path).unwrap();
    assert!(matches!(refusal(&path), OpenError::Foreign { .. }));
    Connection::open(&path)
        .unwrap()
        .pragma_update(None, "application_id", 1)
        .unwrap();
    assert!(matches!(refusal(&path), OpenError::Foreign { .. }));
    assert_eq!(std::fs::read(&path).unwrap().len(), before.len());
}

#[test]
fn a_newer_schema_is_refused() {
    let (_folder, path) = database();
    drop(SqlStore::sqlite(&path).unwrap());
    let newer = "INSERT INTO schema_migrations (version, applied_by) VALUES (99, 'the future')";
    Connection::open(&path)
        .unwrap()
        .execute_batch(newer)
        .unwrap();
    assert!(matches!(
        refusal(&path),
        OpenError::Newer { schema: 99, .. }
    ));
}

#[test]
fn a_path_that_cannot_be_written_is_refused_with_its_reason() {
    let (folder, path) = database();
    assert!(
        refusal(&folder.path().join("missing/lyceum.db"))
            .to_string()
            .ends_with("its folder does not exist")
    );
    assert!(
        refusal(folder.path())
            .to_string()
            .ends_with("it is a folder")
    );
    std::fs::write(&path, "").unwrap();
    assert!(
        refusal(&path.join("lyceum.db"))
            .to_string()
            .ends_with("its folder does not exist")
    );
}

#[tokio::test]
async fn a_name_that_means_something_to_sqlite_is_a_file_like_any_other() {
    let (folder, _) = database();
    let path = folder.path().join("file:odd?mode=memory");
    drop(SqlStore::sqlite(&path).unwrap());
    assert!(path.is_file());
}

#[cfg(unix)]
#[test]
fn only_its_owner_can_read_a_new_database() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, path) = database();
    let _store = SqlStore::sqlite(&path).unwrap();
    for file in std::fs::read_dir(folder.path()).unwrap() {
        assert_eq!(
            file.unwrap().metadata().unwrap().permissions().mode() & 0o777,
            0o600
        );
    }
}

#[tokio::test]
async fn acknowledged_changes_survive_a_restart() {
    let (_folder, path) = database();
    let store = SqlStore::sqlite(&path).unwrap();
    let grant = approved_grant(&store).await;
    drop(store);
    let store = SqlStore::sqlite(&path).unwrap();
    assert!(store.code_binding(&super::CODE).await.unwrap().is_some());
    assert!(store.revoke_grant(&grant, NOW).await.unwrap());
}

#[tokio::test]
async fn a_closed_store_leaves_one_whole_file() {
    let (folder, path) = database();
    let store = SqlStore::sqlite(&path).unwrap();
    approved_grant(&store).await;
    drop(store);
    let files: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(files, ["lyceum.db"]);
}

#[tokio::test]
async fn the_scopes_of_the_service_are_there_from_the_start_and_only_once() {
    let (_folder, path) = database();
    drop(SqlStore::sqlite(&path).unwrap());
    let store = SqlStore::sqlite(&path).unwrap();
    assert_eq!(
        store.application(ApplicationId::Service).await.unwrap(),
        Some(Application::built_in())
    );
    let defaults = ScopeDefinition::built_in();
    let wanted: ScopeSet = defaults
        .iter()
        .rev()
        .map(|definition| definition.scope.clone())
        .collect();
    let found = store.scope_definitions(&wanted).await.unwrap();
    assert_eq!(
        found.iter().rev().collect::<Vec<_>>(),
        defaults.iter().collect::<Vec<_>>()
    );
}

#[test]
fn several_that_open_an_empty_file_at_once_all_succeed() {
    for _ in 0..20 {
        let (_folder, path) = database();
        std::thread::scope(|scope| {
            let openings: Vec<_> = (0..6)
                .map(|_| scope.spawn(|| SqlStore::sqlite(&path).map(drop)))
                .collect();
            for opening in openings {
                opening.join().unwrap().unwrap();
            }
        });
    }
}

/// Fails if a store that is read-only creates, migrates or changes a database, or cannot read it
/// beside the store that writes.
#[tokio::test]
async fn a_read_only_store_leaves_the_database_as_it_is() {
    let (_folder, path) = database();
    let open = || SqlStore::sqlite_builder(&path).read_only().open();
    assert!(matches!(open(), Err(OpenError::Unusable { .. })));
    assert!(!path.exists());

    let writing = SqlStore::sqlite(&path).unwrap();
    approved_grant(&writing).await;
    let read_only = open().unwrap();
    let sizes = read_only.table_sizes(NOW, Duration::ZERO).await.unwrap();
    let grants = sizes.iter().find(|size| size.name == "grants").unwrap();
    assert!(grants.bytes > 0 && grants.expired_rows == 0, "{grants:?}");
    let later = NOW.plus(Duration::from_secs(30 * 24 * 60 * 60));
    let sizes = read_only.table_sizes(later, Duration::ZERO).await.unwrap();
    let expired: Vec<_> = sizes.iter().filter(|size| size.expired_rows > 0).collect();
    assert_eq!(expired.len(), 1, "{sizes:?}");
    assert_eq!((&*expired[0].name, expired[0].expired_rows), ("grants", 1));
    let session = SessionDigest::from_bytes([9; 32]);
    assert!(read_only.open_session(session, pending()).await.is_err());
    drop((read_only, writing));

    let before = std::fs::read(&path).unwrap();
    drop(open().unwrap());
    assert_eq!(std::fs::read(&path).unwrap(), before);
    let newest = "DELETE FROM schema_migrations WHERE version = (SELECT max(version) FROM schema_migrations)";
    Connection::open(&path)
        .unwrap()
        .execute_batch(newest)
        .unwrap();
    let before = std::fs::read(&path).unwrap();
    let Err(OpenError::NotMigrated {
        schema, supported, ..
    }) = open()
    else {
        panic!("an older schema was opened");
    };
    assert_eq!(schema + 1, supported);
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

/// Fails if a store that is read-only writes the log of a process that crashed into the database,
/// as SQLite does when the last connection closes, or does not read it.
#[tokio::test]
async fn a_read_only_store_reads_the_log_of_a_crash_and_leaves_it_there() {
    let (folder, path) = database();
    let writing = SqlStore::sqlite(&path).unwrap();
    // While this reads, the log is not written into the database.
    let reading = Connection::open(&path).unwrap();
    reading
        .execute_batch("BEGIN; SELECT count(*) FROM sessions")
        .unwrap();
    let session = SessionDigest::from_bytes([9; 32]);
    writing.open_session(session, pending()).await.unwrap();
    // What the disk has if the process ends here.
    let crashed = folder.path().join("crashed.db");
    let log = |path: &Path| path.with_extension("db-wal");
    std::fs::copy(&path, &crashed).unwrap();
    std::fs::copy(log(&path), log(&crashed)).unwrap();
    drop((reading, writing));

    let files = || [&crashed, &log(&crashed)].map(|path| std::fs::read(path).unwrap());
    let before = files();
    let read_only = SqlStore::sqlite_builder(&crashed)
        .read_only()
        .open()
        .unwrap();
    assert!(read_only.open_session(session, pending()).await.is_err());
    assert!(read_only.session(&session, NOW).await.unwrap().is_some());
    drop(read_only);
    assert!(files() == before, "the database or its log changed");
}
