//! What is left of a backup once it is restored.

use super::*;
use crate::crypto::{MasterKey, PasswordLinkToken, PasswordLinks};
use crate::domain::{CalendarFeed, CalendarFeedDigest, CalendarFeedId};
use crate::store::{CalendarFeedCreation, CalendarFeedStore};

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

/// Fails if a calendar feed that was revoked after the backup works again once its key is confirmed.
#[tokio::test]
async fn calendar_feeds_of_a_backup_are_gone() {
    let (folder, path) = database();
    let store = SqlStore::sqlite(&path).unwrap();
    let created = store.create_api_key(api_key(1)).await.unwrap();
    assert_eq!(created, Creation::Created);
    let feed = CalendarFeed {
        id: CalendarFeedId::from_random([1; 16]),
        key: api_key(1).id,
        digest: CalendarFeedDigest::from_bytes([1; 32]),
        hint: "feed".to_owned(),
        created_at: NOW,
        expires_at: api_key(1).expires_at,
    };
    let created = store.create_calendar_feed(feed.clone(), 1).await.unwrap();
    assert_eq!(created, CalendarFeedCreation::Created);
    store
        .backup_to(folder.path().join("backup.db"))
        .await
        .unwrap();
    assert!(store.revoke_calendar_feed(feed.key, feed.id).await.unwrap());
    drop(store);
    let restored = folder.path().join("restored.db");
    let report =
        SqlStore::restore_sqlite(folder.path().join("backup.db"), &restored, None, NOW).unwrap();
    assert_eq!(report.calendar_feeds, 1);
    let restored = SqlStore::sqlite(restored).unwrap();
    assert!(restored.confirm_api_key(feed.key).await.unwrap());
    assert!(
        restored
            .calendar_feed(&feed.digest)
            .await
            .unwrap()
            .is_none()
    );
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
    assert_eq!(confirmed.password_hash.without_mark(), "$hash 1");
    assert!(is_suspended(&store, 2).await);
    assert_eq!(store.confirm_all_accounts().await.unwrap(), 1);
    assert!(!is_suspended(&store, 2).await);
}

// Proves: threats 44
/// Fails if a confirmation of all accounts lets a student in who had left before the backup, or if
/// the account and an API key work again with the student as if they were confirmed.
#[tokio::test]
async fn a_leaver_of_a_backup_stays_one_when_all_accounts_are_confirmed() {
    let (folder, path) = database();
    let store = SqlStore::sqlite(&path).unwrap();
    let student = Account {
        role: Role::User,
        ..account(1)
    };
    let _ = store.create_account(student).await.unwrap();
    let key = ApiKey {
        owner: Some(account(1).id.into()),
        ..api_key(1)
    };
    let _ = store.create_api_key(key.clone()).await.unwrap();
    let _ = store.suspend_leaver(account(1).id, NOW).await.unwrap();
    let backup = folder.path().join("backup.db");
    store.backup_to(&backup).await.unwrap();
    drop(store);
    let store = restore(folder.path(), None);
    assert_eq!(store.confirm_all_accounts().await.unwrap(), 0);
    let hash = || async {
        let found = store.account(account(1).id).await.unwrap();
        found.unwrap().password_hash
    };
    assert_eq!(hash().await.left_at(), Some(NOW));
    let _ = store.resume_leaver(account(1).id).await.unwrap();
    assert!(hash().await.is_suspended() && hash().await.left_at().is_none());
    assert!(!works(&store, &key).await);
    assert_eq!(store.confirm_all_accounts().await.unwrap(), 1);
    assert_eq!(store.confirm_all_api_keys().await.unwrap(), 1);
    assert!(!hash().await.is_suspended() && works(&store, &key).await);
}

// Proves: threats 44
/// Fails if a one-time link that was used after the backup sets the password once more, also after
/// a second restoration of the same backup.
#[tokio::test]
async fn one_time_links_from_before_a_restoration_are_void() {
    let (folder, store) = backed_up().await;
    drop(store);
    let links = PasswordLinks::new(&MasterKey::from_bytes([7; 32]));
    let expires_at = RESTORED.plus(Duration::from_secs(24 * 60 * 60));
    let mut issued = vec![links.issue(&account(1), expires_at)];
    for second in [1, 2] {
        let at = RESTORED.plus(Duration::from_secs(second));
        let restored = folder.path().join(format!("restored-{second}.db"));
        let backup = folder.path().join("backup.db");
        SqlStore::restore_sqlite(backup, &restored, None, at).unwrap();
        let store = SqlStore::sqlite(restored).unwrap();
        for is_confirmed in [false, true] {
            if is_confirmed {
                assert!(store.confirm_account(account(1).id).await.unwrap());
            }
            let found = store.account(account(1).id).await.unwrap().unwrap();
            let works = |token: &String| {
                let token = PasswordLinkToken::parse(token).unwrap();
                links.matches(&token, &found, at)
            };
            assert_eq!(issued.iter().filter(|token| works(token)).count(), 0);
            let new = links.issue(&found, expires_at);
            assert!(works(&new), "a new one works");
            issued.push(new);
        }
    }
}

// Proves: threats 44
/// Fails if a backup is served as it is, read as if it were the lost database, or refused once it is
/// restored.
#[tokio::test]
async fn a_backup_is_restored_and_never_opened_as_a_database() {
    let (folder, store) = backed_up().await;
    drop(store);
    let backup = folder.path().join("backup.db");
    let before = fs::read(&backup).unwrap();
    let copy = folder.path().join("copy.db");
    fs::copy(&backup, &copy).unwrap();
    for opened in [
        SqlStore::sqlite(&copy),
        SqlStore::sqlite_builder(&copy).read_only().open(),
    ] {
        let error = opened.unwrap_err();
        assert!(matches!(error, OpenError::Restored { .. }), "{error}");
    }
    assert_eq!(fs::read(&copy).unwrap(), before);
    let restored = restore(folder.path(), None);
    restored
        .backup_to(folder.path().join("again.db"))
        .await
        .unwrap();
    drop(restored);
    drop(SqlStore::sqlite(folder.path().join("restored.db")).unwrap());
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
