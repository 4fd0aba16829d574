//! Tokens with key ids that this node has not loaded.

use super::*;

fn invented(number: usize) -> KeyId {
    format!("{number:043}").parse().unwrap()
}

async fn knows(ring: &KeyRing, key: &KeyId, now: Timestamp) -> bool {
    ring.snapshot_for_key(key, now).await.unwrap().contains(key)
}

// Proves: threats 31
#[tokio::test]
async fn ten_thousand_invented_keys_cost_one_look_a_cool_down() {
    let store = Arc::new(FaultyKeyStore::default());
    let (ring, _) = ring(&store).await;
    let before = store.looks();
    for number in 0..10_000 {
        assert!(!knows(&ring, &invented(number), START).await);
    }
    assert_eq!(store.looks(), before + 1);
    let next = another_nodes_key(&store, 2, START).await;
    assert!(!knows(&ring, &next, START.plus(Duration::from_secs(4))).await);
    assert!(knows(&ring, &next, START.plus(Duration::from_secs(5))).await);
    assert!(
        knows(&ring, &next, START.plus(Duration::from_secs(10))).await,
        "the key is cached from now on"
    );
    assert_eq!(store.looks(), before + 2);
}

// Proves: threats 31
#[tokio::test]
async fn waiting_requests_share_one_key_lookup_and_a_cancelled_one_does_not_end_it() {
    let store = Arc::new(FaultyKeyStore::default());
    let (ring, _) = ring(&store).await;
    let next = another_nodes_key(&store, 2, START).await;
    let before = store.looks();
    store.is_silent.store(true, Ordering::SeqCst);
    for _ in 0..1000 {
        let mut hangs_up = pin!(ring.snapshot_for_key(&next, START));
        assert!(
            hangs_up
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()))
                .is_pending()
        );
    }
    assert_eq!(store.looks(), before + 1);
    // That read never ends. Requests after the cool-down start another one, and requests with a
    // known key do not wait.
    assert_eq!(count(&ring, START).await, 1);
    store.is_silent.store(false, Ordering::SeqCst);
    assert!(knows(&ring, &next, START.plus(Duration::from_secs(5))).await);
}

// Proves: threats 31
#[tokio::test]
async fn a_look_for_an_unknown_key_that_fails_keeps_the_keys() {
    let store = Arc::new(FaultyKeyStore::default());
    let (ring, _) = ring(&store).await;
    store.is_away.store(true, Ordering::SeqCst);
    let before = store.looks();
    for number in 0..100 {
        assert!(!knows(&ring, &invented(number), START).await);
    }
    assert_eq!((store.looks(), count(&ring, START).await), (before + 1, 1));
}

#[tokio::test]
async fn invented_keys_do_not_keep_the_next_key_from_being_made() {
    let store = Arc::new(FaultyKeyStore::default());
    let (ring, clock) = ring(&store).await;
    clock.advance(90 * DAY);
    ring.signer(clock.now()).await.unwrap();
    for number in 0.. {
        clock.advance(Duration::from_secs(7));
        ring.snapshot_for_key(&invented(number), clock.now())
            .await
            .unwrap();
        if store.inner.signing_keys().await.unwrap().len() == 2 {
            break;
        }
        assert!(clock.now() < START.plus(91 * DAY), "no key was made");
        tokio::task::yield_now().await;
    }
}
