//! Limit on the API keys of one owner.

use std::time::Duration;

use super::super::fixtures::{api_key, at, count, owner, renewal};
use super::super::store_under_test::{CONCURRENT_CALLERS, ExpectCreated, ExpectOk, StoreUnderTest};
use super::{DAY, found, issue, owned, page, renewed};
use crate::domain::ApiKey;
use crate::store::LimitedCreation;

cases! { Storage, api_keys as __conformance_api_keys_limits:
    an_owner_gets_no_more_keys_than_one_may_have
    of_many_keys_issued_at_once_an_owner_gets_as_many_as_one_may_have
    a_key_issued_beside_revocations_never_makes_one_too_many
}

async fn an_owner_gets_no_more_keys_than_one_may_have(store: &StoreUnderTest) {
    let expired = ApiKey {
        expires_at: at(-1),
        ..owned(1)
    };
    let other_owners_key = ApiKey {
        owner: "stranger".parse().ok(),
        ..api_key(101)
    };
    for other in [
        other_owners_key.clone(),
        api_key(102),
        ApiKey {
            revoked_at: Some(at(-DAY)),
            ..owned(103)
        },
    ] {
        store.create_api_key(other).await.expect_created();
    }
    assert_eq!(
        issue(store, expired, 2).await,
        LimitedCreation::Created,
        "neither other owners' keys nor keys revoked a day ago count"
    );
    assert_eq!(issue(store, owned(2), 2).await, LimitedCreation::Created);
    assert_eq!(
        issue(store, owned(3), 2).await,
        LimitedCreation::LimitReached,
        "an expired key counts, because it can be renewed"
    );
    assert_eq!(
        found(store, &owned(3)).await,
        None,
        "a refused key is not stored"
    );
    let _ = renewed(store, 1, renewal(4, Duration::ZERO), at(1)).await;
    assert_eq!(
        issue(store, owned(3), 2).await,
        LimitedCreation::LimitReached,
        "a renewed key is one key"
    );
    assert!(
        store
            .revoke_api_key(owned(1).id, at(1 - DAY))
            .await
            .expect_ok()
    );
    assert_eq!(
        issue(store, owned(3), 2).await,
        LimitedCreation::LimitReached,
        "a key revoked less than a day ago counts"
    );
    let later = ApiKey {
        created_at: at(1),
        ..owned(3)
    };
    assert_eq!(
        issue(
            store,
            ApiKey {
                created_at: at(1),
                ..owned(2)
            },
            2
        )
        .await,
        LimitedCreation::AlreadyExists
    );
    assert_eq!(
        issue(store, later.clone(), 2).await,
        LimitedCreation::Created,
        "a key revoked a day ago no longer counts"
    );
    assert_eq!(found(store, &owned(3)).await, Some(later));
    assert_eq!(
        issue(
            store,
            ApiKey {
                id: api_key(5).id,
                ..other_owners_key
            },
            2
        )
        .await,
        LimitedCreation::AlreadyExists,
        "a digest belongs to one key"
    );
    for number in [6, 7] {
        assert_eq!(
            issue(store, api_key(number), 1).await,
            LimitedCreation::Created,
            "keys without an owner are not limited"
        );
    }
    assert_eq!(
        issue(store, owned(8), 0).await,
        LimitedCreation::LimitReached
    );
}

async fn of_many_keys_issued_at_once_an_owner_gets_as_many_as_one_may_have(store: &StoreUnderTest) {
    let answers = store.race(async |store, caller| {
        store
            .issue_api_key(owned(u8::try_from(caller).unwrap_or_default()), 5)
            .await
            .expect_ok()
    });
    assert_eq!(
        count(&answers, |answer| *answer == LimitedCreation::Created),
        5,
        "of {CONCURRENT_CALLERS} keys exactly 5 are issued"
    );
    assert_eq!(
        count(&answers, |answer| *answer == LimitedCreation::LimitReached),
        CONCURRENT_CALLERS - 5,
        "the other calls report the limit"
    );
    assert_eq!(
        store
            .api_keys(Some(&owner()), page(0, 1))
            .await
            .expect_ok()
            .total,
        5
    );
}

async fn a_key_issued_beside_revocations_never_makes_one_too_many(store: &StoreUnderTest) {
    for number in [201, 202] {
        assert_eq!(
            issue(store, owned(number), 2).await,
            LimitedCreation::Created
        );
    }
    let answers = store.race(async |store, caller| {
        if caller == CONCURRENT_CALLERS / 2 {
            assert!(
                store
                    .revoke_api_key(owned(201).id, at(-DAY))
                    .await
                    .expect_ok()
            );
            return LimitedCreation::AlreadyExists;
        }
        store
            .issue_api_key(owned(u8::try_from(caller).unwrap_or_default()), 2)
            .await
            .expect_ok()
    });
    let issued = count(&answers, |answer| *answer == LimitedCreation::Created);
    assert!(issued <= 1, "one revocation allowed {issued} keys");
    let left = store
        .api_keys(Some(&owner()), page(0, 1))
        .await
        .expect_ok()
        .total;
    assert_eq!(
        left,
        1 + issued as u64,
        "the listed keys are those issued and not revoked"
    );
}
