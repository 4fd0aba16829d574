use super::fixtures::{at, count};
use super::store_under_test::{CONCURRENT_CALLERS, ExpectOk, ProtocolUnderTest};
use crate::domain::{SealedKey, SigningAlgorithm, SigningKeyRecord};
use crate::store::retention::MAX_DELETED_PER_INSERT;
use crate::store::{SigningKeyInstallation, SigningKeyRevocation, SigningKeyStore};

cases! { ProtocolStorage, signing_keys as __conformance_signing_keys:
    a_fresh_store_has_no_signing_key
    keys_come_in_order_of_sequence
    who_comes_second_gets_the_key_of_the_first
    of_many_keys_with_one_number_one_is_installed
    superseded_keys_go_in_small_batches_and_the_newest_stays
    a_key_is_superseded_when_a_newer_one_is_made
    removals_beside_installations_leave_what_is_new
    a_revoked_key_says_so_and_the_others_stay
    a_key_is_revoked_once_and_the_first_moment_stays
    a_key_that_is_not_there_cannot_be_revoked
    a_revoked_key_is_removed_like_any_other
    of_many_revocations_one_is_the_first
    a_key_is_sealed_anew_where_it_is_still_as_it_was_seen
    of_many_that_seal_a_key_anew_one_does
    the_clock_of_a_store_goes_on_if_it_has_one
}

async fn a_fresh_store_has_no_signing_key(store: &ProtocolUnderTest) {
    assert_eq!(store.signing_keys().await.expect_ok(), []);
}

async fn keys_come_in_order_of_sequence(store: &ProtocolUnderTest) {
    for sequence in [10, 2, 1] {
        install(&**store, key(sequence, 'a')).await;
    }
    assert_eq!(
        store.signing_keys().await.expect_ok(),
        [key(1, 'a'), key(2, 'a'), key(10, 'a')],
        "every key as it was stored, by number"
    );
}

async fn who_comes_second_gets_the_key_of_the_first(store: &ProtocolUnderTest) {
    install(&**store, key(1, 'a')).await;
    assert_eq!(
        store.install_signing_key(key(1, 'b')).await.expect_ok(),
        SigningKeyInstallation::Existing(key(1, 'a'))
    );
    assert_eq!(
        store.signing_keys().await.expect_ok(),
        [key(1, 'a')],
        "the second key is not stored"
    );
}

async fn of_many_keys_with_one_number_one_is_installed(store: &ProtocolUnderTest) {
    let letter = |caller: usize| char::from(b'0' + u8::try_from(caller % 10).unwrap_or_default());
    let answers = store.race(async |store, caller| {
        let mut contender = key(1, letter(caller));
        contender.sealed = SealedKey::from_bytes(caller.to_be_bytes().to_vec());
        match store
            .install_signing_key(contender.clone())
            .await
            .expect_ok()
        {
            SigningKeyInstallation::Installed => (true, contender),
            SigningKeyInstallation::Existing(winner) => (false, winner),
        }
    });
    assert_eq!(
        answers.iter().filter(|(installed, _)| *installed).count(),
        1,
        "of {CONCURRENT_CALLERS} keys with one number exactly one is installed"
    );
    let kept = store.signing_keys().await.expect_ok();
    assert_eq!(kept.len(), 1);
    assert!(
        answers.iter().all(|(_, key)| kept.contains(key)),
        "all continue with the stored key"
    );
}

async fn superseded_keys_go_in_small_batches_and_the_newest_stays(store: &ProtocolUnderTest) {
    for sequence in 1..=20 {
        install(&**store, key(sequence, 'a')).await;
    }
    let mut left = 20;
    while left > 1 {
        let gone = store.sweep_signing_keys(at(1_000)).await.expect_ok();
        assert!(
            (1..=MAX_DELETED_PER_INSERT).contains(&gone),
            "one call deletes a few, not {gone} of {left}"
        );
        left -= gone;
        let kept: Vec<_> = store
            .signing_keys()
            .await
            .expect_ok()
            .iter()
            .map(|key| key.sequence)
            .collect();
        assert_eq!(
            kept,
            Vec::from_iter((21 - i64::try_from(left).unwrap_or_default())..=20),
            "the oldest are deleted first, as many as reported"
        );
    }
    assert_eq!(
        store.sweep_signing_keys(at(1_000)).await.expect_ok(),
        0,
        "the newest key signs"
    );
}

async fn a_key_is_superseded_when_a_newer_one_is_made(store: &ProtocolUnderTest) {
    assert_eq!(
        store.sweep_signing_keys(at(1_000)).await.expect_ok(),
        0,
        "a store without keys deletes none"
    );
    // They are created at seconds 1, 5 and 9.
    for sequence in [1, 5, 9] {
        install(&**store, key(sequence, 'a')).await;
    }
    for (until, expected) in [(4, 0), (5, 1), (8, 0), (9, 1), (10, 0)] {
        assert_eq!(
            store.sweep_signing_keys(at(until)).await.expect_ok(),
            expected,
            "until second {until}"
        );
    }
    assert_eq!(store.signing_keys().await.expect_ok(), [key(9, 'a')]);
}

async fn removals_beside_installations_leave_what_is_new(store: &ProtocolUnderTest) {
    for sequence in 1..=10 {
        install(&**store, key(sequence, 'a')).await;
    }
    let sequence = |caller: usize| 11 + i64::try_from(caller).unwrap_or_default();
    let answers = store.race(async |store, caller| {
        if caller.is_multiple_of(2) {
            return store.sweep_signing_keys(at(10)).await.expect_ok();
        }
        install(store, key(sequence(caller), 'a')).await;
        0
    });
    assert_eq!(
        answers.iter().sum::<usize>(),
        9,
        "each superseded key is removed by one call"
    );
    let kept = store.signing_keys().await.expect_ok();
    assert_eq!(
        count(&kept, |key| key.sequence <= 10),
        1,
        "the tenth was the newest at its second"
    );
    assert_eq!(
        kept.len(),
        1 + CONCURRENT_CALLERS / 2,
        "keys installed meanwhile remain"
    );
}

async fn a_revoked_key_says_so_and_the_others_stay(store: &ProtocolUnderTest) {
    for sequence in 1..=3 {
        install(&**store, key(sequence, 'a')).await;
    }
    assert_eq!(
        store
            .revoke_signing_key(&key(2, 'a').id, at(7))
            .await
            .expect_ok(),
        SigningKeyRevocation::Revoked
    );
    let revoked = SigningKeyRecord {
        revoked_at: Some(at(7)),
        ..key(2, 'a')
    };
    assert_eq!(
        store.signing_keys().await.expect_ok(),
        [key(1, 'a'), revoked, key(3, 'a')],
        "the named key is revoked, and no other"
    );
}

async fn a_key_is_revoked_once_and_the_first_moment_stays(store: &ProtocolUnderTest) {
    install(&**store, key(1, 'a')).await;
    let id = key(1, 'a').id;
    assert_eq!(
        store.revoke_signing_key(&id, at(7)).await.expect_ok(),
        SigningKeyRevocation::Revoked
    );
    for again in [5, 7, 9] {
        let answer = store.revoke_signing_key(&id, at(again)).await.expect_ok();
        assert_eq!(
            answer,
            SigningKeyRevocation::AlreadyRevoked { at: at(7) },
            "a key is revoked once"
        );
    }
    assert_eq!(
        store.signing_keys().await.expect_ok(),
        [SigningKeyRecord {
            revoked_at: Some(at(7)),
            ..key(1, 'a')
        }]
    );
    assert_eq!(
        store.install_signing_key(key(1, 'b')).await.expect_ok(),
        SigningKeyInstallation::Existing(SigningKeyRecord {
            revoked_at: Some(at(7)),
            ..key(1, 'a')
        }),
        "a revoked key keeps its number"
    );
}

async fn a_key_that_is_not_there_cannot_be_revoked(store: &ProtocolUnderTest) {
    assert_eq!(
        store
            .revoke_signing_key(&key(1, 'a').id, at(7))
            .await
            .expect_ok(),
        SigningKeyRevocation::NotFound
    );
    install(&**store, key(1, 'a')).await;
    install(&**store, key(2, 'a')).await;
    assert_eq!(store.sweep_signing_keys(at(2)).await.expect_ok(), 1);
    assert_eq!(
        store
            .revoke_signing_key(&key(1, 'a').id, at(7))
            .await
            .expect_ok(),
        SigningKeyRevocation::NotFound,
        "the key is deleted"
    );
    assert_eq!(store.signing_keys().await.expect_ok(), [key(2, 'a')]);
}

async fn a_revoked_key_is_removed_like_any_other(store: &ProtocolUnderTest) {
    for sequence in 1..=3 {
        install(&**store, key(sequence, 'a')).await;
        assert_eq!(
            store
                .revoke_signing_key(&key(sequence, 'a').id, at(4))
                .await
                .expect_ok(),
            SigningKeyRevocation::Revoked
        );
    }
    assert_eq!(store.sweep_signing_keys(at(1_000)).await.expect_ok(), 2);
    let kept: Vec<_> = store
        .signing_keys()
        .await
        .expect_ok()
        .iter()
        .map(|key| key.sequence)
        .collect();
    assert_eq!(
        kept,
        [3],
        "the newest stays, so that its number is not reused"
    );
    install(&**store, key(4, 'a')).await;
    let revoked = SigningKeyRecord {
        revoked_at: Some(at(4)),
        ..key(3, 'a')
    };
    assert_eq!(
        store.signing_keys().await.expect_ok(),
        [revoked, key(4, 'a')],
        "a revoked key stays revoked when the next one is installed"
    );
}

async fn of_many_revocations_one_is_the_first(store: &ProtocolUnderTest) {
    install(&**store, key(1, 'a')).await;
    let id = key(1, 'a').id;
    let moment = |caller: usize| at(10 + i64::try_from(caller).unwrap_or_default());
    let answers = store.race(async |store, caller| {
        (
            moment(caller),
            store
                .revoke_signing_key(&id, moment(caller))
                .await
                .expect_ok(),
        )
    });
    let first: Vec<_> = answers
        .iter()
        .filter(|(_, answer)| *answer == SigningKeyRevocation::Revoked)
        .map(|(at, _)| *at)
        .collect();
    let [first] = first[..] else {
        panic!(
            "of {CONCURRENT_CALLERS} revocations {} are the first",
            first.len()
        )
    };
    let is_explained = |answer: &SigningKeyRevocation| {
        matches!(
            answer,
            SigningKeyRevocation::Revoked | SigningKeyRevocation::AlreadyRevoked { .. }
        )
    };
    assert!(answers.iter().all(|(_, answer)| is_explained(answer)));
    assert!(
        answers.iter().all(
            |(_, answer)| !matches!(answer, SigningKeyRevocation::AlreadyRevoked { at } if *at != first)
        ),
        "all report the first"
    );
    assert_eq!(
        store.signing_keys().await.expect_ok(),
        [SigningKeyRecord {
            revoked_at: Some(first),
            ..key(1, 'a')
        }]
    );
}

async fn a_key_is_sealed_anew_where_it_is_still_as_it_was_seen(store: &ProtocolUnderTest) {
    for sequence in [1, 2] {
        install(&**store, key(sequence, 'a')).await;
    }
    let [seen, anew, late] =
        [b"\0\xffa", b"new", b"old"].map(|bytes| SealedKey::from_bytes(bytes.to_vec()));
    let id = key(1, 'a').id;
    assert!(
        store
            .reseal_signing_key(&id, &seen, anew.clone())
            .await
            .expect_ok(),
        "a key with the expected seal is resealed"
    );
    assert!(
        !store
            .reseal_signing_key(&id, &seen, late.clone())
            .await
            .expect_ok(),
        "a key with another seal is unchanged"
    );
    assert!(
        !store
            .reseal_signing_key(&key(3, 'a').id, &seen, late)
            .await
            .expect_ok(),
        "an unknown key is not created"
    );
    let resealed = SigningKeyRecord {
        sealed: anew.clone(),
        ..key(1, 'a')
    };
    assert_eq!(
        store.signing_keys().await.expect_ok(),
        [resealed.clone(), key(2, 'a')],
        "nothing else changes"
    );
    assert_eq!(
        store.revoke_signing_key(&id, at(7)).await.expect_ok(),
        SigningKeyRevocation::Revoked
    );
    assert!(
        store
            .reseal_signing_key(&id, &anew, seen.clone())
            .await
            .expect_ok()
    );
    let revoked = SigningKeyRecord {
        sealed: seen,
        revoked_at: Some(at(7)),
        ..resealed
    };
    assert_eq!(
        store.signing_keys().await.expect_ok(),
        [revoked, key(2, 'a')],
        "a revoked key stays revoked"
    );
}

async fn of_many_that_seal_a_key_anew_one_does(store: &ProtocolUnderTest) {
    install(&**store, key(1, 'a')).await;
    let kept = key(1, 'a');
    let answers = store.race(async |store, caller| {
        let anew = SealedKey::from_bytes(caller.to_be_bytes().to_vec());
        (
            store
                .reseal_signing_key(&kept.id, &kept.sealed, anew.clone())
                .await
                .expect_ok(),
            anew,
        )
    });
    let won: Vec<_> = answers
        .into_iter()
        .filter(|(has_won, _)| *has_won)
        .map(|(_, anew)| anew)
        .collect();
    let [won] = &won[..] else {
        panic!(
            "of {CONCURRENT_CALLERS} that reseal a key {} succeeded",
            won.len()
        )
    };
    assert_eq!(
        store.signing_keys().await.expect_ok(),
        [SigningKeyRecord {
            sealed: won.clone(),
            ..kept
        }]
    );
}

async fn the_clock_of_a_store_goes_on_if_it_has_one(store: &ProtocolUnderTest) {
    let (first, second) = (store.now().await.expect_ok(), store.now().await.expect_ok());
    assert!(
        first <= second && first.is_some() == second.is_some(),
        "the clock says {first:?}, and then {second:?}"
    );
}

async fn install(store: &(impl SigningKeyStore + ?Sized), key: SigningKeyRecord) {
    assert_eq!(
        store.install_signing_key(key).await.expect_ok(),
        SigningKeyInstallation::Installed
    );
}

fn key(sequence: i64, letter: char) -> SigningKeyRecord {
    let number = format!("{sequence:02}");
    SigningKeyRecord {
        sequence,
        id: format!("{number}{}", letter.to_string().repeat(41))
            .parse()
            .expect("a key id"),
        algorithm: if sequence % 2 == 0 {
            SigningAlgorithm::Es256
        } else {
            SigningAlgorithm::Rs256
        },
        sealed: SealedKey::from_bytes(vec![0, 255, letter as u8]),
        created_at: at(sequence),
        revoked_at: None,
    }
}
