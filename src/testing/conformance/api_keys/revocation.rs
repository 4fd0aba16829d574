//! Revocation of API keys.

use super::super::fixtures::{NOW, api_key, at, owner};
use super::super::store_under_test::{ExpectCreated, ExpectOk, StoreUnderTest};
use super::{found, owned, page};
use crate::domain::{ApiKey, ApiKeyId};
use crate::store::ApiKeyAction;

cases! { Storage, api_keys as __conformance_api_keys_revocation:
    a_revoked_key_keeps_the_time_of_its_first_revocation
    an_unknown_key_cannot_be_revoked
    of_many_revocations_one_sets_the_time
    all_keys_of_an_owner_are_revoked_at_once
    a_sign_out_everywhere_revokes_the_keys_unless_they_are_kept
}

async fn a_revoked_key_keeps_the_time_of_its_first_revocation(store: &StoreUnderTest) {
    let key = api_key(1);
    store.create_api_key(key.clone()).await.expect_created();
    store.create_api_key(api_key(2)).await.expect_created();
    assert!(
        store.revoke_api_key(key.id, at(5)).await.expect_ok(),
        "the key exists"
    );
    assert!(
        store.revoke_api_key(key.id, at(9)).await.expect_ok(),
        "the key still exists"
    );
    assert_eq!(
        found(store, &key).await.and_then(|key| key.revoked_at),
        Some(at(5)),
        "the time of the first revocation stays"
    );
    assert_eq!(
        found(store, &api_key(2)).await,
        Some(api_key(2)),
        "no other key is revoked"
    );
}

async fn an_unknown_key_cannot_be_revoked(store: &StoreUnderTest) {
    assert!(
        !store
            .revoke_api_key(ApiKeyId::from_random([9; 16]), at(0))
            .await
            .expect_ok()
    );
}

async fn of_many_revocations_one_sets_the_time(store: &StoreUnderTest) {
    store.create_api_key(api_key(1)).await.expect_created();
    let times = store.race(async |store, caller| {
        assert!(
            store
                .revoke_api_key(api_key(1).id, at(i64::try_from(caller).unwrap_or_default()))
                .await
                .expect_ok(),
            "the key exists"
        );
        store
            .api_key(&api_key(1).digest)
            .await
            .expect_ok()
            .and_then(|key| key.revoked_at)
    });
    let kept = found(store, &api_key(1))
        .await
        .and_then(|key| key.revoked_at);
    assert!(
        kept.is_some() && times.iter().all(|time| *time == kept),
        "every caller sees the time of the first revocation after its own"
    );
}

async fn all_keys_of_an_owner_are_revoked_at_once(store: &StoreUnderTest) {
    let expired = ApiKey {
        expires_at: at(-1),
        ..owned(2)
    };
    let revoked = ApiKey {
        revoked_at: Some(NOW),
        ..owned(3)
    };
    let strangers = ApiKey {
        owner: "stranger".parse().ok(),
        ..api_key(4)
    };
    for kept in [&owned(1), &expired, &revoked, &strangers, &api_key(5)] {
        store.create_api_key(kept.clone()).await.expect_created();
    }
    assert_eq!(
        store.revoke_api_keys_of(&owner(), at(1)).await.expect_ok(),
        2,
        "those that were not revoked before"
    );
    for (key, revoked_at) in [
        (owned(1), Some(at(1))),
        (expired, Some(at(1))),
        (revoked.clone(), Some(NOW)),
        (strangers, None),
        (api_key(5), None),
    ] {
        assert_eq!(
            found(store, &key).await,
            Some(ApiKey { revoked_at, ..key }),
            "the first revocation stays, and other owners' keys stay valid"
        );
    }
    assert_eq!(
        store.revoke_api_keys_of(&owner(), at(2)).await.expect_ok(),
        0
    );
    assert_eq!(
        store
            .api_keys(Some(&owner()), page(0, 1))
            .await
            .expect_ok()
            .total,
        0
    );
}

async fn a_sign_out_everywhere_revokes_the_keys_unless_they_are_kept(store: &StoreUnderTest) {
    let strangers = ApiKey {
        owner: "stranger".parse().ok(),
        ..api_key(2)
    };
    for kept in [owned(1), strangers.clone()] {
        store.create_api_key(kept).await.expect_created();
    }
    assert_eq!(
        store
            .sign_out_everywhere(&owner(), ApiKeyAction::Keep, at(1))
            .await
            .expect_ok(),
        0
    );
    assert_eq!(
        found(store, &owned(1)).await,
        Some(owned(1)),
        "a key to keep stays valid"
    );
    assert_eq!(
        store
            .sign_out_everywhere(&owner(), ApiKeyAction::Revoke, at(2))
            .await
            .expect_ok(),
        0,
        "keys are not counted"
    );
    assert_eq!(
        found(store, &owned(1)).await,
        Some(ApiKey {
            revoked_at: Some(at(2)),
            ..owned(1)
        }),
        "the user's keys are revoked"
    );
    assert_eq!(
        found(store, &strangers).await,
        Some(strangers),
        "other owners' keys are not"
    );
}
