//! Deletion of grants that have ended.

use std::time::Duration;

use super::super::fixtures::{
    ABSOLUTE_LIFETIME, CODE_LIFETIME, IDLE_TIMEOUT, LIFETIMES, NOW, approval, at, code, count,
    grant, registered_client, token,
};
use super::super::store_under_test::{CONCURRENT_CALLERS, ExpectOk, ProtocolUnderTest};
use super::{approve, assert_batch, count_grants, open, redeem, rotate};
use crate::domain::{ClientProof, Generation};
use crate::store::retention::GRANT_RETENTION;
use crate::store::{Approval, ApprovalOutcome, Redemption, Rotation, TokenLifetimes};

cases! { ProtocolStorage, retention as __conformance_retention_grants:
    dead_grants_go_in_small_batches_when_new_ones_come
    a_dead_grant_is_kept_for_a_day_to_the_second
    a_grant_that_lives_is_never_swept
    a_swept_grant_is_as_if_it_had_never_been
    approvals_that_sweep_at_once_take_only_what_is_dead
}

/// Lifetimes beyond the end of these cases.
const LONG_LIFETIMES: TokenLifetimes = TokenLifetimes {
    idle: GRANT_RETENTION.saturating_mul(100),
    absolute: GRANT_RETENTION.saturating_mul(100),
    retry_window: Duration::from_secs(30),
};

async fn dead_grants_go_in_small_batches_when_new_ones_come(store: &ProtocolUnderTest) {
    registered_client(store).await;
    for number in 0..30 {
        approve(store, number, NOW).await;
    }
    let now = at(CODE_LIFETIME).plus(GRANT_RETENTION);
    let mut left = 30;
    for number in 100..130 {
        approve(store, number, now).await;
        let before = std::mem::replace(&mut left, count_grants(store, 0..30).await);
        assert_batch(before, left);
    }
    assert_eq!(left, 0, "ended grants are deleted in the end");
    assert_eq!(
        count_grants(store, 100..130).await,
        30,
        "the new ones are all stored"
    );
}

async fn a_dead_grant_is_kept_for_a_day_to_the_second(store: &ProtocolUnderTest) {
    registered_client(store).await;
    for number in 1..=6 {
        approve(store, number, NOW).await;
        if number > 2 {
            redeem(store, number, LIFETIMES).await;
        }
    }
    // Each grant ends differently: its code expires, it is revoked before or after that, it is idle
    // from the start or later, or it reaches its absolute lifetime.
    assert!(store.revoke_grant(&grant(2), at(100)).await.expect_ok());
    assert!(store.revoke_grant(&grant(3), at(200)).await.expect_ok());
    rotate(store, 5, 0, at(500)).await;
    for (generation, now) in (0..).zip((900..ABSOLUTE_LIFETIME).step_by(900)) {
        rotate(store, 6, generation, at(now)).await;
    }
    for (number, end) in (1..).zip([
        CODE_LIFETIME,
        100,
        200,
        IDLE_TIMEOUT,
        500 + IDLE_TIMEOUT,
        ABSOLUTE_LIFETIME,
    ]) {
        let gone = at(end).plus(GRANT_RETENTION);
        approve(store, 100 + number, gone.minus(Duration::from_secs(1))).await;
        assert_eq!(
            count_grants(store, number..7).await,
            usize::from(7 - number),
            "grant {number} is stored until then"
        );
        approve(store, 200 + number, gone).await;
        assert_eq!(
            count_grants(store, number..7).await,
            usize::from(6 - number),
            "only grant {number} is deleted"
        );
    }
}

async fn a_grant_that_lives_is_never_swept(store: &ProtocolUnderTest) {
    registered_client(store).await;
    for number in 0..40 {
        approve(store, number, NOW).await;
        if number < 20 {
            redeem(store, number, LONG_LIFETIMES).await;
        }
    }
    let later = at(CODE_LIFETIME).plus(GRANT_RETENTION);
    for number in 100..120 {
        approve(store, number, later).await;
    }
    assert_eq!(
        count_grants(store, 0..20).await,
        20,
        "a live grant is never swept"
    );
    assert_eq!(
        count_grants(store, 20..40).await,
        0,
        "those that were never redeemed are deleted"
    );
    for number in 0..20 {
        assert!(
            store.grant_is_live(&grant(number), later).await.expect_ok(),
            "old but live grants stay"
        );
        rotate(store, number, 0, later).await;
        let replay = store
            .redeem_authorization_code(&code(number), ClientProof::Pkce, LONG_LIFETIMES, later)
            .await
            .expect_ok();
        assert_eq!(
            replay,
            Redemption::AlreadyRedeemed {
                grant: grant(number),
                at: NOW
            },
            "and its code is still known as redeemed"
        );
    }
    assert_eq!(
        count_grants(store, 100..120).await,
        20,
        "unredeemed codes stay"
    );
}

async fn a_swept_grant_is_as_if_it_had_never_been(store: &ProtocolUnderTest) {
    registered_client(store).await;
    approve(store, 1, NOW).await;
    redeem(store, 1, LIFETIMES).await;
    let now = at(IDLE_TIMEOUT).plus(GRANT_RETENTION);
    approve(store, 2, now).await;
    assert_eq!(store.code_binding(&code(1)).await.expect_ok(), None);
    assert_eq!(store.refresh_binding(&grant(1)).await.expect_ok(), None);
    let replay = store
        .redeem_authorization_code(&code(1), ClientProof::Pkce, LIFETIMES, now)
        .await
        .expect_ok();
    assert_eq!(replay, Redemption::NotFound);
    for generation in [0, 1] {
        assert_eq!(
            store
                .rotate_refresh_token(&grant(1), Generation::new(generation), LIFETIMES, now)
                .await
                .expect_ok(),
            Rotation::NotFound
        );
    }
    assert!(
        !store.revoke_grant(&grant(1), now).await.expect_ok(),
        "the grant is unknown"
    );
    for now in [NOW, now] {
        assert!(
            !store.grant_is_live(&grant(1), now).await.expect_ok(),
            "none of its tokens is valid again, even at an earlier time"
        );
    }
}

async fn approvals_that_sweep_at_once_take_only_what_is_dead(store: &ProtocolUnderTest) {
    registered_client(store).await;
    for number in 0..100 {
        approve(store, number, NOW).await;
        if number >= 80 {
            redeem(store, number, LONG_LIFETIMES).await;
        }
    }
    let now = at(CODE_LIFETIME).plus(GRANT_RETENTION);
    let contender = |caller: usize| 128 + u8::try_from(caller).unwrap_or_default();
    for caller in 0..CONCURRENT_CALLERS {
        open(store, contender(caller), now).await;
    }
    let answers = store.race(async |store, caller| {
        let approval = Approval {
            code_expires_at: now.plus(Duration::from_secs(60)),
            ..approval(contender(caller))
        };
        store
            .approve_session(&token(contender(caller)), approval, now)
            .await
            .expect_ok()
    });
    assert_eq!(
        count(&answers, |answer| matches!(
            answer,
            ApprovalOutcome::Approved(_)
        )),
        CONCURRENT_CALLERS,
        "concurrent approvals do not fail"
    );
    assert!(
        count_grants(store, 0..80).await <= 80 - CONCURRENT_CALLERS,
        "more were deleted than added"
    );
    assert_eq!(
        count_grants(store, 80..100).await + count_grants(store, 128..192).await,
        20 + CONCURRENT_CALLERS,
        "live grants remain, old and new"
    );
}
