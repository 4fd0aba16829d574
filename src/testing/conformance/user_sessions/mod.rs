pub(super) mod expiry;
pub(super) mod sign_out;

use std::time::Duration;

use super::fixtures::{NOW, at, count, owner};
use super::store_under_test::{CONCURRENT_CALLERS, ExpectOk, StoreUnderTest};
use crate::domain::{
    ShortText, SubjectId, Timestamp, UserSession, UserSessionDigest, UserSessionId,
};
use crate::store::MAX_LISTED_USER_SESSIONS;

cases! { Storage, user_sessions as __conformance_user_sessions:
    a_session_is_found_by_its_digest_as_it_was_opened
    a_digest_and_an_id_are_taken_once
    a_moved_session_is_known_by_its_new_digest_alone
    of_many_moves_one_moves_the_session
    people_are_shown_their_own_sessions_that_live
    no_more_sessions_are_shown_than_anyone_reads
}

/// Idle timeout and absolute lifetime of these sessions, in seconds.
const IDLE_TIMEOUT: i64 = 100;

const LIFETIME: i64 = 1_000;

async fn a_session_is_found_by_its_digest_as_it_was_opened(store: &StoreUnderTest) {
    let browser = "Firefox, 안드로이드".parse::<ShortText>().ok();
    let opened = [
        session(1),
        UserSession {
            browser,
            last_used_at: at(5),
            expires_at: at(7_000),
            ..session(2)
        },
    ];
    for (number, opened) in (1..).zip(&opened) {
        store
            .open_user_session(digest(number), opened.clone())
            .await
            .expect_ok();
    }
    for (number, opened) in (1..).zip(opened) {
        assert_eq!(found(store, number, at(10)).await, Some(opened));
    }
    assert_eq!(found(store, 9, NOW).await, None, "it was not opened");
}

async fn a_digest_and_an_id_are_taken_once(store: &StoreUnderTest) {
    open(store, 1, owner()).await;
    assert!(
        store
            .open_user_session(digest(1), session(2))
            .await
            .is_err(),
        "an existing digest is not overwritten"
    );
    assert!(
        store
            .open_user_session(digest(2), session(1))
            .await
            .is_err(),
        "nor is an id"
    );
    open(store, 3, owner()).await;
    assert!(
        store
            .rotate_user_session(&digest(3), digest(1), idle(), NOW)
            .await
            .is_err(),
        "nor is a session rotated to an existing digest"
    );
    assert_eq!(found(store, 1, NOW).await, Some(session(1)));
    assert_eq!(found(store, 3, NOW).await, Some(session(3)));
    assert_eq!(found(store, 2, NOW).await, None);
}

// Proves: threats 23
async fn a_moved_session_is_known_by_its_new_digest_alone(store: &StoreUnderTest) {
    open(store, 1, owner()).await;
    touch(store, &[(1, 5)]).await;
    let before = UserSession {
        last_used_at: at(5),
        ..session(1)
    };
    let moved = store
        .rotate_user_session(&digest(1), digest(2), idle(), at(6))
        .await
        .expect_ok();
    assert_eq!(moved, Some(before.clone()), "nothing else changes");
    assert_eq!(
        found(store, 1, at(6)).await,
        None,
        "the old token is invalid"
    );
    assert_eq!(found(store, 2, at(6)).await, Some(before));
    assert_eq!(
        store
            .rotate_user_session(&digest(1), digest(3), idle(), at(6))
            .await
            .expect_ok(),
        None
    );
    touch(store, &[(1, 9)]).await;
    assert_eq!(
        found(store, 2, at(9))
            .await
            .map(|session| session.last_used_at),
        Some(at(9)),
        "its id stays"
    );
}

async fn of_many_moves_one_moves_the_session(store: &StoreUnderTest) {
    open(store, 200, owner()).await;
    let replacement = |caller: usize| digest(u8::try_from(caller).unwrap_or_default());
    let moved = store.race(async |store, caller| {
        store
            .rotate_user_session(&digest(200), replacement(caller), idle(), NOW)
            .await
            .expect_ok()
            .is_some()
    });
    assert_eq!(
        count(&moved, |moved| *moved),
        1,
        "of {CONCURRENT_CALLERS} moves exactly one moves the session"
    );
    assert_eq!(found(store, 200, NOW).await, None);
    for (caller, moved) in moved.into_iter().enumerate() {
        let there = store
            .user_session(&replacement(caller), idle(), NOW)
            .await
            .expect_ok();
        assert_eq!(
            there.is_some(),
            moved,
            "the session has the digest of the winner"
        );
    }
}

async fn people_are_shown_their_own_sessions_that_live(store: &StoreUnderTest) {
    for number in 1..=5 {
        open(store, number, owner()).await;
    }
    open(store, 6, other_user()).await;
    touch(store, &[(2, 30), (4, 20), (3, 30), (5, 90)]).await;
    let used = |number: u8, last| UserSession {
        last_used_at: at(last),
        ..session(number)
    };
    let expected = [used(5, 90), used(2, 30), used(3, 30), used(4, 20)];
    assert_eq!(
        shown(store, &owner(), at(IDLE_TIMEOUT)).await,
        expected,
        "last used first, then by id, without expired ones"
    );
    assert_eq!(
        shown(store, &other_user(), NOW).await,
        [UserSession {
            subject: other_user(),
            ..session(6)
        }],
        "only the user's own sessions are listed"
    );
}

async fn no_more_sessions_are_shown_than_anyone_reads(store: &StoreUnderTest) {
    for number in 0..=u8::try_from(MAX_LISTED_USER_SESSIONS).unwrap_or(u8::MAX) {
        open(store, number, owner()).await;
    }
    assert_eq!(
        shown(store, &owner(), NOW).await.len(),
        MAX_LISTED_USER_SESSIONS,
        "the list is limited"
    );
}

fn session(number: u8) -> UserSession {
    UserSession {
        id: id(number),
        subject: owner(),
        browser: None,
        created_at: NOW,
        last_used_at: NOW,
        expires_at: at(LIFETIME),
    }
}

fn id(number: u8) -> UserSessionId {
    UserSessionId::from_random([number; 16])
}

const fn digest(number: u8) -> UserSessionDigest {
    UserSessionDigest::from_bytes([number; 32])
}

fn other_user() -> SubjectId {
    "stranger".parse().expect("an id")
}

const fn idle() -> Duration {
    Duration::from_secs(IDLE_TIMEOUT.unsigned_abs())
}

async fn open(store: &StoreUnderTest, number: u8, subject: SubjectId) {
    store
        .open_user_session(
            digest(number),
            UserSession {
                subject,
                ..session(number)
            },
        )
        .await
        .expect_ok();
}

async fn open_at(store: &StoreUnderTest, number: u8, now: Timestamp) {
    let expires_at = now.plus(Duration::from_secs(LIFETIME.unsigned_abs()));
    let opened = UserSession {
        created_at: now,
        last_used_at: now,
        expires_at,
        ..session(number)
    };
    store
        .open_user_session(digest(number), opened)
        .await
        .expect_ok();
}

async fn found(store: &StoreUnderTest, number: u8, now: Timestamp) -> Option<UserSession> {
    store
        .user_session(&digest(number), idle(), now)
        .await
        .expect_ok()
}

/// Returns the number of these sessions that are stored, as seen by a clock that is behind.
async fn count_sessions(store: &StoreUnderTest, numbers: std::ops::Range<u8>) -> usize {
    let mut waiting = 0;
    for number in numbers {
        waiting += usize::from(found(store, number, NOW).await.is_some());
    }
    waiting
}

/// Returns whether both sessions are live; asserts that they agree.
async fn lives(store: &StoreUnderTest, [first, second]: [u8; 2]) -> bool {
    let [first, second] = [
        found(store, first, NOW).await.is_some(),
        found(store, second, NOW).await.is_some(),
    ];
    assert_eq!(first, second, "all end together");
    first
}

async fn shown(store: &StoreUnderTest, subject: &SubjectId, now: Timestamp) -> Vec<UserSession> {
    store
        .user_sessions_of(subject, idle(), now)
        .await
        .expect_ok()
}

async fn touch(store: &StoreUnderTest, uses: &[(u8, i64)]) {
    store
        .touch_user_sessions(
            uses.iter()
                .map(|(number, seconds)| (id(*number), at(*seconds)))
                .collect(),
            idle(),
        )
        .await
        .expect_ok();
}
