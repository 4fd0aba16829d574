use super::candidate::{Answered, Candidate, RACERS};
use super::given::{at, count};
use crate::domain::{SealedKey, SigningAlgorithm, SigningKeyRecord};
use crate::store::KeyInstallation;
use crate::store::sweep::AT_ONCE;

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

fn key(sequence: i64, letter: char) -> SigningKeyRecord {
    let number = format!("{sequence:02}");
    SigningKeyRecord {
        sequence,
        id: format!("{number}{}", letter.to_string().repeat(41)).parse().expect("a key id"),
        algorithm: if sequence % 2 == 0 { SigningAlgorithm::Es256 } else { SigningAlgorithm::Rs256 },
        sealed: SealedKey::from_bytes(vec![0, 255, letter as u8]),
        created_at: at(sequence),
    }
}
