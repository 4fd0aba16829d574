//! Listing of live grants and consents.

use super::super::fixtures::{
    CODE_LIFETIME, IDLE_TIMEOUT, LIFETIMES, NOW, at, client, grant, owner, registered_client,
    scopes, session, subject, token,
};
use super::super::store_under_test::{ExpectOk, StoreUnderTest};
use super::{approve, ask, asked_by, one, other_user, redeem};
use crate::domain::{AuthorizationSession, Consent, Generation, LiveGrant, Scope};
use crate::store::{ConsentMode, MAX_LISTED_CONSENTS, MAX_LISTED_GRANTS, Rotation};

cases! { Storage, consents as __conformance_consents_listing:
    users_are_shown_what_of_theirs_is_live
    no_more_grants_are_shown_than_anyone_reads
    what_was_allowed_is_shown_also_where_nothing_of_it_lives
    no_more_consents_are_shown_than_anyone_reads
}

async fn users_are_shown_what_of_theirs_is_live(store: &StoreUnderTest) {
    registered_client(store).await;
    for number in 1..=6 {
        ask(store, number, one(Scope::self_read())).await;
        assert!(approve(store, number, ConsentMode::Once, NOW).await);
    }
    store
        .open_session(
            token(7),
            AuthorizationSession {
                subject: Some(other_user()),
                ..session()
            },
        )
        .await
        .expect_ok();
    assert!(approve(store, 7, ConsentMode::Once, NOW).await);
    // The sixth is never redeemed.
    for (number, now) in [(1, 30), (2, 10), (3, 20), (4, 20), (5, 20), (7, 20)] {
        redeem(store, number, at(now)).await;
    }
    assert!(store.revoke_grant(&grant(5), at(40)).await.expect_ok());
    let rotation = store
        .rotate_refresh_token(&grant(2), Generation::FIRST, LIFETIMES, at(500))
        .await
        .expect_ok();
    assert!(matches!(rotation, Rotation::Rotated(_)), "not {rotation:?}");
    let shown = |number: u8, since, last_used_at| LiveGrant {
        id: grant(number),
        client: client(1).id,
        scopes: one(Scope::self_read()),
        since: at(since),
        last_used_at: at(last_used_at),
    };
    let all = store.grants_of(&owner(), at(500)).await.expect_ok();
    assert_eq!(
        all,
        [
            shown(1, 30, 30),
            shown(3, 20, 20),
            shown(4, 20, 20),
            shown(2, 10, 500)
        ],
        "newest first, then by id"
    );
    let later = store
        .grants_of(&owner(), at(20 + IDLE_TIMEOUT))
        .await
        .expect_ok();
    assert_eq!(
        later,
        [shown(1, 30, 30), shown(2, 10, 500)],
        "an expired grant is not listed"
    );
}

async fn no_more_grants_are_shown_than_anyone_reads(store: &StoreUnderTest) {
    for number in 0..=u8::try_from(MAX_LISTED_GRANTS).unwrap_or(u8::MAX) {
        ask(store, number, scopes()).await;
        assert!(approve(store, number, ConsentMode::Once, NOW).await);
        redeem(store, number, at(i64::from(number) % CODE_LIFETIME)).await;
    }
    assert_eq!(
        store
            .grants_of(&owner(), at(CODE_LIFETIME))
            .await
            .expect_ok()
            .len(),
        MAX_LISTED_GRANTS,
        "the list is limited"
    );
}

async fn what_was_allowed_is_shown_also_where_nothing_of_it_lives(store: &StoreUnderTest) {
    for (number, of, granted_at) in [(1, 3, 5), (2, 2, 9), (3, 1, 5), (4, 4, 7)] {
        let client = client(of).id;
        let asked = AuthorizationSession {
            client,
            scopes: one(asked_by(of.into())),
            subject: Some(subject()),
            ..session()
        };
        store.open_session(token(number), asked).await.expect_ok();
        assert!(approve(store, number, ConsentMode::Remembered, at(granted_at)).await);
    }
    store
        .open_session(
            token(5),
            AuthorizationSession {
                subject: Some(other_user()),
                ..session()
            },
        )
        .await
        .expect_ok();
    assert!(approve(store, 5, ConsentMode::Remembered, NOW).await);
    let shown = |of: u8, granted_at| {
        (
            client(of).id,
            Consent {
                scopes: one(asked_by(of.into())),
                granted_at: at(granted_at),
            },
        )
    };
    let expected = [shown(2, 9), shown(4, 7), shown(1, 5), shown(3, 5)];
    assert_eq!(
        store.consents_of(&owner()).await.expect_ok(),
        expected,
        "latest consent first, then by the client's id"
    );
    assert_eq!(
        store
            .consents_of(&"nobody".parse().expect("an id"))
            .await
            .expect_ok(),
        []
    );
}

async fn no_more_consents_are_shown_than_anyone_reads(store: &StoreUnderTest) {
    for number in 0..=u8::try_from(MAX_LISTED_CONSENTS).unwrap_or(u8::MAX) {
        let asked = AuthorizationSession {
            client: client(number).id,
            subject: Some(subject()),
            ..session()
        };
        store.open_session(token(number), asked).await.expect_ok();
        assert!(approve(store, number, ConsentMode::Remembered, NOW).await);
    }
    assert_eq!(
        store.consents_of(&owner()).await.expect_ok().len(),
        MAX_LISTED_CONSENTS,
        "the list is limited"
    );
}
