mod restored;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use rusqlite::Connection;

use super::{CODE, LIFETIMES, NOW, approved_grant, database, pending};
use crate::domain::{
    Account, AccountId, ApiKey, ApiKeyDigest, ApiKeyId, ApiKeyRenewal, ApiKeySecret, ApiScopes,
    Client, ClientId, ClientPolicy, ClientProof, ClientSecretDigest, Generation, PasswordHash,
    RegisteredSecret, Role, ScopeSet, SessionDigest, ShortText, SubjectId, Timestamp, Verification,
};
use crate::store::sql::transaction_hook::OptionalHook;
use crate::store::sql::{
    BackupError, Credentials, OpenError, Phase, SqlStore, TransactionHook, sqlite,
};
use crate::store::{
    AccountStore, ApiKeyStore, ClientCreation, ClientLookup, ClientRegistry, ConsentStore,
    Creation, GrantStore, Redemption, Renewal, Rotation, StorageError,
};

/// When the backup is restored: a day after [`NOW`].
const RESTORED: Timestamp = Timestamp::from_seconds(NOW.seconds() + 24 * 60 * 60);

fn account(number: u8) -> Account {
    Account {
        id: AccountId::from_random([number; 16]),
        email: format!("user{number}@school.example").parse().unwrap(),
        password_hash: PasswordHash::from_phc(format!("$hash {number}")),
        role: Role::Admin,
        created_at: NOW,
        student: None,
    }
}

fn api_key(number: u8) -> ApiKey {
    ApiKey {
        digest: digest(number),
        ..ApiKey::new(
            ApiKeyId::from_random([number; 16]),
            &ApiKeySecret::from_random([number; 16]),
            ShortText::from_static("급식 알리미"),
            ApiScopes::built_in(),
            NOW,
        )
    }
}

fn digest(number: u8) -> ApiKeyDigest {
    ApiKeyDigest::from_bytes([number; 32])
}

/// A client that obtains tokens with its secret alone, if `machine`.
fn client(number: u8, machine: bool) -> Client {
    Client {
        id: ClientId::from_random([number; 16]),
        name: ShortText::from_static("Bell"),
        owner: SubjectId::service(),
        policy: ClientPolicy::Secret,
        secrets: vec![RegisteredSecret {
            digest: ClientSecretDigest::from_bytes([number; 32]),
            created_at: NOW,
            last_four: None,
            last_used_at: None,
        }],
        redirect_uris: Vec::new(),
        allowed_scopes: ScopeSet::default(),
        plain_pkce_allowed: false,
        pkce_required: false,
        first_party: false,
        client_credentials_allowed: machine,
        iss_omitted: false,
        policy_uri: None,
        verification: Verification::Assumed,
        created_at: NOW,
        suspended_at: None,
    }
}

/// A database with two of each, and its backup.
async fn backed_up() -> (tempfile::TempDir, SqlStore) {
    let (folder, path) = database();
    let store = SqlStore::sqlite(&path).unwrap();
    for number in [1, 2] {
        assert_eq!(
            store.create_account(account(number)).await.unwrap(),
            Creation::Created
        );
        assert_eq!(
            store.create_api_key(api_key(number)).await.unwrap(),
            Creation::Created
        );
        assert_eq!(
            store
                .create_client(client(number, number == 1))
                .await
                .unwrap(),
            ClientCreation::Created
        );
    }
    store
        .backup_to(folder.path().join("backup.db"))
        .await
        .unwrap();
    (folder, store)
}

fn restore(folder: &Path, last_known: Option<Credentials>) -> SqlStore {
    let (backup, restored) = (folder.join("backup.db"), folder.join("restored.db"));
    SqlStore::restore_sqlite(backup, &restored, last_known, RESTORED).unwrap();
    SqlStore::sqlite(restored).unwrap()
}

/// Restores a backup and returns the error, after which nothing is left.
fn refusal(backup: &Path) -> BackupError {
    let restored = backup.with_file_name("restored.db");
    let before = names(backup.parent().unwrap());
    let error = SqlStore::restore_sqlite(backup, restored, None, RESTORED).unwrap_err();
    let line = error.to_string();
    assert!(
        line.lines().count() == 1 && line.contains(backup.file_name().unwrap().to_str().unwrap()),
        "{line}"
    );
    let checked = SqlStore::check_sqlite_backup(backup).unwrap_err();
    assert_eq!(checked.to_string(), line);
    assert_eq!(names(backup.parent().unwrap()), before);
    error
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

async fn works(store: &SqlStore, key: &ApiKey) -> bool {
    let found = store.api_key(&key.digest).await.unwrap();
    found.is_some_and(|found| found.is_valid(&key.digest, RESTORED))
}

async fn is_suspended(store: &SqlStore, number: u8) -> bool {
    let found = store.account(account(number).id).await.unwrap().unwrap();
    found.password_hash.is_suspended()
}

/// Fails if the copy is of the file alone: the newest writes are in the log.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_backup_while_others_write_is_of_one_state_and_has_every_acknowledged_write() {
    let (folder, path) = database();
    let store = SqlStore::sqlite(&path).unwrap();
    let (acknowledged, is_done) = (
        Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]),
        Arc::new(AtomicBool::new(false)),
    );
    let writers: Vec<_> = (0..2)
        .map(|writer| {
            let (store, acknowledged, is_done) =
                (store.clone(), acknowledged.clone(), is_done.clone());
            tokio::spawn(async move {
                let mut number = 0;
                while !is_done.load(Ordering::SeqCst) {
                    let session = AuthorizationSessions::digest(writer, number);
                    store.open_session(session, pending()).await.unwrap();
                    number += 1;
                    acknowledged[writer].store(number, Ordering::SeqCst);
                }
            })
        })
        .collect();
    for round in 0..5 {
        let target = acknowledged[1].load(Ordering::SeqCst) + 20;
        while acknowledged[1].load(Ordering::SeqCst) < target {
            tokio::task::yield_now().await;
        }
        let before = [0, 1].map(|writer| acknowledged[writer].load(Ordering::SeqCst));
        let backup = folder.path().join(format!("backup{round}.db"));
        store.backup_to(&backup).await.unwrap();
        // Served as it is, to look at what it has.
        Connection::open(&backup)
            .unwrap()
            .execute(sqlite::ACCEPT_DATABASE, [])
            .unwrap();
        let copy = SqlStore::sqlite(&backup).unwrap();
        for (writer, before) in before.into_iter().enumerate() {
            let mut found = 0;
            let has = async |number| {
                let session = AuthorizationSessions::digest(writer, number);
                copy.session(&session, NOW).await.unwrap().is_some()
            };
            while has(found).await {
                found += 1;
            }
            assert!(found >= before, "{found} of {before} in round {round}");
            assert!(
                !has(found + 1).await,
                "a later write without an earlier one"
            );
        }
    }
    is_done.store(true, Ordering::SeqCst);
    for writer in writers {
        writer.await.unwrap();
    }
}

struct AuthorizationSessions;

impl AuthorizationSessions {
    fn digest(writer: usize, number: usize) -> SessionDigest {
        let mut bytes = [writer as u8; 32];
        bytes[..8].copy_from_slice(&number.to_be_bytes());
        SessionDigest::from_bytes(bytes)
    }
}

/// Fails if a backup waits for the lock of a writer, or has what is not committed.
#[tokio::test]
async fn a_backup_waits_for_no_transaction_and_has_none_of_it() {
    let (folder, path) = database();
    let store = SqlStore::sqlite(&path).unwrap();
    let mut other = Connection::open(&path).unwrap();
    let transaction = other.transaction().unwrap();
    transaction
        .execute("UPDATE scopes SET description = 'not yet'", [])
        .unwrap();
    let backup = folder.path().join("backup.db");
    store.backup_to(&backup).await.unwrap();
    let count: i64 = Connection::open(&backup)
        .unwrap()
        .query_row(
            "SELECT count(*) FROM scopes WHERE description = 'not yet'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(count, 0);
}

/// Fails if a deleted person's data stays in free pages of the copy.
#[tokio::test]
async fn a_backup_has_nothing_of_deleted_rows() {
    let (folder, path) = database();
    let store = SqlStore::sqlite(&path).unwrap();
    for number in [1, 2] {
        assert_eq!(
            store.create_account(account(number)).await.unwrap(),
            Creation::Created
        );
    }
    let _ = store.remove_account(account(1).id, NOW).await.unwrap();
    let backup = folder.path().join("backup.db");
    store.backup_to(&backup).await.unwrap();
    let bytes = fs::read(&backup).unwrap();
    let has = |text: &str| {
        bytes
            .windows(text.len())
            .any(|part| part == text.as_bytes())
    };
    assert!(has("user2@school.example") && !has("user1@school.example"));
}

/// Fails if a log is left beside the copy, or a file is created before its permissions are set.
#[cfg(unix)]
#[tokio::test]
async fn backups_and_restored_databases_are_one_file_that_only_its_owner_can_read() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, store) = backed_up().await;
    drop(store);
    drop(restore(folder.path(), None));
    assert_eq!(
        names(folder.path()),
        ["backup.db", "lyceum.db", "restored.db"]
    );
    for name in names(folder.path()) {
        let mode = fs::metadata(folder.path().join(&name))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
}

/// Fails if a backup or a database is overwritten. A log of a former database counts, because
/// SQLite would apply it.
#[tokio::test]
async fn an_existing_file_is_never_overwritten() {
    let (folder, store) = backed_up().await;
    for name in ["taken.db", "taken.db-wal", "taken.db-journal"] {
        let (taken, path) = (folder.path().join("taken.db"), folder.path().join(name));
        fs::write(&path, "kept").unwrap();
        let before = names(folder.path());
        let outcomes = [
            store.backup_to(&taken).await.unwrap_err(),
            SqlStore::restore_sqlite(folder.path().join("backup.db"), &taken, None, RESTORED)
                .unwrap_err(),
        ];
        for error in outcomes {
            assert!(
                matches!(&error, BackupError::Exists { file } if *file == path),
                "{error}"
            );
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "kept");
        assert_eq!(names(folder.path()), before);
        fs::remove_file(path).unwrap();
    }
}

/// Fails if a damaged backup is restored, or if its error does not say what is wrong.
#[tokio::test]
async fn a_truncated_or_damaged_backup_is_refused() {
    let (folder, store) = backed_up().await;
    drop(store);
    let whole = fs::read(folder.path().join("backup.db")).unwrap();
    let path = folder.path().join("damaged.db");
    for length in [whole.len() - 1, whole.len() / 2, 4096, 2000, 50] {
        fs::write(&path, &whole[..length]).unwrap();
        let error = refusal(&path);
        assert!(
            matches!(
                error,
                BackupError::Damaged { .. } | BackupError::Unsuitable(OpenError::Foreign { .. })
            ),
            "{length}: {error:?}"
        );
    }
    // An index without its entries: each page is valid.
    fs::write(&path, &whole).unwrap();
    let file = Connection::open(&path).unwrap();
    file.execute_batch(
        "PRAGMA writable_schema = ON;
         UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'grants_by_client')
         WHERE name = 'clients_by_owner'",
    )
    .unwrap();
    drop(file);
    assert!(matches!(refusal(&path), BackupError::Damaged { .. }));
}

/// Fails if the restoration changes a file of another application, or accepts an unknown schema.
#[tokio::test]
async fn a_file_that_is_no_backup_is_refused() {
    let (folder, store) = backed_up().await;
    let path = folder.path().join("other.db");
    fs::write(&path, "Dear diary, ".repeat(1000)).unwrap();
    assert!(matches!(
        refusal(&path),
        BackupError::Unsuitable(OpenError::Foreign { .. })
    ));
    fs::write(&path, "").unwrap();
    assert!(matches!(
        refusal(&path),
        BackupError::Unsuitable(OpenError::Foreign { .. })
    ));
    Connection::open(&path)
        .unwrap()
        .execute_batch("CREATE TABLE notes (text)")
        .unwrap();
    assert!(matches!(
        refusal(&path),
        BackupError::Unsuitable(OpenError::Foreign { .. })
    ));
    assert!(matches!(
        refusal(&folder.path().join("missing.db")),
        BackupError::Io { .. }
    ));
    // A database in use is incomplete without its log.
    assert!(matches!(
        refusal(&folder.path().join("lyceum.db")),
        BackupError::InUse { .. }
    ));
    drop(store);
    let schema = |statement| {
        fs::copy(folder.path().join("backup.db"), &path).unwrap();
        Connection::open(&path)
            .unwrap()
            .execute_batch(statement)
            .unwrap();
        refusal(&path)
    };
    assert!(matches!(
        schema("INSERT INTO schema_migrations (version, applied_by) VALUES (99, 'the future')"),
        BackupError::Unsuitable(OpenError::Newer { schema: 99, .. })
    ));
    assert!(matches!(
        schema("DELETE FROM schema_migrations WHERE version = 3"),
        BackupError::Damaged { .. }
    ));
}

/// Simulates a crash before a statement.
#[derive(Debug)]
struct Crash {
    statements_left: AtomicUsize,
}

#[async_trait]
impl TransactionHook for Crash {
    async fn before(&self, _: Phase) -> Result<(), StorageError> {
        let left = self.statements_left.load(Ordering::SeqCst);
        self.statements_left
            .store(left.saturating_sub(1), Ordering::SeqCst);
        match left {
            0 => Err(StorageError::corrupt("a crash")),
            _ => Ok(()),
        }
    }

    async fn after(&self, _: Phase) -> Result<(), StorageError> {
        Ok(())
    }
}
