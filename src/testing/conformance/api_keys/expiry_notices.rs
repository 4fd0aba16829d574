//! Notices about API keys that are about to expire.

use std::time::Duration;

use super::super::fixtures::{api_key, at, count, renewal};
use super::super::store_under_test::{CONCURRENT_CALLERS, ExpectCreated, ExpectOk, StoreUnderTest};
use super::{found, renewed};
use crate::domain::Timestamp;

cases! { Storage, api_keys as __conformance_api_keys_expiry_notices:
    an_expiry_is_told_of_once_and_again_after_a_renewal
    of_many_claims_of_a_notice_one_tells
}

async fn an_expiry_is_told_of_once_and_again_after_a_renewal(store: &StoreUnderTest) {
    for number in [1, 2] {
        store.create_api_key(api_key(number)).await.expect_created();
    }
    let claim = async |number: u8, end: Timestamp| {
        store
            .claim_expiry_notice(api_key(number).id, end)
            .await
            .expect_ok()
    };
    let end = api_key(1).expires_at;
    assert!(
        !claim(1, end.plus(Duration::from_secs(1))).await,
        "the key has another expiry"
    );
    assert!(claim(1, end).await, "the notice is unclaimed");
    assert!(!claim(1, end).await, "a notice is claimed once");
    assert!(claim(2, end).await, "each key has its own notice");
    assert!(!claim(9, end).await, "an unknown key has no notice");
    let renewed = renewed(store, 1, renewal(3, Duration::ZERO), at(1)).await;
    assert!(!claim(1, end).await, "the key has a new expiry");
    assert!(
        claim(1, renewed.expires_at).await && !claim(1, renewed.expires_at).await,
        "the notice of the new expiry is claimed once"
    );
    assert_eq!(
        found(store, &api_key(3)).await,
        Some(renewed.clone()),
        "nothing else changes"
    );
    store.create_api_key(api_key(4)).await.expect_created();
    assert!(store.revoke_api_key(api_key(4).id, at(2)).await.expect_ok());
    assert!(!claim(4, end).await, "a revoked key has no notice");
}

async fn of_many_claims_of_a_notice_one_tells(store: &StoreUnderTest) {
    store.create_api_key(api_key(1)).await.expect_created();
    let end = api_key(1).expires_at;
    let answers = store.race(async |store, _| {
        store
            .claim_expiry_notice(api_key(1).id, end)
            .await
            .expect_ok()
    });
    assert_eq!(
        count(&answers, |tells| *tells),
        1,
        "of {CONCURRENT_CALLERS} claims exactly one succeeds"
    );
}
