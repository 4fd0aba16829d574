//! Renewal of API keys.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use super::super::fixtures::{api_key, at, count, owner, renewal};
use super::super::store_under_test::{CONCURRENT_CALLERS, ExpectCreated, ExpectOk, StoreUnderTest};
use super::{found, owned, page, renewed};
use crate::domain::{ApiKey, ApiScope, PersonalField, Quota};
use crate::store::{Creation, Renewal};

cases! { Storage, api_keys as __conformance_api_keys_renewal:
    a_renewed_key_is_found_by_each_of_its_values
    a_second_renewal_keeps_the_value_in_production_alive
    no_more_values_of_a_key_work_at_once_than_one_key_may_have
    a_renewed_key_keeps_all_but_its_value
    a_value_that_is_taken_renews_nothing
    a_revoked_key_is_not_renewed
    an_expired_key_can_be_renewed
    of_many_renewals_each_is_whole
    of_many_renewals_with_an_overlap_no_live_value_is_lost
    of_many_keys_renewed_to_one_value_one_has_it
    a_renewal_beside_a_revocation_brings_nothing_back
}

// Proves: spec 2.12
async fn a_renewed_key_is_found_by_each_of_its_values(store: &StoreUnderTest) {
    let key = ApiKey {
        created_at: at(-9),
        expires_at: at(100),
        ..api_key(1)
    };
    store.create_api_key(key.clone()).await.expect_created();
    store.create_api_key(api_key(9)).await.expect_created();
    for (number, overlap, ends) in [(2, 50, at(60)), (3, 9_999, at(20 + 9_999))] {
        let before = store
            .api_key_by_id(key.id)
            .await
            .expect_ok()
            .expect("the key exists");
        let now = at(10 * i64::from(number - 1));
        let renewed = renewed(store, 1, renewal(number, Duration::from_secs(overlap)), now).await;
        assert_eq!(
            renewed.expires_at,
            now.plus(ApiKey::VALIDITY),
            "it expires when a new key would"
        );
        assert_eq!(
            found(store, &api_key(number)).await.as_ref(),
            Some(&renewed)
        );
        assert_eq!(
            found(store, &before).await.as_ref(),
            Some(&renewed),
            "the previous value is still known"
        );
        assert_eq!(renewed.expiry_of(&before.digest), Some(ends));
    }
    assert_eq!(
        found(store, &key)
            .await
            .and_then(|found| found.expiry_of(&key.digest)),
        Some(at(60)),
        "the first value keeps its end"
    );
    let last = renewed(store, 1, renewal(4, Duration::ZERO), at(60)).await;
    assert_eq!(
        found(store, &api_key(3)).await,
        Some(last),
        "the replaced value is still known after its end"
    );
    assert_eq!(
        found(store, &key).await,
        None,
        "a renewal removes expired values"
    );
    assert_eq!(
        found(store, &api_key(9)).await,
        Some(api_key(9)),
        "no other key is renewed"
    );
}

async fn a_second_renewal_keeps_the_value_in_production_alive(store: &StoreUnderTest) {
    let owned = owned(1);
    store.create_api_key(owned.clone()).await.expect_created();
    let first = renewed(store, 1, renewal(2, Duration::from_secs(100)), at(1)).await;
    let second = renewed(store, 1, renewal(3, Duration::from_secs(50)), at(2)).await;
    assert_eq!(second.hint, api_key(3).hint);
    let hints: Vec<_> = second
        .live_previous(at(2))
        .map(|value| value.hint.clone())
        .collect();
    assert_eq!(
        hints,
        [Some(owned.hint), Some(first.hint)],
        "in the order in which they were replaced"
    );
    for (number, end) in [(1, at(101)), (2, at(52)), (3, at(2).plus(ApiKey::VALIDITY))] {
        let key = found(store, &api_key(number)).await;
        assert_eq!(
            key.as_ref(),
            Some(&second),
            "value {number} belongs to the key, under one limit"
        );
        assert_eq!(
            second.expiry_of(&api_key(number).digest),
            Some(end),
            "value {number} has its own end"
        );
    }
    assert_eq!(
        store.api_key_by_id(owned.id).await.expect_ok().as_deref(),
        Some(&second)
    );
    let listed = store.api_keys(Some(&owner()), page(0, 9)).await.expect_ok();
    assert_eq!(
        (listed.total, listed.items),
        (1, vec![Arc::new(second.clone())]),
        "it is one key"
    );
    assert!(store.revoke_api_key(owned.id, at(3)).await.expect_ok());
    for number in [1, 2, 3] {
        let key = found(store, &api_key(number))
            .await
            .expect("the key exists");
        assert!(
            !key.is_valid(&api_key(number).digest, at(3)),
            "one revocation ends value {number}"
        );
    }
}

async fn no_more_values_of_a_key_work_at_once_than_one_key_may_have(store: &StoreUnderTest) {
    store.create_api_key(api_key(1)).await.expect_created();
    let (most, long) = (
        u8::try_from(ApiKey::MAX_LIVE_VALUES).unwrap_or(u8::MAX),
        Duration::from_secs(100),
    );
    for number in 2..=most {
        let _ = renewed(store, 1, renewal(number, long), at(1)).await;
    }
    let full = found(store, &api_key(most)).await;
    let answer = store
        .renew_api_key(api_key(1).id, renewal(most + 1, long), at(2))
        .await
        .expect_ok();
    assert_eq!(answer, Renewal::TooManyValues);
    assert_eq!(
        found(store, &api_key(most)).await,
        full,
        "a refused renewal changes nothing"
    );
    assert_eq!(
        found(store, &api_key(most + 1)).await,
        None,
        "and its value is not stored"
    );
    let at_once = renewed(store, 1, renewal(most + 1, Duration::ZERO), at(3)).await;
    assert_eq!(
        at_once.live_previous(at(3)).count() + 1,
        ApiKey::MAX_LIVE_VALUES,
        "a renewal without overlap replaces one value"
    );
    let later = renewed(store, 1, renewal(most + 2, long), at(101)).await;
    assert_eq!(
        later.live_previous(at(101)).count(),
        1,
        "expired values do not count"
    );
    assert_eq!(found(store, &api_key(1)).await, None);
}

// Proves: spec 2.12
async fn a_renewed_key_keeps_all_but_its_value(store: &StoreUnderTest) {
    let kept = ApiKey {
        owner: Some(owner()),
        scopes: [ApiScope::NEIS_READ].into_iter().collect(),
        hidden: [PersonalField::Sex].into_iter().collect(),
        quota: Quota::new(5, Duration::from_secs(60), 1).ok(),
        last_used_at: Some(at(3)),
        ..api_key(1)
    };
    store.create_api_key(kept.clone()).await.expect_created();
    let renewed = renewed(store, 1, renewal(2, Duration::ZERO), at(5)).await;
    assert_eq!(
        Some(&renewed),
        kept.renewed(renewal(2, Duration::ZERO), at(5)).as_ref()
    );
    assert_eq!(found(store, &api_key(2)).await, Some(renewed));
}

async fn a_value_that_is_taken_renews_nothing(store: &StoreUnderTest) {
    for number in [1, 2] {
        store.create_api_key(api_key(number)).await.expect_created();
    }
    let _ = renewed(store, 1, renewal(3, Duration::from_secs(9)), at(1)).await;
    let before = renewed(store, 1, renewal(6, Duration::from_secs(9)), at(2)).await;
    // Its own three values, and that of another key.
    for number in [1, 2, 3, 6] {
        let answer = store
            .renew_api_key(api_key(1).id, renewal(number, Duration::ZERO), at(2))
            .await
            .expect_ok();
        assert_eq!(answer, Renewal::AlreadyExists, "value {number}");
    }
    assert_eq!(
        found(store, &api_key(3)).await,
        Some(before),
        "a refused renewal changes nothing"
    );
    for number in [1, 3, 6] {
        let taken = ApiKey {
            id: api_key(4).id,
            ..api_key(number)
        };
        assert_eq!(
            store.create_api_key(taken).await.expect_ok(),
            Creation::AlreadyExists,
            "no other key gets value {number} of a renewed key"
        );
    }
    let unknown = store
        .renew_api_key(api_key(9).id, renewal(5, Duration::ZERO), at(2))
        .await
        .expect_ok();
    assert_eq!(unknown, Renewal::NotFound);
    assert_eq!(found(store, &api_key(5)).await, None);
}

async fn a_revoked_key_is_not_renewed(store: &StoreUnderTest) {
    store.create_api_key(api_key(1)).await.expect_created();
    assert!(store.revoke_api_key(api_key(1).id, at(1)).await.expect_ok());
    let answer = store
        .renew_api_key(api_key(1).id, renewal(2, Duration::ZERO), at(2))
        .await
        .expect_ok();
    assert_eq!(answer, Renewal::Revoked, "a revoked key stays revoked");
    assert_eq!(found(store, &api_key(2)).await, None);
}

async fn an_expired_key_can_be_renewed(store: &StoreUnderTest) {
    store.create_api_key(api_key(1)).await.expect_created();
    let later = api_key(1).expires_at.plus(Duration::from_secs(1));
    let renewed = renewed(store, 1, renewal(2, Duration::from_secs(60)), later).await;
    assert!(
        renewed.is_valid(&api_key(2).digest, later) && !renewed.is_valid(&api_key(1).digest, later),
        "only its new value works"
    );
}

async fn of_many_renewals_each_is_whole(store: &StoreUnderTest) {
    store.create_api_key(api_key(200)).await.expect_created();
    let answers = store.race(async |store, caller| {
        let renewal = renewal(u8::try_from(caller).unwrap_or_default(), Duration::ZERO);
        store
            .renew_api_key(api_key(200).id, renewal, at(1))
            .await
            .expect_ok()
    });
    let renewed = |answer: &Renewal| {
        if let Renewal::Renewed(key) = answer {
            Some(key.clone())
        } else {
            None
        }
    };
    let keys: Vec<Arc<ApiKey>> = answers.iter().filter_map(renewed).collect();
    assert_eq!(keys.len(), CONCURRENT_CALLERS, "every renewal succeeds");
    let replaced: BTreeSet<_> = keys
        .iter()
        .filter_map(|key| key.previous.last())
        .map(|replaced| replaced.digest)
        .collect();
    assert_eq!(
        replaced.len(),
        CONCURRENT_CALLERS,
        "two renewals replaced one value"
    );
    let last = keys
        .iter()
        .find(|key| !replaced.contains(&key.digest))
        .expect("one value was not replaced");
    assert_eq!(
        found(store, last).await.as_ref(),
        Some(&**last),
        "the last renewal is the stored one"
    );
}

async fn of_many_renewals_with_an_overlap_no_live_value_is_lost(store: &StoreUnderTest) {
    store.create_api_key(api_key(200)).await.expect_created();
    let answers = store.race(async |store, caller| {
        let number = u8::try_from(caller).unwrap_or_default();
        (
            number,
            store
                .renew_api_key(
                    api_key(200).id,
                    renewal(number, Duration::from_secs(60)),
                    at(1),
                )
                .await
                .expect_ok(),
        )
    });
    let renewed: Vec<u8> = answers
        .iter()
        .filter(|(_, answer)| matches!(answer, Renewal::Renewed(_)))
        .map(|(number, _)| *number)
        .collect();
    assert_eq!(
        renewed.len(),
        ApiKey::MAX_LIVE_VALUES - 1,
        "of {CONCURRENT_CALLERS} renewals as many succeed as values may work"
    );
    let refused = count(&answers, |(_, answer)| *answer == Renewal::TooManyValues);
    assert_eq!(
        refused,
        CONCURRENT_CALLERS - renewed.len(),
        "the others are refused"
    );
    for number in renewed.into_iter().chain([200]) {
        let key = found(store, &api_key(number)).await;
        assert!(
            key.is_some_and(|key| key.is_valid(&api_key(number).digest, at(1))),
            "every issued value works"
        );
    }
}

async fn of_many_keys_renewed_to_one_value_one_has_it(store: &StoreUnderTest) {
    let id = |caller: usize| u8::try_from(caller).unwrap_or_default();
    for caller in 0..CONCURRENT_CALLERS {
        store
            .create_api_key(api_key(id(caller)))
            .await
            .expect_created();
    }
    let answers = store.race(async |store, caller| {
        let answer = store
            .renew_api_key(api_key(id(caller)).id, renewal(200, Duration::ZERO), at(1))
            .await
            .expect_ok();
        let new = ApiKey {
            id: api_key(100 + id(caller)).id,
            ..api_key(200)
        };
        (answer, store.create_api_key(new).await.expect_ok())
    });
    let won = count(&answers, |(answer, _)| {
        matches!(answer, Renewal::Renewed(_))
    }) + count(&answers, |(_, new)| *new == Creation::Created);
    assert_eq!(won, 1, "a value belongs to one key");
}

async fn a_renewal_beside_a_revocation_brings_nothing_back(store: &StoreUnderTest) {
    store.create_api_key(api_key(200)).await.expect_created();
    store.race(async |store, caller| {
        let renewal = renewal(u8::try_from(caller).unwrap_or_default(), Duration::ZERO);
        if caller == CONCURRENT_CALLERS / 2 {
            assert!(
                store
                    .revoke_api_key(api_key(200).id, at(1))
                    .await
                    .expect_ok()
            );
        } else {
            let answer = store
                .renew_api_key(api_key(200).id, renewal, at(1))
                .await
                .expect_ok();
            assert!(
                matches!(answer, Renewal::Renewed(_) | Renewal::Revoked),
                "{answer:?}"
            );
        }
    });
    let key = store
        .api_key_by_id(api_key(200).id)
        .await
        .expect_ok()
        .expect("the key exists");
    assert_eq!(key.revoked_at, Some(at(1)), "a revoked key stays revoked");
}
