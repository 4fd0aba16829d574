use super::candidate::{Answered, Candidate, RACERS};
use super::given::{at, count};
use crate::domain::{SealedKey, SigningAlgorithm, SigningKeyRecord};
use crate::store::sweep::AT_ONCE;
use crate::store::{KeyInstallation, KeyRevocation};

pub(super) async fn a_fresh_store_has_no_signing_key(store: &Candidate) {
    assert_eq!(store.signing_keys().await.answered(), []);
}

pub(super) async fn keys_come_in_order_of_sequence(store: &Candidate) {
    for sequence in [10, 2, 1] {
        assert_eq!(store.install_signing_key(key(sequence, 'a')).await.answered(), KeyInstallation::Installed);
    }
    assert_eq!(store.signing_keys().await.answered(), [key(1, 'a'), key(2, 'a'), key(10, 'a')], "every key as it was kept, by number");
}

pub(super) async fn who_comes_second_gets_the_key_of_the_first(store: &Candidate) {
    assert_eq!(store.install_signing_key(key(1, 'a')).await.answered(), KeyInstallation::Installed);
    assert_eq!(store.install_signing_key(key(1, 'b')).await.answered(), KeyInstallation::Existing(key(1, 'a')));
    assert_eq!(store.signing_keys().await.answered(), [key(1, 'a')], "the second key is not kept");
}

pub(super) async fn of_many_keys_with_one_number_one_is_installed(store: &Candidate) {
    let letter = |racer: usize| char::from(b'0' + u8::try_from(racer % 10).unwrap_or_default());
    let answers = store.race(async |store, racer| {
        let mut contender = key(1, letter(racer));
        contender.sealed = SealedKey::from_bytes(racer.to_be_bytes().to_vec());
        match store.install_signing_key(contender.clone()).await.answered() {
            KeyInstallation::Installed => (true, contender),
            KeyInstallation::Existing(winner) => (false, winner),
        }
    });
    assert_eq!(answers.iter().filter(|(installed, _)| *installed).count(), 1, "of {RACERS} keys with one number exactly one is installed");
    let kept = store.signing_keys().await.answered();
    assert_eq!(kept.len(), 1);
    assert!(answers.iter().all(|(_, key)| kept.contains(key)), "everyone goes on with the key that is kept");
}

pub(super) async fn superseded_keys_go_in_small_batches_and_the_newest_stays(store: &Candidate) {
    for sequence in 1..=20 {
        assert_eq!(store.install_signing_key(key(sequence, 'a')).await.answered(), KeyInstallation::Installed);
    }
    let mut left = 20;
    while left > 1 {
        let gone = store.remove_signing_keys(at(1_000)).await.answered();
        assert!((1..=AT_ONCE).contains(&gone), "a few go at once, not {gone} of {left}");
        left -= gone;
        let kept: Vec<_> = store.signing_keys().await.answered().iter().map(|key| key.sequence).collect();
        assert_eq!(kept, Vec::from_iter((21 - i64::try_from(left).unwrap_or_default())..=20), "the oldest go first, as many as it says");
    }
    assert_eq!(store.remove_signing_keys(at(1_000)).await.answered(), 0, "the newest key signs");
}

pub(super) async fn a_key_is_superseded_when_a_newer_one_is_made(store: &Candidate) {
    assert_eq!(store.remove_signing_keys(at(1_000)).await.answered(), 0, "where there is none, none goes");
    // They are made at seconds 1, 5 and 9.
    for sequence in [1, 5, 9] {
        assert_eq!(store.install_signing_key(key(sequence, 'a')).await.answered(), KeyInstallation::Installed);
    }
    for (until, expected) in [(4, 0), (5, 1), (8, 0), (9, 1), (10, 0)] {
        assert_eq!(store.remove_signing_keys(at(until)).await.answered(), expected, "until second {until}");
    }
    assert_eq!(store.signing_keys().await.answered(), [key(9, 'a')]);
}

pub(super) async fn removals_beside_installations_leave_what_is_new(store: &Candidate) {
    for sequence in 1..=10 {
        assert_eq!(store.install_signing_key(key(sequence, 'a')).await.answered(), KeyInstallation::Installed);
    }
    let sequence = |racer: usize| 11 + i64::try_from(racer).unwrap_or_default();
    let answers = store.race(async |store, racer| {
        if racer.is_multiple_of(2) {
            return store.remove_signing_keys(at(10)).await.answered();
        }
        assert_eq!(store.install_signing_key(key(sequence(racer), 'a')).await.answered(), KeyInstallation::Installed);
        0
    });
    assert_eq!(answers.iter().sum::<usize>(), 9, "each superseded key is removed by one call");
    let kept = store.signing_keys().await.answered();
    assert_eq!(count(&kept, |key| key.sequence <= 10), 1, "the tenth was the newest at its second");
    assert_eq!(kept.len(), 1 + RACERS / 2, "what was installed meanwhile is there");
}

pub(super) async fn a_revoked_key_says_so_and_the_others_stay(store: &Candidate) {
    for sequence in 1..=3 {
        assert_eq!(store.install_signing_key(key(sequence, 'a')).await.answered(), KeyInstallation::Installed);
    }
    assert_eq!(store.revoke_signing_key(&key(2, 'a').id, at(7)).await.answered(), KeyRevocation::Revoked);
    let revoked = SigningKeyRecord { revoked_at: Some(at(7)), ..key(2, 'a') };
    assert_eq!(
        store.signing_keys().await.answered(),
        [key(1, 'a'), revoked, key(3, 'a')],
        "the key that was named is revoked, and no other"
    );
}

pub(super) async fn a_key_is_revoked_once_and_the_first_moment_stays(store: &Candidate) {
    assert_eq!(store.install_signing_key(key(1, 'a')).await.answered(), KeyInstallation::Installed);
    let id = key(1, 'a').id;
    assert_eq!(store.revoke_signing_key(&id, at(7)).await.answered(), KeyRevocation::Revoked);
    for again in [5, 7, 9] {
        let answer = store.revoke_signing_key(&id, at(again)).await.answered();
        assert_eq!(answer, KeyRevocation::AlreadyRevoked { at: at(7) }, "a key is revoked once");
    }
    assert_eq!(store.signing_keys().await.answered(), [SigningKeyRecord { revoked_at: Some(at(7)), ..key(1, 'a') }]);
    assert_eq!(
        store.install_signing_key(key(1, 'b')).await.answered(),
        KeyInstallation::Existing(SigningKeyRecord { revoked_at: Some(at(7)), ..key(1, 'a') }),
        "a revoked key keeps its number"
    );
}

pub(super) async fn a_key_that_is_not_there_cannot_be_revoked(store: &Candidate) {
    assert_eq!(store.revoke_signing_key(&key(1, 'a').id, at(7)).await.answered(), KeyRevocation::Unknown);
    assert_eq!(store.install_signing_key(key(1, 'a')).await.answered(), KeyInstallation::Installed);
    assert_eq!(store.install_signing_key(key(2, 'a')).await.answered(), KeyInstallation::Installed);
    assert_eq!(store.remove_signing_keys(at(2)).await.answered(), 1);
    assert_eq!(store.revoke_signing_key(&key(1, 'a').id, at(7)).await.answered(), KeyRevocation::Unknown, "it is gone");
    assert_eq!(store.signing_keys().await.answered(), [key(2, 'a')]);
}

pub(super) async fn a_revoked_key_is_removed_like_any_other(store: &Candidate) {
    for sequence in 1..=3 {
        assert_eq!(store.install_signing_key(key(sequence, 'a')).await.answered(), KeyInstallation::Installed);
        assert_eq!(store.revoke_signing_key(&key(sequence, 'a').id, at(4)).await.answered(), KeyRevocation::Revoked);
    }
    assert_eq!(store.remove_signing_keys(at(1_000)).await.answered(), 2);
    let kept: Vec<_> = store.signing_keys().await.answered().iter().map(|key| key.sequence).collect();
    assert_eq!(kept, [3], "the newest stays, so that its number is not given again");
    assert_eq!(store.install_signing_key(key(4, 'a')).await.answered(), KeyInstallation::Installed);
    let revoked = SigningKeyRecord { revoked_at: Some(at(4)), ..key(3, 'a') };
    assert_eq!(store.signing_keys().await.answered(), [revoked, key(4, 'a')], "a revoked key stays revoked when the next one comes");
}

pub(super) async fn of_many_revocations_one_is_the_first(store: &Candidate) {
    assert_eq!(store.install_signing_key(key(1, 'a')).await.answered(), KeyInstallation::Installed);
    let id = key(1, 'a').id;
    let moment = |racer: usize| at(10 + i64::try_from(racer).unwrap_or_default());
    let answers = store.race(async |store, racer| (moment(racer), store.revoke_signing_key(&id, moment(racer)).await.answered()));
    let first: Vec<_> = answers.iter().filter(|(_, answer)| *answer == KeyRevocation::Revoked).map(|(at, _)| *at).collect();
    let [first] = first[..] else { panic!("of {RACERS} revocations {} are the first", first.len()) };
    let is_explained = |answer: &KeyRevocation| matches!(answer, KeyRevocation::Revoked | KeyRevocation::AlreadyRevoked { .. });
    assert!(answers.iter().all(|(_, answer)| is_explained(answer)));
    assert!(
        answers.iter().all(|(_, answer)| !matches!(answer, KeyRevocation::AlreadyRevoked { at } if *at != first)),
        "all tell the first"
    );
    assert_eq!(store.signing_keys().await.answered(), [SigningKeyRecord { revoked_at: Some(first), ..key(1, 'a') }]);
}

pub(super) async fn a_key_is_sealed_anew_where_it_is_still_as_it_was_seen(store: &Candidate) {
    for sequence in [1, 2] {
        assert_eq!(store.install_signing_key(key(sequence, 'a')).await.answered(), KeyInstallation::Installed);
    }
    let [seen, anew, late] = [b"\0\xffa", b"new", b"old"].map(|bytes| SealedKey::from_bytes(bytes.to_vec()));
    let id = key(1, 'a').id;
    assert!(store.reseal_signing_key(&id, &seen, anew.clone()).await.answered(), "what was seen is replaced");
    assert!(!store.reseal_signing_key(&id, &seen, late.clone()).await.answered(), "what was not seen stays");
    assert!(!store.reseal_signing_key(&key(3, 'a').id, &seen, late).await.answered(), "what is not there stays away");
    let resealed = SigningKeyRecord { sealed: anew.clone(), ..key(1, 'a') };
    assert_eq!(store.signing_keys().await.answered(), [resealed.clone(), key(2, 'a')], "nothing else changes");
    assert_eq!(store.revoke_signing_key(&id, at(7)).await.answered(), KeyRevocation::Revoked);
    assert!(store.reseal_signing_key(&id, &anew, seen.clone()).await.answered());
    let revoked = SigningKeyRecord { sealed: seen, revoked_at: Some(at(7)), ..resealed };
    assert_eq!(store.signing_keys().await.answered(), [revoked, key(2, 'a')], "what was revoked stays revoked");
}

pub(super) async fn of_many_that_seal_a_key_anew_one_does(store: &Candidate) {
    assert_eq!(store.install_signing_key(key(1, 'a')).await.answered(), KeyInstallation::Installed);
    let kept = key(1, 'a');
    let answers = store.race(async |store, racer| {
        let anew = SealedKey::from_bytes(racer.to_be_bytes().to_vec());
        (store.reseal_signing_key(&kept.id, &kept.sealed, anew.clone()).await.answered(), anew)
    });
    let won: Vec<_> = answers.into_iter().filter(|(has_won, _)| *has_won).map(|(_, anew)| anew).collect();
    let [won] = &won[..] else { panic!("of {RACERS} that seal a key anew {} did", won.len()) };
    assert_eq!(store.signing_keys().await.answered(), [SigningKeyRecord { sealed: won.clone(), ..kept }]);
}

pub(super) async fn the_clock_of_a_store_goes_on_if_it_has_one(store: &Candidate) {
    let (first, second) = (store.now().await.answered(), store.now().await.answered());
    assert!(first <= second && first.is_some() == second.is_some(), "the clock says {first:?}, and then {second:?}");
}

fn key(sequence: i64, letter: char) -> SigningKeyRecord {
    let number = format!("{sequence:02}");
    SigningKeyRecord {
        sequence,
        id: format!("{number}{}", letter.to_string().repeat(41)).parse().expect("a key id"),
        algorithm: if sequence % 2 == 0 { SigningAlgorithm::Es256 } else { SigningAlgorithm::Rs256 },
        sealed: SealedKey::from_bytes(vec![0, 255, letter as u8]),
        created_at: at(sequence),
        revoked_at: None,
    }
}
