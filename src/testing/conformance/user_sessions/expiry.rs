//! Idle timeout, absolute lifetime and deletion of console sessions.

use super::session;
use std::time::Duration;

use super::super::fixtures::{at, owner};
use super::super::store_under_test::{CONCURRENT_CALLERS, ExpectOk, StoreUnderTest};
use super::{
    IDLE_TIMEOUT, LIFETIME, count_sessions, digest, found, id, idle, open, open_at, shown, touch,
};
use crate::domain::UserSession;
use crate::store::retention::{CLOCK_SKEW, MAX_DELETED_PER_INSERT};

cases! { Storage, user_sessions as __conformance_user_sessions_expiry:
    a_session_is_over_when_it_was_idle_too_long
    a_session_is_over_at_its_end_however_often_it_is_used
    a_last_use_of_a_session_never_moves_backwards
    sessions_that_are_over_go_in_small_batches_when_new_ones_come
}

async fn a_session_is_over_when_it_was_idle_too_long(store: &StoreUnderTest) {
    open(store, 1, owner()).await;
    assert!(
        found(store, 1, at(IDLE_TIMEOUT - 1)).await.is_some(),
        "it is found until just before"
    );
    assert_eq!(
        found(store, 1, at(IDLE_TIMEOUT)).await,
        None,
        "at last_used_at and the idle time later it has expired"
    );
    assert_eq!(
        store
            .rotate_user_session(&digest(1), digest(2), idle(), at(IDLE_TIMEOUT))
            .await
            .expect_ok(),
        None
    );
    assert_eq!(shown(store, &owner(), at(IDLE_TIMEOUT)).await, []);
    let last = IDLE_TIMEOUT + 10;
    touch(store, &[(1, last), (1, 60)]).await;
    let end = at(last + IDLE_TIMEOUT);
    assert!(
        found(store, 1, end.minus(Duration::from_secs(1)))
            .await
            .is_some(),
        "each use restarts the idle time, in the order of the times"
    );
    let longer = store
        .user_session(&digest(1), Duration::from_secs(500), end)
        .await
        .expect_ok();
    assert!(longer.is_some(), "each call has its own idle timeout");
    for late in [0, 1] {
        touch(store, &[(1, last + IDLE_TIMEOUT + late)]).await;
        assert_eq!(
            found(store, 1, end).await,
            None,
            "a use at its end, or later, does not revive it"
        );
    }
}

async fn a_session_is_over_at_its_end_however_often_it_is_used(store: &StoreUnderTest) {
    open(store, 1, owner()).await;
    let uses: Vec<_> = (1..LIFETIME)
        .step_by(50)
        .map(|seconds| (1, seconds))
        .collect();
    touch(store, &uses).await;
    assert!(found(store, 1, at(LIFETIME - 1)).await.is_some());
    touch(store, &[(1, LIFETIME + 1)]).await;
    assert_eq!(
        found(store, 1, at(LIFETIME)).await,
        None,
        "at == expires_at is expired"
    );
    assert_eq!(
        store
            .rotate_user_session(&digest(1), digest(2), idle(), at(LIFETIME))
            .await
            .expect_ok(),
        None
    );
    assert_eq!(shown(store, &owner(), at(LIFETIME)).await, []);
}

async fn a_last_use_of_a_session_never_moves_backwards(store: &StoreUnderTest) {
    for number in [1, 2] {
        open(store, number, owner()).await;
    }
    touch(store, &[(1, 50), (9, 50), (2, 20)]).await;
    touch(store, &[(2, 30), (1, 40), (2, 10)]).await;
    touch(store, &[]).await;
    for (number, last) in [(1, 50), (2, 30)] {
        assert_eq!(
            found(store, number, at(50)).await,
            Some(UserSession {
                last_used_at: at(last),
                ..session(number)
            }),
            "the latest use stays"
        );
    }
    store.race(async |store, caller| {
        let used = |number: u8| {
            (
                id(number),
                at(50 + i64::try_from(caller).unwrap_or_default()),
            )
        };
        let uses = if caller.is_multiple_of(2) {
            vec![used(1), used(2)]
        } else {
            vec![used(2), used(1)]
        };
        store.touch_user_sessions(uses, idle()).await.expect_ok();
    });
    let last = i64::try_from(CONCURRENT_CALLERS).unwrap_or_default() + 49;
    assert_eq!(
        found(store, 1, at(50))
            .await
            .map(|session| session.last_used_at),
        Some(at(last)),
        "of many batches the latest use stays"
    );
}

async fn sessions_that_are_over_go_in_small_batches_when_new_ones_come(store: &StoreUnderTest) {
    for number in 0..30 {
        open(store, number, owner()).await;
    }
    let early = at(LIFETIME).plus(CLOCK_SKEW).minus(Duration::from_secs(1));
    open_at(store, 99, early).await;
    assert_eq!(
        count_sessions(store, 0..30).await,
        30,
        "expired sessions are stored for clocks that are behind"
    );
    let now = at(LIFETIME).plus(CLOCK_SKEW);
    let mut left = 30;
    for number in 100..130 {
        open_at(store, number, now).await;
        let before = std::mem::replace(&mut left, count_sessions(store, 0..30).await);
        assert!(
            before - left <= MAX_DELETED_PER_INSERT && (left == 0 || left < before),
            "{before} became {left}: more are deleted than added, and only a few"
        );
    }
    assert_eq!(left, 0, "expired sessions are deleted in the end");
    assert_eq!(
        shown(store, &owner(), now).await.len(),
        31,
        "the new ones are all stored"
    );
}
