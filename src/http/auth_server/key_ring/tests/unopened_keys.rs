//! Keys that are damaged or sealed under another master key.

use super::*;

/// Stores a key that was sealed under another master key.
async fn key_under_other_master_key(store: &FaultyKeyStore, sequence: i64) -> KeyId {
    let strange = generate_signing_key(
        SigningAlgorithm::Es256,
        sequence,
        START,
        &SeededEntropy::new(9),
        &MasterKey::from_bytes([4; 32]),
    )
    .unwrap();
    let id = strange.id.clone();
    assert_eq!(
        store.install_signing_key(strange).await.unwrap(),
        SigningKeyInstallation::Installed
    );
    id
}

async fn restarted(store: &Arc<FaultyKeyStore>, now: Timestamp) -> Result<KeyRing, ConfigError> {
    let generator = SigningKeyGenerator::new(
        SigningAlgorithm::Es256,
        SCHEDULE,
        master_key(),
        Arc::new(SeededEntropy::new(2)),
        Arc::new(TracingLog),
    );
    KeyRing::open(
        SCHEDULE,
        generator,
        master_key(),
        Arc::new(ManualClock::new(now)),
        store.clone(),
    )
    .await
}

/// Fails if one key that does not open stops the loading of all.
#[tokio::test]
async fn a_key_that_does_not_open_does_not_keep_a_revocation_from_holding() {
    let store = Arc::new(FaultyKeyStore::default());
    let (ring, _) = ring(&store).await;
    let first = ring.signer(START).await.unwrap().key_id().clone();
    let strange = key_under_other_master_key(&store, 2).await;
    assert_eq!(
        store.revoke_signing_key(&first, START).await.unwrap(),
        SigningKeyRevocation::Revoked
    );
    let now = START.plus(MINUTE);
    let signs = ring.signer(now).await.unwrap().key_id().clone();
    assert!(
        signs != first && signs != strange,
        "a new key is made in the place of the revoked one"
    );
    let keys = ring.current(now).await.unwrap();
    assert_eq!(
        keys.signers()
            .iter()
            .map(|signer| signer.key_id())
            .collect::<Vec<_>>(),
        [&signs]
    );
    assert_eq!(keys.unopened(), [(strange.clone(), KeyError::Unsealing)]);
    assert!(
        keys.contains(&strange),
        "its tokens cause no further read of the store"
    );
}

#[tokio::test]
async fn a_server_starts_where_another_key_can_sign_and_refuses_where_none_can() {
    let store = Arc::new(FaultyKeyStore::default());
    let (opened, _) = ring(&store).await;
    let first = opened.signer(START).await.unwrap().key_id().clone();
    let strange = key_under_other_master_key(&store, 2).await;
    assert_eq!(count(&opened, START.plus(MINUTE)).await, 1);
    assert_eq!(
        *restarted(&store, START)
            .await
            .unwrap()
            .signer(START)
            .await
            .unwrap()
            .key_id(),
        first
    );
    assert_eq!(
        store.revoke_signing_key(&first, START).await.unwrap(),
        SigningKeyRevocation::Revoked
    );
    assert!(matches!(
        restarted(&store, START).await,
        Err(ConfigError::SigningKey(KeyError::Unsealing))
    ));
    assert_eq!(
        store.inner.signing_keys().await.unwrap().len(),
        2,
        "no key is generated under a wrong master key"
    );
    assert_eq!(
        store.revoke_signing_key(&strange, START).await.unwrap(),
        SigningKeyRevocation::Revoked
    );
    assert!(
        restarted(&store, START).await.is_ok(),
        "a revoked key is not opened"
    );
}

/// Fails if a skipped key still decides which of the others sign and are published.
#[tokio::test]
async fn where_the_signing_key_is_damaged_the_one_before_it_signs_until_a_new_one_has_been_published()
 {
    let store = Arc::new(FaultyKeyStore::default());
    let first = another_nodes_key(&store, 1, START).await;
    let damaged = generate_signing_key(
        SigningAlgorithm::Es256,
        2,
        START.plus(90 * DAY),
        &SeededEntropy::new(5),
        &master_key(),
    )
    .unwrap();
    let damaged = SigningKeyRecord {
        sealed: SealedKey::from_bytes(vec![1; 40]),
        ..damaged
    };
    assert_eq!(
        store.install_signing_key(damaged).await.unwrap(),
        SigningKeyInstallation::Installed
    );
    // The damaged key would have signed for two days, so the first would have been removed from the
    // key set.
    let now = START.plus(93 * DAY);
    let ring = restarted(&store, now).await.unwrap();
    assert_eq!(*ring.signer(now).await.unwrap().key_id(), first);
    let published = |keys: &SigningKeySnapshot| {
        keys.signers()
            .iter()
            .map(|signer| signer.key_id().clone())
            .collect::<Vec<_>>()
    };
    let keys = ring.current(now).await.unwrap();
    let [_, next] = &published(&keys)[..] else {
        panic!("no key was made")
    };
    let later = now.plus(DAY);
    assert_eq!(ring.signer(later).await.unwrap().key_id(), next);
    assert_eq!(
        published(&ring.current(later).await.unwrap()),
        [first, next.clone()],
        "the tokens of the first are still valid"
    );
}

/// Fails if keys stay sealed under the old master key, or a node that has both prevents the other
/// from starting.
#[tokio::test]
async fn keys_are_sealed_anew_by_the_first_node_that_has_the_new_master_key_and_no_node_is_left_behind()
 {
    let store = Arc::new(FaultyKeyStore::default());
    let (old, new) = (master_key(), MasterKey::from_bytes([8; 32]));
    let open = async |master: MasterKey| {
        let generator = SigningKeyGenerator::new(
            SigningAlgorithm::Es256,
            SCHEDULE,
            master.clone(),
            Arc::new(SeededEntropy::new(7)),
            Arc::new(TracingLog),
        );
        KeyRing::open(
            SCHEDULE,
            generator,
            master,
            Arc::new(ManualClock::new(START)),
            store.clone(),
        )
        .await
    };
    let (running, _) = ring(&store).await;
    let id = running.signer(START).await.unwrap().key_id().clone();
    let ring_with_next = open(old.clone().with_next(new.clone())).await.unwrap();
    let changed = open(new.clone().with_former(old.clone())).await.unwrap();
    assert!(
        matches!(
            open(old.clone()).await,
            Err(ConfigError::SigningKey(KeyError::Unsealing))
        ),
        "it was resealed"
    );
    assert!(
        ring_with_next
            .refresh(START.plus(MINUTE))
            .await
            .unwrap()
            .unopened()
            .is_empty()
    );
    for ring in [
        &open(old.with_next(new.clone())).await.unwrap(),
        &ring_with_next,
        &changed,
        &running,
        &open(new).await.unwrap(),
    ] {
        assert_eq!(*ring.signer(START.plus(MINUTE)).await.unwrap().key_id(), id);
    }
}
