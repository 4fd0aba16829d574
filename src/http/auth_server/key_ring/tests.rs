use std::pin::pin;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};

use async_trait::async_trait;

use super::*;
use crate::crypto::generate;
use crate::domain::{SealedKey, SigningAlgorithm, SigningKeyRecord};
use crate::http::audit::TracingLog;
use crate::store::memory::MemoryStore;
use crate::store::{KeyInstallation, StoreClock};
use crate::testing::{ManualClock, SeededEntropy};

const START: Timestamp = Timestamp::from_seconds(1_767_225_600);
const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const SCHEDULE: KeySchedule = KeySchedule {
    rotate_every: Duration::from_secs(90 * 24 * 60 * 60),
    publish_ahead: DAY,
    token_lifetime: DAY,
    margin: Duration::from_secs(120),
};

/// Counts the looks at the keys, and can be away or silent.
#[derive(Debug, Default)]
struct Moody {
    inner: MemoryStore,
    looks: AtomicUsize,
    is_away: AtomicBool,
    is_silent: AtomicBool,
    /// The clock of the store itself, if it has one.
    clock: Mutex<Option<Timestamp>>,
}

#[async_trait]
impl StoreClock for Moody {
    async fn now(&self) -> Result<Option<Timestamp>, StorageError> {
        Ok(*self.clock.lock().unwrap())
    }
}

#[async_trait]
impl KeyStore for Moody {
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

    async fn install_signing_key(&self, key: SigningKeyRecord) -> Result<KeyInstallation, StorageError> {
        self.inner.install_signing_key(key).await
    }

    async fn revoke_signing_key(&self, id: &KeyId, at: Timestamp) -> Result<KeyRevocation, StorageError> {
        self.inner.revoke_signing_key(id, at).await
    }

    async fn reseal_signing_key(&self, id: &KeyId, seen: &SealedKey, sealed: SealedKey) -> Result<bool, StorageError> {
        self.inner.reseal_signing_key(id, seen, sealed).await
    }

    async fn remove_signing_keys(&self, until: Timestamp) -> Result<usize, StorageError> {
        self.inner.remove_signing_keys(until).await
    }
}

impl Moody {
    fn looks(&self) -> usize {
        self.looks.load(Ordering::SeqCst)
    }
}

fn master_key() -> MasterKey {
    MasterKey::from_bytes([3; 32])
}

async fn ring(store: &Arc<Moody>) -> (KeyRing, ManualClock) {
    let clock = ManualClock::at(START);
    let maker = KeyMaker::new(SigningAlgorithm::Es256, SCHEDULE, master_key(), Arc::new(SeededEntropy::new(1)), Arc::new(TracingLog));
    let ring = KeyRing::open(SCHEDULE, maker, master_key(), Arc::new(clock.clone()), store.clone()).await.unwrap();
    (ring, clock)
}

/// A key of another node.
async fn another_nodes_key(store: &Moody, sequence: i64, at: Timestamp) -> KeyId {
    let entropy = SeededEntropy::new(u64::try_from(sequence).unwrap() + 100);
    let key = generate(SigningAlgorithm::Es256, sequence, at, &entropy, &master_key()).unwrap();
    let id = key.id.clone();
    assert_eq!(store.install_signing_key(key).await.unwrap(), KeyInstallation::Installed);
    id
}

async fn count(ring: &KeyRing, now: Timestamp) -> usize {
    ring.current(now).await.unwrap().signers().len()
}

#[tokio::test]
async fn requests_look_at_the_store_once_a_minute() {
    let store = Arc::new(Moody::default());
    let (ring, _) = ring(&store).await;
    let before = store.looks();
    for second in 0..60 {
        ring.signer(START.plus(Duration::from_secs(second))).await.unwrap();
    }
    assert_eq!(store.looks(), before);
    another_nodes_key(&store, 2, START).await;
    assert_eq!(count(&ring, START.plus(MINUTE)).await, 2);
    assert_eq!(store.looks(), before + 1);
    // A clock that was put back says nothing of their age.
    assert_eq!(count(&ring, START).await, 2);
    assert_eq!(store.looks(), before + 2);
}

/// Fails if the state of a key does not follow from its revocation.
#[tokio::test]
async fn s05_a_restart_forgets_no_revocation() {
    let store = Arc::new(Moody::default());
    let (first, _) = ring(&store).await;
    let id = first.signer(START).await.unwrap().key_id().clone();
    assert_eq!(first.revoke(&id).await.unwrap(), KeyRevocation::Revoked);
    let (restarted, _) = ring(&store).await;
    assert_ne!(*restarted.signer(START).await.unwrap().key_id(), id);
    assert_eq!(count(&restarted, START).await, 1);
}

#[tokio::test]
async fn one_request_waits_for_the_store_and_the_others_go_on_with_the_keys_that_are_there() {
    let store = Arc::new(Moody::default());
    let (ring, _) = ring(&store).await;
    let now = START.plus(MINUTE);
    store.is_silent.store(true, Ordering::SeqCst);
    let before = store.looks();
    {
        let mut waiting = pin!(ring.signer(now));
        assert!(waiting.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        for _ in 0..10 {
            let mut other = pin!(ring.signer(now));
            assert!(matches!(other.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Ready(Ok(_))));
        }
        assert_eq!(store.looks(), before + 1);
    }
    // The one that waited was given up, and its turn with it.
    store.is_silent.store(false, Ordering::SeqCst);
    ring.signer(now).await.unwrap();
    assert_eq!(store.looks(), before + 2);
}

#[tokio::test]
async fn keys_stay_while_the_store_is_away_until_another_node_may_sign_with_one_that_is_unknown_here() {
    let store = Arc::new(Moody::default());
    let (ring, _) = ring(&store).await;
    store.is_away.store(true, Ordering::SeqCst);
    let safe_until = START.plus(DAY - 7 * MINUTE);
    let before = store.looks();
    for second in 0..10 {
        ring.signer(START.plus(MINUTE + Duration::from_secs(second))).await.unwrap();
    }
    assert_eq!(store.looks(), before + 2, "it is asked again every five seconds");
    ring.jwk_set(safe_until.minus(Duration::from_secs(1))).await.unwrap();
    let refused = ring.jwk_set(safe_until).await.unwrap_err();
    assert!(matches!(refused, KeysUnavailable::Storage(_)), "{refused}");
    store.is_away.store(false, Ordering::SeqCst);
    ring.jwk_set(safe_until.plus(MINUTE)).await.unwrap();
}

#[tokio::test]
async fn a_key_that_another_node_revoked_is_out_of_use_within_a_minute() {
    let store = Arc::new(Moody::default());
    let (ring, _) = ring(&store).await;
    let first = ring.signer(START).await.unwrap().key_id().clone();
    let next = another_nodes_key(&store, 2, START).await;
    assert_eq!(store.revoke_signing_key(&first, START).await.unwrap(), KeyRevocation::Revoked);
    let now = START.plus(MINUTE);
    assert_eq!(*ring.signer(now).await.unwrap().key_id(), next, "the next one signs at once");
    assert_eq!(count(&ring, now).await, 1);
}

fn invented(number: usize) -> KeyId {
    format!("{number:043}").parse().unwrap()
}

async fn knows(ring: &KeyRing, key: &KeyId, now: Timestamp) -> bool {
    ring.for_token_of(key, now).await.unwrap().have_seen(key)
}

#[tokio::test]
async fn s31_ten_thousand_invented_keys_cost_one_look_a_cool_down() {
    let store = Arc::new(Moody::default());
    let (ring, _) = ring(&store).await;
    let before = store.looks();
    for number in 0..10_000 {
        assert!(!knows(&ring, &invented(number), START).await);
    }
    assert_eq!(store.looks(), before + 1);
    let next = another_nodes_key(&store, 2, START).await;
    assert!(!knows(&ring, &next, START.plus(Duration::from_secs(4))).await);
    assert!(knows(&ring, &next, START.plus(Duration::from_secs(5))).await);
    assert!(knows(&ring, &next, START.plus(Duration::from_secs(10))).await, "it costs nothing from now on");
    assert_eq!(store.looks(), before + 2);
}

#[tokio::test]
async fn s31_all_that_wait_for_a_key_share_one_look_and_who_hangs_up_ends_nothing() {
    let store = Arc::new(Moody::default());
    let (ring, _) = ring(&store).await;
    let next = another_nodes_key(&store, 2, START).await;
    let before = store.looks();
    store.is_silent.store(true, Ordering::SeqCst);
    for _ in 0..1000 {
        let mut hangs_up = pin!(ring.for_token_of(&next, START));
        assert!(hangs_up.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    assert_eq!(store.looks(), before + 1);
    // That look never ends. Those after the cool-down have one of their own, and those with a known key wait for none.
    assert_eq!(count(&ring, START).await, 1);
    store.is_silent.store(false, Ordering::SeqCst);
    assert!(knows(&ring, &next, START.plus(Duration::from_secs(5))).await);
}

#[tokio::test]
async fn s31_a_look_for_an_unknown_key_that_fails_keeps_the_keys() {
    let store = Arc::new(Moody::default());
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
    let store = Arc::new(Moody::default());
    let (ring, clock) = ring(&store).await;
    clock.advance(90 * DAY);
    ring.signer(clock.now()).await.unwrap();
    for number in 0.. {
        clock.advance(Duration::from_secs(7));
        ring.for_token_of(&invented(number), clock.now()).await.unwrap();
        if store.inner.signing_keys().await.unwrap().len() == 2 {
            break;
        }
        assert!(clock.now() < START.plus(91 * DAY), "no key was made");
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn where_every_key_was_revoked_a_request_makes_one() {
    let store = Arc::new(Moody::default());
    let (ring, clock) = ring(&store).await;
    let first = ring.signer(START).await.unwrap().key_id().clone();
    assert_eq!(store.revoke_signing_key(&first, START).await.unwrap(), KeyRevocation::Revoked);
    clock.advance(MINUTE);
    assert_ne!(*ring.signer(clock.now()).await.unwrap().key_id(), first);
    assert_eq!(store.inner.signing_keys().await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_look_that_began_before_a_revocation_does_not_bring_the_key_back() {
    let store = Arc::new(Moody::default());
    let (ring, _) = ring(&store).await;
    let (first, now) = (ring.signer(START).await.unwrap().key_id().clone(), START.plus(MINUTE));
    // As a look that has seen the records and is slow to come back with them.
    let look = ring.seen.looks.fetch_add(1, Ordering::Relaxed);
    let seen = ring.seen.loaded();
    assert_eq!(ring.revoke(&first).await.unwrap(), KeyRevocation::Revoked);
    ring.seen.keep(look, seen);
    assert_ne!(*ring.signer(now).await.unwrap().key_id(), first);
    assert_ne!(*ring.seen.loaded().signer(now).unwrap().key_id(), first);
}

/// A key that was sealed under another master key.
async fn strange_key(store: &Moody, sequence: i64) -> KeyId {
    let strange = generate(SigningAlgorithm::Es256, sequence, START, &SeededEntropy::new(9), &MasterKey::from_bytes([4; 32])).unwrap();
    let id = strange.id.clone();
    assert_eq!(store.install_signing_key(strange).await.unwrap(), KeyInstallation::Installed);
    id
}

async fn restarted(store: &Arc<Moody>, now: Timestamp) -> Result<KeyRing, ConfigError> {
    let maker = KeyMaker::new(SigningAlgorithm::Es256, SCHEDULE, master_key(), Arc::new(SeededEntropy::new(2)), Arc::new(TracingLog));
    KeyRing::open(SCHEDULE, maker, master_key(), Arc::new(ManualClock::at(now)), store.clone()).await
}

/// Fails if one key that does not open stops the loading of all.
#[tokio::test]
async fn a_key_that_does_not_open_does_not_keep_a_revocation_from_holding() {
    let store = Arc::new(Moody::default());
    let (ring, _) = ring(&store).await;
    let first = ring.signer(START).await.unwrap().key_id().clone();
    let strange = strange_key(&store, 2).await;
    assert_eq!(store.revoke_signing_key(&first, START).await.unwrap(), KeyRevocation::Revoked);
    let now = START.plus(MINUTE);
    let signs = ring.signer(now).await.unwrap().key_id().clone();
    assert!(signs != first && signs != strange, "a new key is made in the place of the revoked one");
    let keys = ring.current(now).await.unwrap();
    assert_eq!(keys.signers().iter().map(|signer| signer.key_id()).collect::<Vec<_>>(), [&signs]);
    assert_eq!(keys.unopened(), [(strange.clone(), KeyError::Unsealing)]);
    assert!(keys.have_seen(&strange), "its tokens are no reason to look at the store again");
}

#[tokio::test]
async fn a_server_starts_where_another_key_can_sign_and_refuses_where_none_can() {
    let store = Arc::new(Moody::default());
    let (opened, _) = ring(&store).await;
    let first = opened.signer(START).await.unwrap().key_id().clone();
    let strange = strange_key(&store, 2).await;
    assert_eq!(count(&opened, START.plus(MINUTE)).await, 1);
    assert_eq!(*restarted(&store, START).await.unwrap().signer(START).await.unwrap().key_id(), first);
    assert_eq!(store.revoke_signing_key(&first, START).await.unwrap(), KeyRevocation::Revoked);
    assert!(matches!(restarted(&store, START).await, Err(ConfigError::SigningKey(KeyError::Unsealing))));
    assert_eq!(store.inner.signing_keys().await.unwrap().len(), 2, "a wrong master key makes no key");
    assert_eq!(store.revoke_signing_key(&strange, START).await.unwrap(), KeyRevocation::Revoked);
    assert!(restarted(&store, START).await.is_ok(), "a revoked key is not opened");
}

/// Fails if a key that was skipped still decides which of the others sign and are published.
#[tokio::test]
async fn where_the_signing_key_is_damaged_the_one_before_it_signs_until_a_new_one_has_been_published() {
    let store = Arc::new(Moody::default());
    let first = another_nodes_key(&store, 1, START).await;
    let damaged = generate(SigningAlgorithm::Es256, 2, START.plus(90 * DAY), &SeededEntropy::new(5), &master_key()).unwrap();
    let damaged = SigningKeyRecord { sealed: SealedKey::from_bytes(vec![1; 40]), ..damaged };
    assert_eq!(store.install_signing_key(damaged).await.unwrap(), KeyInstallation::Installed);
    // The damaged key has signed for two days, so the first would be gone.
    let now = START.plus(93 * DAY);
    let ring = restarted(&store, now).await.unwrap();
    assert_eq!(*ring.signer(now).await.unwrap().key_id(), first);
    let published = |keys: &LoadedKeys| keys.signers().iter().map(|signer| signer.key_id().clone()).collect::<Vec<_>>();
    let keys = ring.current(now).await.unwrap();
    let [_, next] = &published(&keys)[..] else { panic!("no key was made") };
    let later = now.plus(DAY);
    assert_eq!(ring.signer(later).await.unwrap().key_id(), next);
    assert_eq!(published(&ring.current(later).await.unwrap()), [first, next.clone()], "the tokens of the first still hold");
}

/// Asks for the signer until another key is there, which is made on a thread of its own, or for as many times without one.
async fn asked_until_another_key_is_there(ring: &KeyRing, store: &Moody, clock: &ManualClock, times: usize) -> bool {
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

/// Fails if a clock that is far ahead or behind is believed where keys are made and removed.
#[tokio::test]
async fn a_node_whose_clock_is_more_than_a_minute_off_neither_makes_nor_removes_keys_while_one_signs() {
    for apart in [61, 400 * 24 * 60 * 60] {
        let store = Arc::new(Moody::default());
        let (ring, clock) = ring(&store).await;
        for (sequence, day) in [(2, 90), (3, 180)] {
            another_nodes_key(&store, sequence, START.plus(day * DAY)).await;
        }
        clock.advance(270 * DAY);
        let apart = Duration::from_secs(apart);
        for wrong in [clock.now().plus(apart), clock.now().minus(apart)] {
            *store.clock.lock().unwrap() = Some(wrong);
            assert!(!asked_until_another_key_is_there(&ring, &store, &clock, 50).await, "the store's clock says {wrong:?}");
        }
        *store.clock.lock().unwrap() = Some(clock.now().plus(MINUTE));
        assert!(asked_until_another_key_is_there(&ring, &store, &clock, 10_000).await, "a minute is no reason");
        let kept: Vec<_> = store.inner.signing_keys().await.unwrap().iter().map(|key| key.sequence).collect();
        assert_eq!(kept, [3, 4], "the next key is made, and what has had its time goes");
    }
}

/// Fails if the moment of a revocation is that of the node alone.
#[tokio::test]
async fn a_node_whose_clock_is_behind_brings_no_retired_key_back_by_a_revocation() {
    let store = Arc::new(Moody::default());
    let (ring, clock) = ring(&store).await;
    let signs = another_nodes_key(&store, 2, START.plus(90 * DAY)).await;
    let today = START.plus(92 * DAY);
    clock.advance(90 * DAY);
    *store.clock.lock().unwrap() = Some(today);
    assert_eq!(ring.revoke(&signs).await.unwrap(), KeyRevocation::Revoked);
    let keys = store.inner.signing_keys().await.unwrap();
    assert_eq!(keys[1].revoked_at, Some(today));
    assert_ne!(SCHEDULE.active(&keys, today).map(|key| key.sequence), Some(1), "the first key has retired");
}

/// Fails if a key is made by a clock that is ahead: it would not be old enough to be replaced before that time has come.
#[tokio::test]
async fn a_node_whose_clock_is_ahead_makes_the_first_key_by_the_time_of_the_store() {
    for (own, expected) in [(START.minus(400 * DAY), START.minus(400 * DAY)), (START.plus(400 * DAY), START)] {
        let store = Arc::new(Moody::default());
        *store.clock.lock().unwrap() = Some(own);
        let (ring, _) = ring(&store).await;
        ring.signer(START).await.unwrap();
        assert_eq!(store.inner.signing_keys().await.unwrap()[0].created_at, expected);
    }
}

/// Fails if keys stay sealed under the old master key, or a node that has both keeps the other from starting.
#[tokio::test]
async fn keys_are_sealed_anew_by_the_first_node_that_has_the_new_master_key_and_no_node_is_left_behind() {
    let store = Arc::new(Moody::default());
    let (old, new) = (master_key(), MasterKey::from_bytes([8; 32]));
    let open = async |master: MasterKey| {
        let maker = KeyMaker::new(SigningAlgorithm::Es256, SCHEDULE, master.clone(), Arc::new(SeededEntropy::new(7)), Arc::new(TracingLog));
        KeyRing::open(SCHEDULE, maker, master, Arc::new(ManualClock::at(START)), store.clone()).await
    };
    let (running, _) = ring(&store).await;
    let id = running.signer(START).await.unwrap().key_id().clone();
    let told = open(old.clone().with_next(new.clone())).await.unwrap();
    let changed = open(new.clone().with_former(old.clone())).await.unwrap();
    assert!(matches!(open(old.clone()).await, Err(ConfigError::SigningKey(KeyError::Unsealing))), "it was sealed anew");
    assert!(told.refresh(START.plus(MINUTE)).await.unwrap().unopened().is_empty());
    for ring in [&open(old.with_next(new.clone())).await.unwrap(), &told, &changed, &running, &open(new).await.unwrap()] {
        assert_eq!(*ring.signer(START.plus(MINUTE)).await.unwrap().key_id(), id);
    }
}
