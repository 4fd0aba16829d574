//! Deletion of API keys that have ended.

use std::time::Duration;

use super::super::fixtures::{NOW, api_key, at, renewal};
use super::super::retention::assert_batch;
use super::super::store_under_test::{ExpectCreated, ExpectOk, StoreUnderTest};
use crate::domain::{ApiKey, Timestamp};
use crate::store::retention::API_KEY_RETENTION;
use crate::store::{Creation, Renewal};

cases! { Storage, api_keys as __conformance_api_keys_retention:
    dead_api_keys_go_in_small_batches_when_new_ones_come
    a_dead_api_key_is_kept_for_ninety_days_to_the_second
    a_key_that_is_refused_sweeps_nothing
    a_renewed_key_is_swept_by_its_new_end
}

async fn dead_api_keys_go_in_small_batches_when_new_ones_come(store: &StoreUnderTest) {
    for number in 0..30 {
        create_key(store, number, NOW).await;
    }
    let now = NOW.plus(ApiKey::VALIDITY).plus(API_KEY_RETENTION);
    let mut left = 30;
    for number in 100..130 {
        create_key(store, number, now).await;
        let before = std::mem::replace(&mut left, count_keys(store, 0..30).await);
        assert_batch(before, left);
    }
    assert_eq!(left, 0, "expired keys are deleted in the end");
    assert_eq!(
        count_keys(store, 100..130).await,
        30,
        "the new ones are all stored"
    );
}

async fn a_dead_api_key_is_kept_for_ninety_days_to_the_second(store: &StoreUnderTest) {
    create_key(store, 1, NOW).await;
    create_key(store, 2, NOW).await;
    assert!(store.revoke_api_key(api_key(2).id, at(5)).await.expect_ok());
    for (number, end) in [(2, at(5)), (1, NOW.plus(ApiKey::VALIDITY))] {
        let gone = end.plus(API_KEY_RETENTION);
        create_key(store, 100 + number, gone.minus(Duration::from_secs(1))).await;
        assert_eq!(
            count_keys(store, 1..3).await,
            usize::from(number),
            "key {number} is stored until then"
        );
        create_key(store, 200 + number, gone).await;
        assert_eq!(
            count_keys(store, 1..3).await,
            usize::from(number) - 1,
            "only key {number} is deleted"
        );
    }
}

async fn a_key_that_is_refused_sweeps_nothing(store: &StoreUnderTest) {
    create_key(store, 1, NOW).await;
    let later = NOW.plus(ApiKey::VALIDITY).plus(API_KEY_RETENTION);
    let taken = ApiKey {
        digest: api_key(2).digest,
        created_at: later,
        ..api_key(1)
    };
    assert_eq!(
        store.create_api_key(taken).await.expect_ok(),
        Creation::AlreadyExists
    );
    assert_eq!(
        count_keys(store, 1..2).await,
        1,
        "a refused key changes nothing"
    );
}

async fn a_renewed_key_is_swept_by_its_new_end(store: &StoreUnderTest) {
    create_key(store, 1, NOW).await;
    let (renewal, at) = (
        renewal(2, Duration::ZERO),
        NOW.plus(ApiKey::VALIDITY).plus(Duration::from_secs(5)),
    );
    let renewing = store
        .renew_api_key(api_key(1).id, renewal, at)
        .await
        .expect_ok();
    assert!(
        matches!(renewing, Renewal::Renewed(_)),
        "an expired key can be renewed, not {renewing:?}"
    );
    let gone = at.plus(ApiKey::VALIDITY).plus(API_KEY_RETENTION);
    create_key(store, 100, gone.minus(Duration::from_secs(1))).await;
    assert_eq!(
        count_keys(store, 1..3).await,
        2,
        "it is stored as long as a new one"
    );
    create_key(store, 101, gone).await;
    assert_eq!(
        count_keys(store, 1..3).await,
        0,
        "and is deleted with both its values"
    );
}

async fn create_key(store: &StoreUnderTest, number: u8, now: Timestamp) {
    let key = ApiKey {
        created_at: now,
        expires_at: now.plus(ApiKey::VALIDITY),
        ..api_key(number)
    };
    store.create_api_key(key).await.expect_created();
}

async fn count_keys(store: &StoreUnderTest, numbers: std::ops::Range<u8>) -> usize {
    let mut kept = 0;
    for number in numbers {
        kept += usize::from(
            store
                .api_key(&api_key(number).digest)
                .await
                .expect_ok()
                .is_some(),
        );
    }
    kept
}
