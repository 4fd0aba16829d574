//! The keys of the data API, as their owners manage them (decisions 2.12 and 4).

use std::sync::Arc;
use std::time::Duration;

use http::Method;
use lyceum::DataApi;
use lyceum::directory::Directory;
use lyceum::domain::{ApiKey, ApiKeyDigest, ApiKeyId, ApiKeySecret, ApiScope, ApiScopes, Quota, Role};
use lyceum::http::Clock;
use lyceum::http::auth_server::AuthServerBuilder;
use lyceum::store::{ApiKeyStore, Creation, Storage};
use serde_json::json;
use sha2::{Digest, Sha256};
use tower::ServiceExt;

use super::*;
use crate::stores::new_store;

const DAY: u64 = 24 * 60 * 60;
const PATH: &str = "/v1/api-keys";

/// A desk, and the data API over the same store.
struct Office {
    desk: Desk,
    api: DataApi,
    store: Arc<dyn Storage>,
}

impl Office {
    async fn new() -> Self {
        let store = new_store().await;
        let keys: Arc<dyn ApiKeyStore> = store.clone();
        let desk = Desk::in_world(World::over(store.clone(), |builder| builder.api_keys(keys)).await).await;
        let directory = Directory::open(store.clone()).await.unwrap();
        let api = DataApi::builder(directory, store.clone()).clock(Arc::new(desk.world.clock.clone())).build().unwrap();
        Self { desk, api, store }
    }

    /// A new key of the owner, as it is shown with its value.
    async fn key(&self) -> Value {
        self.desk.post(&self.owner().await, PATH, api_key()).await
    }

    /// What the data API says to the value of a key: the status, and when it ends if that is soon.
    async fn call(&self, key: &Value) -> (u16, Option<String>) {
        let request = Request::get("/v1/clubs").header("x-api-key", text(key)).body(()).unwrap();
        let answer = self.api.clone().oneshot(request).await.unwrap();
        let ends = answer.headers().get("x-api-key-expires").map(|value| value.to_str().unwrap().to_owned());
        (answer.status().as_u16(), ends)
    }

    async fn works(&self, key: &Value) -> bool {
        match self.call(key).await.0 {
            200 => true,
            401 => false,
            other => panic!("{other}"),
        }
    }

    /// A token of the owner that is good at this time.
    async fn owner(&self) -> String {
        self.desk.world.users.enter("owner", Role::User);
        self.desk.world.tokens_for(&self.desk.console, "service:manage").await.access
    }

    async fn renew(&self, id: &Value, body: Value) -> Value {
        let token = self.owner().await;
        self.desk.post(&token, &format!("{PATH}/{}/renew", text(id)), body).await
    }
}

fn after(office: &Office, seconds: u64) -> i64 {
    office.desk.world.clock.now().plus(Duration::from_secs(seconds)).seconds()
}

/// Fails if a store is given the value of a key, or another digest of it.
#[tokio::test]
async fn decision_2_12_a_key_is_stored_as_its_sha_256_alone() {
    let office = Office::new().await;
    let value = text(&office.key().await["key"]);
    let digest = ApiKeyDigest::from_bytes(Sha256::digest(value.as_bytes()).into());
    let kept = office.store.api_key(&digest).await.unwrap().unwrap();
    // Between the first eight and the last four characters, which people know it by.
    assert!(!format!("{kept:?}").contains(&value[8..32]), "{kept:?}");
}

/// Fails if a list or anything but the one answer shows the value.
#[tokio::test]
async fn decision_2_12_a_key_is_a_random_uuid_that_is_shown_once_and_works_for_thirty_days() {
    let office = Office::new().await;
    let made = office.key().await;
    let value = text(&made["key"]);
    assert!(ApiKeySecret::presented(&value).is_ok() && value.as_bytes()[14] == b'4', "{value}");
    let expected = json!({
        "id": made["id"], "hint": format!("{}…{}", &value[..8], &value[32..]), "owner": "owner", "description": "Lunch display",
        "scopes": ["CLUB_READ", "NEIS_READ"], "hiddenFields": [], "createdAt": after(&office, 0), "expiresAt": after(&office, 30 * DAY),
        "lastUsedAt": null, "previousValues": [], "rateLimit": null, "rateWindowSeconds": null, "rateBurst": null,
    });
    assert_eq!(with(expected.clone(), "key", json!(value)), made);
    let listed = office.desk.get(&office.desk.owner, PATH).await;
    assert_eq!(listed, json!({"totalPages": 1, "totalElements": 1, "apiKeys": [expected]}));
    assert!(office.works(&made["key"]).await);
    let second = office.key().await;
    assert_ne!((&second["id"], &second["key"]), (&made["id"], &made["key"]));
    office.desk.world.clock.advance(Duration::from_secs(30 * DAY - 1));
    assert!(office.works(&made["key"]).await);
    office.desk.world.clock.advance(Duration::from_secs(1));
    assert!(!office.works(&made["key"]).await, "it ends to the second");
}

#[tokio::test]
async fn decision_2_12_a_renewed_key_keeps_all_but_its_value_and_the_old_one_goes_on_for_a_day() {
    let office = Office::new().await;
    let made = office.desk.post(&office.desk.owner, PATH, with(api_key(), "hiddenFields", json!(["EMAIL", "SEX"]))).await;
    office.desk.world.clock.advance(Duration::from_secs(10 * DAY));
    let renewed = office.renew(&made["id"], json!({})).await;
    assert_ne!(renewed["key"], made["key"]);
    let mut expected = with(made.clone(), "key", renewed["key"].clone());
    for (name, value) in [
        ("hint", renewed["hint"].clone()),
        ("expiresAt", json!(after(&office, 30 * DAY))),
        ("previousValues", json!([{"hint": made["hint"], "worksUntil": after(&office, DAY)}])),
    ] {
        expected = with(expected, name, value);
    }
    assert_eq!(renewed, expected);
    assert_eq!(renewed["hiddenFields"], json!(["SEX", "EMAIL"]));
    let until = Some(office.desk.world.clock.now().plus(Duration::from_secs(DAY)).to_string());
    assert_eq!((office.call(&made["key"]).await, office.call(&renewed["key"]).await), ((200, until), (200, None)), "each has its own end");
    office.desk.world.clock.advance(Duration::from_secs(DAY - 1));
    assert!(office.works(&made["key"]).await && office.works(&renewed["key"]).await);
    office.desk.world.clock.advance(Duration::from_secs(1));
    assert!(!office.works(&made["key"]).await && office.works(&renewed["key"]).await);
    let token = office.owner().await;
    assert_eq!(office.desk.get(&token, PATH).await["apiKeys"][0]["previousValues"], json!([]), "it is over");
}

/// Fails if an engineer who renews a key twice stops the program that still sends its first value.
#[tokio::test]
async fn a_second_renewal_keeps_the_value_in_production_alive() {
    let office = Office::new().await;
    let made = office.key().await;
    let first = office.renew(&made["id"], json!({"overlapSeconds": 7 * DAY})).await;
    let week = after(&office, 7 * DAY);
    office.desk.world.clock.advance(Duration::from_secs(DAY));
    let second = office.renew(&made["id"], json!({})).await;
    let previous = [(&made, week), (&first, after(&office, DAY))];
    assert_eq!(second["previousValues"], Value::from_iter(previous.map(|(of, end)| json!({"hint": of["hint"], "worksUntil": end}))));
    for (value, ends) in [(&made, week), (&first, after(&office, DAY))] {
        let told = Some(lyceum::domain::Timestamp::from_seconds(ends).to_string());
        assert_eq!(office.call(&value["key"]).await, (200, told), "each value tells its own end");
    }
    office.desk.world.clock.advance(Duration::from_secs(DAY));
    assert_eq!([office.works(&made["key"]).await, office.works(&first["key"]).await], [true, false]);
    office.desk.world.clock.advance(Duration::from_secs(5 * DAY - 1));
    assert!(office.works(&made["key"]).await);
    office.desk.world.clock.advance(Duration::from_secs(1));
    assert_eq!([office.works(&made["key"]).await, office.works(&second["key"]).await], [false, true]);
}

#[tokio::test]
async fn a_key_with_five_values_that_work_is_renewed_only_without_an_overlap() {
    let office = Office::new().await;
    let made = office.key().await;
    for _ in 0..4 {
        office.renew(&made["id"], json!({})).await;
    }
    let (token, path) = (office.owner().await, format!("{PATH}/{}/renew", text(&made["id"])));
    let answer = office.desk.ask(&token, Method::POST, &path, Some(json!({}))).await;
    assert_eq!(refusal(&answer), refused(409, "too_many_key_values", ""));
    assert!(office.works(&made["key"]).await, "no value ends unasked");
    let renewed = office.renew(&made["id"], json!({"overlapSeconds": 0})).await;
    assert_eq!(renewed["previousValues"].as_array().unwrap().len(), 4);
    assert!(office.works(&made["key"]).await && office.works(&renewed["key"]).await);
}

/// Fails if each value of a key has a limit of its own.
#[tokio::test]
async fn all_values_of_a_key_are_under_one_limit() {
    let office = Office::new().await;
    let body = with(api_key(), "rateLimit", json!(2));
    let made = office.desk.post(&office.desk.admin, PATH, body).await;
    let renewed = office.desk.post(&office.desk.admin, &format!("{PATH}/{}/renew", text(&made["id"])), json!({})).await;
    let calls = [office.call(&made["key"]).await.0, office.call(&renewed["key"]).await.0, office.call(&made["key"]).await.0];
    assert_eq!(calls, [200, 200, 429]);
}

#[tokio::test]
async fn decision_2_12_the_overlap_is_chosen_and_never_outlives_the_old_value() {
    let office = Office::new().await;
    for (overlap, works_until) in [(json!(0), None), (json!(60), Some(60)), (json!(30 * DAY), Some(20 * DAY))] {
        let made = office.key().await;
        office.desk.world.clock.advance(Duration::from_secs(10 * DAY));
        let renewed = office.renew(&made["id"], json!({"overlapSeconds": overlap})).await;
        let previous = works_until.map(|seconds| json!({"hint": made["hint"], "worksUntil": after(&office, seconds)}));
        assert_eq!(renewed["previousValues"], Value::Array(previous.into_iter().collect()));
        assert_eq!(office.works(&made["key"]).await, works_until.is_some(), "{overlap}");
    }
    let made = office.key().await;
    let token = office.owner().await;
    for wrong in [json!(30 * DAY + 1), json!(-1), json!("60"), json!(1.5), json!(null)] {
        let body = Some(format!(r#"{{"overlapSeconds":{wrong}}}"#));
        let answer = office.desk.send(&token, Method::POST, &format!("{PATH}/{}/renew", text(&made["id"])), body).await;
        assert_eq!(refusal(&answer), refused(400, "field_invalid", "overlapSeconds"), "{wrong}");
    }
    assert!(office.works(&made["key"]).await, "what was refused renewed nothing");
}

#[tokio::test]
async fn decision_2_12_an_expired_key_is_listed_and_can_be_renewed() {
    let office = Office::new().await;
    let made = office.key().await;
    office.desk.world.clock.advance(Duration::from_secs(31 * DAY));
    let token = office.owner().await;
    assert_eq!(office.desk.get(&token, PATH).await["apiKeys"][0]["id"], made["id"]);
    let renewed = office.renew(&made["id"], json!({})).await;
    assert_eq!(renewed["previousValues"], json!([]));
    assert!(office.works(&renewed["key"]).await && !office.works(&made["key"]).await, "the old value does not come back");
}

#[tokio::test]
async fn decision_2_12_a_deleted_key_is_dead_at_once_with_both_its_values() {
    let office = Office::new().await;
    let made = office.key().await;
    let renewed = office.renew(&made["id"], json!({})).await;
    assert!(office.works(&made["key"]).await && office.works(&renewed["key"]).await);
    let path = format!("{PATH}/{}", text(&made["id"]));
    assert_eq!(office.desk.delete(&office.desk.owner, &path).await, json!({}));
    assert!(!office.works(&made["key"]).await && !office.works(&renewed["key"]).await);
    assert_eq!(office.desk.get(&office.desk.owner, PATH).await["totalElements"], 0);
    for (method, path) in [(Method::DELETE, path.clone()), (Method::POST, format!("{path}/renew"))] {
        assert_eq!(refusal(&office.desk.ask(&office.desk.owner, method, &path, None).await), refused(404, "not_found", ""));
    }
}

#[tokio::test]
async fn decision_4_an_administrator_sees_everybodys_keys_and_those_of_nobody() {
    let office = Office::new().await;
    let (desk, secret) = (&office.desk, ApiKeySecret::from_random([9; 16]));
    let id = ApiKeyId::from_random([9; 16]);
    let nobodys = ApiKey::issued(id, &secret, "By the host".parse().unwrap(), ApiScopes::built_in(), desk.world.clock.now());
    assert_eq!(office.store.create_api_key(nobodys).await.unwrap(), Creation::Created);
    for token in [&desk.owner, &desk.other, &desk.admin] {
        desk.post(token, PATH, api_key()).await;
    }
    let seen = async |token: &str| desk.get(token, PATH).await["totalElements"].clone();
    assert_eq!([seen(&desk.owner).await, seen(&desk.other).await, seen(&desk.admin).await], [json!(1), json!(1), json!(4)]);
    let path = format!("{PATH}/{id}");
    assert_eq!(refusal(&desk.ask(&desk.owner, Method::DELETE, &path, None).await), refused(403, "not_owner", ""));
    let renewed = desk.post(&desk.admin, &format!("{path}/renew"), json!({})).await;
    assert_eq!((&renewed["owner"], &renewed["scopes"]), (&Value::Null, &json!(["STUDENT_READ", "CLUB_READ", "PROJECT_READ", "NEIS_READ"])));
    assert_eq!(desk.delete(&desk.admin, &path).await, json!({}));
}

#[tokio::test]
async fn decision_2_13_only_an_administrator_gives_a_key_a_limit_of_its_own() {
    let office = Office::new().await;
    let desk = &office.desk;
    let wish = with(api_key(), "rateLimit", json!(500));
    let answer = desk.ask(&desk.owner, Method::POST, PATH, Some(wish.clone())).await;
    assert_eq!(refusal(&answer), refused(403, "administrators_only", "rateLimit"));
    for (window, burst, expected) in
        [(Value::Null, Value::Null, (500, 60, 500)), (json!(3600), Value::Null, (500, 3600, 500)), (json!(10), json!(7), (500, 10, 7))]
    {
        let body = with(with(wish.clone(), "rateWindowSeconds", window), "rateBurst", burst);
        let made = desk.post(&desk.admin, PATH, body).await;
        let (limit, window, burst) = expected;
        assert_eq!((&made["rateLimit"], &made["rateWindowSeconds"], &made["rateBurst"]), (&json!(limit), &json!(window), &json!(burst)));
        let kept = office.store.api_key_by_id(text(&made["id"]).parse().unwrap()).await.unwrap().unwrap();
        assert_eq!(kept.quota, Quota::new(limit, Duration::from_secs(window), burst).ok());
    }
    let answer = desk.ask(&desk.admin, Method::POST, PATH, Some(with(api_key(), "rateBurst", json!(5)))).await;
    assert_eq!(refusal(&answer), refused(400, "field_missing", "rateLimit"));
}

/// Fails if whoever lost a scope keeps it by renewing.
#[tokio::test]
async fn decision_4_a_scope_that_the_role_may_not_have_is_403() {
    let neis = |builder: AuthServerBuilder| builder.api_key_scopes(Role::User, [ApiScope::NEIS_READ].into_iter().collect());
    let desk = Desk::in_world(World::with(neis).await).await;
    let answer = desk.ask(&desk.owner, Method::POST, PATH, Some(api_key())).await;
    assert_eq!(refusal(&answer), refused(403, "scope_not_allowed", "scopes"));
    desk.post(&desk.owner, PATH, with(api_key(), "scopes", json!(["NEIS_READ"]))).await;
    let made = desk.post(&desk.admin, PATH, api_key()).await;
    desk.world.users.enter("admin", Role::User);
    let answer = desk.ask(&desk.admin, Method::POST, &format!("{PATH}/{}/renew", text(&made["id"])), None).await;
    assert_eq!(refusal(&answer), refused(403, "scope_not_allowed", "scopes"));
}

/// Fails if a key gets a scope that the host has not told of, or none of the host's own where it has.
#[tokio::test]
async fn a_scope_of_a_hosts_own_list_is_given_where_the_host_tells_of_it() {
    let wish = with(api_key(), "scopes", json!(["ROOM_READ", "NEIS_READ"]));
    let rooms = |builder: AuthServerBuilder| builder.api_scopes(ApiScopes::parse("ROOM_READ BUS_READ").unwrap());
    let desk = Desk::in_world(World::with(rooms).await).await;
    let made = desk.post(&desk.owner, PATH, wish.clone()).await;
    assert_eq!(made["scopes"], json!(["NEIS_READ", "ROOM_READ"]));
    assert_eq!(desk.get(&desk.owner, PATH).await["apiKeys"][0]["scopes"], made["scopes"]);
    let lunch = with(api_key(), "scopes", json!(["LUNCH_READ"]));
    for (desk, wish, others) in [(&desk, lunch, ", BUS_READ, ROOM_READ"), (&Desk::new().await, wish, "")] {
        let answer = desk.ask(&desk.owner, Method::POST, PATH, Some(wish)).await;
        assert_eq!(refusal(&answer), refused(400, "scope_unknown", "scopes"));
        let message = format!("Each of the scopes must be one of STUDENT_READ, CLUB_READ, PROJECT_READ, NEIS_READ{others}.");
        assert_eq!(answer.json()["message"], json!(message));
    }
}

/// Fails if keys stop working, or can be listed or renewed no more, when the host drops a list of its own.
#[tokio::test]
async fn a_key_keeps_a_scope_that_the_host_no_longer_tells_of() {
    let office = Office::new().await;
    let (secret, now) = (ApiKeySecret::from_random([9; 16]), office.desk.world.clock.now());
    let scopes = ApiScopes::parse("CLUB_READ ROOM_READ").unwrap();
    let key = ApiKey::issued(ApiKeyId::from_random([9; 16]), &secret, "Rooms".parse().unwrap(), scopes, now);
    let key = ApiKey { owner: "owner".parse().ok(), ..key };
    assert_eq!(office.store.create_api_key(key.clone()).await.unwrap(), Creation::Created);
    let kept = json!(["CLUB_READ", "ROOM_READ"]);
    assert_eq!(office.desk.get(&office.desk.owner, PATH).await["apiKeys"][0]["scopes"], kept);
    let renewed = office.renew(&json!(key.id.to_string()), json!({})).await;
    assert_eq!(renewed["scopes"], kept);
    assert!(office.works(&json!(secret.expose())).await && office.works(&renewed["key"]).await);
}

/// Fails if whoever has many keys has many limits.
#[tokio::test]
async fn s40_a_user_gets_twenty_keys_and_another_a_day_after_one_is_deleted() {
    let office = Office::new().await;
    let desk = &office.desk;
    for token in [&desk.owner, &desk.admin] {
        let mut last = Value::Null;
        for _ in 0..20 {
            last = desk.post(token, PATH, api_key()).await;
        }
        let answer = desk.ask(token, Method::POST, PATH, Some(api_key())).await;
        assert_eq!(refusal(&answer), refused(409, "too_many_api_keys", ""));
        assert!(answer.json()["message"].as_str().unwrap().contains("are 20. A deleted one counts for a day"), "{:?}", answer.json());
        desk.delete(token, &format!("{PATH}/{}", text(&last["id"]))).await;
        assert_eq!(refusal(&desk.ask(token, Method::POST, PATH, Some(api_key())).await), refused(409, "too_many_api_keys", ""));
    }
    assert_eq!(desk.get(&desk.owner, PATH).await["totalElements"], 19);
    desk.world.clock.advance(Duration::from_secs(DAY));
    desk.world.users.enter("owner", Role::User);
    let token = desk.world.tokens_for(&desk.console, "service:manage").await.access;
    desk.post(&token, PATH, api_key()).await;
    assert_eq!(desk.ask(&token, Method::POST, PATH, Some(api_key())).await.status, 409);
}

/// Fails if somebody gets past the limit by letting keys expire, issuing others and renewing the first.
#[tokio::test]
async fn decision_2_12_a_key_that_expired_counts_until_it_is_deleted() {
    let (store, one) = (new_store().await, |builder: AuthServerBuilder| builder.api_keys_per_owner(1));
    let keys: Arc<dyn ApiKeyStore> = store.clone();
    let desk = Desk::in_world(World::over(store, |builder| one(builder.api_keys(keys))).await).await;
    let made = desk.post(&desk.owner, PATH, api_key()).await;
    desk.world.clock.advance(Duration::from_secs(31 * DAY));
    desk.world.users.enter("owner", Role::User);
    let token = desk.world.tokens_for(&desk.console, "service:manage").await.access;
    assert_eq!(refusal(&desk.ask(&token, Method::POST, PATH, Some(api_key())).await), refused(409, "too_many_api_keys", ""));
    desk.post(&token, &format!("{PATH}/{}/renew", text(&made["id"])), json!({})).await;
    desk.delete(&token, &format!("{PATH}/{}", text(&made["id"]))).await;
    desk.world.clock.advance(Duration::from_secs(DAY));
    let token = desk.world.tokens_for(&desk.console, "service:manage").await.access;
    desk.post(&token, PATH, api_key()).await;
}

#[tokio::test]
async fn without_a_store_of_keys_there_is_nothing_at_their_addresses() {
    let desk = Desk::in_world(World::over(new_store().await, |builder| builder).await).await;
    for (method, path) in [
        (Method::GET, PATH.to_owned()),
        (Method::POST, PATH.to_owned()),
        (Method::DELETE, format!("{PATH}/{NOBODY}")),
        (Method::POST, format!("{PATH}/{NOBODY}/renew")),
        (Method::PATCH, PATH.to_owned()),
    ] {
        assert_eq!(refusal(&desk.ask(&desk.admin, method, &path, None).await), refused(404, "not_found", ""), "{path}");
    }
}
