//! Deletion of expired rows in small batches, and of no other rows. Calls with an earlier time show
//! which rows are gone.

pub(super) mod grants;

use std::time::Duration;

use super::fixtures::{
    CODE_LIFETIME, LIFETIMES, NOW, SESSION_LIFETIME, approval, at, code, grant, registered_client,
    session, subject, token,
};
use super::store_under_test::{ExpectOk, ProtocolUnderTest};
use crate::domain::{AuthorizationSession, ClientProof, Generation, Timestamp};
use crate::store::retention::{CLOCK_SKEW, MAX_DELETED_PER_INSERT};
use crate::store::{Approval, ApprovalOutcome, Redemption, Rotation, TokenLifetimes};

cases! { ProtocolStorage, retention as __conformance_retention:
    expired_sessions_go_in_small_batches_when_new_ones_come
    an_expired_session_is_kept_for_clocks_that_are_behind
}

async fn expired_sessions_go_in_small_batches_when_new_ones_come(store: &ProtocolUnderTest) {
    registered_client(store).await;
    for number in 0..30 {
        open(store, number, NOW).await;
    }
    let now = at(SESSION_LIFETIME).plus(CLOCK_SKEW);
    let mut left = 30;
    for number in 100..130 {
        open(store, number, now).await;
        let before = std::mem::replace(&mut left, count_sessions(store, 0..30, NOW).await);
        assert_batch(before, left);
    }
    assert_eq!(left, 0, "expired sessions are deleted in the end");
    assert_eq!(
        count_sessions(store, 100..130, now).await,
        30,
        "the new ones are all stored"
    );
}

async fn an_expired_session_is_kept_for_clocks_that_are_behind(store: &ProtocolUnderTest) {
    registered_client(store).await;
    open(store, 1, NOW).await;
    let gone = at(SESSION_LIFETIME).plus(CLOCK_SKEW);
    open(store, 2, gone.minus(Duration::from_secs(1))).await;
    assert_eq!(
        count_sessions(store, 1..2, at(SESSION_LIFETIME - 1)).await,
        1,
        "a node whose clock is behind still has it"
    );
    open(store, 3, gone).await;
    assert_eq!(
        count_sessions(store, 1..4, at(SESSION_LIFETIME - 1)).await,
        2,
        "it is deleted, and the others are not"
    );
}

/// Asserts that a batch deletes at least two rows, so that their number falls, and at most
/// [`MAX_DELETED_PER_INSERT`].
#[track_caller]
pub(in crate::testing::conformance) fn assert_batch(before: usize, left: usize) {
    let gone = before - left;
    assert!(
        gone <= MAX_DELETED_PER_INSERT,
        "at most {MAX_DELETED_PER_INSERT} are deleted at once, not {gone}"
    );
    assert!(
        gone >= before.min(2),
        "more are deleted than added, not {gone} of {before}"
    );
}

/// Opens a session under `token(number)` and signs in at this time.
async fn open(store: &ProtocolUnderTest, number: u8, now: Timestamp) {
    let expires_at = now.plus(Duration::from_secs(SESSION_LIFETIME.unsigned_abs()));
    let opened = AuthorizationSession {
        subject: Some(subject()),
        created_at: now,
        expires_at,
        ..session()
    };
    store.open_session(token(number), opened).await.expect_ok();
}

/// Approves the grant `grant(number)` with the unredeemed `code(number)` at this time.
async fn approve(store: &ProtocolUnderTest, number: u8, now: Timestamp) {
    open(store, number, now).await;
    let approval = Approval {
        code_expires_at: now.plus(Duration::from_secs(CODE_LIFETIME.unsigned_abs())),
        ..approval(number)
    };
    let approving = store
        .approve_session(&token(number), approval, now)
        .await
        .expect_ok();
    assert!(
        matches!(approving, ApprovalOutcome::Approved(_)),
        "a signed-in session can be approved, not {approving:?}"
    );
}

async fn redeem(store: &ProtocolUnderTest, number: u8, lifetimes: TokenLifetimes) {
    let redemption = store
        .redeem_authorization_code(&code(number), ClientProof::Pkce, lifetimes, NOW)
        .await
        .expect_ok();
    assert!(
        matches!(redemption, Redemption::Redeemed(_)),
        "a fresh code can be redeemed, not {redemption:?}"
    );
}

async fn rotate(store: &ProtocolUnderTest, number: u8, generation: u32, now: Timestamp) {
    let rotation = store
        .rotate_refresh_token(&grant(number), Generation::new(generation), LIFETIMES, now)
        .await
        .expect_ok();
    assert!(
        matches!(rotation, Rotation::Rotated(_)),
        "the current token of a live grant rotates, not {rotation:?}"
    );
}

/// Returns the number of these grants that are stored.
async fn count_grants(store: &ProtocolUnderTest, numbers: std::ops::Range<u8>) -> usize {
    let mut known = 0;
    for number in numbers {
        known += usize::from(
            store
                .code_binding(&code(number))
                .await
                .expect_ok()
                .is_some(),
        );
    }
    known
}

/// Returns the number of these sessions that are stored, as of a time.
async fn count_sessions(
    store: &ProtocolUnderTest,
    numbers: std::ops::Range<u8>,
    now: Timestamp,
) -> usize {
    let mut waiting = 0;
    for number in numbers {
        waiting += usize::from(
            store
                .session(&token(number), now)
                .await
                .expect_ok()
                .is_some(),
        );
    }
    waiting
}
