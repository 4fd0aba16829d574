mod clock_skew;
mod unknown_keys;
mod unopened_keys;

use std::pin::pin;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};

use async_trait::async_trait;

use super::*;
use crate::crypto::generate_signing_key;
use crate::domain::{SealedKey, SigningAlgorithm, SigningKeyRecord};
use crate::http::audit::TracingLog;
use crate::store::memory::MemoryStore;
use crate::store::{SigningKeyInstallation, StoreClock};
use crate::testing::{ManualClock, SeededEntropy};

const START: Timestamp = Timestamp::from_seconds(1_767_225_600);
const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const SCHEDULE: KeyRotation = KeyRotation {
    rotate_every: Duration::from_secs(90 * 24 * 60 * 60),
    publish_ahead: DAY,
    token_lifetime: DAY,
    margin: Duration::from_secs(120),
};

/// Counts reads of the keys, and can fail or hang.
#[derive(Debug, Default)]
struct FaultyKeyStore {
    inner: MemoryStore,
    looks: AtomicUsize,
    is_away: AtomicBool,
    is_silent: AtomicBool,
    /// The store's own clock, if any.
    clock: Mutex<Option<Timestamp>>,
}

#[async_trait]
impl StoreClock for FaultyKeyStore {
    async fn now(&self) -> Result<Option<Timestamp>, StorageError> {
        Ok(*self.clock.lock().unwrap())
    }
}

#[async_trait]
impl SigningKeyStore for FaultyKeyStore {
    async fn signing_keys(&self) -> Result<Vec<SigningKeyRecord>, StorageError> {
        self.looks.fetch_add(1, Ordering::SeqCst);
        if self.is_silent.load(Ordering::SeqCst) {
            std::future::pending::<()>().await;
        }
        if self.is_away.load(Ordering::SeqCst) {
            return Err(StorageError::unavailable("the store is away", "planted"));
        }
        self.inner.signing_keys().await
    }

    async fn install_signing_key(
        &self,
        key: SigningKeyRecord,
    ) -> Result<SigningKeyInstallation, StorageError> {
        self.inner.install_signing_key(key).await
    }

    async fn revoke_signing_key(
        &self,
        id: &KeyId,
        at: Timestamp,
    ) -> Result<SigningKeyRevocation, StorageError> {
        self.inner.revoke_signing_key(id, at).await
    }

    async fn reseal_signing_key(
        &self,
        id: &KeyId,
        seen: &SealedKey,
        sealed: SealedKey,
    ) -> Result<bool, StorageError> {
        self.inner.reseal_signing_key(id, seen, sealed).await
    }

    async fn sweep_signing_keys(&self, until: Timestamp) -> Result<usize, StorageError> {
        self.inner.sweep_signing_keys(until).await
    }
}

impl FaultyKeyStore {
    fn looks(&self) -> usize {
        self.looks.load(Ordering::SeqCst)
    }
}

fn master_key() -> MasterKey {
    MasterKey::from_bytes([3; 32])
}

async fn ring(store: &Arc<FaultyKeyStore>) -> (KeyRing, ManualClock) {
    let clock = ManualClock::new(START);
    let generator = SigningKeyGenerator::new(
        SigningAlgorithm::Es256,
        SCHEDULE,
        master_key(),
        Arc::new(SeededEntropy::new(1)),
        Arc::new(TracingLog),
    );
    let ring = KeyRing::open(
        SCHEDULE,
        generator,
        master_key(),
        Arc::new(clock.clone()),
        store.clone(),
    )
    .await
    .unwrap();
    (ring, clock)
}

/// Stores a key of another node.
async fn another_nodes_key(store: &FaultyKeyStore, sequence: i64, at: Timestamp) -> KeyId {
    let entropy = SeededEntropy::new(u64::try_from(sequence).unwrap() + 100);
    let key = generate_signing_key(
        SigningAlgorithm::Es256,
        sequence,
        at,
        &entropy,
        &master_key(),
    )
    .unwrap();
    let id = key.id.clone();
    assert_eq!(
        store.install_signing_key(key).await.unwrap(),
        SigningKeyInstallation::Installed
    );
    id
}

async fn count(ring: &KeyRing, now: Timestamp) -> usize {
    ring.current(now).await.unwrap().signers().len()
}

#[tokio::test]
async fn requests_look_at_the_store_once_a_minute() {
    let store = Arc::new(FaultyKeyStore::default());
    let (ring, _) = ring(&store).await;
    let before = store.looks();
    for second in 0..60 {
        ring.signer(START.plus(Duration::from_secs(second)))
            .await
            .unwrap();
    }
    assert_eq!(store.looks(), before);
    another_nodes_key(&store, 2, START).await;
    assert_eq!(count(&ring, START.plus(MINUTE)).await, 2);
    assert_eq!(store.looks(), before + 1);
    // A clock that was set back says nothing about the age of the keys.
    assert_eq!(count(&ring, START).await, 2);
    assert_eq!(store.looks(), before + 2);
}

/// Fails if a rotation on request makes a second key that waits, or a key that signs before all nodes
/// have seen it.
#[tokio::test]
async fn a_rotation_on_request_publishes_one_key_which_signs_after_the_time_for_its_publication() {
    let store = Arc::new(FaultyKeyStore::default());
    let (ring, clock) = ring(&store).await;
    let first = ring.signer(START).await.unwrap().key_id().clone();
    clock.advance(DAY);
    let now = START.plus(DAY);
    let next = ring.rotate().await.unwrap();
    assert_eq!((next.is_new, next.signs_from), (true, now.plus(DAY)));
    assert_ne!(next.id, first);
    let again = ring.rotate().await.unwrap();
    assert_eq!((again.is_new, again.signs_from), (false, next.signs_from));
    assert_eq!(again.id, next.id);
    assert_eq!(store.signing_keys().await.unwrap().len(), 2);
    for (at, signer) in [(now, &first), (next.signs_from, &next.id)] {
        assert_eq!(ring.signer(at).await.unwrap().key_id(), signer);
    }
    // A key that would begin to sign at the wrong time is not made.
    clock.advance(2 * DAY);
    *store.clock.lock().unwrap() = Some(START);
    assert!(ring.rotate().await.is_err());
    assert_eq!(store.signing_keys().await.unwrap().len(), 2);
}

// Proves: threats 5
/// Fails if the state of a key does not follow from its revocation.
#[tokio::test]
async fn a_restart_forgets_no_revocation() {
    let store = Arc::new(FaultyKeyStore::default());
    let (first, _) = ring(&store).await;
    let id = first.signer(START).await.unwrap().key_id().clone();
    assert_eq!(
        first.revoke(&id).await.unwrap(),
        SigningKeyRevocation::Revoked
    );
    let (restarted, _) = ring(&store).await;
    assert_ne!(*restarted.signer(START).await.unwrap().key_id(), id);
    assert_eq!(count(&restarted, START).await, 1);
}

#[tokio::test]
async fn one_request_waits_for_the_store_and_the_others_go_on_with_the_keys_that_are_there() {
    let store = Arc::new(FaultyKeyStore::default());
    let (ring, _) = ring(&store).await;
    let now = START.plus(MINUTE);
    store.is_silent.store(true, Ordering::SeqCst);
    let before = store.looks();
    {
        let mut waiting = pin!(ring.signer(now));
        assert!(
            waiting
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()))
                .is_pending()
        );
        for _ in 0..10 {
            let mut other = pin!(ring.signer(now));
            assert!(matches!(
                other.as_mut().poll(&mut Context::from_waker(Waker::noop())),
                Poll::Ready(Ok(_))
            ));
        }
        assert_eq!(store.looks(), before + 1);
    }
    // The waiting request was cancelled, which released its permit.
    store.is_silent.store(false, Ordering::SeqCst);
    ring.signer(now).await.unwrap();
    assert_eq!(store.looks(), before + 2);
}

#[tokio::test]
async fn keys_stay_while_the_store_is_away_until_another_node_may_sign_with_one_that_is_unknown_here()
 {
    let store = Arc::new(FaultyKeyStore::default());
    let (ring, _) = ring(&store).await;
    store.is_away.store(true, Ordering::SeqCst);
    let safe_until = START.plus(DAY - 7 * MINUTE);
    let before = store.looks();
    for second in 0..10 {
        ring.signer(START.plus(MINUTE + Duration::from_secs(second)))
            .await
            .unwrap();
    }
    assert_eq!(
        store.looks(),
        before + 2,
        "the store is read again every five seconds"
    );
    ring.jwk_set(safe_until.minus(Duration::from_secs(1)))
        .await
        .unwrap();
    let refused = ring.jwk_set(safe_until).await.unwrap_err();
    assert!(matches!(refused, SigningKeyError::Storage(_)), "{refused}");
    store.is_away.store(false, Ordering::SeqCst);
    ring.jwk_set(safe_until.plus(MINUTE)).await.unwrap();
}

#[tokio::test]
async fn a_key_that_another_node_revoked_is_out_of_use_within_a_minute() {
    let store = Arc::new(FaultyKeyStore::default());
    let (ring, _) = ring(&store).await;
    let first = ring.signer(START).await.unwrap().key_id().clone();
    let next = another_nodes_key(&store, 2, START).await;
    assert_eq!(
        store.revoke_signing_key(&first, START).await.unwrap(),
        SigningKeyRevocation::Revoked
    );
    let now = START.plus(MINUTE);
    assert_eq!(
        *ring.signer(now).await.unwrap().key_id(),
        next,
        "the next one signs at once"
    );
    assert_eq!(count(&ring, now).await, 1);
}

#[tokio::test]
async fn where_every_key_was_revoked_a_request_makes_one() {
    let store = Arc::new(FaultyKeyStore::default());
    let (ring, clock) = ring(&store).await;
    let first = ring.signer(START).await.unwrap().key_id().clone();
    assert_eq!(
        store.revoke_signing_key(&first, START).await.unwrap(),
        SigningKeyRevocation::Revoked
    );
    clock.advance(MINUTE);
    assert_ne!(*ring.signer(clock.now()).await.unwrap().key_id(), first);
    assert_eq!(store.inner.signing_keys().await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_look_that_began_before_a_revocation_does_not_bring_the_key_back() {
    let store = Arc::new(FaultyKeyStore::default());
    let (ring, _) = ring(&store).await;
    let (first, now) = (
        ring.signer(START).await.unwrap().key_id().clone(),
        START.plus(MINUTE),
    );
    // Simulates a read that has loaded the records and returns late.
    let look = ring.cache.reads.fetch_add(1, Ordering::Relaxed);
    let seen = ring.cache.snapshot();
    assert_eq!(
        ring.revoke(&first).await.unwrap(),
        SigningKeyRevocation::Revoked
    );
    ring.cache.replace_if_newer(look, seen);
    assert_ne!(*ring.signer(now).await.unwrap().key_id(), first);
    assert_ne!(*ring.cache.snapshot().signer(now).unwrap().key_id(), first);
}
