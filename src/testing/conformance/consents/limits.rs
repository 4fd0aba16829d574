//! Limits on the live grants and the stored consents of one user.

use super::super::fixtures::{
    LIFETIMES, NOW, approval, at, client, code, count, grant, owner, registered_client, scopes,
    session, subject, token,
};
use super::super::store_under_test::{CONCURRENT_CALLERS, ExpectOk, StoreUnderTest};
use super::{approve, ask, number, other_user, redeem};
use crate::domain::{AuthorizationSession, ClientProof, Generation, Timestamp};
use crate::store::{
    Approval, ApprovalLimits, ApprovalOutcome, ConsentMode, Redemption, Rotation, Storage,
};

cases! { Storage, consents as __conformance_consents_limits:
    the_grant_that_was_used_longest_ago_makes_room
    of_many_approvals_at_once_no_more_grants_live_than_may
    the_consent_that_was_used_longest_ago_makes_room
    of_many_consents_at_once_no_more_are_kept_than_may
}

async fn the_grant_that_was_used_longest_ago_makes_room(store: &StoreUnderTest) {
    registered_client(store).await;
    let other_client = AuthorizationSession {
        client: client(2).id,
        subject: Some(subject()),
        ..session()
    };
    let others = [
        (50, other_client),
        (
            51,
            AuthorizationSession {
                subject: Some(other_user()),
                ..session()
            },
        ),
    ];
    for (number, pending) in others {
        store.open_session(token(number), pending).await.expect_ok();
        assert!(approve(store, number, ConsentMode::Once, NOW).await);
        redeem(store, number, NOW).await;
    }
    // Grants 1 and 2 are used, 3 has an unredeemed code, 4 is revoked, and the code of 5 is never
    // redeemed.
    for number in 1..=5 {
        ask(store, number, scopes()).await;
        assert!(approve(store, number, ConsentMode::Once, at(i64::from(number))).await);
    }
    for number in [1, 2, 4] {
        redeem(store, number, at(10)).await;
    }
    assert!(matches!(
        store
            .rotate_refresh_token(&grant(1), Generation::FIRST, LIFETIMES, at(20))
            .await
            .expect_ok(),
        Rotation::Rotated(_)
    ));
    assert!(store.revoke_grant(&grant(4), at(20)).await.expect_ok());
    // Of 2, 5, 3 and 1, most recently used first, three and the new one may stay.
    let mut before: &[u8] = &[];
    for (new, at_most, now, gone) in [
        (6, 5, 30, &[][..]),
        (7, 4, 31, &[3, 5]),
        (8, 4, 32, &[2, 3, 5]),
        (9, 1, 33, &[1, 2, 3, 5, 6, 7, 8]),
    ] {
        ask(store, new, scopes()).await;
        let approval = Approval {
            limits: few_grants(at_most),
            ..approval(new)
        };
        let approving = store
            .approve_session(&token(new), approval, at(now))
            .await
            .expect_ok();
        let ApprovalOutcome::Approved(mut approved) = approving else {
            panic!("an approval is never refused because of earlier ones, not {approving:?}");
        };
        approved.replaced.sort();
        let replaced: Vec<_> = gone
            .iter()
            .filter(|number| !before.contains(*number))
            .map(|number| grant(*number))
            .collect();
        assert_eq!(
            approved.replaced, replaced,
            "{new} reports the revoked grants"
        );
        before = gone;
        redeem(store, new, at(now)).await;
        for number in [1, 2, 6, 7, 8, 9]
            .into_iter()
            .filter(|number| *number <= new)
        {
            let is_live = store
                .grant_is_live(&grant(number), at(now))
                .await
                .expect_ok();
            assert_eq!(
                is_live,
                !gone.contains(&number),
                "grant {number} after {new}"
            );
        }
    }
    for number in [3, 5] {
        let redemption = store
            .redeem_authorization_code(&code(number), ClientProof::Pkce, LIFETIMES, at(34))
            .await
            .expect_ok();
        assert_eq!(
            redemption,
            Redemption::Revoked,
            "an unredeemed grant counts and can be revoked"
        );
    }
    for number in [50, 51] {
        assert!(
            store
                .grant_is_live(&grant(number), at(33))
                .await
                .expect_ok(),
            "those of other clients and users stay"
        );
    }
}

async fn of_many_approvals_at_once_no_more_grants_live_than_may(store: &StoreUnderTest) {
    registered_client(store).await;
    for caller in 0..CONCURRENT_CALLERS {
        ask(store, number(caller), scopes()).await;
    }
    let answers = store.race(async |store, caller| {
        capped(store, number(caller), ConsentMode::Once, few_grants(5), NOW).await
    });
    assert_eq!(
        count(&answers, |approved| *approved),
        CONCURRENT_CALLERS,
        "every approval succeeds"
    );
    let mut left = 0;
    for caller in 0..CONCURRENT_CALLERS {
        let redemption = store
            .redeem_authorization_code(&code(number(caller)), ClientProof::Pkce, LIFETIMES, at(1))
            .await
            .expect_ok();
        left += usize::from(matches!(redemption, Redemption::Redeemed(_)));
    }
    assert_eq!(left, 5, "of {CONCURRENT_CALLERS} grants exactly 5 are left");
}

async fn the_consent_that_was_used_longest_ago_makes_room(store: &StoreUnderTest) {
    for (new, of, consent_mode, now) in [
        (1, 1, ConsentMode::Remembered, 0),
        (2, 2, ConsentMode::Remembered, 1),
        (3, 3, ConsentMode::Remembered, 2),
        (4, 1, ConsentMode::Existing, 3),
    ] {
        ask_through(store, new, of).await;
        assert!(capped(&**store, new, consent_mode, few_consents(3), at(now)).await);
    }
    ask_through(store, 5, 3).await;
    assert!(capped(&**store, 5, ConsentMode::Remembered, few_consents(3), at(4)).await);
    assert_eq!(
        allowed(store).await,
        [1, 2, 3],
        "an existing consent needs no room"
    );
    ask_through(store, 6, 4).await;
    assert!(capped(&**store, 6, ConsentMode::Once, few_consents(3), at(5)).await);
    assert_eq!(
        allowed(store).await,
        [1, 2, 3],
        "an approval that is not remembered needs none either"
    );
    ask_through(store, 7, 4).await;
    assert!(capped(&**store, 7, ConsentMode::Remembered, few_consents(3), at(6)).await);
    assert_eq!(
        allowed(store).await,
        [1, 3, 4],
        "an earlier consent that was used since stays"
    );
    ask_through(store, 8, 5).await;
    assert!(capped(&**store, 8, ConsentMode::Remembered, few_consents(1), at(7)).await);
    assert_eq!(allowed(store).await, [5]);
}

async fn of_many_consents_at_once_no_more_are_kept_than_may(store: &StoreUnderTest) {
    for caller in 0..CONCURRENT_CALLERS {
        ask_through(store, number(caller), number(caller)).await;
    }
    let answers = store.race(async |store, caller| {
        capped(
            store,
            number(caller),
            ConsentMode::Remembered,
            few_consents(5),
            NOW,
        )
        .await
    });
    assert_eq!(
        count(&answers, |approved| *approved),
        CONCURRENT_CALLERS,
        "every approval succeeds"
    );
    assert_eq!(
        store.consents_of(&owner()).await.expect_ok().len(),
        5,
        "of {CONCURRENT_CALLERS} consents exactly 5 are kept"
    );
}

const fn few_grants(at_most: u32) -> ApprovalLimits {
    ApprovalLimits {
        grants_per_client: at_most,
        ..ApprovalLimits::UNLIMITED
    }
}

const fn few_consents(at_most: u32) -> ApprovalLimits {
    ApprovalLimits {
        consents: at_most,
        ..ApprovalLimits::UNLIMITED
    }
}

/// Approves the session under these limits and returns whether `grant(number)` was created.
async fn capped(
    store: &dyn Storage,
    number: u8,
    consent_mode: ConsentMode,
    limits: ApprovalLimits,
    now: Timestamp,
) -> bool {
    let approval = Approval {
        consent_mode,
        limits,
        ..approval(number)
    };
    matches!(
        store
            .approve_session(&token(number), approval, now)
            .await
            .expect_ok(),
        ApprovalOutcome::Approved(_)
    )
}

/// Creates a session of a client under `token(number)` that the owner has signed in to.
async fn ask_through(store: &StoreUnderTest, number: u8, through: u8) {
    let asked = AuthorizationSession {
        client: client(through).id,
        subject: Some(subject()),
        ..session()
    };
    store.open_session(token(number), asked).await.expect_ok();
}

/// Returns which of clients 1 to 9 have a remembered consent of the owner.
async fn allowed(store: &StoreUnderTest) -> Vec<u8> {
    let mut allowed = Vec::new();
    for number in 1..=9 {
        if store
            .consent(&owner(), &client(number).id)
            .await
            .expect_ok()
            .is_some()
        {
            allowed.push(number);
        }
    }
    allowed
}
