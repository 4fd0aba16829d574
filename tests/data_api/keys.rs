//! Lifecycle of API keys, as their users and owners notice it: spec 2.12.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use lyceum::DataApi;
use lyceum::domain::{
    ApiKey, ApiKeyDigest, ApiKeyId, ApiKeyRenewal, ApiKeySecret, ApiScopes, Date, DateRange,
    Timestamp,
};
use lyceum::http::Clock;
use lyceum::http::data_api::KeyExpiryNotifier;
use lyceum::store::memory::MemoryStore;
use lyceum::store::{ApiKeyStore, Creation, DirectoryStore, Renewal};
use lyceum::testing::ManualClock;
use tokio::sync::Semaphore;

use crate::client::{TestResponse, request, send};
use crate::recording_store::RecordingStore;
use crate::school_fixtures::{self, CLUB_KEY, FULL_KEY, NOW};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const SECOND: Duration = Duration::from_secs(1);

async fn api(store: Arc<impl DirectoryStore + ApiKeyStore>, clock: &ManualClock) -> DataApi {
    school_fixtures::builder_with_store(store)
        .await
        .clock(Arc::new(clock.clone()))
        .build()
        .unwrap()
}

async fn clubs(api: &DataApi, key: &str) -> TestResponse {
    send(api, request("GET", "/v1/clubs", Some(key))).await
}

async fn last_use(store: &MemoryStore, key: &str) -> Option<Timestamp> {
    store
        .api_key(&digest(key))
        .await
        .unwrap()
        .unwrap()
        .last_used_at
}

/// Number of calls of the key on each day.
async fn calls(store: &MemoryStore, key: &str) -> Vec<u64> {
    let id = store.api_key(&digest(key)).await.unwrap().unwrap().id;
    let around = |days| {
        Date::from_timestamp(NOW, &jiff::tz::TimeZone::UTC)
            .plus_days(days)
            .unwrap()
    };
    let usage = store
        .api_key_usage(id, DateRange::new(around(-9), around(9)).unwrap())
        .await
        .unwrap();
    usage.into_iter().map(|of| of.calls).collect()
}

fn digest(key: &str) -> ApiKeyDigest {
    ApiKeySecret::parse(key).unwrap().digest()
}

/// Notices to the host, by the keys' hints.
#[derive(Debug, Default)]
struct RecordedNotices(Mutex<Vec<(String, Timestamp)>>);

impl KeyExpiryNotifier for RecordedNotices {
    fn key_expires_soon(&self, key: &ApiKey) {
        self.0
            .lock()
            .unwrap()
            .push((key.hint.clone(), key.expires_at));
    }
}

// Proves: spec 2.12
#[tokio::test]
async fn in_its_last_seven_days_every_answer_to_a_key_says_when_it_ends() {
    let (store, clock) = (school_fixtures::store().await, ManualClock::new(NOW));
    let (api, ends) = (api(store, &clock).await, NOW.plus(ApiKey::VALIDITY));
    for (passed, told) in [
        (Duration::ZERO, ""),
        (23 * DAY - SECOND, ""),
        (23 * DAY, &*ends.to_string()),
        (30 * DAY - SECOND, &ends.to_string()),
    ] {
        clock.set(NOW.plus(passed));
        for path in ["/v1/clubs", "/v1/clubs?nonsense=1", "/v1/students"] {
            let answer = send(&api, request("GET", path, Some(CLUB_KEY))).await;
            assert_eq!(
                answer.header("x-api-key-expires"),
                told,
                "{path} after {passed:?}: {}",
                answer.status
            );
        }
    }
    clock.advance(SECOND);
    assert_eq!(clubs(&api, CLUB_KEY).await.reason().0, "api_key_expired");
}

// Proves: spec 2.12
/// Fails if the expiry of one value is reported or enforced for the other.
#[tokio::test]
async fn of_a_renewed_key_each_value_has_its_own_end() {
    let (store, clock) = (school_fixtures::store().await, ManualClock::new(NOW));
    let api = api(store.clone(), &clock).await;
    let (old, new) = (FULL_KEY, ApiKeySecret::from_random([0xCD; 16]));
    let id = store.api_key(&digest(old)).await.unwrap().unwrap().id;
    let renewal = ApiKeyRenewal {
        digest: new.digest(),
        hint: new.hint(),
        overlap: DAY,
    };
    assert!(matches!(
        store.renew_api_key(id, renewal, NOW).await.unwrap(),
        Renewal::Renewed(_)
    ));
    assert_eq!(
        clubs(&api, old).await.header("x-api-key-expires"),
        NOW.plus(DAY).to_string()
    );
    assert_eq!(
        clubs(&api, new.expose()).await.header("x-api-key-expires"),
        ""
    );
    clock.advance(DAY);
    assert_eq!(clubs(&api, old).await.reason().0, "api_key_expired");
    assert_eq!(clubs(&api, new.expose()).await.status, 200);
    assert!(store.revoke_api_key(id, clock.now()).await.unwrap());
    for key in [old, new.expose()] {
        assert_eq!(
            clubs(&api, key).await.reason().0,
            "api_key_invalid",
            "the request after the revocation is refused"
        );
    }
}

// Proves: spec 2.12
/// Fails if each request writes, or none does.
#[tokio::test]
async fn last_uses_are_written_in_batches_a_minute_apart() {
    let (store, clock) = (school_fixtures::store().await, ManualClock::new(NOW));
    let recording = Arc::new(RecordingStore::new(store.clone()));
    let api = api(recording.clone(), &clock).await;
    for _ in 0..59 {
        for key in [FULL_KEY, CLUB_KEY] {
            assert_eq!(clubs(&api, key).await.status, 200);
        }
        clock.advance(SECOND);
    }
    assert!(
        recording.batch_sizes().is_empty(),
        "nothing is a minute old"
    );
    assert_eq!(clubs(&api, school_fixtures::UNKNOWN_KEY).await.status, 401);
    clock.advance(SECOND);
    assert_eq!(clubs(&api, CLUB_KEY).await.status, 200);
    assert_eq!(
        recording.batch_sizes(),
        [2],
        "one write for all keys and requests of a minute"
    );
    assert_eq!(
        last_use(&store, FULL_KEY).await,
        Some(NOW.plus(58 * SECOND))
    );
    assert_eq!(
        last_use(&store, CLUB_KEY).await,
        Some(NOW.plus(60 * SECOND))
    );
    assert_eq!(
        (calls(&store, FULL_KEY).await, calls(&store, CLUB_KEY).await),
        (vec![59], vec![60]),
        "and every call counts"
    );
}

// Proves: spec 2.12
/// Fails if calls are counted for the day of another time zone, or for the day on which they are
/// written.
#[tokio::test]
async fn calls_count_for_the_day_it_is_where_the_school_is() {
    // 14:59:30 UTC is half a minute before midnight in Seoul.
    let before_midnight = Timestamp::from_seconds(1_790_002_770);
    let (store, clock) = (
        school_fixtures::store().await,
        ManualClock::new(before_midnight),
    );
    let api = api(store.clone(), &clock).await;
    for step in [29, 1, 31, 0] {
        assert_eq!(clubs(&api, CLUB_KEY).await.status, 200);
        clock.advance(step * SECOND);
    }
    let id = store.api_key(&digest(CLUB_KEY)).await.unwrap().unwrap().id;
    let days =
        DateRange::new("2026-09-01".parse().unwrap(), "2026-09-30".parse().unwrap()).unwrap();
    let usage = store.api_key_usage(id, days).await.unwrap();
    let told: Vec<_> = usage
        .iter()
        .map(|of| (of.day.to_string(), of.calls))
        .collect();
    assert_eq!(
        told,
        [("2026-09-21".to_owned(), 2), ("2026-09-22".to_owned(), 2)]
    );
}

// Proves: spec 2.12
#[tokio::test]
async fn a_batch_of_a_thousand_keys_is_written_at_once() {
    let (store, clock) = (school_fixtures::store().await, ManualClock::new(NOW));
    let recording = Arc::new(RecordingStore::new(store.clone()));
    let api = api(recording.clone(), &clock).await;
    for number in 0..1_000_u16 {
        let mut bits = [0xEE; 16];
        bits[..2].copy_from_slice(&number.to_be_bytes());
        let secret = ApiKeySecret::from_random(bits);
        let key = ApiKey {
            id: ApiKeyId::from_random(bits),
            ..school_fixtures::key(1, ApiScopes::built_in())
        };
        let key = ApiKey {
            digest: secret.digest(),
            ..key
        };
        assert_eq!(store.create_api_key(key).await.unwrap(), Creation::Created);
        assert_eq!(clubs(&api, secret.expose()).await.status, 200);
    }
    assert_eq!(
        recording.batch_sizes(),
        [1_000],
        "memory does not grow with the keys"
    );
}

// Proves: spec 2.12
/// Fails if a failing store delays a request, or its batch is lost.
#[tokio::test]
async fn a_last_use_that_cannot_be_written_fails_no_request_and_is_written_later() {
    let (store, clock) = (school_fixtures::store().await, ManualClock::new(NOW));
    let recording = Arc::new(RecordingStore::new(store.clone()));
    let api = api(recording.clone(), &clock).await;
    recording.fails.store(true, Ordering::Relaxed);
    assert_eq!(clubs(&api, FULL_KEY).await.status, 200);
    clock.advance(60 * SECOND);
    for _ in 0..3 {
        assert_eq!(clubs(&api, CLUB_KEY).await.status, 200);
    }
    assert_eq!(
        recording.batch_sizes(),
        [2],
        "a failed write is retried after a minute, not at every request"
    );
    recording.fails.store(false, Ordering::Relaxed);
    clock.advance(60 * SECOND);
    assert_eq!(clubs(&api, CLUB_KEY).await.status, 200);
    assert_eq!(last_use(&store, FULL_KEY).await, Some(NOW));
}

// Proves: spec 2.12
/// Fails if a request waits for a store that hangs, or its batch is lost.
#[tokio::test]
async fn a_store_that_hangs_at_the_last_uses_holds_no_request_up_and_loses_none() {
    let (store, clock) = (school_fixtures::store().await, ManualClock::new(NOW));
    let recording = Arc::new(RecordingStore::new(store.clone()));
    let api = api(recording.clone(), &clock).await;
    let answers_at_once = async |key| {
        let mut answer = Box::pin(clubs(&api, key));
        let Poll::Ready(answer) = answer
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
        else {
            panic!("the request waits")
        };
        assert_eq!(answer.status, 200);
    };
    answers_at_once(FULL_KEY).await;
    clock.advance(60 * SECOND);
    recording.hangs.store(true, Ordering::Relaxed);
    for _ in 0..3 {
        answers_at_once(CLUB_KEY).await;
    }
    assert_eq!(recording.batch_sizes(), [2], "one write is running");
    recording.hangs.store(false, Ordering::Relaxed);
    clock.advance(60 * SECOND);
    answers_at_once(CLUB_KEY).await;
    assert_eq!(
        last_use(&store, FULL_KEY).await,
        Some(NOW),
        "a write that takes a minute is abandoned and repeated"
    );
    assert_eq!(
        (calls(&store, FULL_KEY).await, calls(&store, CLUB_KEY).await),
        (vec![1], vec![4])
    );
}

// Proves: spec 2.12
/// Fails if a request writes while the background task runs, or if the task sleeps when a batch is
/// due.
#[tokio::test]
async fn last_uses_are_written_behind_the_requests_where_that_is_run() {
    let (store, clock) = (school_fixtures::store().await, ManualClock::new(NOW));
    let recording = Arc::new(RecordingStore::new(store.clone()));
    let api = api(recording.clone(), &clock).await;
    let woken = Arc::new(WakeCounter::default());
    let waker = Waker::from(woken.clone());
    let mut background = Box::pin(api.run(|_| std::future::pending()));
    assert!(
        background
            .as_mut()
            .poll(&mut Context::from_waker(&waker))
            .is_pending()
    );
    for minute in 1..=3_usize {
        for _ in 0..3 {
            assert_eq!(clubs(&api, CLUB_KEY).await.status, 200);
        }
        assert_eq!(
            (
                recording.batch_sizes().len(),
                woken.0.load(Ordering::Relaxed)
            ),
            (minute - 1, 0),
            "nothing is due"
        );
        clock.advance(60 * SECOND);
        assert_eq!(clubs(&api, CLUB_KEY).await.status, 200);
        let told = (
            recording.batch_sizes().len(),
            woken.0.load(Ordering::Relaxed),
        );
        assert_eq!(
            told,
            (minute - 1, 1),
            "the request wakes the task, and does not write"
        );
        assert!(
            background
                .as_mut()
                .poll(&mut Context::from_waker(&waker))
                .is_pending()
        );
        assert_eq!(recording.batch_sizes().len(), minute);
        // The end of the write wakes the waiting task.
        woken.0.store(0, Ordering::Relaxed);
    }
    assert_eq!(calls(&store, CLUB_KEY).await, [12]);
    drop(background);
    for _ in 0..2 {
        assert_eq!(clubs(&api, CLUB_KEY).await.status, 200);
        clock.advance(60 * SECOND);
    }
    assert_eq!(
        calls(&store, CLUB_KEY).await,
        [14],
        "without the task, requests drive the write"
    );
}

// Proves: spec 2.12
/// Fails if the calls of a key that is not used again stay unwritten, or if a write that hangs is
/// not abandoned.
#[tokio::test]
async fn the_last_calls_are_written_within_a_minute_although_no_request_follows() {
    let (store, clock) = (school_fixtures::store().await, ManualClock::new(NOW));
    let recording = Arc::new(RecordingStore::new(store.clone()));
    let api = api(recording.clone(), &clock).await;
    let pauses = Arc::new(Semaphore::new(0));
    let mut background = Box::pin(api.run({
        let pauses = Arc::clone(&pauses);
        move |time| {
            assert_eq!(time, 60 * SECOND);
            let pauses = Arc::clone(&pauses);
            async move { pauses.acquire().await.unwrap().forget() }
        }
    }));
    let mut poll = || {
        let mut context = Context::from_waker(Waker::noop());
        assert!(background.as_mut().poll(&mut context).is_pending());
    };
    let mut pass_minute = || {
        clock.advance(60 * SECOND);
        pauses.add_permits(1);
        poll();
    };
    pass_minute();
    assert!(
        recording.batch_sizes().is_empty(),
        "nothing is to be written"
    );
    assert_eq!(clubs(&api, CLUB_KEY).await.status, 200);
    assert_eq!(clubs(&api, CLUB_KEY).await.status, 200);
    let at = clock.now();
    assert_eq!(last_use(&store, CLUB_KEY).await, None);
    recording.hangs.store(true, Ordering::Relaxed);
    pass_minute();
    assert_eq!(last_use(&store, CLUB_KEY).await, None);
    recording.hangs.store(false, Ordering::Relaxed);
    pass_minute();
    assert_eq!(last_use(&store, CLUB_KEY).await, Some(at));
    assert_eq!(calls(&store, CLUB_KEY).await, [2]);
    pass_minute();
    assert_eq!(recording.batch_sizes(), [1, 1], "nothing is written twice");
}

#[derive(Default)]
struct WakeCounter(AtomicUsize);

impl Wake for WakeCounter {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

// Proves: spec 2.12
/// Fails if the last minute is lost when the service stops.
#[tokio::test]
async fn unwritten_uses_are_written_at_shutdown() {
    let (store, clock) = (school_fixtures::store().await, ManualClock::new(NOW));
    let recording = Arc::new(RecordingStore::new(store.clone()));
    let api = api(recording.clone(), &clock).await;
    api.flush().await.unwrap();
    assert!(
        recording.batch_sizes().is_empty(),
        "there is nothing to write"
    );
    for key in [FULL_KEY, CLUB_KEY] {
        assert_eq!(clubs(&api, key).await.status, 200);
    }
    recording.fails.store(true, Ordering::Relaxed);
    assert!(!api.flush().await.unwrap_err().is_unavailable());
    recording.fails.store(false, Ordering::Relaxed);
    api.flush().await.unwrap();
    api.flush().await.unwrap();
    assert_eq!(recording.batch_sizes(), [2, 2], "nothing is written twice");
    assert_eq!(
        (calls(&store, FULL_KEY).await, calls(&store, CLUB_KEY).await),
        (vec![1], vec![1])
    );
}

// Proves: spec 2.12
/// Fails if each node, request or restart sends another notice.
#[tokio::test]
async fn the_host_gets_one_expiry_notice_a_key_whatever_the_number_of_nodes() {
    let (store, clock, told) = (
        school_fixtures::store().await,
        ManualClock::new(NOW),
        Arc::new(RecordedNotices::default()),
    );
    let node = async || {
        let builder = school_fixtures::builder_with_store(store.clone())
            .await
            .clock(Arc::new(clock.clone()));
        builder.key_expiry_notifier(told.clone()).build().unwrap()
    };
    let nodes = [node().await, node().await];
    let call_all = async || {
        for api in nodes.iter().chain(&nodes) {
            assert_eq!(clubs(api, CLUB_KEY).await.status, 200);
        }
    };
    clock.advance(23 * DAY - SECOND);
    call_all().await;
    assert_eq!(*told.0.lock().unwrap(), [], "the notice is not due");
    clock.advance(SECOND);
    call_all().await;
    let key = store.api_key(&digest(CLUB_KEY)).await.unwrap().unwrap();
    assert_eq!(
        *told.0.lock().unwrap(),
        [(key.hint.clone(), key.expires_at)]
    );
    assert_eq!(clubs(&node().await, CLUB_KEY).await.status, 200);
    assert_eq!(
        told.0.lock().unwrap().len(),
        1,
        "a restarted node sends no notice"
    );

    let new = ApiKeySecret::from_random([0xCD; 16]);
    let renewal = ApiKeyRenewal {
        digest: new.digest(),
        hint: new.hint(),
        overlap: DAY,
    };
    let Renewal::Renewed(renewed) = store
        .renew_api_key(key.id, renewal, clock.now())
        .await
        .unwrap()
    else {
        panic!("the key can be renewed")
    };
    call_all().await;
    assert_eq!(
        told.0.lock().unwrap().len(),
        1,
        "only the old value expires"
    );
    clock.advance(23 * DAY);
    for api in &nodes {
        assert_eq!(clubs(api, new.expose()).await.status, 200);
    }
    assert_eq!(
        told.0.lock().unwrap()[1..],
        [(renewed.hint.clone(), renewed.expires_at)],
        "a notice for its next expiry"
    );
}

// Proves: spec 2.12
#[tokio::test]
async fn a_notice_that_cannot_be_claimed_fails_no_request_and_comes_later() {
    let (store, clock, told) = (
        school_fixtures::store().await,
        ManualClock::new(NOW.plus(25 * DAY)),
        Arc::new(RecordedNotices::default()),
    );
    let recording = Arc::new(RecordingStore::new(store));
    let api = school_fixtures::builder_with_store(recording.clone())
        .await
        .clock(Arc::new(clock))
        .key_expiry_notifier(told.clone())
        .build()
        .unwrap();
    for (fails, notices) in [(true, 0), (false, 1), (false, 1)] {
        recording.fails.store(fails, Ordering::Relaxed);
        assert_eq!(clubs(&api, CLUB_KEY).await.status, 200);
        assert_eq!(told.0.lock().unwrap().len(), notices);
    }
}
