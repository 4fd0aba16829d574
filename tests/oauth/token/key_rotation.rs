use std::sync::Arc;
use std::time::Duration;

use lyceum::crypto::{InvalidToken, MasterKey, SystemEntropy, TokenVerifier, generate_signing_key};
use lyceum::domain::{ClientPolicy, SigningAlgorithm};
use lyceum::http::Clock;
use lyceum::http::auth_server::AuthServerBuilder;
use lyceum::store::memory::MemoryStore;
use lyceum::store::{SigningKeyInstallation, SigningKeyRevocation};
use serde_json::Value;

use super::harness::*;
use crate::log_capture;
use crate::metrics_capture::capture_metrics;

const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Advances the clock, and requests the keys until there are `count`: a new key is generated on a
/// separate thread.
async fn published(harness: &Harness, after: Duration, count: usize) -> Vec<Value> {
    harness.clock.advance(after);
    loop {
        let keys = harness.get("/v1/oauth/jwk-set").await.json()["keys"]
            .as_array()
            .unwrap()
            .clone();
        if keys.len() == count {
            return keys;
        }
        assert!(harness.clock.now() < START.plus(100 * DAY), "{keys:?}");
        harness.clock.advance(MINUTE);
        tokio::task::yield_now().await;
    }
}

async fn signs(harness: &Harness, client: &TestClient) -> String {
    let token = harness.tokens(client).await.access;
    harness.claims(&token).await["kid"]
        .as_str()
        .unwrap()
        .to_owned()
}

// Proves: spec 3.19
#[tokio::test]
async fn a_key_is_next_then_active_then_retired_then_gone() {
    let harness =
        Harness::with_settings(|builder| builder.signing_key_rotation(30 * DAY, DAY)).await;
    let client = harness.client(ClientPolicy::Public).await;
    let first = published(&harness, Duration::ZERO, 1).await[0].clone();
    assert_eq!(signs(&harness, &client).await, first["kid"]);
    let both = published(&harness, 30 * DAY, 2).await;
    assert_eq!(both[0], first);
    assert_eq!(
        signs(&harness, &client).await,
        first["kid"],
        "the next key is only published"
    );
    harness.clock.advance(DAY);
    assert_eq!(signs(&harness, &client).await, both[1]["kid"]);
    assert_eq!(
        published(&harness, Duration::ZERO, 2).await,
        both,
        "the first has retired and its tokens are valid"
    );
    assert_eq!(published(&harness, DAY + 2 * MINUTE, 1).await, both[1..]);
    // It is still stored; the next installation removes it.
    assert_eq!(harness.store.signing_keys().await.unwrap().len(), 2);
    published(&harness, 28 * DAY, 2).await;
    let kept: Vec<_> = harness
        .store
        .signing_keys()
        .await
        .unwrap()
        .iter()
        .map(|key| key.sequence)
        .collect();
    assert_eq!(kept, [2, 3]);
}

// Proves: spec 3.14
#[tokio::test]
async fn another_algorithm_signs_once_its_key_has_been_published_for_long_enough() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let old = signs(&harness, &client).await;
    // A restart with another setting.
    let rs256 = |builder: AuthServerBuilder| builder.signing_algorithm(SigningAlgorithm::Rs256);
    let restarted = Harness::with_store(Arc::clone(&harness.store), rs256).await;
    let keys = published(&restarted, Duration::ZERO, 2).await;
    assert_eq!(
        (&keys[0]["alg"], &keys[1]["alg"]),
        (&"ES256".into(), &"RS256".into())
    );
    assert_eq!(
        (&keys[0]["kid"], signs(&restarted, &client).await),
        (&old.as_str().into(), old.clone())
    );
    // Nodes with different algorithms, as during a rolling update, do not generate keys in turn.
    let other = Harness::with_store(Arc::clone(&harness.store), |builder| builder).await;
    assert_eq!(published(&other, Duration::ZERO, 2).await, keys);
    restarted.clock.advance(DAY);
    assert_eq!(signs(&restarted, &client).await, keys[1]["kid"]);
    assert_eq!(published(&restarted, DAY + 2 * MINUTE, 1).await, keys[1..]);
}

// Proves: spec 3.19
#[tokio::test]
async fn a_revoked_key_is_replaced_at_once_and_its_tokens_fail() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let token = harness.tokens(&client).await.access;
    let id = signs(&harness, &client).await.parse().unwrap();
    assert_eq!(
        harness.server.revoke_signing_key(&id).await.unwrap(),
        SigningKeyRevocation::Revoked
    );
    let new = published(&harness, Duration::ZERO, 1).await;
    assert_ne!(new[0]["kid"], id.as_str());
    assert_eq!(signs(&harness, &client).await, new[0]["kid"]);
    let verifier = TokenVerifier::new(
        &serde_json::from_value(harness.get("/v1/oauth/jwk-set").await.json()).unwrap(),
    );
    assert_eq!(
        verifier.verify::<Value>(&token, START).unwrap_err(),
        InvalidToken::UnknownKey
    );
    assert_eq!(
        harness.server.revoke_signing_key(&id).await.unwrap(),
        SigningKeyRevocation::AlreadyRevoked { at: START }
    );
    let stranger = "A".repeat(43).parse().unwrap();
    assert_eq!(
        harness.server.revoke_signing_key(&stranger).await.unwrap(),
        SigningKeyRevocation::NotFound
    );
    assert_eq!(harness.store.signing_keys().await.unwrap().len(), 2);
}

// Proves: spec 3.19
#[tokio::test]
async fn a_revoked_next_key_never_signs() {
    let harness =
        Harness::with_settings(|builder| builder.signing_key_rotation(30 * DAY, DAY)).await;
    let client = harness.client(ClientPolicy::Public).await;
    let both = published(&harness, 30 * DAY, 2).await;
    let next = both[1]["kid"].as_str().unwrap().parse().unwrap();
    assert_eq!(
        harness.server.revoke_signing_key(&next).await.unwrap(),
        SigningKeyRevocation::Revoked
    );
    let again = published(&harness, DAY, 2).await;
    assert_eq!(again[0], both[0]);
    assert_ne!(again[1], both[1]);
    assert_eq!(signs(&harness, &client).await, both[0]["kid"]);
}

// Proves: spec 3.19
#[tokio::test]
async fn no_row_holds_a_private_key_in_the_clear() {
    for algorithm in SigningAlgorithm::ALL {
        let harness = Harness::with_settings(|builder| builder.signing_algorithm(*algorithm)).await;
        let [key] = &harness.store.signing_keys().await.unwrap()[..] else {
            panic!("there is one key")
        };
        let sealed = key.sealed.as_bytes();
        // PKCS #8 identifies the algorithm by its object identifier, and contains the public key.
        let (rsa, p256) = (
            [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01],
            [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01],
        );
        assert!(
            !sealed.windows(rsa.len()).any(|part| part == rsa)
                && !sealed.windows(p256.len()).any(|part| part == p256)
        );
        let published = harness.get("/v1/oauth/jwk-set").await.json();
        let half = published["keys"][0]
            .get("n")
            .or(published["keys"][0].get("x"))
            .unwrap()
            .as_str()
            .unwrap();
        let half = <base64ct::Base64UrlUnpadded as base64ct::Encoding>::decode_vec(half).unwrap();
        assert!(!sealed.windows(16).any(|part| part == &half[..16]));
        assert!(lyceum::crypto::open_signing_key(key, &MasterKey::from_bytes([4; 32])).is_err());
    }
}

#[tokio::test]
async fn a_rotation_that_caches_would_notice_is_refused() {
    let refused = |every, publish_ahead| async move {
        let store = Arc::new(MemoryStore::new());
        let builder = lyceum::http::auth_server::AuthServer::builder(
            store,
            ISSUER,
            lyceum::testing::master_key(3),
        );
        let built = builder
            .signing_algorithm(SigningAlgorithm::Es256)
            .signing_key_rotation(every, publish_ahead)
            .build()
            .await;
        built.err().map(|error| error.to_string())
    };
    assert!(
        refused(DAY, 10 * MINUTE - Duration::from_secs(1))
            .await
            .unwrap()
            .contains("10 minutes")
    );
    assert!(refused(DAY, DAY + MINUTE).await.is_some());
    assert_eq!(refused(DAY, DAY).await, None);
    assert_eq!(refused(Duration::MAX, 10 * MINUTE).await, None);
}

// Proves: spec 3.19
#[tokio::test]
async fn after_a_revocation_on_one_node_the_others_accept_tokens_of_the_new_key_at_once() {
    let one = Harness::new().await;
    let two = one.second_node(Arc::clone(&one.store)).await;
    let client = one.client(ClientPolicy::SecretOrPkce).await;
    let tokens = async || one.tokens_for(&client, SCOPES).await.access;
    let old = tokens().await;
    assert_eq!(two.introspect(&client, &old).await["active"], true);
    let seen_by_two = two.get("/v1/oauth/jwk-set").await.body;
    let id = signs(&one, &client).await.parse().unwrap();
    assert_eq!(
        one.server.revoke_signing_key(&id).await.unwrap(),
        SigningKeyRevocation::Revoked
    );
    let new = tokens().await;
    // A malformed key id causes no lookup: the other node has not reloaded yet.
    for kid in [
        "",
        "1",
        "' OR 1=1 --",
        "../../etc/passwd",
        &"A".repeat(42),
        &"A".repeat(44),
        &"é".repeat(43),
    ] {
        assert_eq!(
            two.introspect(&client, &naming(&new, kid)).await["active"],
            false
        );
        assert_eq!(two.user_info(&naming(&new, kid)).await.status, 401);
    }
    assert_eq!(
        two.get("/v1/oauth/jwk-set").await.body,
        seen_by_two,
        "threats 29: no query"
    );
    assert_eq!(two.user_info(&new).await.status, 200);
    assert_eq!(two.introspect(&client, &new).await["active"], true);
    assert_eq!(
        two.introspect(&client, &old).await["active"],
        false,
        "the reload includes the revocation"
    );
    assert_eq!(
        two.get("/v1/oauth/jwk-set").await.body,
        one.get("/v1/oauth/jwk-set").await.body
    );
}

/// The token with another `kid` in its header.
fn naming(token: &str, kid: &str) -> String {
    use base64ct::{Base64UrlUnpadded, Encoding};
    let (header, rest) = token.split_once('.').unwrap();
    let mut header: Value =
        serde_json::from_slice(&Base64UrlUnpadded::decode_vec(header).unwrap()).unwrap();
    header["kid"] = kid.into();
    format!(
        "{}.{rest}",
        Base64UrlUnpadded::encode_string(header.to_string().as_bytes())
    )
}

/// Fails if a key that does not open is not counted, or not logged.
#[test]
fn a_key_that_does_not_open_is_logged_with_its_id_and_counted_until_it_is_revoked() {
    capture_metrics(async |metrics| {
        let harness = Harness::new().await;
        let strange = generate_signing_key(
            SigningAlgorithm::Es256,
            2,
            START,
            &SystemEntropy,
            &MasterKey::from_bytes([4; 32]),
        )
        .unwrap();
        let id = strange.id.clone();
        assert_eq!(
            harness.store.install_signing_key(strange).await.unwrap(),
            SigningKeyInstallation::Installed
        );
        assert_eq!(metrics.value("lyceum_undecryptable_signing_keys", &[]), 0.0);
        let (log, subscriber_guard) = log_capture::capture_log();
        for _ in 0..3 {
            published(&harness, MINUTE, 1).await;
        }
        drop(subscriber_guard);
        let told: Vec<_> = log
            .lines()
            .into_iter()
            .filter(|line| line.contains("ERROR") && line.contains(id.as_str()))
            .collect();
        assert_eq!(told.len(), 1, "it is logged once: {told:?}");
        assert_eq!(metrics.value("lyceum_undecryptable_signing_keys", &[]), 1.0);
        assert_eq!(
            harness.server.revoke_signing_key(&id).await.unwrap(),
            SigningKeyRevocation::Revoked
        );
        assert_eq!(metrics.value("lyceum_undecryptable_signing_keys", &[]), 0.0);
    });
}

/// Fails if the gauge is not set when keys are read, or keeps its value when the new key is there.
#[test]
fn a_signing_key_that_is_due_is_overdue_until_it_is_installed() {
    capture_metrics(async |metrics| {
        let harness = Harness::new().await;
        let overdue = || metrics.value("lyceum_signing_key_overdue_seconds", &[]);
        published(&harness, 90 * DAY - MINUTE, 1).await;
        assert_eq!(overdue(), 0.0);
        harness.clock.advance(2 * MINUTE);
        harness.get("/v1/oauth/jwk-set").await;
        assert_eq!(overdue(), 60.0);
        published(&harness, MINUTE, 2).await;
        assert_eq!(overdue(), 0.0);
    });
}
