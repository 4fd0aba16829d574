use std::time::Duration;

use super::fixtures::{
    ABSOLUTE_LIFETIME, CODE_LIFETIME, IDLE_TIMEOUT, LIFETIMES, NOW, approval, approved,
    approved_as, at, client, code, count, grant, redeemed, registered_client, scopes, session,
    subject, token,
};
use super::store_under_test::{CONCURRENT_CALLERS, ExpectOk, ProtocolUnderTest};
use crate::domain::{
    AuthorizationSession, ChallengeMethod, ClientProof, CodeBinding, CodeChallenge, Generation,
    Grant, Scope, ScopeSet, Timestamp,
};
use crate::store::{Redemption, TokenLifetimes};

cases! { ProtocolStorage, codes as __conformance_codes:
    a_code_tells_what_must_be_proven_whatever_became_of_it
    a_redeemed_code_gives_the_grant
    a_grant_keeps_its_scopes_in_the_order_they_were_asked_for
    a_grant_never_idles_past_its_end
    a_code_is_redeemed_once
    a_replay_ends_the_grant
    a_replay_is_known_also_after_the_grant_was_revoked
    an_expired_code_is_refused_and_stays_unspent
    a_code_of_a_revoked_grant_is_refused
    an_unknown_code_is_refused
    of_many_redemptions_one_gives_the_grant
}

async fn a_code_tells_what_must_be_proven_whatever_became_of_it(store: &ProtocolUnderTest) {
    registered_client(store).await;
    let challenge = CodeChallenge::new(
        ChallengeMethod::S256,
        "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    )
    .ok();
    let opened = AuthorizationSession {
        challenge: challenge.clone(),
        subject: Some(subject()),
        ..session()
    };
    let expected = Some(CodeBinding {
        client: opened.client,
        redirect_uri: opened.redirect_uri.clone(),
        challenge,
        subject: subject().id,
        scopes: opened.scopes.clone(),
    });
    for number in [1, 2, 3] {
        store
            .open_session(token(number), opened.clone())
            .await
            .expect_ok();
        assert_eq!(
            store
                .approve_session(&token(number), approval(number), NOW)
                .await
                .expect_ok(),
            approved_as(opened.clone())
        );
        assert_eq!(
            store.code_binding(&code(number)).await.expect_ok(),
            expected,
            "before its redemption"
        );
    }
    assert!(matches!(
        redeem(store, 1, NOW).await,
        Redemption::Redeemed(_)
    ));
    assert_eq!(
        redeem(store, 2, at(CODE_LIFETIME)).await,
        Redemption::Expired
    );
    assert!(store.revoke_grant(&grant(3), NOW).await.expect_ok());
    for number in [1, 2, 3] {
        assert_eq!(
            store.code_binding(&code(number)).await.expect_ok(),
            expected,
            "the binding of code {number} is the same in every state"
        );
    }
    assert_eq!(store.code_binding(&code(9)).await.expect_ok(), None);
}

async fn a_redeemed_code_gives_the_grant(store: &ProtocolUnderTest) {
    for (number, proof) in (1..).zip(ClientProof::ALL) {
        approved(store, number).await;
        let redemption = store
            .redeem_authorization_code(&code(number), *proof, LIFETIMES, at(7))
            .await
            .expect_ok();
        let expected = Grant {
            id: grant(number),
            client: client(1).id,
            subject: subject().id,
            scopes: scopes(),
            proof: *proof,
            generation: Generation::FIRST,
            idle_expires_at: at(7 + IDLE_TIMEOUT),
            expires_at: at(7 + ABSOLUTE_LIFETIME),
        };
        assert_eq!(
            redemption,
            Redemption::Redeemed(expected),
            "the grant has all of the approval, and its lifetimes start at the redemption"
        );
    }
}

async fn a_grant_keeps_its_scopes_in_the_order_they_were_asked_for(store: &ProtocolUnderTest) {
    registered_client(store).await;
    for (number, asked) in (1..).zip([
        vec![Scope::manage(), Scope::self_read()],
        vec![Scope::self_read()],
        vec![],
    ]) {
        let asked: ScopeSet = asked.into_iter().collect();
        let opened = AuthorizationSession {
            scopes: asked.clone(),
            subject: Some(subject()),
            ..session()
        };
        store
            .open_session(token(number), opened.clone())
            .await
            .expect_ok();
        assert_eq!(
            store
                .approve_session(&token(number), approval(number), NOW)
                .await
                .expect_ok(),
            approved_as(opened)
        );
        match redeem(store, number, NOW).await {
            Redemption::Redeemed(grant) => assert_eq!(grant.scopes, asked),
            other => panic!("a fresh code can be redeemed, not {other:?}"),
        }
    }
}

async fn a_grant_never_idles_past_its_end(store: &ProtocolUnderTest) {
    approved(store, 1).await;
    let lifetimes = TokenLifetimes {
        idle: Duration::from_secs(100),
        absolute: Duration::from_secs(60),
        ..LIFETIMES
    };
    match store
        .redeem_authorization_code(&code(1), ClientProof::Secret, lifetimes, NOW)
        .await
        .expect_ok()
    {
        Redemption::Redeemed(grant) => {
            assert_eq!((grant.idle_expires_at, grant.expires_at), (at(60), at(60)))
        }
        other => panic!("a fresh code can be redeemed, not {other:?}"),
    }
}

async fn a_code_is_redeemed_once(store: &ProtocolUnderTest) {
    redeemed(store, 1).await;
    let again = Redemption::AlreadyRedeemed {
        grant: grant(1),
        at: NOW,
    };
    assert_eq!(
        redeem(store, 1, at(1)).await,
        again,
        "a replay returns the grant and the time of its redemption"
    );
    assert_eq!(
        redeem(store, 1, at(2)).await,
        again,
        "a replay does not change the time"
    );
    assert_eq!(
        redeem(store, 1, at(CODE_LIFETIME)).await,
        again,
        "a replay is a replay also after the code's own end"
    );
}

async fn a_replay_ends_the_grant(store: &ProtocolUnderTest) {
    redeemed(store, 1).await;
    redeemed(store, 2).await;
    assert!(matches!(
        redeem(store, 1, at(1)).await,
        Redemption::AlreadyRedeemed { .. }
    ));
    assert!(
        !store.grant_is_live(&grant(1), at(1)).await.expect_ok(),
        "either client may be the attacker, so the grant is revoked"
    );
    assert!(
        store.grant_is_live(&grant(2), at(1)).await.expect_ok(),
        "another grant of the same user stays"
    );
}

async fn a_replay_is_known_also_after_the_grant_was_revoked(store: &ProtocolUnderTest) {
    redeemed(store, 1).await;
    assert!(store.revoke_grant(&grant(1), at(1)).await.expect_ok());
    assert_eq!(
        redeem(store, 1, at(2)).await,
        Redemption::AlreadyRedeemed {
            grant: grant(1),
            at: NOW
        }
    );
}

async fn an_expired_code_is_refused_and_stays_unspent(store: &ProtocolUnderTest) {
    approved(store, 1).await;
    assert_eq!(
        redeem(store, 1, at(CODE_LIFETIME)).await,
        Redemption::Expired,
        "at == code_expires_at is expired"
    );
    assert_eq!(
        redeem(store, 1, at(CODE_LIFETIME + 1)).await,
        Redemption::Expired,
        "what was refused was not redeemed"
    );
    assert!(
        !store
            .grant_is_live(&grant(1), at(CODE_LIFETIME))
            .await
            .expect_ok()
    );
    let earlier = redeem(store, 1, at(CODE_LIFETIME - 1)).await;
    assert!(
        matches!(earlier, Redemption::Redeemed(_)),
        "a refusal redeems nothing, not {earlier:?}"
    );
}

async fn a_code_of_a_revoked_grant_is_refused(store: &ProtocolUnderTest) {
    approved(store, 1).await;
    assert!(store.revoke_grant(&grant(1), NOW).await.expect_ok());
    assert_eq!(
        redeem(store, 1, at(1)).await,
        Redemption::Revoked,
        "an unredeemed code is revoked with its grant"
    );
    assert!(!store.grant_is_live(&grant(1), at(1)).await.expect_ok());
}

async fn an_unknown_code_is_refused(store: &ProtocolUnderTest) {
    approved(store, 1).await;
    assert_eq!(redeem(store, 2, NOW).await, Redemption::NotFound);
    let first = redeem(store, 1, NOW).await;
    assert!(
        matches!(first, Redemption::Redeemed(_)),
        "a wrong code redeems no other, not {first:?}"
    );
}

// Proves: threats 1
async fn of_many_redemptions_one_gives_the_grant(store: &ProtocolUnderTest) {
    approved(store, 1).await;
    approved(store, 2).await;
    for number in [1, 2] {
        let time = |caller: usize| at(i64::try_from(caller % 50).unwrap_or_default());
        let answers = store.race(async |store, caller| {
            store
                .redeem_authorization_code(
                    &code(number),
                    ClientProof::Pkce,
                    LIFETIMES,
                    time(caller),
                )
                .await
                .expect_ok()
        });
        assert_eq!(
            count(&answers, |answer| matches!(answer, Redemption::Redeemed(_))),
            1,
            "of {CONCURRENT_CALLERS} redemptions exactly one is redeemed"
        );
        let winner = answers
            .iter()
            .position(|answer| matches!(answer, Redemption::Redeemed(_)))
            .unwrap_or_default();
        let told = Redemption::AlreadyRedeemed {
            grant: grant(number),
            at: time(winner),
        };
        assert_eq!(
            count(&answers, |answer| *answer == told),
            CONCURRENT_CALLERS - 1,
            "every other call gets the grant and the time of its redemption"
        );
        assert!(
            !store.grant_is_live(&grant(number), NOW).await.expect_ok(),
            "and revokes it"
        );
    }
}

async fn redeem(store: &ProtocolUnderTest, number: u8, at: Timestamp) -> Redemption {
    store
        .redeem_authorization_code(&code(number), ClientProof::Pkce, LIFETIMES, at)
        .await
        .expect_ok()
}
