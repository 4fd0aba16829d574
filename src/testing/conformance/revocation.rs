use super::fixtures::{
    ABSOLUTE_LIFETIME, IDLE_TIMEOUT, LIFETIMES, NOW, approved, at, code, count, grant, redeemed,
};
use super::store_under_test::{CONCURRENT_CALLERS, ExpectOk, ProtocolUnderTest};
use crate::domain::{ClientProof, Generation};
use crate::store::{Redemption, Rotation};

cases! { ProtocolStorage, revocation as __conformance_revocation:
    a_grant_is_live_from_its_redemption_to_its_end
    a_revoked_grant_is_not_live
    an_unknown_grant_cannot_be_revoked
    a_revocation_beside_a_redemption_is_never_lost
    a_revocation_beside_a_rotation_is_never_lost
    a_revocation_beside_the_only_redemption_is_never_lost
}

async fn a_grant_is_live_from_its_redemption_to_its_end(store: &ProtocolUnderTest) {
    approved(store, 1).await;
    assert!(
        !store.grant_is_live(&grant(1), NOW).await.expect_ok(),
        "no token was issued yet"
    );
    let redemption = store
        .redeem_authorization_code(&code(1), ClientProof::Pkce, LIFETIMES, NOW)
        .await
        .expect_ok();
    assert!(matches!(redemption, Redemption::Redeemed(_)));
    assert!(
        store
            .grant_is_live(&grant(1), at(IDLE_TIMEOUT - 1))
            .await
            .expect_ok()
    );
    assert!(
        !store
            .grant_is_live(&grant(1), at(IDLE_TIMEOUT))
            .await
            .expect_ok(),
        "at == idle_expires_at is expired"
    );
    for (generation, now) in (0..).zip((900..ABSOLUTE_LIFETIME).step_by(900)) {
        let rotation = store
            .rotate_refresh_token(&grant(1), Generation::new(generation), LIFETIMES, at(now))
            .await
            .expect_ok();
        assert!(
            matches!(rotation, Rotation::Rotated(_)),
            "the current token rotates, not {rotation:?}"
        );
    }
    assert!(
        store
            .grant_is_live(&grant(1), at(ABSOLUTE_LIFETIME - 1))
            .await
            .expect_ok()
    );
    assert!(
        !store
            .grant_is_live(&grant(1), at(ABSOLUTE_LIFETIME))
            .await
            .expect_ok(),
        "at == expires_at is expired"
    );
    assert!(
        !store.grant_is_live(&grant(9), NOW).await.expect_ok(),
        "an unknown grant is not live"
    );
}

async fn a_revoked_grant_is_not_live(store: &ProtocolUnderTest) {
    redeemed(store, 1).await;
    redeemed(store, 2).await;
    assert!(
        store.revoke_grant(&grant(1), at(1)).await.expect_ok(),
        "the grant exists"
    );
    assert!(
        !store.grant_is_live(&grant(1), at(1)).await.expect_ok(),
        "a revoked grant is not live"
    );
    assert!(
        store.revoke_grant(&grant(1), at(2)).await.expect_ok(),
        "the grant still exists"
    );
    assert!(
        store.grant_is_live(&grant(2), at(2)).await.expect_ok(),
        "no other grant is revoked, not even of the same user and client"
    );
}

async fn an_unknown_grant_cannot_be_revoked(store: &ProtocolUnderTest) {
    redeemed(store, 1).await;
    assert!(!store.revoke_grant(&grant(9), at(1)).await.expect_ok());
    assert!(store.grant_is_live(&grant(1), at(1)).await.expect_ok());
}

async fn a_revocation_beside_a_redemption_is_never_lost(store: &ProtocolUnderTest) {
    approved(store, 1).await;
    let answers = store.race(async |store, caller| {
        if caller.is_multiple_of(2) {
            assert!(
                store.revoke_grant(&grant(1), NOW).await.expect_ok(),
                "the grant exists"
            );
            assert!(
                !store.grant_is_live(&grant(1), NOW).await.expect_ok(),
                "a revoked grant is not live"
            );
            return None;
        }
        Some(
            store
                .redeem_authorization_code(&code(1), ClientProof::Pkce, LIFETIMES, NOW)
                .await
                .expect_ok(),
        )
    });
    let answers: Vec<_> = answers.into_iter().flatten().collect();
    let redeemed = count(&answers, |answer| matches!(answer, Redemption::Redeemed(_)));
    assert!(
        redeemed <= 1,
        "at most one of {CONCURRENT_CALLERS} is redeemed"
    );
    let refusal = if redeemed == 1 {
        Redemption::AlreadyRedeemed {
            grant: grant(1),
            at: NOW,
        }
    } else {
        Redemption::Revoked
    };
    assert_eq!(
        count(&answers, |answer| *answer == refusal),
        answers.len() - redeemed,
        "the code was redeemed before it was revoked, or never"
    );
    assert!(
        !store.grant_is_live(&grant(1), NOW).await.expect_ok(),
        "in either order, the grant is revoked now"
    );
}

async fn a_revocation_beside_a_rotation_is_never_lost(store: &ProtocolUnderTest) {
    redeemed(store, 1).await;
    let answers = store.race(async |store, caller| {
        if caller.is_multiple_of(2) {
            assert!(
                store.revoke_grant(&grant(1), at(1)).await.expect_ok(),
                "the grant exists"
            );
            assert!(
                !store.grant_is_live(&grant(1), at(1)).await.expect_ok(),
                "a revoked grant is not live"
            );
            return None;
        }
        Some(
            store
                .rotate_refresh_token(&grant(1), Generation::FIRST, LIFETIMES, at(1))
                .await
                .expect_ok(),
        )
    });
    let answers: Vec<_> = answers.into_iter().flatten().collect();
    assert!(
        count(&answers, |answer| matches!(answer, Rotation::Rotated(_))) <= 1,
        "at most one of {CONCURRENT_CALLERS} rotates"
    );
    for generation in [0, 1] {
        let rotation = store
            .rotate_refresh_token(&grant(1), Generation::new(generation), LIFETIMES, at(1))
            .await
            .expect_ok();
        assert_eq!(
            rotation,
            Rotation::Revoked,
            "in either order, the grant is revoked now"
        );
    }
}

async fn a_revocation_beside_the_only_redemption_is_never_lost(store: &ProtocolUnderTest) {
    for number in 1..=8 {
        approved(store, number).await;
        let answers = store.race(async |store, caller| {
            if caller > 0 {
                assert!(
                    store.revoke_grant(&grant(number), NOW).await.expect_ok(),
                    "the grant exists"
                );
                assert!(
                    !store.grant_is_live(&grant(number), NOW).await.expect_ok(),
                    "a revoked grant is not live"
                );
                return None;
            }
            Some(
                store
                    .redeem_authorization_code(&code(number), ClientProof::Pkce, LIFETIMES, NOW)
                    .await
                    .expect_ok(),
            )
        });
        // No replay revokes this grant: only the revocation does, whether or not tokens were
        // already being issued.
        let answer = answers.into_iter().flatten().next();
        assert!(
            matches!(answer, Some(Redemption::Redeemed(_) | Redemption::Revoked)),
            "not {answer:?}"
        );
        assert!(
            !store.grant_is_live(&grant(number), NOW).await.expect_ok(),
            "in either order, the grant is revoked now"
        );
    }
}
