//! Keys whose owners are a host's own users.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use http::StatusCode;
use lyceum::DataApi;
use lyceum::domain::{ApiKey, ApiScopes, Password, Role, SubjectId};
use lyceum::http::audit::{EventKind, Rule};
use lyceum::http::auth_server::{AccountCreation, Accounts};
use lyceum::http::data_api::{ConfigError, DataApiBuilder, KeyOwners};
use lyceum::store::memory::MemoryStore;
use lyceum::store::{ApiKeyStore, Creation, StorageError};
use lyceum::testing::{ManualClock, MemoryAuditLog};

use crate::calls::{Answer, request, send};
use crate::school::{self, FULL_KEY, NOW, STRANGE_KEY};

/// The value of key 9, which has an owner.
const OWNED_KEY: &str = "09090909-0909-4909-8909-090909090909";

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);

/// A host's own users.
#[derive(Debug, Default)]
struct Users {
    ids: Mutex<HashSet<String>>,
    asked: AtomicUsize,
    fails: AtomicBool,
    /// Whether it does not answer at all.
    hangs: AtomicBool,
}

#[async_trait]
impl KeyOwners for Users {
    async fn is_user(&self, owner: &SubjectId) -> Result<bool, StorageError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        if self.hangs.load(Ordering::Relaxed) {
            return std::future::pending().await;
        }
        if self.fails.load(Ordering::Relaxed) {
            return Err(StorageError::failed("the directory of users", "it is away"));
        }
        Ok(self.ids.lock().unwrap().contains(owner.as_str()))
    }
}

struct World {
    users: Arc<Users>,
    clock: ManualClock,
    log: MemoryAuditLog,
    api: DataApi,
}

impl World {
    /// Kim is a user, and owns key 9.
    async fn new(settings: impl FnOnce(DataApiBuilder) -> DataApiBuilder) -> Self {
        let (users, clock, log) = (Arc::new(Users::default()), ManualClock::at(NOW), MemoryAuditLog::default());
        users.ids.lock().unwrap().insert("kim".to_owned());
        let store = school::store().await;
        own(&store, "kim").await;
        let builder = school::over(store).await.clock(Arc::new(clock.clone())).audit(Arc::new(log.clone())).key_owners(users.clone());
        Self { users, clock, log, api: settings(builder).build().unwrap() }
    }

    async fn clubs(&self, key: &str) -> Answer {
        send(&self.api, request("GET", "/v1/clubs", Some(key))).await
    }

    async fn status(&self) -> StatusCode {
        self.clubs(OWNED_KEY).await.status
    }

    fn asked(&self) -> usize {
        self.users.asked.load(Ordering::Relaxed)
    }

    fn kim_leaves(&self) {
        self.users.ids.lock().unwrap().clear();
    }
}

async fn own(store: &MemoryStore, owner: &str) {
    let key = ApiKey { owner: owner.parse().ok(), ..school::key(9, ApiScopes::built_in()) };
    assert_eq!(store.create_api_key(key).await.unwrap(), Creation::Created);
}

/// Fails if a host is asked at each request, or never again.
#[tokio::test]
async fn a_host_is_asked_about_the_owner_of_a_key_once_a_minute() {
    let world = World::new(|builder| builder).await;
    for _ in 0..5 {
        assert_eq!(world.status().await, StatusCode::OK);
    }
    assert_eq!(world.asked(), 1);
    world.kim_leaves();
    world.clock.advance(MINUTE - SECOND);
    assert_eq!((world.status().await, world.asked()), (StatusCode::OK, 1), "an answer holds for a minute");
    world.clock.advance(SECOND);
    for _ in 0..3 {
        let answer = world.clubs(OWNED_KEY).await;
        assert_eq!((answer.status, answer.json()["reason"].clone()), (StatusCode::UNAUTHORIZED, "api_key_invalid".into()));
    }
    assert_eq!(world.asked(), 2);
    let kinds: Vec<_> = world.log.events().into_iter().map(|event| event.kind).collect();
    assert!(matches!(&kinds[..], [EventKind::Refused(refused), ..] if refused.rule == Rule::ApiKeyOwnerGone), "{kinds:?}");
    world.users.ids.lock().unwrap().insert("kim".to_owned());
    world.clock.advance(MINUTE);
    assert_eq!(world.status().await, StatusCode::OK, "who comes back has the key again");
}

/// Fails if the answer tells that there is such a key.
#[tokio::test]
async fn the_key_of_somebody_who_has_left_is_answered_like_an_unknown_key() {
    let world = World::new(|builder| builder).await;
    world.kim_leaves();
    let (gone, unknown) = (world.clubs(OWNED_KEY).await, world.clubs(STRANGE_KEY).await);
    assert_eq!((gone.status, gone.json()["message"].clone()), (unknown.status, unknown.json()["message"].clone()));
    assert_eq!(world.asked(), 1, "nobody is asked about a key that does not exist");
    assert_eq!((world.clubs(FULL_KEY).await.status, world.asked()), (StatusCode::OK, 1), "nor about one without an owner");
}

/// Fails if a host that is away opens the API, closes it for those it has told of, or is asked at each request.
#[tokio::test]
async fn while_the_host_is_away_its_last_answer_holds_for_an_hour_and_others_wait() {
    let world = World::new(|builder| builder).await;
    world.users.fails.store(true, Ordering::Relaxed);
    let answer = world.clubs(OWNED_KEY).await;
    assert_eq!((answer.status, answer.header("retry-after")), (StatusCode::SERVICE_UNAVAILABLE, "5"));
    assert_eq!(world.clubs(FULL_KEY).await.status, StatusCode::OK);
    world.users.fails.store(false, Ordering::Relaxed);
    assert_eq!(world.status().await, StatusCode::OK, "a failure is not remembered");
    world.users.fails.store(true, Ordering::Relaxed);
    let asked = world.asked();
    world.clock.advance(MINUTE);
    for _ in 0..9 {
        assert_eq!(world.status().await, StatusCode::OK);
    }
    assert_eq!(world.asked(), asked + 1, "it is left alone for a while");
    world.clock.advance(HOUR - MINUTE - SECOND);
    assert_eq!(world.status().await, StatusCode::OK);
    world.clock.advance(6 * SECOND);
    assert_eq!(world.status().await, StatusCode::SERVICE_UNAVAILABLE, "an hour is enough");
}

#[tokio::test]
async fn how_long_an_answer_holds_is_the_hosts_choice() {
    let world = World::new(|builder| builder.key_owners_hold(Duration::ZERO)).await;
    assert_eq!(world.status().await, StatusCode::OK);
    world.kim_leaves();
    world.clock.advance(6 * SECOND);
    assert_eq!(world.status().await, StatusCode::UNAUTHORIZED);
    let store = Arc::new(MemoryStore::new());
    let too_long = school::over(store).await.key_owners_hold(HOUR + SECOND).build();
    assert!(matches!(too_long, Err(ConfigError::KeyOwnersHold(_))));
}

/// Fails if accounts and keys in different stores leave a key to somebody whose account is removed, however the removal ended.
#[tokio::test]
async fn the_built_in_accounts_tell_of_owners_of_keys_in_another_store() {
    let (accounts, keys) = (Arc::new(MemoryStore::new()), school::store().await);
    let accounts = Arc::new(Accounts::builder(accounts).hashing_cost(8, 1).build().unwrap());
    let password = Password::new("correct horse battery staple").unwrap();
    let created = accounts.create("kim@school.example".parse().unwrap(), &password, Role::User).await.unwrap();
    let AccountCreation::Created(kim) = created else { panic!("{created:?}") };
    own(&keys, &kim.to_string()).await;
    let clock = ManualClock::at(NOW);
    let api = school::over(keys).await.clock(Arc::new(clock.clone())).key_owners(accounts.clone()).build().unwrap();
    let status = async || send(&api, request("GET", "/v1/clubs", Some(OWNED_KEY))).await.status;
    assert_eq!(status().await, StatusCode::OK);
    let other = accounts.create("admin@school.example".parse().unwrap(), &password, Role::Admin).await.unwrap();
    assert!(matches!(other, AccountCreation::Created(_)));
    let _ = accounts.remove(&"admin".parse().unwrap(), kim).await.unwrap();
    clock.advance(MINUTE);
    assert_eq!(status().await, StatusCode::UNAUTHORIZED);
    assert!(accounts.is_user(&SubjectId::service()).await.unwrap(), "the service's own keys go on");
}

/// Fails if each of the first requests of an owner asks, or if one host that never answers holds up requests for good.
#[tokio::test]
async fn requests_of_one_owner_ask_once_and_a_host_that_does_not_answer_is_given_up() {
    let world = Arc::new(World::new(|builder| builder).await);
    world.users.hangs.store(true, Ordering::Relaxed);
    let waiting: Vec<_> = (0..10)
        .map(|_| {
            tokio::spawn({
                let world = Arc::clone(&world);
                async move { world.status().await }
            })
        })
        .collect();
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
    assert_eq!(world.asked(), 1, "all of them wait for one answer");
    assert!(waiting.iter().all(|request| !request.is_finished()));
    world.users.hangs.store(false, Ordering::Relaxed);
    world.clock.advance(5 * SECOND);
    assert_eq!((world.status().await, world.asked()), (StatusCode::OK, 2), "the host is asked anew");
    for request in waiting {
        assert_eq!(request.await.unwrap(), StatusCode::SERVICE_UNAVAILABLE);
    }
    world.users.hangs.store(true, Ordering::Relaxed);
    world.clock.advance(MINUTE);
    let renewal = tokio::spawn({
        let world = Arc::clone(&world);
        async move { world.status().await }
    });
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
    assert_eq!((world.status().await, world.asked()), (StatusCode::OK, 3), "the last answer holds");
    world.users.hangs.store(false, Ordering::Relaxed);
    world.clock.advance(5 * SECOND);
    assert_eq!(world.status().await, StatusCode::OK);
    assert_eq!(renewal.await.unwrap(), StatusCode::OK, "who waited goes by the last answer");
}
