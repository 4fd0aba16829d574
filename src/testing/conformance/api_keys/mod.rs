pub(super) mod expiry_notices;
pub(super) mod limits;
pub(super) mod renewal;
pub(super) mod retention;
pub(super) mod revocation;
pub(super) mod settings;
pub(super) mod usage;

use std::sync::Arc;
use std::time::Duration;

use super::fixtures::{NOW, account, api_key, at, count, owner, renewal};
use super::store_under_test::{CONCURRENT_CALLERS, ExpectCreated, ExpectOk, StoreUnderTest};
use crate::domain::{
    ApiKey, ApiKeyDigest, ApiKeyId, ApiKeyRenewal, ApiScope, ApiScopes, PageRequest, PersonalField,
    Quota, Timestamp,
};
use crate::store::{Creation, LimitedCreation, Renewal};

cases! { Storage, api_keys as __conformance_api_keys:
    a_key_is_found_by_its_digest_as_it_was_kept
    a_key_whose_id_or_digest_is_taken_is_refused
    of_many_keys_with_one_digest_one_is_kept
    a_key_is_found_by_its_id
    many_keys_come_whole_in_the_order_of_their_ids
    keys_come_by_owner_in_the_order_of_their_creation
}

/// In seconds.
const DAY: i64 = 24 * 60 * 60;

async fn a_key_is_found_by_its_digest_as_it_was_kept(store: &StoreUnderTest) {
    let owner = account(1, "owner@school.example");
    store.create_account(owner.clone()).await.expect_created();
    let one = |scope| [scope].into_iter().collect();
    let hosts_own = ApiScopes::parse("NEIS_READ ROOM_READ").expect("names of scopes");
    let hidden = [PersonalField::Email, PersonalField::Dormitory]
        .into_iter()
        .collect();
    let quota = Quota::new(500, Duration::from_secs(3_600), 20).ok();
    let scopes = [
        ApiScopes::default(),
        ApiScopes::built_in(),
        one(ApiScope::STUDENT_READ),
        one(ApiScope::NEIS_READ),
        hosts_own,
    ];
    for (number, scopes) in (1..).zip(scopes) {
        let kept = ApiKey {
            scopes,
            owner: (number % 2 == 0).then(|| owner.id.into()),
            expires_at: at(-1),
            hidden,
            quota,
            ..api_key(number)
        };
        store.create_api_key(kept.clone()).await.expect_created();
        assert_eq!(
            found(store, &kept).await,
            Some(kept),
            "an invalid key is found too"
        );
    }
    assert!(
        store
            .api_key(&ApiKeyDigest::from_bytes([99; 32]))
            .await
            .expect_ok()
            .is_none()
    );
}

async fn a_key_whose_id_or_digest_is_taken_is_refused(store: &StoreUnderTest) {
    let first = api_key(1);
    store.create_api_key(first.clone()).await.expect_created();
    let same_id = ApiKey {
        digest: api_key(2).digest,
        ..api_key(1)
    };
    let same_digest = ApiKey {
        id: api_key(2).id,
        scopes: ApiScopes::default(),
        ..api_key(1)
    };
    assert_eq!(
        store.create_api_key(same_id.clone()).await.expect_ok(),
        Creation::AlreadyExists
    );
    assert_eq!(
        store.create_api_key(same_digest).await.expect_ok(),
        Creation::AlreadyExists
    );
    assert_eq!(
        found(store, &first).await,
        Some(first),
        "a refused key changes nothing"
    );
    assert_eq!(
        found(store, &same_id).await,
        None,
        "a refused key is not stored"
    );
}

async fn of_many_keys_with_one_digest_one_is_kept(store: &StoreUnderTest) {
    let answers = store.race(async |store, caller| {
        let id = ApiKeyId::from_random([u8::try_from(caller).unwrap_or_default(); 16]);
        (
            id,
            store
                .create_api_key(ApiKey { id, ..api_key(200) })
                .await
                .expect_ok(),
        )
    });
    assert_eq!(
        count(&answers, |(_, answer)| *answer == Creation::Created),
        1,
        "of {CONCURRENT_CALLERS} keys with one digest exactly one is created"
    );
    let winner = answers
        .iter()
        .find(|(_, answer)| *answer == Creation::Created)
        .map(|(id, _)| *id);
    assert_eq!(
        found(store, &api_key(200)).await.map(|key| key.id),
        winner,
        "the stored key is the one that was created"
    );
}

async fn a_key_is_found_by_its_id(store: &StoreUnderTest) {
    for number in [1, 2] {
        store.create_api_key(api_key(number)).await.expect_created();
    }
    assert_eq!(
        store
            .api_key_by_id(api_key(2).id)
            .await
            .expect_ok()
            .as_deref(),
        Some(&api_key(2))
    );
    assert_eq!(store.api_key_by_id(api_key(3).id).await.expect_ok(), None);
}

async fn many_keys_come_whole_in_the_order_of_their_ids(store: &StoreUnderTest) {
    for number in 1..=5 {
        store.create_api_key(api_key(number)).await.expect_created();
    }
    assert!(store.revoke_api_key(api_key(3).id, at(1)).await.expect_ok());
    let renewal = renewal(9, Duration::from_secs(60));
    let renewed = api_key(5).renewed(renewal.clone(), at(2));
    let renewal = store
        .renew_api_key(api_key(5).id, renewal, at(2))
        .await
        .expect_ok();
    assert!(matches!(renewal, Renewal::Renewed(_)), "{renewal:?}");
    let ids = [3, 1, 9, 3, 5].map(|number| api_key(number).id);
    let found: Vec<ApiKey> = store
        .api_keys_by_id(&ids)
        .await
        .expect_ok()
        .iter()
        .map(|key| ApiKey::clone(key))
        .collect();
    let revoked = ApiKey {
        revoked_at: Some(at(1)),
        ..api_key(3)
    };
    assert_eq!(
        found,
        [revoked, api_key(1), renewed.expect("a value is added")],
        "each once, in the order of the ids, with previous values, also a revoked one"
    );
    assert_eq!(store.api_keys_by_id(&[]).await.expect_ok(), []);
}

async fn keys_come_by_owner_in_the_order_of_their_creation(store: &StoreUnderTest) {
    let of = |number, owner: &str, created_at| ApiKey {
        owner: owner.parse().ok(),
        created_at,
        ..api_key(number)
    };
    let (later, first, second) = (
        of(1, "owner", at(1)),
        of(2, "owner", NOW),
        of(3, "owner", NOW),
    );
    let expired = ApiKey {
        expires_at: at(-1),
        ..of(4, "owner", at(2))
    };
    let (strangers, nobodys) = (of(5, "stranger", NOW), api_key(6));
    let revoked = ApiKey {
        revoked_at: Some(NOW),
        ..of(7, "owner", NOW)
    };
    for kept in [
        &later, &second, &first, &expired, &strangers, &nobodys, &revoked,
    ] {
        store.create_api_key(kept.clone()).await.expect_created();
    }
    let owned = store.api_keys(Some(&owner()), page(0, 3)).await.expect_ok();
    assert_eq!(
        owned.total, 4,
        "the owner's own keys, including expired ones, without revoked ones"
    );
    assert_eq!(owned.items, [first, second, later].map(Arc::new));
    assert_eq!(
        store
            .api_keys(Some(&owner()), page(1, 3))
            .await
            .expect_ok()
            .items,
        [Arc::new(expired)]
    );
    let all = store.api_keys(None, page(1, 2)).await.expect_ok();
    assert_eq!(
        (all.total, all.items),
        (6, vec![Arc::new(strangers), Arc::new(nobodys)])
    );
    assert_eq!(
        store
            .api_keys(Some(&"nobody".parse().expect("an id")), page(0, 1))
            .await
            .expect_ok()
            .total,
        0
    );
}

fn owned(number: u8) -> ApiKey {
    ApiKey {
        owner: Some(owner()),
        ..api_key(number)
    }
}

async fn issue(store: &StoreUnderTest, key: ApiKey, at_most: u32) -> LimitedCreation {
    store.issue_api_key(key, at_most).await.expect_ok()
}

async fn renewed(
    store: &StoreUnderTest,
    number: u8,
    renewal: ApiKeyRenewal,
    now: Timestamp,
) -> ApiKey {
    match store
        .renew_api_key(api_key(number).id, renewal, now)
        .await
        .expect_ok()
    {
        Renewal::Renewed(key) => ApiKey::clone(&key),
        other => panic!("a key that is not revoked can be renewed, not {other:?}"),
    }
}

fn page(page: u32, size: u32) -> PageRequest {
    PageRequest::new(page, size).expect("a page")
}

async fn found(store: &StoreUnderTest, key: &ApiKey) -> Option<ApiKey> {
    store
        .api_key(&key.digest)
        .await
        .expect_ok()
        .map(|key| (*key).clone())
}
