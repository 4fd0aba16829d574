//! Withdrawal of consents, and the grants that it revokes.

use super::super::fixtures::{
    LIFETIMES, NOW, approval, approved, at, client, code, grant, owner, redeemed, scopes, session,
    token,
};
use super::super::store_under_test::{ExpectOk, StoreUnderTest};
use super::{approve, ask, consent, number, other_user, redeem, withdraw};
use crate::domain::{AuthorizationSession, ClientProof, Generation};
use crate::store::{
    ApiKeyAction, Approval, ApprovalOutcome, ConsentMode, GrantRevocation, Redemption, Rotation,
};
use crate::testing::conformance::store_under_test::CONCURRENT_CALLERS;

cases! { Storage, consents as __conformance_consents_withdrawal:
    a_withdrawal_revokes_the_grant_and_forgets_the_consent
    nobody_withdraws_the_grant_of_another
    a_code_that_waits_can_be_withdrawn
    who_signs_out_everywhere_has_nothing_that_lives
    a_forgotten_consent_leaves_the_grants
    a_withdrawal_beside_approvals_without_asking_is_never_lost
}

async fn a_withdrawal_revokes_the_grant_and_forgets_the_consent(store: &StoreUnderTest) {
    for number in [1, 2] {
        ask(store, number, scopes()).await;
        assert!(approve(store, number, ConsentMode::Remembered, NOW).await);
        redeem(store, number, NOW).await;
    }
    assert_eq!(withdraw(store, 1, at(1)).await, GrantRevocation::Revoked);
    assert!(
        !store.grant_is_live(&grant(1), at(1)).await.expect_ok(),
        "a revoked grant is not live"
    );
    assert_eq!(
        store
            .rotate_refresh_token(&grant(1), Generation::FIRST, LIFETIMES, at(1))
            .await
            .expect_ok(),
        Rotation::Revoked
    );
    assert_eq!(
        consent(store).await,
        None,
        "the withdrawn consent is deleted"
    );
    assert!(
        store.grant_is_live(&grant(2), at(1)).await.expect_ok(),
        "another grant of the same client stays live"
    );
    assert_eq!(
        withdraw(store, 1, at(2)).await,
        GrantRevocation::Revoked,
        "a repeated withdrawal is no error"
    );
}

async fn nobody_withdraws_the_grant_of_another(store: &StoreUnderTest) {
    ask(store, 1, scopes()).await;
    assert!(approve(store, 1, ConsentMode::Remembered, NOW).await);
    redeem(store, 1, NOW).await;
    let answer = store
        .revoke_grant_and_consent(&other_user().id, &grant(1), at(1))
        .await
        .expect_ok();
    assert_eq!(
        answer,
        GrantRevocation::NotFound,
        "another user's grant is unknown"
    );
    assert_eq!(withdraw(store, 9, at(1)).await, GrantRevocation::NotFound);
    assert!(
        store.grant_is_live(&grant(1), at(1)).await.expect_ok() && consent(store).await.is_some(),
        "nothing changed"
    );
}

async fn a_code_that_waits_can_be_withdrawn(store: &StoreUnderTest) {
    ask(store, 1, scopes()).await;
    assert!(approve(store, 1, ConsentMode::Remembered, NOW).await);
    assert_eq!(withdraw(store, 1, NOW).await, GrantRevocation::Revoked);
    let redemption = store
        .redeem_authorization_code(&code(1), ClientProof::Pkce, LIFETIMES, NOW)
        .await
        .expect_ok();
    assert_eq!(redemption, Redemption::Revoked);
    assert_eq!(consent(store).await, None);
}

async fn who_signs_out_everywhere_has_nothing_that_lives(store: &StoreUnderTest) {
    ask(store, 1, scopes()).await;
    assert!(approve(store, 1, ConsentMode::Remembered, NOW).await);
    redeemed(store, 2).await;
    approved(store, 3).await;
    redeemed(store, 4).await;
    assert!(store.revoke_grant(&grant(4), at(1)).await.expect_ok());
    ask(store, 5, scopes()).await;
    store
        .open_session(
            token(6),
            AuthorizationSession {
                subject: Some(other_user()),
                ..session()
            },
        )
        .await
        .expect_ok();
    store.open_session(token(7), session()).await.expect_ok();
    assert_eq!(
        store
            .sign_out_everywhere(&owner(), ApiKeyAction::Keep, at(2))
            .await
            .expect_ok(),
        3,
        "each grant is revoked once"
    );
    assert!(
        !store.grant_is_live(&grant(2), at(2)).await.expect_ok(),
        "a revoked grant is not live"
    );
    for number in [1, 3] {
        let redemption = store
            .redeem_authorization_code(&code(number), ClientProof::Pkce, LIFETIMES, at(2))
            .await
            .expect_ok();
        assert_eq!(
            redemption,
            Redemption::Revoked,
            "an unredeemed code is revoked too"
        );
    }
    assert_eq!(
        store.session(&token(5), at(2)).await.expect_ok(),
        None,
        "pending sessions are deleted"
    );
    for number in [6, 7] {
        assert!(
            store
                .session(&token(number), at(2))
                .await
                .expect_ok()
                .is_some(),
            "no other user's session ends"
        );
    }
    assert!(consent(store).await.is_some(), "the consent remains");
    assert_eq!(
        store
            .sign_out_everywhere(&owner(), ApiKeyAction::Keep, at(3))
            .await
            .expect_ok(),
        0
    );
}

async fn a_forgotten_consent_leaves_the_grants(store: &StoreUnderTest) {
    ask(store, 1, scopes()).await;
    assert!(approve(store, 1, ConsentMode::Remembered, NOW).await);
    redeem(store, 1, NOW).await;
    assert!(
        !store
            .delete_consent(&other_user().id, &client(1).id)
            .await
            .expect_ok(),
        "another user's consent is unknown"
    );
    assert!(
        !store
            .delete_consent(&owner(), &client(2).id)
            .await
            .expect_ok(),
        "the user consented to no other client"
    );
    assert!(consent(store).await.is_some());
    assert!(
        store
            .delete_consent(&owner(), &client(1).id)
            .await
            .expect_ok()
    );
    assert_eq!(
        (
            consent(store).await,
            store.consents_of(&owner()).await.expect_ok()
        ),
        (None, vec![]),
        "the withdrawn consent is deleted"
    );
    assert!(
        store.grant_is_live(&grant(1), at(1)).await.expect_ok(),
        "live grants stay live"
    );
    assert!(
        !store
            .delete_consent(&owner(), &client(1).id)
            .await
            .expect_ok(),
        "the consent no longer exists"
    );
}

async fn a_withdrawal_beside_approvals_without_asking_is_never_lost(store: &StoreUnderTest) {
    ask(store, 200, scopes()).await;
    assert!(approve(store, 200, ConsentMode::Remembered, NOW).await);
    for caller in 0..CONCURRENT_CALLERS {
        ask(store, number(caller), scopes()).await;
    }
    let answers = store.race(async |store, caller| {
        if caller == 0 {
            assert_eq!(
                store
                    .revoke_grant_and_consent(&owner(), &grant(200), NOW)
                    .await
                    .expect_ok(),
                GrantRevocation::Revoked
            );
            let approval = Approval {
                consent_mode: ConsentMode::Existing,
                ..approval(number(caller))
            };
            return store
                .approve_session(&token(number(caller)), approval, NOW)
                .await
                .expect_ok();
        }
        let approval = Approval {
            consent_mode: ConsentMode::Existing,
            ..approval(number(caller))
        };
        store
            .approve_session(&token(number(caller)), approval, NOW)
            .await
            .expect_ok()
    });
    assert_eq!(
        answers.first(),
        Some(&ApprovalOutcome::ConsentRequired),
        "the withdrawn consent is deleted"
    );
    for (caller, answer) in answers.iter().enumerate() {
        let is_approved = matches!(answer, ApprovalOutcome::Approved(_));
        assert!(
            is_approved || *answer == ApprovalOutcome::ConsentRequired,
            "not {answer:?}"
        );
        assert_eq!(
            store
                .session(&token(number(caller)), NOW)
                .await
                .expect_ok()
                .is_none(),
            is_approved,
            "only an approval ends a session"
        );
    }
    assert_eq!(consent(store).await, None);
}
