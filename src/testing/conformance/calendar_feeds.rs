//! Calendar feeds of API keys.

use std::time::Duration;

use super::fixtures::{NOW, api_key, at, count, renewal};
use super::retention::assert_batch;
use super::store_under_test::{
    CONCURRENT_CALLERS, CalendarFeedsUnderTest, ExpectCreated, ExpectOk,
};
use crate::domain::{
    ApiKey, ApiKeyId, CalendarFeed, CalendarFeedDigest, CalendarFeedId, Timestamp,
};
use crate::store::CalendarFeedCreation;
use crate::store::retention::{API_KEY_RETENTION, CLOCK_SKEW};

cases! { CalendarFeedStorage, calendar_feeds as __conformance_calendar_feeds:
    a_feed_is_found_by_its_digest_with_its_key_as_that_is_now
    a_feed_whose_id_or_digest_is_taken_is_refused
    a_feed_needs_a_key_that_is_not_revoked
    feeds_of_a_key_come_in_the_order_of_their_creation
    a_key_has_no_more_feeds_that_work_than_it_may_have
    of_many_feeds_created_at_once_a_key_gets_as_many_as_it_may_have
    a_revoked_feed_is_gone_and_only_its_own_key_revokes_it
    expired_feeds_go_in_small_batches_when_new_ones_come
    feeds_go_with_their_key
    feeds_are_there_after_a_restart
}

/// In seconds.
const LIFETIME: i64 = 1_000;

async fn a_feed_is_found_by_its_digest_with_its_key_as_that_is_now(store: &CalendarFeedsUnderTest) {
    create_keys(store, &[1, 2]).await;
    for (number, key) in [(1, 1), (2, 1), (3, 2)] {
        create(store, feed(number, key, NOW)).await;
    }
    let (found, key) = found(store, 1).await.expect("the feed is stored");
    assert_eq!((found, &*key), (feed(1, 1, NOW), &api_key(1)));
    let renewed = store
        .renew_api_key(api_key(1).id, renewal(9, Duration::ZERO), at(1))
        .await;
    drop(renewed.expect_ok());
    assert!(store.revoke_api_key(api_key(2).id, at(5)).await.expect_ok());
    let expiry = |number| async move {
        let (_, key) = self::found(store, number).await.expect("it is stored");
        (key.expires_at, key.revoked_at)
    };
    assert_eq!(
        expiry(2).await,
        (at(1).plus(ApiKey::VALIDITY), None),
        "it stays when its key is renewed"
    );
    assert_eq!(
        expiry(3).await,
        (api_key(2).expires_at, Some(at(5))),
        "the revocation of its key is seen at once"
    );
    assert!(self::found(store, 99).await.is_none());
}

async fn a_feed_whose_id_or_digest_is_taken_is_refused(store: &CalendarFeedsUnderTest) {
    create_keys(store, &[1, 2]).await;
    create(store, feed(1, 1, NOW)).await;
    let same_id = CalendarFeed {
        digest: feed(2, 2, NOW).digest,
        ..feed(1, 2, NOW)
    };
    let same_digest = CalendarFeed {
        id: feed(2, 2, NOW).id,
        ..feed(1, 2, NOW)
    };
    for taken in [same_id, same_digest] {
        let outcome = store.create_calendar_feed(taken, 10).await.expect_ok();
        assert_eq!(outcome, CalendarFeedCreation::AlreadyExists);
    }
    assert!(found(store, 2).await.is_none(), "nothing is stored");
    assert!(listed(store, 2).await.is_empty());
}

async fn a_feed_needs_a_key_that_is_not_revoked(store: &CalendarFeedsUnderTest) {
    create_keys(store, &[1]).await;
    assert!(store.revoke_api_key(api_key(1).id, NOW).await.expect_ok());
    for key in [1, 2] {
        let outcome = store
            .create_calendar_feed(feed(key, key, NOW), 10)
            .await
            .expect_ok();
        assert_eq!(outcome, CalendarFeedCreation::NoKey, "key {key}");
        assert!(found(store, key).await.is_none());
    }
}

async fn feeds_of_a_key_come_in_the_order_of_their_creation(store: &CalendarFeedsUnderTest) {
    create_keys(store, &[1, 2]).await;
    let created = [(3, 0), (1, 2), (2, 2), (5, -1)];
    for (number, second) in created {
        create(store, feed(number, 1, at(second))).await;
    }
    create(store, feed(4, 2, NOW)).await;
    assert_eq!(listed(store, 1).await, [5, 3, 1, 2]);
    assert_eq!(listed(store, 2).await, [4]);
    assert!(listed(store, 3).await.is_empty());
    let feeds = store.calendar_feeds(api_key(2).id).await.expect_ok();
    assert_eq!(feeds, [feed(4, 2, NOW)]);
}

async fn a_key_has_no_more_feeds_that_work_than_it_may_have(store: &CalendarFeedsUnderTest) {
    create_keys(store, &[1, 2]).await;
    let outcome = |number, key, now| async move {
        let creation = store.create_calendar_feed(feed(number, key, now), 2).await;
        creation.expect_ok()
    };
    use CalendarFeedCreation::{Created, LimitReached};
    assert_eq!(outcome(1, 1, NOW).await, Created);
    assert_eq!(outcome(2, 1, at(1)).await, Created);
    assert_eq!(outcome(3, 1, at(LIFETIME - 1)).await, LimitReached);
    assert!(
        found(store, 3).await.is_none(),
        "a refused feed is not stored"
    );
    assert_eq!(
        outcome(4, 2, NOW).await,
        Created,
        "each key has its own limit"
    );
    assert_eq!(
        outcome(3, 1, at(LIFETIME)).await,
        Created,
        "a feed that has expired does not count"
    );
    assert!(revoke(store, 1, 2).await);
    assert_eq!(
        outcome(5, 1, at(LIFETIME)).await,
        Created,
        "nor a revoked one"
    );
    assert_eq!(outcome(6, 1, at(LIFETIME)).await, LimitReached);
}

async fn of_many_feeds_created_at_once_a_key_gets_as_many_as_it_may_have(
    store: &CalendarFeedsUnderTest,
) {
    create_keys(store, &[1]).await;
    let answers = store.race(async |store, caller| {
        let number = u8::try_from(caller).unwrap_or_default();
        store
            .create_calendar_feed(feed(number, 1, NOW), 5)
            .await
            .expect_ok()
    });
    let created = count(&answers, |answer| *answer == CalendarFeedCreation::Created);
    assert_eq!(
        created, 5,
        "of {CONCURRENT_CALLERS} feeds exactly 5 are created"
    );
    assert_eq!(listed(store, 1).await.len(), 5);
}

async fn a_revoked_feed_is_gone_and_only_its_own_key_revokes_it(store: &CalendarFeedsUnderTest) {
    create_keys(store, &[1, 2]).await;
    create(store, feed(1, 1, NOW)).await;
    create(store, feed(2, 1, NOW)).await;
    assert!(!revoke(store, 2, 1).await, "it is not of this key");
    assert!(found(store, 1).await.is_some());
    assert!(revoke(store, 1, 1).await);
    assert!(
        found(store, 1).await.is_none(),
        "a revoked feed is not found"
    );
    assert!(!revoke(store, 1, 1).await);
    assert_eq!(listed(store, 1).await, [2], "the other one stays");
}

async fn expired_feeds_go_in_small_batches_when_new_ones_come(store: &CalendarFeedsUnderTest) {
    create_keys(store, &[1, 2]).await;
    for number in 0..30 {
        create(store, feed(number, 1, NOW)).await;
    }
    let gone = at(LIFETIME).plus(CLOCK_SKEW);
    create(store, feed(99, 2, gone.minus(Duration::from_secs(1)))).await;
    assert_eq!(
        listed(store, 1).await.len(),
        30,
        "a node whose clock is behind still has them"
    );
    let mut left = 30;
    for number in 100..130 {
        create(store, feed(number, 2, gone)).await;
        let before = std::mem::replace(&mut left, listed(store, 1).await.len());
        assert_batch(before, left);
    }
    assert_eq!(left, 0, "expired feeds are deleted in the end");
    assert_eq!(listed(store, 2).await.len(), 31, "the new ones are stored");
}

async fn feeds_go_with_their_key(store: &CalendarFeedsUnderTest) {
    create_keys(store, &[1, 2]).await;
    let long = |number, key| CalendarFeed {
        expires_at: Timestamp::MAX
            .floor_to_seconds()
            .minus(Duration::from_secs(1)),
        ..feed(number, key, NOW)
    };
    create(store, long(1, 1)).await;
    create(store, long(2, 2)).await;
    let renewal = renewal(3, Duration::ZERO);
    let renewed = store.renew_api_key(api_key(2).id, renewal, at(5)).await;
    drop(renewed.expect_ok());
    let gone = NOW.plus(ApiKey::VALIDITY).plus(API_KEY_RETENTION);
    let new = ApiKey {
        created_at: gone,
        expires_at: gone.plus(ApiKey::VALIDITY),
        ..api_key(4)
    };
    store.create_api_key(new).await.expect_created();
    assert!(
        store
            .api_key_by_id(api_key(1).id)
            .await
            .expect_ok()
            .is_none(),
        "the key is deleted"
    );
    assert!(found(store, 1).await.is_none(), "and its feed with it");
    assert!(listed(store, 1).await.is_empty());
    assert!(
        found(store, 2).await.is_some(),
        "that of the other key stays"
    );
}

async fn feeds_are_there_after_a_restart(store: &CalendarFeedsUnderTest) {
    create_keys(store, &[1]).await;
    create(store, feed(1, 1, NOW)).await;
    create(store, feed(2, 1, NOW)).await;
    assert!(revoke(store, 1, 2).await);
    let reopened = store.reopened();
    let of = |number| feed(number, 1, NOW).digest;
    let found = reopened.calendar_feed(&of(1)).await.expect_ok();
    assert!(found.is_some_and(|(found, key)| found == feed(1, 1, NOW) && *key == api_key(1)));
    assert!(reopened.calendar_feed(&of(2)).await.expect_ok().is_none());
}

/// Returns a feed of `api_key(key)`.
fn feed(number: u8, key: u8, created_at: Timestamp) -> CalendarFeed {
    CalendarFeed {
        id: CalendarFeedId::from_random([number; 16]),
        key: ApiKeyId::from_random([key; 16]),
        digest: CalendarFeedDigest::from_bytes([number; 32]),
        hint: format!("{number:04}"),
        created_at,
        expires_at: created_at.plus(Duration::from_secs(LIFETIME.unsigned_abs())),
    }
}

async fn create_keys(store: &CalendarFeedsUnderTest, numbers: &[u8]) {
    for number in numbers {
        store
            .create_api_key(api_key(*number))
            .await
            .expect_created();
    }
}

async fn create(store: &CalendarFeedsUnderTest, feed: CalendarFeed) {
    let outcome = store.create_calendar_feed(feed, 100).await.expect_ok();
    assert_eq!(outcome, CalendarFeedCreation::Created);
}

async fn found(
    store: &CalendarFeedsUnderTest,
    number: u8,
) -> Option<(CalendarFeed, std::sync::Arc<ApiKey>)> {
    let digest = feed(number, 1, NOW).digest;
    store.calendar_feed(&digest).await.expect_ok()
}

/// The numbers of a key's feeds, in the order in which they are listed.
async fn listed(store: &CalendarFeedsUnderTest, key: u8) -> Vec<u8> {
    let feeds = store.calendar_feeds(api_key(key).id).await.expect_ok();
    feeds.iter().map(|feed| feed.digest.as_bytes()[0]).collect()
}

async fn revoke(store: &CalendarFeedsUnderTest, key: u8, number: u8) -> bool {
    let id = feed(number, key, NOW).id;
    store
        .revoke_calendar_feed(api_key(key).id, id)
        .await
        .expect_ok()
}
