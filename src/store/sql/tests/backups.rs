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
        password_hash: PasswordHash::from_phc(format!("hash {number}")),
        role: Role::Admin,
        created_at: NOW,
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
        }],
        redirect_uris: Vec::new(),
        allowed_scopes: ScopeSet::default(),
        plain_pkce_allowed: false,
        pkce_required: false,
        first_party: false,
        client_credentials_allowed: machine,
        iss_omitted: false,
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

// Proves: threats 44
/// Fails if the restored database has its name before its sessions and keys have ended.
#[tokio::test]
async fn a_restoration_that_stops_in_between_leaves_no_database() {
    let (folder, store) = backed_up().await;
    drop(store);
    let (backup, restored) = (
        folder.path().join("backup.db"),
        folder.path().join("restored.db"),
    );
    let mut crashes = 0;
    loop {
        let hook = OptionalHook::new(Arc::new(Crash {
            statements_left: AtomicUsize::new(crashes),
        }));
        let outcome = sqlite::restore(&backup, &restored, None, RESTORED, &hook);
        if outcome.is_ok() {
            break;
        }
        assert_eq!(names(folder.path()), ["backup.db", "lyceum.db"]);
        crashes += 1;
    }
    assert!(crashes > 10, "the statements were not interrupted");
    let restored = SqlStore::sqlite(restored).unwrap();
    assert!(!works(&restored, &api_key(1)).await);
}

// Proves: threats 44
/// Fails if a code, a refresh token or a session of the backup is of use, or a consent that may have
/// been withdrawn.
#[tokio::test]
async fn sessions_codes_grants_and_consents_of_a_backup_have_ended() {
    let (folder, path) = database();
    let store = SqlStore::sqlite(&path).unwrap();
    let grant = approved_grant(&store).await;
    let session = SessionDigest::from_bytes([9; 32]);
    store.open_session(session, pending()).await.unwrap();
    store
        .backup_to(folder.path().join("backup.db"))
        .await
        .unwrap();
    let redeemed = store
        .redeem_authorization_code(&CODE, ClientProof::Pkce, LIFETIMES, NOW)
        .await
        .unwrap();
    assert!(matches!(redeemed, Redemption::Redeemed(_)));
    store
        .backup_to(folder.path().join("redeemed.db"))
        .await
        .unwrap();
    drop(store);

    let unredeemed = folder.path().join("restored.db");
    let report =
        SqlStore::restore_sqlite(folder.path().join("backup.db"), &unredeemed, None, NOW).unwrap();
    assert_eq!((report.authorization_sessions, report.grants), (1, 1));
    let unredeemed = SqlStore::sqlite(unredeemed).unwrap();
    assert!(unredeemed.session(&session, NOW).await.unwrap().is_none());
    assert_eq!(
        unredeemed
            .redeem_authorization_code(&CODE, ClientProof::Pkce, LIFETIMES, NOW)
            .await
            .unwrap(),
        Redemption::Revoked
    );
    let rotated = folder.path().join("rotated.db");
    let report =
        SqlStore::restore_sqlite(folder.path().join("redeemed.db"), &rotated, None, NOW).unwrap();
    assert_eq!(report.grants, 1);
    let rotated = SqlStore::sqlite(rotated).unwrap();
    assert_eq!(
        rotated
            .rotate_refresh_token(&grant, Generation::FIRST, LIFETIMES, NOW)
            .await
            .unwrap(),
        Rotation::Revoked
    );
    assert!(
        rotated
            .consents_of(&SubjectId::service())
            .await
            .unwrap()
            .is_empty()
    );
}

// Proves: threats 44
/// Fails if a key that was revoked after the backup works again, or if a confirmed one does not.
#[tokio::test]
async fn api_keys_of_a_backup_are_suspended_until_each_is_confirmed_or_renewed() {
    let (folder, store) = backed_up().await;
    assert!(store.revoke_api_key(api_key(1).id, RESTORED).await.unwrap());
    drop(store);
    let store = restore(folder.path(), None);
    for number in [1, 2] {
        assert!(!works(&store, &api_key(number)).await, "key {number}");
    }
    let suspended = store.suspended_api_keys().await.unwrap();
    assert_eq!(
        suspended.iter().map(|key| key.id).collect::<Vec<_>>(),
        [api_key(1).id, api_key(2).id]
    );
    let version = store.api_keys_version();
    assert!(store.confirm_api_key(api_key(2).id).await.unwrap());
    assert_ne!(
        store.api_keys_version(),
        version,
        "caches read the key again"
    );
    assert!(!store.confirm_api_key(api_key(2).id).await.unwrap());
    let found = store.api_key_by_id(api_key(2).id).await.unwrap().unwrap();
    assert_eq!(*found, api_key(2), "it is as it was");
    assert!(!works(&store, &api_key(1)).await);

    let renewal = ApiKeyRenewal {
        digest: digest(3),
        hint: "renewed".to_owned(),
        overlap: Duration::from_secs(24 * 60 * 60),
    };
    let renewed = store
        .renew_api_key(api_key(1).id, renewal, RESTORED)
        .await
        .unwrap();
    assert!(matches!(renewed, Renewal::Renewed(_)), "{renewed:?}");
    let found = store.api_key_by_id(api_key(1).id).await.unwrap().unwrap();
    assert_eq!(
        [1, 3].map(|number| found.is_valid(&digest(number), RESTORED)),
        [false, true],
        "only the new value works"
    );
    assert_eq!(store.confirm_all_api_keys().await.unwrap(), 0);
}

/// Fails if the end of a replaced value is lost by a suspension, or if that value works during one.
#[tokio::test]
async fn every_value_of_a_key_is_suspended_and_confirmed() {
    let (folder, path) = database();
    let store = SqlStore::sqlite(&path).unwrap();
    assert_eq!(
        store.create_api_key(api_key(1)).await.unwrap(),
        Creation::Created
    );
    let renewal = ApiKeyRenewal {
        digest: digest(2),
        hint: "renewed".to_owned(),
        overlap: Duration::from_secs(7 * 24 * 60 * 60),
    };
    let Renewal::Renewed(before) = store
        .renew_api_key(api_key(1).id, renewal, NOW)
        .await
        .unwrap()
    else {
        panic!("it is renewed");
    };
    store
        .backup_to(folder.path().join("backup.db"))
        .await
        .unwrap();
    let store = restore(folder.path(), None);
    let key = async || store.api_key_by_id(api_key(1).id).await.unwrap().unwrap();
    let suspended = key().await;
    for number in [1, 2] {
        assert!(!suspended.is_valid(&digest(number), RESTORED), "{number}");
    }
    assert_eq!(store.confirm_all_api_keys().await.unwrap(), 1);
    assert_eq!(*key().await, *before);
}

// Proves: threats 44
/// Fails if a former password opens an account after a restoration, or a confirmed one stays shut.
#[tokio::test]
async fn accounts_of_a_backup_are_suspended_until_they_are_confirmed() {
    let (folder, store) = backed_up().await;
    drop(store);
    let store = restore(folder.path(), None);
    assert!(is_suspended(&store, 1).await && is_suspended(&store, 2).await);
    assert!(store.confirm_account(account(1).id).await.unwrap());
    assert!(!store.confirm_account(account(1).id).await.unwrap());
    let confirmed = store.account(account(1).id).await.unwrap().unwrap();
    assert_eq!(confirmed.password_hash.as_phc(), "hash 1");
    assert!(is_suspended(&store, 2).await);
    assert_eq!(store.confirm_all_accounts().await.unwrap(), 1);
    assert!(!is_suspended(&store, 2).await);
}

// Proves: threats 44
/// Fails if a secret that was removed after the backup obtains tokens by itself.
#[tokio::test]
async fn clients_that_need_no_user_are_suspended_until_they_are_confirmed() {
    let (folder, store) = backed_up().await;
    drop(store);
    let store = restore(folder.path(), None);
    let found = async |number| {
        let id = client(number, false).id;
        store.client(id).await.unwrap().unwrap()
    };
    assert!(found(1).await.is_suspended() && !found(2).await.is_suspended());
    assert!(store.confirm_client(found(1).await.id).await.unwrap());
    assert_eq!(*found(1).await, client(1, true));
    assert!(!store.confirm_client(found(1).await.id).await.unwrap());
}

/// Fails if what the lost database shows to be unchanged is suspended, or what it shows to be
/// changed is not.
#[tokio::test]
async fn with_the_lost_database_only_what_changed_since_the_backup_is_suspended() {
    let (folder, store) = backed_up().await;
    assert!(store.revoke_api_key(api_key(1).id, RESTORED).await.unwrap());
    let _ = store.set_role(account(1).id, Role::User).await.unwrap();
    let lost = store.credentials().await.unwrap();
    drop(store);
    let store = restore(folder.path(), Some(lost));
    assert_eq!(
        [
            works(&store, &api_key(1)).await,
            works(&store, &api_key(2)).await,
            is_suspended(&store, 1).await,
            is_suspended(&store, 2).await,
        ],
        [false, true, true, false]
    );
    let found = store.client(client(1, true).id).await.unwrap().unwrap();
    assert!(!found.is_suspended());
}

/// Fails if the report differs from the changes, or does not say them.
#[tokio::test]
async fn a_restoration_reports_what_it_ended_and_suspended() {
    let (folder, store) = backed_up().await;
    drop(store);
    let restored = folder.path().join("restored.db");
    let report =
        SqlStore::restore_sqlite(folder.path().join("backup.db"), &restored, None, RESTORED)
            .unwrap();
    assert_eq!(
        (
            report.suspended_accounts.len(),
            report.suspended_api_keys.len(),
            report.suspended_clients.as_slice()
        ),
        (2, 2, [client(1, true).id].as_slice())
    );
    assert!(
        report
            .to_string()
            .contains("suspended until confirmed: 2 accounts, 2 API keys, 1 clients"),
        "{report}"
    );
    let again = SqlStore::sqlite(restored)
        .unwrap()
        .after_restore(None, RESTORED)
        .await
        .unwrap();
    assert!(
        again.suspended_accounts.is_empty()
            && again.suspended_api_keys.is_empty()
            && again.suspended_clients.is_empty(),
        "{again}"
    );
}
