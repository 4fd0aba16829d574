use std::task::{Context, Waker};
use std::time::Duration;

use super::{CODE, LIFETIMES, NOW, approved_grant, database, pending};
use crate::domain::{ApiKeyId, AuthorizationSession, ClientProof, Generation, SessionDigest};
use crate::store::retention::CLOCK_SKEW;
use crate::store::sql::SqlStore;
use crate::store::{ApiKeyStore, GrantStore, Redemption, Rotation};

#[tokio::test]
async fn two_stores_on_one_file_see_each_others_writes() {
    let (_folder, path) = database();
    let (one, other) = (
        SqlStore::sqlite(&path).unwrap(),
        SqlStore::sqlite(&path).unwrap(),
    );
    let grant = approved_grant(&one).await;
    assert!(other.code_binding(&CODE).await.unwrap().is_some());
    let redeemed = other
        .redeem_authorization_code(&CODE, ClientProof::Pkce, LIFETIMES, NOW)
        .await
        .unwrap();
    assert!(matches!(redeemed, Redemption::Redeemed(_)));
    assert!(one.grant_is_live(&grant, NOW).await.unwrap());
}

// Proves: threats 1
/// Fails if the statement that redeems a code does not check whether it was redeemed.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_redemptions_through_two_stores_one_wins() {
    for _ in 0..10 {
        let (_folder, path) = database();
        let stores = [
            SqlStore::sqlite(&path).unwrap(),
            SqlStore::sqlite(&path).unwrap(),
        ];
        approved_grant(&stores[0]).await;
        let attempts: Vec<_> = (0..64)
            .map(|number| {
                let store = stores[number % 2].clone();
                tokio::spawn(async move {
                    store
                        .redeem_authorization_code(&CODE, ClientProof::Pkce, LIFETIMES, NOW)
                        .await
                        .unwrap()
                })
            })
            .collect();
        let mut winners = 0;
        for attempt in attempts {
            match attempt.await.unwrap() {
                Redemption::Redeemed(_) => winners += 1,
                Redemption::AlreadyRedeemed { at, .. } => assert_eq!(at, NOW),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(winners, 1);
    }
}

// Proves: threats 4
/// Fails if the statement that rotates does not check the generation.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_rotations_through_two_stores_one_wins_and_the_others_repeat_it() {
    let (_folder, path) = database();
    let stores = [
        SqlStore::sqlite(&path).unwrap(),
        SqlStore::sqlite(&path).unwrap(),
    ];
    let grant = approved_grant(&stores[0]).await;
    let _ = stores[0]
        .redeem_authorization_code(&CODE, ClientProof::Pkce, LIFETIMES, NOW)
        .await
        .unwrap();
    let attempts: Vec<_> = (0..64)
        .map(|number| {
            let store = stores[number % 2].clone();
            tokio::spawn(async move {
                store
                    .rotate_refresh_token(&grant, Generation::FIRST, LIFETIMES, NOW)
                    .await
                    .unwrap()
            })
        })
        .collect();
    let mut winners = 0;
    for attempt in attempts {
        match attempt.await.unwrap() {
            Rotation::Rotated(_) => winners += 1,
            Rotation::Repeated(grant) => assert_eq!(grant.generation, Generation::new(1)),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(winners, 1);
}

// Proves: threats 42
/// Fails if nothing is swept.
#[tokio::test]
async fn opening_sessions_deletes_expired_ones() {
    let (_folder, path) = database();
    let store = SqlStore::sqlite(&path).unwrap();
    for number in 0..120_u8 {
        let now = if number < 100 {
            NOW
        } else {
            NOW.plus(Duration::from_secs(600) + CLOCK_SKEW)
        };
        let pending = AuthorizationSession {
            created_at: now,
            expires_at: now.plus(Duration::from_secs(600)),
            ..pending()
        };
        store
            .open_session(SessionDigest::from_bytes([number; 32]), pending)
            .await
            .unwrap();
    }
    let connection = rusqlite::Connection::open(&path).unwrap();
    let left: i64 = connection
        .query_row("SELECT count(*) FROM sessions", [], |row| row.get(0))
        .unwrap();
    assert_eq!(left, 20, "more rows are deleted than inserted");
}

/// Fails if `api_keys_version` changes only when the caller waited for the result: the change is
/// made in any case.
#[tokio::test]
async fn a_revocation_whose_caller_is_dropped_changes_the_version_of_keys() {
    let (_folder, path) = database();
    let store = SqlStore::sqlite(&path).unwrap();
    let before = store.api_keys_version();
    let mut revoking = Box::pin(store.revoke_api_key(ApiKeyId::from_random([1; 16]), NOW));
    let _ = revoking
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()));
    drop(revoking);
    assert_ne!(store.api_keys_version(), before);
}
