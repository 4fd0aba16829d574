//! The cache of API keys: entry lifetime, invalidation, and behaviour while the store is
//! unavailable (spec 2.12).

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use lyceum::DataApi;
use lyceum::domain::{ApiKey, ApiKeyRenewal, ApiKeySecret, ApiScopes};
use lyceum::http::data_api::DataApiBuilder;
use lyceum::store::memory::MemoryStore;
use lyceum::store::{ApiKeyAction, ApiKeyStore, ConsentStore, Creation, Renewal};
use lyceum::testing::ManualClock;

use crate::client::{request, send};
use crate::recording_store::RecordingStore;
use crate::school_fixtures::{self, CLUB_KEY, FULL_KEY, NOW, UNKNOWN_KEY};
use crate::store_failures::{FailingStore, Fault};

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);

struct Harness {
    store: Arc<MemoryStore>,
    recording: Arc<RecordingStore>,
    clock: ManualClock,
    api: DataApi,
}

impl Harness {
    async fn new(options: impl FnOnce(DataApiBuilder) -> DataApiBuilder) -> Self {
        let (store, clock) = (school_fixtures::store().await, ManualClock::new(NOW));
        let recording = Arc::new(RecordingStore::new(store.clone()));
        let api = options(
            school_fixtures::builder_with_store(recording.clone())
                .await
                .clock(Arc::new(clock.clone()))
                .without_rate_limit(),
        )
        .build()
        .unwrap();
        Self {
            store,
            recording,
            clock,
            api,
        }
    }

    async fn status(&self, key: &str) -> u16 {
        send(&self.api, request("GET", "/v1/clubs", Some(key)))
            .await
            .status
            .as_u16()
    }

    async fn reason(&self, key: &str) -> String {
        send(&self.api, request("GET", "/v1/clubs", Some(key)))
            .await
            .reason()
            .0
    }

    /// Number of key reads since the last call.
    fn looks(&self) -> usize {
        self.recording
            .take_calls()
            .into_iter()
            .filter(|asked| *asked == "api_key")
            .count()
    }

    fn goes_away(&self, is_away: bool) {
        self.recording.is_away.store(is_away, Ordering::Relaxed);
    }

    async fn key(&self, key: &str) -> Arc<ApiKey> {
        self.store
            .api_key(&ApiKeySecret::parse(key).unwrap().digest())
            .await
            .unwrap()
            .unwrap()
    }
}

/// Fails if each request reads the key, or none reads it again.
#[tokio::test]
async fn a_key_is_read_once_in_five_seconds() {
    let harness = Harness::new(|api| api).await;
    for looks in [1, 0, 0, 0, 0, 1, 0] {
        for _ in 0..3 {
            assert_eq!(harness.status(FULL_KEY).await, 200);
        }
        assert_eq!(harness.looks(), looks);
        harness.clock.advance(SECOND);
    }
    harness.clock.set(NOW.minus(MINUTE));
    assert_eq!(
        (harness.status(FULL_KEY).await, harness.looks()),
        (200, 1),
        "a clock that was set back prolongs no entry"
    );
}

/// Fails if a change through this node's store is not effective at the next request.
#[tokio::test]
async fn a_change_on_this_node_is_seen_by_the_next_request() {
    let harness = Harness::new(|api| api).await;
    assert_eq!(harness.status(FULL_KEY).await, 200);
    let new = ApiKeySecret::from_random([0xCD; 16]);
    let renewal = ApiKeyRenewal {
        digest: new.digest(),
        hint: new.hint(),
        overlap: Duration::ZERO,
    };
    let id = harness.key(FULL_KEY).await.id;
    assert!(matches!(
        harness.store.renew_api_key(id, renewal, NOW).await.unwrap(),
        Renewal::Renewed(_)
    ));
    assert_eq!(harness.reason(FULL_KEY).await, "api_key_expired");
    assert_eq!(harness.status(new.expose()).await, 200);
    assert!(harness.store.revoke_api_key(id, NOW).await.unwrap());
    assert_eq!(harness.reason(new.expose()).await, "api_key_invalid");

    let owned = ApiKeySecret::from_random([0xEF; 16]);
    let owner = "somebody".parse().unwrap();
    let key = ApiKey {
        owner: Some(owner),
        digest: owned.digest(),
        ..school_fixtures::key(0xEF, ApiScopes::built_in())
    };
    let owner = key.owner.clone().unwrap();
    assert_eq!(
        harness.store.create_api_key(key).await.unwrap(),
        Creation::Created
    );
    assert_eq!(harness.status(owned.expose()).await, 200);
    harness
        .store
        .sign_out_everywhere(&owner, ApiKeyAction::Revoke, NOW)
        .await
        .unwrap();
    assert_eq!(
        harness.reason(owned.expose()).await,
        "api_key_invalid",
        "also by the removal of the owner's account"
    );
}

/// Fails if unknown keys are cached, or evict known ones.
#[tokio::test]
async fn invented_keys_evict_no_cached_key() {
    let harness = Harness::new(|api| api).await;
    assert_eq!(harness.status(FULL_KEY).await, 200);
    for number in 0..12_000_u32 {
        let mut bits = [0xAA; 16];
        bits[..4].copy_from_slice(&number.to_be_bytes());
        assert_eq!(
            harness
                .status(ApiKeySecret::from_random(bits).expose())
                .await,
            401
        );
    }
    assert_eq!(harness.looks(), 12_001);
    assert_eq!((harness.status(FULL_KEY).await, harness.looks()), (200, 0));
    assert_eq!(harness.status(UNKNOWN_KEY).await, 401);
    let issued = ApiKey {
        digest: ApiKeySecret::parse(UNKNOWN_KEY).unwrap().digest(),
        ..school_fixtures::key(0xDD, ApiScopes::built_in())
    };
    assert_eq!(
        harness.store.create_api_key(issued).await.unwrap(),
        Creation::Created
    );
    assert_eq!(
        harness.status(UNKNOWN_KEY).await,
        200,
        "an issued key works at once"
    );
}

/// Fails if a cached key is refused while the store is unavailable, an unknown one passes, or
/// either lasts longer than documented.
#[tokio::test]
async fn while_the_store_is_unavailable_known_keys_work_for_five_minutes_and_others_are_503() {
    let harness = Harness::new(|api| api).await;
    assert_eq!(harness.status(FULL_KEY).await, 200);
    harness.clock.advance(10 * SECOND);
    harness.goes_away(true);
    assert_eq!(
        [
            harness.status(FULL_KEY).await,
            harness.status(CLUB_KEY).await,
            harness.status(UNKNOWN_KEY).await
        ],
        [200, 503, 503]
    );
    harness.clock.advance(5 * MINUTE - 11 * SECOND);
    assert_eq!(harness.status(FULL_KEY).await, 200);
    harness.clock.advance(SECOND);
    assert_eq!(harness.status(FULL_KEY).await, 503);
    harness.goes_away(false);
    assert_eq!(
        [
            harness.status(FULL_KEY).await,
            harness.status(CLUB_KEY).await,
            harness.status(UNKNOWN_KEY).await
        ],
        [200, 200, 401]
    );
}

/// Fails if each request waits for an unavailable store.
#[tokio::test]
async fn an_unavailable_store_is_queried_once_a_second_for_known_keys() {
    let harness = Harness::new(|api| api).await;
    for key in [FULL_KEY, CLUB_KEY] {
        assert_eq!(harness.status(key).await, 200);
    }
    harness.clock.advance(6 * SECOND);
    harness.goes_away(true);
    harness.looks();
    for _ in 0..3 {
        for key in [FULL_KEY, CLUB_KEY, FULL_KEY] {
            assert_eq!(harness.status(key).await, 200);
        }
        assert_eq!(harness.looks(), 1);
        harness.clock.advance(SECOND);
    }
    harness.goes_away(false);
    assert_eq!(
        (
            harness.status(FULL_KEY).await,
            harness.status(CLUB_KEY).await,
            harness.looks()
        ),
        (200, 200, 2)
    );
}

/// Fails if a key works past its expiry or revocation because of an outage.
#[tokio::test]
async fn no_outage_makes_a_key_outlive_its_end_or_what_was_changed_on_this_node() {
    let harness = Harness::new(|api| api).await;
    let ends = harness.key(FULL_KEY).await.expires_at;
    harness.clock.set(ends.minus(MINUTE));
    for key in [FULL_KEY, CLUB_KEY] {
        assert_eq!(harness.status(key).await, 200);
    }
    assert!(
        harness
            .store
            .revoke_api_key(harness.key(CLUB_KEY).await.id, NOW)
            .await
            .unwrap()
    );
    assert_eq!(harness.status(FULL_KEY).await, 200);
    harness.goes_away(true);
    assert_eq!(
        harness.status(CLUB_KEY).await,
        503,
        "revoked here, and not read since"
    );
    harness.clock.advance(MINUTE - SECOND);
    assert_eq!(harness.status(FULL_KEY).await, 200);
    harness.clock.advance(SECOND);
    assert_eq!(harness.reason(FULL_KEY).await, "api_key_expired");
}

#[tokio::test]
async fn a_host_that_tolerates_no_outage_answers_503_at_once() {
    let harness = Harness::new(|api| api.outage_tolerance(Duration::ZERO)).await;
    assert_eq!(harness.status(FULL_KEY).await, 200);
    harness.goes_away(true);
    assert_eq!(
        harness.status(FULL_KEY).await,
        200,
        "read from the store less than five seconds ago"
    );
    harness.clock.advance(5 * SECOND);
    assert_eq!(harness.status(FULL_KEY).await, 503);
}

/// Fails if a damaged store counts as unavailable.
#[tokio::test]
async fn a_store_that_fails_otherwise_is_no_outage() {
    let api = school_fixtures::builder_with_store(Arc::new(FailingStore::with(Fault::Failed)))
        .await
        .clock(Arc::new(school_fixtures::FixedClock))
        .build()
        .unwrap();
    let unknown = send(&api, request("GET", "/v1/clubs", Some(UNKNOWN_KEY))).await;
    assert_eq!(unknown.status, 500);
}
