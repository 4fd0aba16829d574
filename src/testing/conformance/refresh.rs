use std::time::Duration;

use super::fixtures::{
    ABSOLUTE_LIFETIME, CODE_LIFETIME, IDLE_TIMEOUT, LIFETIMES, NOW, RETRY_WINDOW, approved, at,
    client, code, count, grant, redeemed,
};
use super::store_under_test::{CONCURRENT_CALLERS, ExpectOk, ProtocolUnderTest};
use crate::domain::{ClientProof, Generation, Grant, Timestamp};
use crate::store::{Redemption, RefreshBinding, Rotation, TokenLifetimes};

cases! { ProtocolStorage, refresh as __conformance_refresh:
    a_redeemed_grant_tells_what_a_refresh_must_prove
    the_current_token_makes_the_next_one_current
    the_previous_token_gets_the_same_successor_inside_the_window
    a_node_whose_clock_is_behind_repeats_too
    the_window_never_slides
    a_token_from_before_the_window_revokes_the_grant
    a_token_whose_successor_was_used_is_theft_inside_the_window
    a_window_of_nothing_still_forgives_the_same_second
    a_token_that_was_never_issued_changes_nothing
    a_grant_has_no_token_before_its_redemption
    an_unused_grant_expires_at_the_end_of_its_idle_time
    a_grant_expires_at_its_end_however_often_it_is_used
    a_revoked_grant_says_so_to_every_token
    of_many_rotations_one_rotates_and_the_others_repeat
    of_many_thieves_one_is_caught_and_the_others_find_the_grant_revoked
}

async fn a_redeemed_grant_tells_what_a_refresh_must_prove(store: &ProtocolUnderTest) {
    approved(store, 1).await;
    assert_eq!(
        store.refresh_binding(&grant(1)).await.expect_ok(),
        None,
        "there is no refresh token before the redemption"
    );
    let redemption = store
        .redeem_authorization_code(&code(1), ClientProof::Secret, LIFETIMES, NOW)
        .await
        .expect_ok();
    let Redemption::Redeemed(redeemed) = redemption else {
        panic!("a good code was not redeemed: {redemption:?}")
    };
    let expected = RefreshBinding {
        client: client(1).id,
        proof: ClientProof::Secret,
        subject: redeemed.subject,
        scopes: redeemed.scopes,
        generation: Generation::FIRST,
    };
    assert_eq!(
        store.refresh_binding(&grant(1)).await.expect_ok(),
        Some(expected)
    );
    assert_eq!(store.refresh_binding(&grant(2)).await.expect_ok(), None);
}

async fn the_current_token_makes_the_next_one_current(store: &ProtocolUnderTest) {
    let mut before = redeemed(store, 1).await;
    for generation in 0..3 {
        let now = at(100 * (i64::from(generation) + 1));
        let expected = Grant {
            generation: Generation::new(generation + 1),
            idle_expires_at: now.plus(LIFETIMES.idle),
            ..before
        };
        let rotation = rotate(store, generation, now).await;
        assert_eq!(
            rotation,
            Rotation::Rotated(expected.clone()),
            "the idle time restarts, everything else is unchanged"
        );
        before = expected;
        let binding = store.refresh_binding(&grant(1)).await.expect_ok();
        assert_eq!(
            binding.map(|binding| binding.generation),
            Some(before.generation),
            "the binding has the current token"
        );
    }
}

async fn the_previous_token_gets_the_same_successor_inside_the_window(store: &ProtocolUnderTest) {
    redeemed(store, 1).await;
    let rotated = expect_rotated(rotate(store, 0, at(100)).await);
    for now in [100, 101, 100 + RETRY_WINDOW, 100] {
        assert_eq!(
            rotate(store, 0, at(now)).await,
            Rotation::Repeated(rotated.clone()),
            "the window is open at its last second, and nothing changes"
        );
    }
    assert_eq!(
        expect_rotated(rotate(store, 1, at(200)).await).generation,
        Generation::new(2),
        "the successor is still valid"
    );
}

async fn a_node_whose_clock_is_behind_repeats_too(store: &ProtocolUnderTest) {
    redeemed(store, 1).await;
    let rotated = expect_rotated(rotate(store, 0, at(100)).await);
    assert_eq!(rotate(store, 0, at(95)).await, Rotation::Repeated(rotated));
}

async fn the_window_never_slides(store: &ProtocolUnderTest) {
    redeemed(store, 1).await;
    let rotated = expect_rotated(rotate(store, 0, at(100)).await);
    assert_eq!(
        rotate(store, 0, at(100 + RETRY_WINDOW)).await,
        Rotation::Repeated(rotated)
    );
    let late = rotate(store, 0, at(100 + RETRY_WINDOW + 1)).await;
    assert_eq!(
        late,
        Rotation::Reused { grant: grant(1) },
        "a repetition does not open the window anew"
    );
}

async fn a_token_from_before_the_window_revokes_the_grant(store: &ProtocolUnderTest) {
    redeemed(store, 1).await;
    expect_rotated(rotate(store, 0, at(100)).await);
    assert!(
        store
            .grant_is_live(&grant(1), at(100 + RETRY_WINDOW + 1))
            .await
            .expect_ok()
    );
    let late = rotate(store, 0, at(100 + RETRY_WINDOW + 1)).await;
    assert_eq!(
        late,
        Rotation::Reused { grant: grant(1) },
        "one second after the window, the old token is theft"
    );
    assert!(
        !store
            .grant_is_live(&grant(1), at(100 + RETRY_WINDOW + 1))
            .await
            .expect_ok(),
        "theft revokes the grant"
    );
    for generation in [0, 1, 2] {
        assert_eq!(
            rotate(store, generation, at(100 + RETRY_WINDOW + 2)).await,
            Rotation::Revoked,
            "also for the holder of the current token"
        );
    }
}

async fn a_token_whose_successor_was_used_is_theft_inside_the_window(store: &ProtocolUnderTest) {
    redeemed(store, 1).await;
    expect_rotated(rotate(store, 0, at(100)).await);
    expect_rotated(rotate(store, 1, at(101)).await);
    assert_eq!(
        rotate(store, 0, at(101)).await,
        Rotation::Reused { grant: grant(1) },
        "the client did receive its response"
    );
    assert_eq!(rotate(store, 2, at(101)).await, Rotation::Revoked);
}

async fn a_window_of_nothing_still_forgives_the_same_second(store: &ProtocolUnderTest) {
    redeemed(store, 1).await;
    let lifetimes = TokenLifetimes {
        retry_window: Duration::ZERO,
        ..LIFETIMES
    };
    let rotated = expect_rotated(
        store
            .rotate_refresh_token(&grant(1), Generation::FIRST, lifetimes, at(100))
            .await
            .expect_ok(),
    );
    assert_eq!(
        store
            .rotate_refresh_token(&grant(1), Generation::FIRST, lifetimes, at(100))
            .await
            .expect_ok(),
        Rotation::Repeated(rotated)
    );
    assert_eq!(
        store
            .rotate_refresh_token(&grant(1), Generation::FIRST, lifetimes, at(101))
            .await
            .expect_ok(),
        Rotation::Reused { grant: grant(1) }
    );
}

async fn a_token_that_was_never_issued_changes_nothing(store: &ProtocolUnderTest) {
    let before = redeemed(store, 1).await;
    for generation in [1, 2, u32::MAX] {
        assert_eq!(rotate(store, generation, at(10)).await, Rotation::NotFound);
    }
    assert_eq!(
        store
            .rotate_refresh_token(&grant(9), Generation::FIRST, LIFETIMES, at(10))
            .await
            .expect_ok(),
        Rotation::NotFound
    );
    assert!(
        store.grant_is_live(&grant(1), at(10)).await.expect_ok(),
        "a guess revokes nothing"
    );
    let expected = Grant {
        generation: Generation::new(1),
        idle_expires_at: at(10 + IDLE_TIMEOUT),
        ..before
    };
    assert_eq!(rotate(store, 0, at(10)).await, Rotation::Rotated(expected));
}

async fn a_grant_has_no_token_before_its_redemption(store: &ProtocolUnderTest) {
    approved(store, 1).await;
    assert_eq!(rotate(store, 0, at(1)).await, Rotation::NotFound);
    let redemption = store
        .redeem_authorization_code(
            &code(1),
            ClientProof::Pkce,
            LIFETIMES,
            at(CODE_LIFETIME - 1),
        )
        .await
        .expect_ok();
    assert!(
        matches!(redemption, Redemption::Redeemed(_)),
        "the code is not redeemed, not {redemption:?}"
    );
}

async fn an_unused_grant_expires_at_the_end_of_its_idle_time(store: &ProtocolUnderTest) {
    redeemed(store, 1).await;
    expect_rotated(rotate(store, 0, at(100)).await);
    let end = 100 + IDLE_TIMEOUT;
    for generation in [0, 1, 2] {
        assert_eq!(
            rotate(store, generation, at(end)).await,
            Rotation::Expired,
            "at == idle_expires_at is expired, before any other check"
        );
    }
    assert_eq!(
        expect_rotated(rotate(store, 1, at(end - 1)).await).idle_expires_at,
        at(end - 1 + IDLE_TIMEOUT),
        "a token is valid until just before"
    );
}

async fn a_grant_expires_at_its_end_however_often_it_is_used(store: &ProtocolUnderTest) {
    redeemed(store, 1).await;
    let mut generation = 0;
    for now in (500..ABSOLUTE_LIFETIME).step_by(500) {
        let grant = expect_rotated(rotate(store, generation, at(now)).await);
        assert_eq!(
            grant.expires_at,
            at(ABSOLUTE_LIFETIME),
            "the absolute end never moves"
        );
        assert_eq!(
            grant.idle_expires_at,
            at((now + IDLE_TIMEOUT).min(ABSOLUTE_LIFETIME)),
            "the idle time never outlives the grant"
        );
        generation += 1;
    }
    assert_eq!(
        rotate(store, generation, at(ABSOLUTE_LIFETIME)).await,
        Rotation::Expired
    );
    assert_eq!(
        expect_rotated(rotate(store, generation, at(ABSOLUTE_LIFETIME - 1)).await).generation,
        Generation::new(generation + 1)
    );
}

async fn a_revoked_grant_says_so_to_every_token(store: &ProtocolUnderTest) {
    redeemed(store, 1).await;
    expect_rotated(rotate(store, 0, at(100)).await);
    assert!(store.revoke_grant(&grant(1), at(101)).await.expect_ok());
    for generation in [0, 1, 2] {
        assert_eq!(rotate(store, generation, at(102)).await, Rotation::Revoked);
    }
}

// Proves: threats 4
async fn of_many_rotations_one_rotates_and_the_others_repeat(store: &ProtocolUnderTest) {
    redeemed(store, 1).await;
    for generation in [0, 1] {
        let now = at(100 * (i64::from(generation) + 1));
        let answers = store.race(async |store, _| {
            store
                .rotate_refresh_token(&grant(1), Generation::new(generation), LIFETIMES, now)
                .await
                .expect_ok()
        });
        let rotated: Vec<_> = answers
            .iter()
            .filter_map(|answer| {
                if let Rotation::Rotated(grant) = answer {
                    Some(grant)
                } else {
                    None
                }
            })
            .collect();
        assert_eq!(
            rotated.len(),
            1,
            "of {CONCURRENT_CALLERS} rotations exactly one rotates"
        );
        assert_eq!(rotated[0].generation, Generation::new(generation + 1));
        let repeated = Rotation::Repeated(rotated[0].clone());
        assert_eq!(
            count(&answers, |answer| *answer == repeated),
            CONCURRENT_CALLERS - 1,
            "every other gets the same successor"
        );
    }
}

async fn of_many_thieves_one_is_caught_and_the_others_find_the_grant_revoked(
    store: &ProtocolUnderTest,
) {
    redeemed(store, 1).await;
    expect_rotated(rotate(store, 0, at(100)).await);
    let late = at(100 + RETRY_WINDOW + 1);
    let answers = store.race(async |store, _| {
        store
            .rotate_refresh_token(&grant(1), Generation::FIRST, LIFETIMES, late)
            .await
            .expect_ok()
    });
    assert_eq!(
        count(&answers, |answer| *answer
            == Rotation::Reused { grant: grant(1) }),
        1,
        "the grant is revoked once"
    );
    assert_eq!(
        count(&answers, |answer| *answer == Rotation::Revoked),
        CONCURRENT_CALLERS - 1
    );
}

async fn rotate(store: &ProtocolUnderTest, generation: u32, at: Timestamp) -> Rotation {
    store
        .rotate_refresh_token(&grant(1), Generation::new(generation), LIFETIMES, at)
        .await
        .expect_ok()
}

#[track_caller]
fn expect_rotated(rotation: Rotation) -> Grant {
    match rotation {
        Rotation::Rotated(grant) => grant,
        other => panic!("the current token rotates, not {other:?}"),
    }
}
