//! Nodes whose clocks differ from the store's.

use super::*;

/// Requests the signer until another key has been generated in the background. Returns whether one
/// was, within `times` requests.
async fn asked_until_another_key_is_there(
    ring: &KeyRing,
    store: &FaultyKeyStore,
    clock: &ManualClock,
    times: usize,
) -> bool {
    let before = store.inner.signing_keys().await.unwrap();
    for _ in 0..times {
        clock.advance(MINUTE);
        if let Some(own) = &mut *store.clock.lock().unwrap() {
            *own = own.plus(MINUTE);
        }
        ring.signer(clock.now()).await.unwrap();
        if store.inner.signing_keys().await.unwrap() != before {
            return true;
        }
        tokio::task::yield_now().await;
    }
    false
}

/// Fails if a clock that is far ahead or behind is trusted when keys are generated and removed.
#[tokio::test]
async fn a_node_whose_clock_is_more_than_a_minute_off_neither_makes_nor_removes_keys_while_one_signs()
 {
    for apart in [61, 400 * 24 * 60 * 60] {
        let store = Arc::new(FaultyKeyStore::default());
        let (ring, clock) = ring(&store).await;
        for (sequence, day) in [(2, 90), (3, 180)] {
            another_nodes_key(&store, sequence, START.plus(day * DAY)).await;
        }
        clock.advance(270 * DAY);
        let apart = Duration::from_secs(apart);
        for wrong in [clock.now().plus(apart), clock.now().minus(apart)] {
            *store.clock.lock().unwrap() = Some(wrong);
            assert!(
                !asked_until_another_key_is_there(&ring, &store, &clock, 50).await,
                "the store's clock says {wrong:?}"
            );
        }
        *store.clock.lock().unwrap() = Some(clock.now().plus(MINUTE));
        assert!(
            asked_until_another_key_is_there(&ring, &store, &clock, 10_000).await,
            "a minute is tolerated"
        );
        let kept: Vec<_> = store
            .inner
            .signing_keys()
            .await
            .unwrap()
            .iter()
            .map(|key| key.sequence)
            .collect();
        assert_eq!(
            kept,
            [3, 4],
            "the next key is generated, and expired keys are removed"
        );
    }
}

/// Fails if the time of a revocation is taken from the node's clock alone.
#[tokio::test]
async fn a_node_whose_clock_is_behind_brings_no_retired_key_back_by_a_revocation() {
    let store = Arc::new(FaultyKeyStore::default());
    let (ring, clock) = ring(&store).await;
    let signs = another_nodes_key(&store, 2, START.plus(90 * DAY)).await;
    let today = START.plus(92 * DAY);
    clock.advance(90 * DAY);
    *store.clock.lock().unwrap() = Some(today);
    assert_eq!(
        ring.revoke(&signs).await.unwrap(),
        SigningKeyRevocation::Revoked
    );
    let keys = store.inner.signing_keys().await.unwrap();
    assert_eq!(keys[1].revoked_at, Some(today));
    assert_ne!(
        SCHEDULE.active(&keys, today).map(|key| key.sequence),
        Some(1),
        "the first key has retired"
    );
}

/// Fails if a key is created with the time of a clock that is ahead: it would not be replaced
/// before that time.
#[tokio::test]
async fn a_node_whose_clock_is_ahead_makes_the_first_key_by_the_time_of_the_store() {
    for (own, expected) in [
        (START.minus(400 * DAY), START.minus(400 * DAY)),
        (START.plus(400 * DAY), START),
    ] {
        let store = Arc::new(FaultyKeyStore::default());
        *store.clock.lock().unwrap() = Some(own);
        let (ring, _) = ring(&store).await;
        ring.signer(START).await.unwrap();
        assert_eq!(
            store.inner.signing_keys().await.unwrap()[0].created_at,
            expected
        );
    }
}
