//! Management of API keys by their owners (spec 2.12 and 4).

mod owner_limit;
mod renewal;
mod scopes;
mod settings;

use std::sync::Arc;
use std::time::Duration;

use http::Method;
use lyceum::DataApi;
use lyceum::directory::Directory;
use lyceum::domain::{ApiKey, ApiKeyDigest, ApiKeyId, ApiKeySecret, ApiScopes, Quota, Role};
use lyceum::http::Clock;
use lyceum::store::{ApiKeyStore, Creation, Storage};
use serde_json::json;
use sha2::{Digest, Sha256};
use tower::ServiceExt;

use super::*;
use crate::stores::new_store;

const DAY: u64 = 24 * 60 * 60;
const PATH: &str = "/v1/api-keys";

/// The management API, and the data API over the same store.
struct ApiKeyHarness {
    management: ManagementClient,
    api: DataApi,
    store: Arc<dyn Storage>,
}

impl ApiKeyHarness {
    async fn new() -> Self {
        let store = new_store().await;
        let keys: Arc<dyn ApiKeyStore> = store.clone();
        let management = ManagementClient::with_harness(
            Harness::with_store(store.clone(), |builder| builder.api_keys(keys)).await,
        )
        .await;
        let directory = Directory::open(store.clone()).await.unwrap();
        let api = DataApi::builder(directory, store.clone())
            .clock(Arc::new(management.harness.clock.clone()))
            .build()
            .unwrap();
        Self {
            management,
            api,
            store,
        }
    }

    /// A new key of the owner, as returned with its value.
    async fn key(&self) -> Value {
        self.management
            .post(&self.owner().await, PATH, api_key())
            .await
    }

    /// The status of a data API request with this key, and its expiry header if it expires soon.
    async fn call(&self, key: &Value) -> (u16, Option<String>) {
        let request = Request::get("/v1/clubs")
            .header("x-api-key", text(key))
            .body(())
            .unwrap();
        let answer = self.api.clone().oneshot(request).await.unwrap();
        let ends = answer
            .headers()
            .get("x-api-key-expires")
            .map(|value| value.to_str().unwrap().to_owned());
        (answer.status().as_u16(), ends)
    }

    async fn is_valid(&self, key: &Value) -> bool {
        match self.call(key).await.0 {
            200 => true,
            401 => false,
            other => panic!("{other}"),
        }
    }

    /// A currently valid token of the owner.
    async fn owner(&self) -> String {
        self.management
            .harness
            .users
            .sign_in_as("owner", Role::User);
        self.management
            .harness
            .tokens_for(&self.management.console, "service:manage")
            .await
            .access
    }

    async fn renew(&self, id: &Value, body: Value) -> Value {
        let token = self.owner().await;
        self.management
            .post(&token, &format!("{PATH}/{}/renew", text(id)), body)
            .await
    }
}

fn after(keys: &ApiKeyHarness, seconds: u64) -> i64 {
    keys.management
        .harness
        .clock
        .now()
        .plus(Duration::from_secs(seconds))
        .seconds()
}

// Proves: spec 2.12
/// Fails if a store receives the value of a key, or another digest of it.
#[tokio::test]
async fn a_key_is_stored_as_its_sha_256_alone() {
    let keys = ApiKeyHarness::new().await;
    let value = text(&keys.key().await["key"]);
    let digest = ApiKeyDigest::from_bytes(Sha256::digest(value.as_bytes()).into());
    let kept = keys.store.api_key(&digest).await.unwrap().unwrap();
    // The part between the first eight and the last four characters, which are the hint.
    assert!(!format!("{kept:?}").contains(&value[8..32]), "{kept:?}");
}

// Proves: spec 2.12
/// Fails if a list, or any other response than the first, shows the value.
#[tokio::test]
async fn a_key_is_a_random_uuid_that_is_shown_once_and_works_for_thirty_days() {
    let keys = ApiKeyHarness::new().await;
    let made = keys.key().await;
    let value = text(&made["key"]);
    assert!(
        ApiKeySecret::parse(&value).is_ok() && value.as_bytes()[14] == b'4',
        "{value}"
    );
    let expected = json!({
        "id": made["id"], "hint": format!("{}…{}", &value[..8], &value[32..]), "owner": "owner", "description": "Lunch display",
        "scopes": ["CLUB_READ", "NEIS_READ"], "hiddenFields": [], "requestedFields": [], "createdAt": after(&keys, 0), "expiresAt": after(&keys, 30 * DAY),
        "lastUsedAt": null, "previousValues": [], "rateLimit": null, "rateWindowSeconds": null, "rateBurst": null,
    });
    assert_eq!(with(expected.clone(), "key", json!(value)), made);
    let listed = keys.management.get(&keys.management.owner, PATH).await;
    assert_eq!(
        listed,
        json!({"totalPages": 1, "totalElements": 1, "apiKeys": [expected]})
    );
    assert!(keys.is_valid(&made["key"]).await);
    let second = keys.key().await;
    assert_ne!((&second["id"], &second["key"]), (&made["id"], &made["key"]));
    keys.management
        .harness
        .clock
        .advance(Duration::from_secs(30 * DAY - 1));
    assert!(keys.is_valid(&made["key"]).await);
    keys.management
        .harness
        .clock
        .advance(Duration::from_secs(1));
    assert!(
        !keys.is_valid(&made["key"]).await,
        "it expires to the second"
    );
}

// Proves: spec 2.12
#[tokio::test]
async fn a_deleted_key_is_dead_at_once_with_both_its_values() {
    let keys = ApiKeyHarness::new().await;
    let made = keys.key().await;
    let renewed = keys.renew(&made["id"], json!({})).await;
    assert!(keys.is_valid(&made["key"]).await && keys.is_valid(&renewed["key"]).await);
    let path = format!("{PATH}/{}", text(&made["id"]));
    assert_eq!(
        keys.management.delete(&keys.management.owner, &path).await,
        json!({})
    );
    assert!(!keys.is_valid(&made["key"]).await && !keys.is_valid(&renewed["key"]).await);
    assert_eq!(
        keys.management.get(&keys.management.owner, PATH).await["totalElements"],
        0
    );
    for (method, path) in [
        (Method::DELETE, path.clone()),
        (Method::POST, format!("{path}/renew")),
    ] {
        assert_eq!(
            refusal(
                &keys
                    .management
                    .ask(&keys.management.owner, method, &path, None)
                    .await
            ),
            refused(404, "not_found", "")
        );
    }
}

// Proves: spec 4
#[tokio::test]
async fn an_administrator_lists_all_keys_also_those_without_an_owner() {
    let keys = ApiKeyHarness::new().await;
    let (management, secret) = (&keys.management, ApiKeySecret::from_random([9; 16]));
    let id = ApiKeyId::from_random([9; 16]);
    let nobodys = ApiKey::new(
        id,
        &secret,
        "By the host".parse().unwrap(),
        ApiScopes::built_in(),
        management.harness.clock.now(),
    );
    assert_eq!(
        keys.store.create_api_key(nobodys).await.unwrap(),
        Creation::Created
    );
    for token in [&management.owner, &management.other, &management.admin] {
        management.post(token, PATH, api_key()).await;
    }
    let seen = async |token: &str| management.get(token, PATH).await["totalElements"].clone();
    assert_eq!(
        [
            seen(&management.owner).await,
            seen(&management.other).await,
            seen(&management.admin).await
        ],
        [json!(1), json!(1), json!(4)]
    );
    let path = format!("{PATH}/{id}");
    assert_eq!(
        refusal(
            &management
                .ask(&management.owner, Method::DELETE, &path, None)
                .await
        ),
        refused(403, "not_owner", "")
    );
    let renewed = management
        .post(&management.admin, &format!("{path}/renew"), json!({}))
        .await;
    assert_eq!(
        (&renewed["owner"], &renewed["scopes"]),
        (
            &Value::Null,
            &json!(["STUDENT_READ", "CLUB_READ", "PROJECT_READ", "NEIS_READ"])
        )
    );
    assert_eq!(management.delete(&management.admin, &path).await, json!({}));
}

// Proves: spec 2.13
#[tokio::test]
async fn only_an_administrator_gives_a_key_a_limit_of_its_own() {
    let keys = ApiKeyHarness::new().await;
    let management = &keys.management;
    let wish = with(api_key(), "rateLimit", json!(500));
    let answer = management
        .ask(&management.owner, Method::POST, PATH, Some(wish.clone()))
        .await;
    assert_eq!(
        refusal(&answer),
        refused(403, "administrators_only", "rateLimit")
    );
    for (window, burst, expected) in [
        (Value::Null, Value::Null, (500, 60, 500)),
        (json!(3600), Value::Null, (500, 3600, 500)),
        (json!(10), json!(7), (500, 10, 7)),
    ] {
        let body = with(
            with(wish.clone(), "rateWindowSeconds", window),
            "rateBurst",
            burst,
        );
        let made = management.post(&management.admin, PATH, body).await;
        let (limit, window, burst) = expected;
        assert_eq!(
            (
                &made["rateLimit"],
                &made["rateWindowSeconds"],
                &made["rateBurst"]
            ),
            (&json!(limit), &json!(window), &json!(burst))
        );
        let kept = keys
            .store
            .api_key_by_id(text(&made["id"]).parse().unwrap())
            .await
            .unwrap()
            .unwrap();
        assert_eq!(
            kept.quota,
            Quota::new(limit, Duration::from_secs(window), burst).ok()
        );
    }
    let answer = management
        .ask(
            &management.admin,
            Method::POST,
            PATH,
            Some(with(api_key(), "rateBurst", json!(5))),
        )
        .await;
    assert_eq!(refusal(&answer), refused(400, "field_missing", "rateLimit"));
}

#[tokio::test]
async fn without_a_store_of_keys_there_is_nothing_at_their_addresses() {
    let management = ManagementClient::with_harness(
        Harness::with_store(new_store().await, |builder| builder).await,
    )
    .await;
    for (method, path) in [
        (Method::GET, PATH.to_owned()),
        (Method::POST, PATH.to_owned()),
        (Method::DELETE, format!("{PATH}/{NOBODY}")),
        (Method::POST, format!("{PATH}/{NOBODY}/renew")),
        (Method::PATCH, PATH.to_owned()),
    ] {
        assert_eq!(
            refusal(&management.ask(&management.admin, method, &path, None).await),
            refused(404, "not_found", ""),
            "{path}"
        );
    }
}
