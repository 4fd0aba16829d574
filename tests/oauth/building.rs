use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use lyceum::crypto::MasterKey;
use lyceum::domain::SigningAlgorithm;
use lyceum::http::ConfigError;
use lyceum::http::auth_server::{Accounts, AuthServer, AuthServerBuilder};
use lyceum::store::AuthStorage;
use lyceum::store::memory::MemoryStore;
use lyceum::store::{SigningKeyStore, TokenLifetimes};
use lyceum::testing::master_key;

use crate::harness::*;
use crate::log_capture;

fn builder(store: &Arc<MemoryStore>, issuer: &str, key: u8) -> AuthServerBuilder {
    AuthServer::builder(store.clone(), issuer, master_key(key.into()))
        .signing_algorithm(SigningAlgorithm::Es256)
}

async fn error(settings: impl FnOnce(AuthServerBuilder) -> AuthServerBuilder) -> ConfigError {
    settings(builder(&Arc::default(), ISSUER, 1))
        .build()
        .await
        .unwrap_err()
}

#[tokio::test]
async fn the_first_server_makes_the_key_and_later_ones_use_it() {
    let store = Arc::new(MemoryStore::new());
    builder(&store, ISSUER, 1).build().await.unwrap();
    let keys = store.signing_keys().await.unwrap();
    assert_eq!(keys.len(), 1);
    builder(&store, ISSUER, 1).build().await.unwrap();
    assert_eq!(store.signing_keys().await.unwrap(), keys);
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_that_start_at_once_agree_on_one_key() {
    let store = Arc::new(MemoryStore::new());
    let mut starts = tokio::task::JoinSet::new();
    for _ in 0..16 {
        let server = builder(&store, ISSUER, 1);
        starts.spawn(async move { server.build().await.is_ok() });
    }
    assert!(starts.join_all().await.into_iter().all(|started| started));
    assert_eq!(store.signing_keys().await.unwrap().len(), 1);
}

#[tokio::test]
async fn another_algorithm_gets_a_key_of_its_own() {
    let store = Arc::new(MemoryStore::new());
    builder(&store, ISSUER, 1).build().await.unwrap();
    builder(&store, ISSUER, 1)
        .signing_algorithm(SigningAlgorithm::Rs256)
        .build()
        .await
        .unwrap();
    let kept: Vec<_> = store
        .signing_keys()
        .await
        .unwrap()
        .iter()
        .map(|key| (key.sequence, key.algorithm))
        .collect();
    assert_eq!(
        kept,
        [(1, SigningAlgorithm::Es256), (2, SigningAlgorithm::Rs256)]
    );
}

#[tokio::test]
async fn another_master_key_does_not_open_the_keys() {
    let store = Arc::new(MemoryStore::new());
    builder(&store, ISSUER, 1).build().await.unwrap();
    let refused = builder(&store, ISSUER, 2).build().await.unwrap_err();
    assert!(matches!(refused, ConfigError::SigningKey(_)), "{refused}");
    assert_eq!(store.signing_keys().await.unwrap().len(), 1);
}

#[tokio::test]
async fn settings_that_cannot_work_are_refused() {
    let refused = builder(&Arc::default(), "http://auth.school.example", 1)
        .build()
        .await
        .unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the issuer must use https, or http on a loopback address"
    );
    assert!(matches!(
        error(|builder| builder.external_login("/login")).await,
        ConfigError::ExternalLogin(_)
    ));
    assert!(matches!(
        error(|builder| builder.external_login("javascript:alert(1)")).await,
        ConfigError::ExternalLogin(_)
    ));
    assert!(matches!(
        error(|builder| builder.code_lifetime(10 * MINUTE + Duration::from_secs(1))).await,
        ConfigError::Lifetime(_)
    ));
    assert!(matches!(
        error(|builder| builder.code_lifetime(Duration::from_millis(900))).await,
        ConfigError::Lifetime(_)
    ));
    assert!(matches!(
        error(|builder| builder.session_lifetime(Duration::ZERO)).await,
        ConfigError::Lifetime(_)
    ));
    assert!(matches!(
        error(|builder| builder.access_token_lifetime(Duration::MAX)).await,
        ConfigError::Lifetime(_)
    ));
    let shorter_than_idle = TokenLifetimes {
        idle: 2 * MINUTE,
        absolute: MINUTE,
        retry_window: Duration::ZERO,
    };
    assert!(matches!(
        error(|builder| builder.refresh_lifetimes(shorter_than_idle)).await,
        ConfigError::Lifetime(_)
    ));
    let cheap = Accounts::builder(Arc::new(MemoryStore::new()))
        .hashing_cost(1, 1)
        .build()
        .unwrap_err();
    assert!(matches!(cheap, ConfigError::HashingCost(_)));
}

/// Fails if a guessable or published key is accepted.
#[tokio::test]
async fn a_master_key_that_is_not_random_is_refused_in_one_sentence() {
    let printed = MasterKey::from_base64("Wq0cYw0e3cGSCcD8oTtqJsCkS2bOa+YyTwYrJjkyIbk=").unwrap();
    for weak in [
        MasterKey::from_bytes([0; 32]),
        MasterKey::from_bytes([0xAB; 32]),
        printed,
    ] {
        let store = Arc::new(MemoryStore::new());
        let builder = AuthServer::builder(store.clone(), ISSUER, weak.clone())
            .signing_algorithm(SigningAlgorithm::Es256);
        let refused = builder.build().await.unwrap_err();
        assert!(matches!(refused, ConfigError::MasterKey(_)), "{refused:?}");
        assert_eq!(
            refused.to_string(),
            "the master key must be 32 random bytes, not one byte repeated or the example of the documentation"
        );
        assert!(
            store.signing_keys().await.unwrap().is_empty(),
            "nothing was sealed under it"
        );
        let (log, subscriber_guard) = log_capture::capture_log();
        for (others, warnings) in [
            (master_key(1), 0),
            (master_key(1).with_former(master_key(2)), 0),
            (master_key(1).with_former(weak), 1),
        ] {
            let left = AuthServer::builder(store.clone(), ISSUER, others)
                .signing_algorithm(SigningAlgorithm::Es256);
            assert!(left.build().await.is_ok(), "a service can leave it");
            let told = log
                .lines()
                .into_iter()
                .filter(|line| line.contains("WARN") && line.contains("master key is not random"));
            assert_eq!(told.count(), warnings);
        }
        drop(subscriber_guard);
    }
}

/// Fails if forgotten API keys show only as 404, or a host that has none is warned.
#[tokio::test]
async fn a_server_without_a_word_about_api_keys_warns() {
    let store = Arc::new(MemoryStore::new());
    let (log, _subscriber_guard) = log_capture::capture_log();
    let warnings = || {
        let lines = log.lines().into_iter();
        lines.filter(|line| line.contains("WARN") && line.contains("api_keys"))
    };
    assert!(builder(&store, ISSUER, 1).build().await.is_ok());
    assert_eq!(warnings().count(), 1);
    let with_keys = builder(&store, ISSUER, 1).api_keys(store.clone());
    assert!(with_keys.build().await.is_ok());
    let without_keys = builder(&store, ISSUER, 1).without_api_keys();
    assert!(without_keys.build().await.is_ok());
    assert_eq!(warnings().count(), 1, "the host has decided");
}

#[tokio::test]
async fn a_server_accepts_a_storage_trait_object() {
    let storage: Arc<dyn AuthStorage> = Arc::new(MemoryStore::new());
    let server = AuthServer::builder(storage, ISSUER, master_key(1))
        .signing_algorithm(SigningAlgorithm::Es256);
    let server = server.build().await.unwrap();
    let request = http::Request::get("/v1/oauth/login")
        .body(String::new())
        .unwrap();
    let answer = tower::ServiceExt::oneshot(server, request).await.unwrap();
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
}

// Proves: spec 1.4
#[tokio::test]
async fn the_default_hash_is_argon2id_with_19_mib_and_two_passes() {
    use lyceum::store::AccountStore;
    let store = Arc::new(MemoryStore::new());
    let accounts = Accounts::new(store.clone()).unwrap();
    let password = lyceum::domain::Password::new(PASSWORD).unwrap();
    let created = accounts
        .create(
            EMAIL.parse().unwrap(),
            &password,
            lyceum::domain::Role::User,
        )
        .await
        .unwrap();
    assert!(matches!(
        created,
        lyceum::http::auth_server::AccountCreationOutcome::Created(_)
    ));
    let again = accounts
        .create(
            EMAIL.to_uppercase().parse().unwrap(),
            &password,
            lyceum::domain::Role::User,
        )
        .await
        .unwrap();
    assert_eq!(
        again,
        lyceum::http::auth_server::AccountCreationOutcome::EmailTaken
    );
    let account = store
        .account_by_email(&EMAIL.parse().unwrap())
        .await
        .unwrap()
        .unwrap();
    assert!(
        account
            .password_hash
            .as_phc()
            .starts_with("$argon2id$v=19$m=19456,t=2,p=1$")
    );
}

#[tokio::test]
async fn a_subject_is_found_by_id_until_its_account_is_removed() {
    use lyceum::http::auth_server::{AuthenticationOutcome, Authenticator};
    let harness = Harness::new().await;
    let password = lyceum::domain::Password::new(PASSWORD).unwrap();
    let AuthenticationOutcome::SignedIn(subject) = harness
        .accounts
        .authenticate(EMAIL, &password, None)
        .await
        .unwrap()
    else {
        panic!("refused")
    };
    assert_eq!(
        harness.accounts.subject(&subject.id).await.unwrap(),
        Some(subject)
    );
    for id in ["11111111-1111-4111-8111-111111111111", "not an account"] {
        assert_eq!(
            harness
                .accounts
                .subject(&id.parse().unwrap())
                .await
                .unwrap(),
            None
        );
    }
}
