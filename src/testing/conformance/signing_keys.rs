use super::candidate::{Answered, Candidate, RACERS};
use super::given::at;
use crate::domain::{SealedKey, SigningAlgorithm, SigningKeyRecord};
use crate::store::KeyInstallation;

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

fn key(sequence: i64, letter: char) -> SigningKeyRecord {
    let number = char::from(b'A' + u8::try_from(sequence).unwrap_or_default());
    SigningKeyRecord {
        sequence,
        id: format!("{number}{}", letter.to_string().repeat(42)).parse().expect("a key id"),
        algorithm: if sequence % 2 == 0 { SigningAlgorithm::Es256 } else { SigningAlgorithm::Rs256 },
        sealed: SealedKey::from_bytes(vec![0, 255, letter as u8]),
        created_at: at(sequence),
    }
}
