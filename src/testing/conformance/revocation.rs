use super::candidate::{Answered, Candidate, RACERS};
use super::given::{ABSOLUTE, IDLE, LIFETIMES, NOW, approved, at, code, count, grant, redeemed};
use crate::domain::{ClientProof, Generation};
use crate::store::{Redemption, Rotation};

pub(super) async fn a_grant_is_live_from_its_redemption_to_its_end(store: &Candidate) {
    approved(store, 1).await;
    assert!(!store.grant_is_live(&grant(1), NOW).await.answered(), "nothing was issued yet");
    let redemption = store.redeem_authorization_code(&code(1), ClientProof::Pkce, LIFETIMES, NOW).await.answered();
    assert!(matches!(redemption, Redemption::Redeemed(_)));
    assert!(store.grant_is_live(&grant(1), at(IDLE - 1)).await.answered());
    assert!(!store.grant_is_live(&grant(1), at(IDLE)).await.answered(), "at == idle_expires_at is expired");
    for (generation, now) in (0..).zip((900..ABSOLUTE).step_by(900)) {
        let rotation = store.rotate(&grant(1), Generation::new(generation), LIFETIMES, at(now)).await.answered();
        assert!(matches!(rotation, Rotation::Rotated(_)), "the current token rotates, not {rotation:?}");
    }
    assert!(store.grant_is_live(&grant(1), at(ABSOLUTE - 1)).await.answered());
    assert!(!store.grant_is_live(&grant(1), at(ABSOLUTE)).await.answered(), "at == expires_at is expired");
    assert!(!store.grant_is_live(&grant(9), NOW).await.answered(), "an unknown grant is not live");
}

pub(super) async fn a_revoked_grant_is_not_live(store: &Candidate) {
    redeemed(store, 1).await;
    redeemed(store, 2).await;
    assert!(store.revoke_grant(&grant(1), at(1)).await.answered(), "there is such a grant");
    assert!(!store.grant_is_live(&grant(1), at(1)).await.answered(), "what was revoked is not live");
    assert!(store.revoke_grant(&grant(1), at(2)).await.answered(), "there still is such a grant");
    assert!(store.grant_is_live(&grant(2), at(2)).await.answered(), "no other grant is revoked, not even of the same user and client");
}

pub(super) async fn an_unknown_grant_cannot_be_revoked(store: &Candidate) {
    redeemed(store, 1).await;
    assert!(!store.revoke_grant(&grant(9), at(1)).await.answered());
    assert!(store.grant_is_live(&grant(1), at(1)).await.answered());
}

pub(super) async fn a_revocation_beside_a_redemption_is_never_lost(store: &Candidate) {
    approved(store, 1).await;
    let answers = store.race(async |store, racer| {
        if racer.is_multiple_of(2) {
            assert!(store.revoke_grant(&grant(1), NOW).await.answered(), "there is such a grant");
            assert!(!store.grant_is_live(&grant(1), NOW).await.answered(), "what was revoked is not live");
            return None;
        }
        Some(store.redeem_authorization_code(&code(1), ClientProof::Pkce, LIFETIMES, NOW).await.answered())
    });
    let answers: Vec<_> = answers.into_iter().flatten().collect();
    let redeemed = count(&answers, |answer| matches!(answer, Redemption::Redeemed(_)));
    assert!(redeemed <= 1, "at most one of {RACERS} is redeemed");
    let refusal = if redeemed == 1 { Redemption::AlreadyRedeemed { grant: grant(1), at: NOW } } else { Redemption::Revoked };
    assert_eq!(
        count(&answers, |answer| *answer == refusal),
        answers.len() - redeemed,
        "the code was redeemed before it was revoked, or never"
    );
    assert!(!store.grant_is_live(&grant(1), NOW).await.answered(), "whoever came first, the grant is revoked now");
}

pub(super) async fn a_revocation_beside_a_rotation_is_never_lost(store: &Candidate) {
    redeemed(store, 1).await;
    let answers = store.race(async |store, racer| {
        if racer.is_multiple_of(2) {
            assert!(store.revoke_grant(&grant(1), at(1)).await.answered(), "there is such a grant");
            assert!(!store.grant_is_live(&grant(1), at(1)).await.answered(), "what was revoked is not live");
            return None;
        }
        Some(store.rotate(&grant(1), Generation::FIRST, LIFETIMES, at(1)).await.answered())
    });
    let answers: Vec<_> = answers.into_iter().flatten().collect();
    assert!(count(&answers, |answer| matches!(answer, Rotation::Rotated(_))) <= 1, "at most one of {RACERS} rotates");
    for generation in [0, 1] {
        let rotation = store.rotate(&grant(1), Generation::new(generation), LIFETIMES, at(1)).await.answered();
        assert_eq!(rotation, Rotation::Revoked, "whoever came first, the grant is revoked now");
    }
}

pub(super) async fn a_revocation_beside_the_only_redemption_is_never_lost(store: &Candidate) {
    for number in 1..=8 {
        approved(store, number).await;
        let answers = store.race(async |store, racer| {
            if racer > 0 {
                assert!(store.revoke_grant(&grant(number), NOW).await.answered(), "there is such a grant");
                assert!(!store.grant_is_live(&grant(number), NOW).await.answered(), "what was revoked is not live");
                return None;
            }
            Some(store.redeem_authorization_code(&code(number), ClientProof::Pkce, LIFETIMES, NOW).await.answered())
        });
        // No replay ends this grant: only the revocation does, whether the tokens were being issued already or not.
        let answer = answers.into_iter().flatten().next();
        assert!(matches!(answer, Some(Redemption::Redeemed(_) | Redemption::Revoked)), "not {answer:?}");
        assert!(!store.grant_is_live(&grant(number), NOW).await.answered(), "whoever came first, the grant is revoked now");
    }
}
