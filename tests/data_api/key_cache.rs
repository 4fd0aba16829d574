//! What a node remembers of keys: how long, what ends it, and what holds while the store is away (decision 2.12).

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use lyceum::DataApi;
use lyceum::domain::{ApiKey, ApiKeyRenewal, ApiKeySecret, ApiScopes};
use lyceum::http::data_api::DataApiBuilder;
use lyceum::store::memory::MemoryStore;
use lyceum::store::{ApiKeyStore, Creation, GrantStore, OwnedApiKeys, Renewal};
use lyceum::testing::ManualClock;

use crate::calls::{request, send};
use crate::failing::{Broken, Fault};
use crate::school::{self, CLUB_KEY, FULL_KEY, NOW, STRANGE_KEY};
use crate::watched::Watched;

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);

struct World {
    store: Arc<MemoryStore>,
    watched: Arc<Watched>,
    clock: ManualClock,
    api: DataApi,
}

impl World {
    async fn new(options: impl FnOnce(DataApiBuilder) -> DataApiBuilder) -> Self {
        let (store, clock) = (school::store().await, ManualClock::at(NOW));
        let watched = Arc::new(Watched::over(store.clone()));
        let api = options(school::over(watched.clone()).await.clock(Arc::new(clock.clone())).without_rate_limit()).build().unwrap();
        Self { store, watched, clock, api }
    }

    async fn status(&self, key: &str) -> u16 {
        send(&self.api, request("GET", "/v1/clubs", Some(key))).await.status.as_u16()
    }

    async fn reason(&self, key: &str) -> String {
        send(&self.api, request("GET", "/v1/clubs", Some(key))).await.reason().0
    }

    /// How often the store was asked for a key since the last time.
    fn looks(&self) -> usize {
        self.watched.asked().into_iter().filter(|asked| *asked == "api_key").count()
    }

    fn goes_away(&self, is_away: bool) {
        self.watched.is_away.store(is_away, Ordering::Relaxed);
    }

    async fn key(&self, key: &str) -> Arc<ApiKey> {
        self.store.api_key(&ApiKeySecret::presented(key).unwrap().digest()).await.unwrap().unwrap()
    }
}

/// Fails if each request asks, or none does again.
#[tokio::test]
async fn a_key_is_read_once_in_five_seconds() {
    let world = World::new(|api| api).await;
    for looks in [1, 0, 0, 0, 0, 1, 0] {
        for _ in 0..3 {
            assert_eq!(world.status(FULL_KEY).await, 200);
        }
        assert_eq!(world.looks(), looks);
        world.clock.advance(SECOND);
    }
    world.clock.set(NOW.minus(MINUTE));
    assert_eq!((world.status(FULL_KEY).await, world.looks()), (200, 1), "a clock that was set back makes nothing hold longer");
}

/// Fails if what is changed through the store of this node is seen later than by the next request.
#[tokio::test]
async fn what_is_changed_on_this_node_is_seen_by_the_next_request() {
    let world = World::new(|api| api).await;
    assert_eq!(world.status(FULL_KEY).await, 200);
    let new = ApiKeySecret::from_random([0xCD; 16]);
    let renewal = ApiKeyRenewal { digest: new.digest(), hint: new.hint(), overlap: Duration::ZERO };
    let id = world.key(FULL_KEY).await.id;
    assert!(matches!(world.store.renew_api_key(id, renewal, NOW).await.unwrap(), Renewal::Renewed(_)));
    assert_eq!(world.reason(FULL_KEY).await, "api_key_expired");
    assert_eq!(world.status(new.expose()).await, 200);
    assert!(world.store.revoke_api_key(id, NOW).await.unwrap());
    assert_eq!(world.reason(new.expose()).await, "api_key_invalid");

    let owned = ApiKeySecret::from_random([0xEF; 16]);
    let owner = "somebody".parse().unwrap();
    let key = ApiKey { owner: Some(owner), digest: owned.digest(), ..school::key(0xEF, ApiScopes::built_in()) };
    let owner = key.owner.clone().unwrap();
    assert_eq!(world.store.create_api_key(key).await.unwrap(), Creation::Created);
    assert_eq!(world.status(owned.expose()).await, 200);
    world.store.revoke_grants_of(&owner, OwnedApiKeys::Revoke, NOW).await.unwrap();
    assert_eq!(world.reason(owned.expose()).await, "api_key_invalid", "also with what the owner's account loses");
}

/// Fails if keys that do not exist are remembered, or push those out that do.
#[tokio::test]
async fn keys_that_somebody_makes_up_push_nothing_out() {
    let world = World::new(|api| api).await;
    assert_eq!(world.status(FULL_KEY).await, 200);
    for number in 0..12_000_u32 {
        let mut bits = [0xAA; 16];
        bits[..4].copy_from_slice(&number.to_be_bytes());
        assert_eq!(world.status(ApiKeySecret::from_random(bits).expose()).await, 401);
    }
    assert_eq!(world.looks(), 12_001);
    assert_eq!((world.status(FULL_KEY).await, world.looks()), (200, 0));
    assert_eq!(world.status(STRANGE_KEY).await, 401);
    let issued = ApiKey { digest: ApiKeySecret::presented(STRANGE_KEY).unwrap().digest(), ..school::key(0xDD, ApiScopes::built_in()) };
    assert_eq!(world.store.create_api_key(issued).await.unwrap(), Creation::Created);
    assert_eq!(world.status(STRANGE_KEY).await, 200, "a key that is issued works at once");
}

/// Fails if a known key is refused while the store is away, an unknown one passes, or either for longer than is said.
#[tokio::test]
async fn while_the_store_is_away_known_keys_go_on_for_five_minutes_and_others_are_503() {
    let world = World::new(|api| api).await;
    assert_eq!(world.status(FULL_KEY).await, 200);
    world.clock.advance(10 * SECOND);
    world.goes_away(true);
    assert_eq!([world.status(FULL_KEY).await, world.status(CLUB_KEY).await, world.status(STRANGE_KEY).await], [200, 503, 503]);
    world.clock.advance(5 * MINUTE - 11 * SECOND);
    assert_eq!(world.status(FULL_KEY).await, 200);
    world.clock.advance(SECOND);
    assert_eq!(world.status(FULL_KEY).await, 503);
    world.goes_away(false);
    assert_eq!([world.status(FULL_KEY).await, world.status(CLUB_KEY).await, world.status(STRANGE_KEY).await], [200, 200, 401]);
}

/// Fails if each request first waits for a store that is away.
#[tokio::test]
async fn a_store_that_is_away_is_asked_once_a_second_for_known_keys() {
    let world = World::new(|api| api).await;
    for key in [FULL_KEY, CLUB_KEY] {
        assert_eq!(world.status(key).await, 200);
    }
    world.clock.advance(6 * SECOND);
    world.goes_away(true);
    world.looks();
    for _ in 0..3 {
        for key in [FULL_KEY, CLUB_KEY, FULL_KEY] {
            assert_eq!(world.status(key).await, 200);
        }
        assert_eq!(world.looks(), 1);
        world.clock.advance(SECOND);
    }
    world.goes_away(false);
    assert_eq!((world.status(FULL_KEY).await, world.status(CLUB_KEY).await, world.looks()), (200, 200, 2));
}

/// Fails if an outage makes a key work longer than it was to, or again.
#[tokio::test]
async fn no_outage_makes_a_key_outlive_its_end_or_what_was_changed_on_this_node() {
    let world = World::new(|api| api).await;
    let ends = world.key(FULL_KEY).await.expires_at;
    world.clock.set(ends.minus(MINUTE));
    for key in [FULL_KEY, CLUB_KEY] {
        assert_eq!(world.status(key).await, 200);
    }
    assert!(world.store.revoke_api_key(world.key(CLUB_KEY).await.id, NOW).await.unwrap());
    assert_eq!(world.status(FULL_KEY).await, 200);
    world.goes_away(true);
    assert_eq!(world.status(CLUB_KEY).await, 503, "it was revoked here, and nobody has read it since");
    world.clock.advance(MINUTE - SECOND);
    assert_eq!(world.status(FULL_KEY).await, 200);
    world.clock.advance(SECOND);
    assert_eq!(world.reason(FULL_KEY).await, "api_key_expired");
}

#[tokio::test]
async fn a_host_that_tolerates_no_outage_answers_503_at_once() {
    let world = World::new(|api| api.outage_tolerance(Duration::ZERO)).await;
    assert_eq!(world.status(FULL_KEY).await, 200);
    world.goes_away(true);
    assert_eq!(world.status(FULL_KEY).await, 200, "less than five seconds ago the store was asked");
    world.clock.advance(5 * SECOND);
    assert_eq!(world.status(FULL_KEY).await, 503);
}

/// Fails if a damaged store counts as one that is away.
#[tokio::test]
async fn a_store_that_fails_otherwise_is_no_outage() {
    let api = school::over(Arc::new(Broken::with(Fault::Failed))).await.clock(Arc::new(school::Still)).build().unwrap();
    let unknown = send(&api, request("GET", "/v1/clubs", Some(STRANGE_KEY))).await;
    assert_eq!(unknown.status, 500);
}
