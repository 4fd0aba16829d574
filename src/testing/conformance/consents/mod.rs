pub(super) mod limits;
pub(super) mod listing;
pub(super) mod retention;
pub(super) mod withdrawal;

use super::fixtures::{
    LIFETIMES, NOW, approval, at, client, code, count, grant, owner, registered_client, scopes,
    session, subject, token,
};
use super::store_under_test::{CONCURRENT_CALLERS, ExpectOk, StoreUnderTest};
use crate::domain::{
    AuthorizationSession, ClientProof, Consent, Role, Scope, ScopeSet, Subject, Timestamp,
};
use crate::store::{Approval, ApprovalOutcome, ConsentMode, GrantRevocation, Redemption};

cases! { Storage, consents as __conformance_consents:
    only_what_is_to_be_remembered_is_remembered
    what_is_remembered_adds_up
    an_approval_without_asking_needs_a_consent_to_every_scope
    nobody_is_spared_the_sign_in
    of_many_consents_at_once_none_is_lost
}

async fn only_what_is_to_be_remembered_is_remembered(store: &StoreUnderTest) {
    ask(store, 1, scopes()).await;
    assert!(
        approve(store, 1, ConsentMode::Once, NOW).await,
        "a user may approve once"
    );
    assert_eq!(consent(store).await, None, "and must be asked again");
    ask(store, 2, scopes()).await;
    assert!(approve(store, 2, ConsentMode::Remembered, at(5)).await);
    assert_eq!(
        consent(store).await,
        Some(Consent {
            scopes: scopes(),
            granted_at: at(5)
        })
    );
    assert_eq!(
        store
            .consent(&other_user().id, &client(1).id)
            .await
            .expect_ok(),
        None,
        "no subject consents for another"
    );
    assert_eq!(
        store.consent(&owner(), &client(2).id).await.expect_ok(),
        None,
        "nor for another client"
    );
}

async fn what_is_remembered_adds_up(store: &StoreUnderTest) {
    for (number, scope) in (1..).zip([Scope::self_read(), Scope::manage(), Scope::manage()]) {
        ask(store, number, one(scope)).await;
        assert!(approve(store, number, ConsentMode::Remembered, at(number.into())).await);
        redeem(store, number, at(number.into())).await;
    }
    let expected = Some(Consent {
        scopes: [Scope::manage(), Scope::self_read()].into_iter().collect(),
        granted_at: at(3),
    });
    assert_eq!(
        consent(store).await,
        expected,
        "earlier scopes stay in the consent"
    );
    ask(store, 4, one(Scope::self_read())).await;
    assert!(approve(store, 4, ConsentMode::Once, at(4)).await);
    assert_eq!(
        consent(store).await,
        expected,
        "an approval that is not remembered removes nothing"
    );
}

async fn an_approval_without_asking_needs_a_consent_to_every_scope(store: &StoreUnderTest) {
    ask(store, 1, one(Scope::self_read())).await;
    assert!(approve(store, 1, ConsentMode::Remembered, NOW).await);
    let waiting = |scopes| AuthorizationSession {
        scopes,
        subject: Some(subject()),
        ..session()
    };
    for (number, asked) in [
        (2, waiting(scopes())),
        (3, waiting(one(Scope::manage()))),
        (
            4,
            AuthorizationSession {
                subject: Some(other_user()),
                ..waiting(one(Scope::self_read()))
            },
        ),
        (
            5,
            AuthorizationSession {
                client: client(2).id,
                ..waiting(one(Scope::self_read()))
            },
        ),
    ] {
        store
            .open_session(token(number), asked.clone())
            .await
            .expect_ok();
        let approval = Approval {
            consent_mode: ConsentMode::Existing,
            ..approval(number)
        };
        let answer = store
            .approve_session(&token(number), approval, NOW)
            .await
            .expect_ok();
        assert_eq!(
            answer,
            ApprovalOutcome::ConsentRequired,
            "the user must be asked"
        );
        assert_eq!(
            store.session(&token(number), NOW).await.expect_ok(),
            Some(asked),
            "and the user can still approve"
        );
        assert_eq!(
            store.code_binding(&code(number)).await.expect_ok(),
            None,
            "a refused approval creates no code"
        );
    }
    ask(store, 6, one(Scope::self_read())).await;
    assert!(
        approve(store, 6, ConsentMode::Existing, at(9)).await,
        "a consent to these scopes exists"
    );
    assert_eq!(
        consent(store).await.map(|consent| consent.granted_at),
        Some(NOW),
        "and is not added again"
    );
}

async fn nobody_is_spared_the_sign_in(store: &StoreUnderTest) {
    ask(store, 1, scopes()).await;
    assert!(approve(store, 1, ConsentMode::Remembered, NOW).await);
    store.open_session(token(2), session()).await.expect_ok();
    let approval = Approval {
        consent_mode: ConsentMode::Existing,
        ..approval(2)
    };
    assert_eq!(
        store
            .approve_session(&token(2), approval, NOW)
            .await
            .expect_ok(),
        ApprovalOutcome::NotSignedIn
    );
}

async fn of_many_consents_at_once_none_is_lost(store: &StoreUnderTest) {
    registered_client(store).await;
    for caller in 0..CONCURRENT_CALLERS {
        ask(store, number(caller), one(asked_by(caller))).await;
    }
    let answers = store.race(async |store, caller| {
        let approval = Approval {
            consent_mode: ConsentMode::Remembered,
            ..approval(number(caller))
        };
        store
            .approve_session(&token(number(caller)), approval, NOW)
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
    let scopes = consent(store)
        .await
        .map(|consent| consent.scopes)
        .unwrap_or_default();
    assert!(
        scopes.len() == 2 && self::scopes().is_subset(&scopes),
        "both scopes are in the consent, not only {scopes}"
    );
}

fn one(scope: Scope) -> ScopeSet {
    [scope].into_iter().collect()
}

fn other_user() -> Subject {
    Subject {
        id: "other".parse().expect("an id"),
        email: "other@school.example".parse().expect("an address"),
        role: Role::User,
        numeric_id: None,
        student: None,
    }
}

fn number(caller: usize) -> u8 {
    u8::try_from(caller).unwrap_or_default()
}

fn asked_by(caller: usize) -> Scope {
    if caller.is_multiple_of(2) {
        Scope::self_read()
    } else {
        Scope::manage()
    }
}

/// Creates a session of client 1 under `token(number)` that the owner has signed in to.
async fn ask(store: &StoreUnderTest, number: u8, scopes: ScopeSet) {
    let asked = AuthorizationSession {
        scopes,
        subject: Some(subject()),
        ..session()
    };
    store.open_session(token(number), asked).await.expect_ok();
}

/// Approves the session and returns whether `grant(number)` was created.
async fn approve(
    store: &StoreUnderTest,
    number: u8,
    consent_mode: ConsentMode,
    now: Timestamp,
) -> bool {
    let approval = Approval {
        consent_mode,
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

async fn redeem(store: &StoreUnderTest, number: u8, now: Timestamp) {
    let redemption = store
        .redeem_authorization_code(&code(number), ClientProof::Pkce, LIFETIMES, now)
        .await
        .expect_ok();
    assert!(
        matches!(redemption, Redemption::Redeemed(_)),
        "a fresh code can be redeemed, not {redemption:?}"
    );
}

/// Returns the owner's consent to client 1.
async fn consent(store: &StoreUnderTest) -> Option<Consent> {
    store.consent(&owner(), &client(1).id).await.expect_ok()
}

async fn withdraw(store: &StoreUnderTest, number: u8, now: Timestamp) -> GrantRevocation {
    store
        .revoke_grant_and_consent(&owner(), &grant(number), now)
        .await
        .expect_ok()
}
