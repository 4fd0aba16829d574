//! Last use and daily usage of API keys.

use std::collections::BTreeMap;
use std::time::Duration;

use super::super::directory_fixtures::{day, days};
use super::super::fixtures::{api_key, at, renewal};
use super::super::store_under_test::{CONCURRENT_CALLERS, ExpectCreated, ExpectOk, StoreUnderTest};
use crate::domain::{ApiKey, ApiKeyDailyUsage, ApiKeyId, DailyCalls, Date};
use crate::store::Renewal;
use crate::store::retention::API_KEY_RETENTION;

cases! { Storage, api_keys as __conformance_api_keys_usage:
    a_last_use_never_moves_backwards
    the_calls_of_a_day_add_up
    the_errors_of_a_day_add_up_beside_its_calls
    of_many_batches_every_call_counts
    the_usage_of_several_keys_is_read_at_once
    usage_counts_are_deleted_after_five_weeks_and_with_their_key
}

// Proves: spec 2.12
async fn a_last_use_never_moves_backwards(store: &StoreUnderTest) {
    for number in [1, 2, 3] {
        store.create_api_key(api_key(number)).await.expect_created();
    }
    let used = |number: u8, seconds| used(number, "2026-09-21", 1, seconds);
    for uses in [
        vec![used(1, 5), used(2, 9), used(9, 9)],
        vec![used(2, 3), used(1, 8), used(1, 7)],
        vec![],
    ] {
        store.record_api_key_usage(uses).await.expect_ok();
    }
    for (number, last) in [(1, Some(at(8))), (2, Some(at(9))), (3, None)] {
        let key = store
            .api_key_by_id(api_key(number).id)
            .await
            .expect_ok()
            .expect("the key exists");
        assert_eq!(
            key.last_used_at, last,
            "of key {number} the latest use stays"
        );
        assert_eq!(
            *key,
            ApiKey {
                last_used_at: last,
                ..api_key(number)
            },
            "nothing else changes"
        );
    }
    store.race(async |store, caller| {
        store
            .record_api_key_usage(vec![
                used(3, caller as i64),
                used(2, 0),
                used(1, caller as i64),
            ])
            .await
            .expect_ok()
    });
    let key = store
        .api_key_by_id(api_key(3).id)
        .await
        .expect_ok()
        .expect("the key exists");
    assert_eq!(
        key.last_used_at,
        Some(at(CONCURRENT_CALLERS as i64 - 1)),
        "of many batches the latest use stays"
    );
}

async fn the_calls_of_a_day_add_up(store: &StoreUnderTest) {
    for number in [1, 2] {
        store.create_api_key(api_key(number)).await.expect_created();
    }
    for uses in [
        vec![
            used(1, "2026-09-21", 5, 1),
            used(2, "2026-09-21", 100, 1),
            used(9, "2026-09-21", 1, 1),
        ],
        vec![used(1, "2026-09-22", 3, 3), used(1, "2026-09-21", 2, 2)],
        vec![
            used(1, "2026-09-30", 1, 9),
            used(1, "2026-09-22", u32::MAX, 1),
            used(1, "2026-09-22", u32::MAX, 1),
        ],
        vec![],
    ] {
        store.record_api_key_usage(uses).await.expect_ok();
    }
    let many = 3 + 2 * u64::from(u32::MAX);
    let all = [
        (day("2026-09-21"), 7),
        (day("2026-09-22"), many),
        (day("2026-09-30"), 1),
    ];
    assert_eq!(
        usage(store, 1, "2026-09-01", "2026-09-30").await,
        all,
        "the days on which it was used, in order"
    );
    assert_eq!(
        usage(store, 1, "2026-09-21", "2026-09-22").await,
        all[..2],
        "both ends are included"
    );
    assert_eq!(usage(store, 1, "2026-09-23", "2026-09-29").await, []);
    assert_eq!(
        usage(store, 2, "2026-09-01", "2026-09-30").await,
        [(day("2026-09-21"), 100)],
        "each key has its own"
    );
    assert_eq!(
        usage(store, 9, "2026-09-01", "2026-09-30").await,
        [],
        "an unknown key has no usage"
    );
    let renewing = store
        .renew_api_key(api_key(1).id, renewal(3, Duration::ZERO), at(10))
        .await
        .expect_ok();
    assert!(matches!(renewing, Renewal::Renewed(_)));
    assert_eq!(
        usage(store, 1, "2026-09-01", "2026-09-30").await,
        all,
        "a renewed key is the same"
    );
}

async fn the_errors_of_a_day_add_up_beside_its_calls(store: &StoreUnderTest) {
    store.create_api_key(api_key(1)).await.expect_created();
    let (one, two) = (day("2026-09-21"), day("2026-09-22"));
    let with = |on: &str, calls, errors| ApiKeyDailyUsage {
        errors,
        ..used(1, on, calls, 1)
    };
    for uses in [
        vec![with("2026-09-21", 9, 2), with("2026-09-21", 3, 3)],
        vec![with("2026-09-22", 4, 0), with("2026-09-21", 1, 1)],
    ] {
        store.record_api_key_usage(uses).await.expect_ok();
    }
    let found = store
        .api_key_usage(api_key(1).id, days("2026-09-01", "2026-09-30"))
        .await
        .expect_ok();
    let expected = [(one, 13, 6), (two, 4, 0)];
    assert_eq!(
        found,
        expected.map(|(day, calls, errors)| DailyCalls { day, calls, errors })
    );
}

async fn the_usage_of_several_keys_is_read_at_once(store: &StoreUnderTest) {
    for number in [1, 2, 3, 4] {
        store.create_api_key(api_key(number)).await.expect_created();
    }
    let uses = vec![
        used(1, "2026-09-22", 3, 3),
        used(1, "2026-09-21", 5, 1),
        used(2, "2026-09-22", 9, 1),
        used(4, "2026-09-22", 1, 1),
    ];
    store.record_api_key_usage(uses).await.expect_ok();
    let calls = async |numbers: &[u8], from, to| {
        let ids: Vec<ApiKeyId> = numbers.iter().map(|number| api_key(*number).id).collect();
        let found = store.usage_of_api_keys(&ids, days(from, to)).await;
        let found = found.expect_ok().into_iter();
        let calls = |of: Vec<DailyCalls>| of.iter().map(|of| of.calls).collect::<Vec<_>>();
        found
            .map(|(id, of)| (id, calls(of)))
            .collect::<BTreeMap<_, _>>()
    };
    let (one, two) = (api_key(1).id, api_key(2).id);
    assert_eq!(
        calls(&[2, 3, 1, 9, 1], "2026-09-01", "2026-09-30").await,
        BTreeMap::from([(one, vec![5, 3]), (two, vec![9])]),
        "each key has its own, in order of the days; a key without calls is left out"
    );
    assert_eq!(
        calls(&[1, 2], "2026-09-20", "2026-09-21").await,
        BTreeMap::from([(one, vec![5])])
    );
    assert_eq!(
        calls(&[], "2026-09-01", "2026-09-30").await,
        BTreeMap::new()
    );
}

async fn of_many_batches_every_call_counts(store: &StoreUnderTest) {
    for number in [1, 2] {
        store.create_api_key(api_key(number)).await.expect_created();
    }
    store.race(async |store, caller| {
        let mut uses = vec![
            used(1, "2026-09-21", 1, 1),
            used(2, "2026-09-21", 2, 1),
            used(2, "2026-09-22", 3, 1),
        ];
        uses.rotate_left(caller % 3);
        store.record_api_key_usage(uses).await.expect_ok();
    });
    let callers = CONCURRENT_CALLERS as u64;
    assert_eq!(
        usage(store, 1, "2026-09-21", "2026-09-22").await,
        [(day("2026-09-21"), callers)],
        "no call is lost"
    );
    let both = [
        (day("2026-09-21"), 2 * callers),
        (day("2026-09-22"), 3 * callers),
    ];
    assert_eq!(
        usage(store, 2, "2026-09-21", "2026-09-22").await,
        both,
        "over all keys and days"
    );
}

// Proves: threats 42
async fn usage_counts_are_deleted_after_five_weeks_and_with_their_key(store: &StoreUnderTest) {
    for number in [1, 2] {
        store.create_api_key(api_key(number)).await.expect_created();
        store
            .record_api_key_usage(vec![
                used(number, "2026-09-01", 1, 1),
                used(number, "2026-09-02", 1, 2),
            ])
            .await
            .expect_ok();
    }
    store
        .record_api_key_usage(vec![used(1, "2026-10-05", 1, 3)])
        .await
        .expect_ok();
    assert_eq!(
        usage(store, 1, "2026-01-01", "2026-12-31").await.len(),
        3,
        "34 days later all counts are stored"
    );
    store
        .record_api_key_usage(vec![used(1, "2026-10-06", 1, 4)])
        .await
        .expect_ok();
    let left = usage(store, 1, "2026-01-01", "2026-12-31").await;
    assert_eq!(
        left.first(),
        Some(&(day("2026-09-02"), 1)),
        "35 days later the first is deleted"
    );
    store
        .record_api_key_usage(vec![used(1, "2026-12-01", 1, 5)])
        .await
        .expect_ok();
    assert_eq!(
        usage(store, 1, "2026-01-01", "2026-12-31").await,
        [(day("2026-12-01"), 1)]
    );
    assert_eq!(
        usage(store, 2, "2026-01-01", "2026-12-31").await.len(),
        2,
        "no other key's counts are deleted"
    );
    let later = api_key(3).expires_at.plus(API_KEY_RETENTION);
    store
        .create_api_key(ApiKey {
            created_at: later,
            ..api_key(3)
        })
        .await
        .expect_created();
    assert!(
        store
            .api_key_by_id(api_key(2).id)
            .await
            .expect_ok()
            .is_none(),
        "expired keys are deleted"
    );
    store.create_api_key(api_key(2)).await.expect_created();
    assert_eq!(
        usage(store, 2, "2026-01-01", "2026-12-31").await,
        [],
        "and their usage with them"
    );
}

fn used(number: u8, on: &str, calls: u32, seconds: i64) -> ApiKeyDailyUsage {
    ApiKeyDailyUsage {
        key: api_key(number).id,
        day: day(on),
        calls,
        errors: calls / 5,
        last_used_at: at(seconds),
    }
}

/// The calls of each day.
async fn usage(store: &StoreUnderTest, number: u8, from: &str, to: &str) -> Vec<(Date, u64)> {
    let found = store
        .api_key_usage(api_key(number).id, days(from, to))
        .await
        .expect_ok();
    found.iter().map(|of| (of.day, of.calls)).collect()
}
