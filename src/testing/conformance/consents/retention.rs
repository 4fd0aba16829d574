//! Deletion of consents that are not used.

use std::time::Duration;

use super::super::fixtures::{
    CODE_LIFETIME, NOW, SESSION_LIFETIME, approval, approve, client, owner, session, subject, token,
};
use super::super::retention::assert_batch;
use super::super::store_under_test::{ExpectOk, StoreUnderTest};
use crate::domain::{AuthorizationSession, Timestamp};
use crate::store::retention::CONSENT_RETENTION;
use crate::store::{Approval, ConsentMode};

cases! { Storage, consents as __conformance_consents_retention:
    unused_consents_go_in_small_batches_when_new_ones_come
    a_consent_is_kept_for_two_years_after_its_last_use
}

async fn unused_consents_go_in_small_batches_when_new_ones_come(store: &StoreUnderTest) {
    for number in 0..30 {
        approve_for_client(store, number, number, ConsentMode::Remembered, NOW).await;
    }
    let mut left = 30;
    for number in 100..130 {
        approve_for_client(
            store,
            number,
            number,
            ConsentMode::Remembered,
            NOW.plus(CONSENT_RETENTION),
        )
        .await;
        let before = std::mem::replace(&mut left, count_consents(store, 0..30).await);
        assert_batch(before, left);
    }
    assert_eq!(left, 0, "unused consents are deleted in the end");
    assert_eq!(
        count_consents(store, 100..130).await,
        30,
        "the new ones are all stored"
    );
}

async fn a_consent_is_kept_for_two_years_after_its_last_use(store: &StoreUnderTest) {
    let year = Duration::from_secs(365 * 24 * 60 * 60);
    approve_for_client(store, 1, 1, ConsentMode::Remembered, NOW).await;
    approve_for_client(store, 2, 2, ConsentMode::Remembered, NOW).await;
    approve_for_client(store, 3, 2, ConsentMode::Existing, NOW.plus(year)).await;
    for (number, used) in [(1, NOW), (2, NOW.plus(year))] {
        let gone = used.plus(CONSENT_RETENTION);
        approve_for_client(
            store,
            100 + number,
            3,
            ConsentMode::Remembered,
            gone.minus(Duration::from_secs(1)),
        )
        .await;
        assert_eq!(
            count_consents(store, number..3).await,
            usize::from(3 - number),
            "consent {number} is stored until then"
        );
        approve_for_client(store, 200 + number, 3, ConsentMode::Remembered, gone).await;
        assert_eq!(
            count_consents(store, number..3).await,
            usize::from(2 - number),
            "only consent {number} is deleted"
        );
    }
    assert_eq!(count_consents(store, 3..4).await, 1, "new consents stay");
}

/// Same as [`approve`], through a client and with a consent mode.
async fn approve_for_client(
    store: &StoreUnderTest,
    number: u8,
    through: u8,
    consent_mode: ConsentMode,
    now: Timestamp,
) {
    let expires_at = now.plus(Duration::from_secs(SESSION_LIFETIME.unsigned_abs()));
    let client = client(through).id;
    let opened = AuthorizationSession {
        client,
        subject: Some(subject()),
        created_at: now,
        expires_at,
        ..session()
    };
    store.open_session(token(number), opened).await.expect_ok();
    let code_expires_at = now.plus(Duration::from_secs(CODE_LIFETIME.unsigned_abs()));
    approve(
        store,
        &token(number),
        Approval {
            code_expires_at,
            consent_mode,
            ..approval(number)
        },
        now,
    )
    .await;
}

/// Returns the number of these clients with a remembered consent of the owner.
async fn count_consents(store: &StoreUnderTest, clients: std::ops::Range<u8>) -> usize {
    let mut known = 0;
    for number in clients {
        known += usize::from(
            store
                .consent(&owner(), &client(number).id)
                .await
                .expect_ok()
                .is_some(),
        );
    }
    known
}
