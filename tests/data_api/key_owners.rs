//! Keys whose owners are the host's own users.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use http::StatusCode;
use lyceum::DataApi;
use lyceum::domain::{ApiKey, ApiScopes, Password, Role, SubjectId};
use lyceum::http::ConfigError;
use lyceum::http::audit::{EventKind, RefusalRule};
use lyceum::http::auth_server::{AccountCreationOutcome, Accounts};
use lyceum::http::data_api::{DataApiBuilder, KeyOwnerCheck};
use lyceum::store::memory::MemoryStore;
use lyceum::store::{ApiKeyStore, Creation, StorageError};
use lyceum::testing::{ManualClock, MemoryAuditLog};

use crate::client::{TestResponse, request, send};
use crate::school_fixtures::{self, FULL_KEY, NOW, UNKNOWN_KEY};

/// The value of key 9, which has an owner.
const OWNED_KEY: &str = "09090909-0909-4909-8909-090909090909";

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);

/// The host's own users.
#[derive(Debug, Default)]
struct Users {
    ids: Mutex<HashSet<String>>,
    asked: AtomicUsize,
    fails: AtomicBool,
    /// Whether the check never completes.
    hangs: AtomicBool,
}

#[async_trait]
impl KeyOwnerCheck for Users {
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

struct Harness {
    users: Arc<Users>,
    clock: ManualClock,
    log: MemoryAuditLog,
    api: DataApi,
}

impl Harness {
    /// Creates the service; `kim` is a user and owns key 9.
    async fn new(settings: impl FnOnce(DataApiBuilder) -> DataApiBuilder) -> Self {
        let (users, clock, log) = (
            Arc::new(Users::default()),
            ManualClock::new(NOW),
            MemoryAuditLog::default(),
        );
        users.ids.lock().unwrap().insert("kim".to_owned());
        let store = school_fixtures::store().await;
        own(&store, "kim").await;
        let builder = school_fixtures::builder_with_store(store)
            .await
            .clock(Arc::new(clock.clone()))
            .audit(Arc::new(log.clone()))
            .key_owner_check(users.clone());
        Self {
            users,
            clock,
            log,
            api: settings(builder).build().unwrap(),
        }
    }

    async fn clubs(&self, key: &str) -> TestResponse {
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
    let key = ApiKey {
        owner: owner.parse().ok(),
        ..school_fixtures::key(9, ApiScopes::built_in())
    };
    assert_eq!(store.create_api_key(key).await.unwrap(), Creation::Created);
}

/// Fails if each request checks the owner, or none checks it again.
#[tokio::test]
async fn the_owner_of_a_key_is_looked_up_at_the_host_once_a_minute() {
    let harness = Harness::new(|builder| builder).await;
    for _ in 0..5 {
        assert_eq!(harness.status().await, StatusCode::OK);
    }
    assert_eq!(harness.asked(), 1);
    harness.kim_leaves();
    harness.clock.advance(MINUTE - SECOND);
    assert_eq!(
        (harness.status().await, harness.asked()),
        (StatusCode::OK, 1),
        "a result is used for a minute"
    );
    harness.clock.advance(SECOND);
    for _ in 0..3 {
        let answer = harness.clubs(OWNED_KEY).await;
        assert_eq!(
            (answer.status, answer.json()["reason"].clone()),
            (StatusCode::UNAUTHORIZED, "api_key_invalid".into())
        );
    }
    assert_eq!(harness.asked(), 2);
    let kinds: Vec<_> = harness
        .log
        .events()
        .into_iter()
        .map(|event| event.kind)
        .collect();
    assert!(
        matches!(&kinds[..], [EventKind::Refused(refused), ..] if refused.rule == RefusalRule::ApiKeyOwnerGone),
        "{kinds:?}"
    );
    harness.users.ids.lock().unwrap().insert("kim".to_owned());
    harness.clock.advance(MINUTE);
    assert_eq!(
        harness.status().await,
        StatusCode::OK,
        "the key of a returning user works again"
    );
}

/// Fails if the response reveals that the key exists.
#[tokio::test]
async fn the_key_of_a_removed_owner_is_answered_like_an_unknown_key() {
    let harness = Harness::new(|builder| builder).await;
    harness.kim_leaves();
    let (gone, unknown) = (
        harness.clubs(OWNED_KEY).await,
        harness.clubs(UNKNOWN_KEY).await,
    );
    assert_eq!(
        (gone.status, gone.json()["message"].clone()),
        (unknown.status, unknown.json()["message"].clone())
    );
    assert_eq!(harness.asked(), 1, "no check for an unknown key");
    assert_eq!(
        (harness.clubs(FULL_KEY).await.status, harness.asked()),
        (StatusCode::OK, 1),
        "no check for a key without an owner"
    );
}

/// Fails if a failing check grants access, denies access with a cached result, or runs at each
/// request.
#[tokio::test]
async fn while_the_host_is_unavailable_its_last_answer_holds_for_an_hour_and_other_keys_are_503() {
    let harness = Harness::new(|builder| builder).await;
    harness.users.fails.store(true, Ordering::Relaxed);
    let answer = harness.clubs(OWNED_KEY).await;
    assert_eq!(
        (answer.status, answer.header("retry-after")),
        (StatusCode::SERVICE_UNAVAILABLE, "5")
    );
    assert_eq!(harness.clubs(FULL_KEY).await.status, StatusCode::OK);
    harness.users.fails.store(false, Ordering::Relaxed);
    assert_eq!(
        harness.status().await,
        StatusCode::OK,
        "a failure is not cached"
    );
    harness.users.fails.store(true, Ordering::Relaxed);
    let asked = harness.asked();
    harness.clock.advance(MINUTE);
    for _ in 0..9 {
        assert_eq!(harness.status().await, StatusCode::OK);
    }
    assert_eq!(harness.asked(), asked + 1, "no check for a while");
    harness.clock.advance(HOUR - MINUTE - SECOND);
    assert_eq!(harness.status().await, StatusCode::OK);
    harness.clock.advance(6 * SECOND);
    assert_eq!(
        harness.status().await,
        StatusCode::SERVICE_UNAVAILABLE,
        "an hour is the maximum"
    );
}

#[tokio::test]
async fn how_long_an_answer_holds_is_the_hosts_choice() {
    let harness = Harness::new(|builder| builder.key_owner_check_ttl(Duration::ZERO)).await;
    assert_eq!(harness.status().await, StatusCode::OK);
    harness.kim_leaves();
    harness.clock.advance(6 * SECOND);
    assert_eq!(harness.status().await, StatusCode::UNAUTHORIZED);
    let store = Arc::new(MemoryStore::new());
    let too_long = school_fixtures::builder_with_store(store)
        .await
        .key_owner_check_ttl(HOUR + SECOND)
        .build();
    assert!(matches!(too_long, Err(ConfigError::KeyOwnerCheckTtl(_))));
}

/// Fails if a key in another store outlives its owner's account, however the removal ended.
#[tokio::test]
async fn the_built_in_accounts_know_the_owners_of_keys_in_another_store() {
    let (accounts, keys) = (Arc::new(MemoryStore::new()), school_fixtures::store().await);
    let accounts = Arc::new(
        Accounts::builder(accounts)
            .hashing_cost(8, 1)
            .build()
            .unwrap(),
    );
    let password = Password::new("correct horse battery staple").unwrap();
    let created = accounts
        .create("kim@school.example".parse().unwrap(), &password, Role::User)
        .await
        .unwrap();
    let AccountCreationOutcome::Created(kim) = created else {
        panic!("{created:?}")
    };
    own(&keys, &kim.to_string()).await;
    let clock = ManualClock::new(NOW);
    let api = school_fixtures::builder_with_store(keys)
        .await
        .clock(Arc::new(clock.clone()))
        .key_owner_check(accounts.clone())
        .build()
        .unwrap();
    let status = async || {
        send(&api, request("GET", "/v1/clubs", Some(OWNED_KEY)))
            .await
            .status
    };
    assert_eq!(status().await, StatusCode::OK);
    let other = accounts
        .create(
            "admin@school.example".parse().unwrap(),
            &password,
            Role::Admin,
        )
        .await
        .unwrap();
    assert!(matches!(other, AccountCreationOutcome::Created(_)));
    let _ = accounts
        .remove(&"admin".parse().unwrap(), kim)
        .await
        .unwrap();
    clock.advance(MINUTE);
    assert_eq!(status().await, StatusCode::UNAUTHORIZED);
    assert!(
        accounts.is_user(&SubjectId::service()).await.unwrap(),
        "the service's own keys keep working"
    );
}

/// Fails if concurrent first requests of an owner run several checks, or if a check that hangs
/// blocks requests for ever.
#[tokio::test]
async fn requests_of_one_owner_ask_once_and_a_host_that_does_not_answer_is_given_up() {
    let harness = Arc::new(Harness::new(|builder| builder).await);
    harness.users.hangs.store(true, Ordering::Relaxed);
    let waiting: Vec<_> = (0..10)
        .map(|_| {
            tokio::spawn({
                let harness = Arc::clone(&harness);
                async move { harness.status().await }
            })
        })
        .collect();
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
    assert_eq!(harness.asked(), 1, "all of them wait for one check");
    assert!(waiting.iter().all(|request| !request.is_finished()));
    harness.users.hangs.store(false, Ordering::Relaxed);
    harness.clock.advance(5 * SECOND);
    assert_eq!(
        (harness.status().await, harness.asked()),
        (StatusCode::OK, 2),
        "a new check starts"
    );
    for request in waiting {
        assert_eq!(request.await.unwrap(), StatusCode::SERVICE_UNAVAILABLE);
    }
    harness.users.hangs.store(true, Ordering::Relaxed);
    harness.clock.advance(MINUTE);
    let renewal = tokio::spawn({
        let harness = Arc::clone(&harness);
        async move { harness.status().await }
    });
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
    assert_eq!(
        (harness.status().await, harness.asked()),
        (StatusCode::OK, 3),
        "the last result is used"
    );
    harness.users.hangs.store(false, Ordering::Relaxed);
    harness.clock.advance(5 * SECOND);
    assert_eq!(harness.status().await, StatusCode::OK);
    assert_eq!(
        renewal.await.unwrap(),
        StatusCode::OK,
        "waiting requests use the last result"
    );
}
