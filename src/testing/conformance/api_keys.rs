use super::candidate::{Answered, Candidate, RACERS};
use super::given::{account, api_key, at, count};
use crate::domain::{ApiKey, ApiKeyDigest, ApiKeyId, ApiScope, ApiScopes};
use crate::store::Creation;

pub(super) async fn a_key_is_found_by_its_digest_as_it_was_kept(store: &Candidate) {
    let owner = account(1, "owner@school.example");
    assert_eq!(store.create_account(owner.clone()).await.answered(), Creation::Created);
    let read = ApiScope::ALL.iter().copied();
    let scopes = [ApiScopes::default(), ApiScopes::all(), read.clone().take(1).collect(), read.skip(3).collect()];
    for (number, scopes) in (1..).zip(scopes) {
        let kept = ApiKey { scopes, owner: (number % 2 == 0).then_some(owner.id), expires_at: at(-1), ..api_key(number) };
        assert_eq!(store.create_api_key(kept.clone()).await.answered(), Creation::Created);
        assert_eq!(found(store, &kept).await, Some(kept), "a key is found also when it no longer works");
    }
    assert!(store.api_key(&ApiKeyDigest::from_bytes([99; 32])).await.answered().is_none());
}

pub(super) async fn a_key_whose_id_or_digest_is_taken_is_refused(store: &Candidate) {
    let first = api_key(1);
    assert_eq!(store.create_api_key(first.clone()).await.answered(), Creation::Created);
    let same_id = ApiKey { digest: api_key(2).digest, ..api_key(1) };
    let same_digest = ApiKey { id: api_key(2).id, scopes: ApiScopes::default(), ..api_key(1) };
    assert_eq!(store.create_api_key(same_id.clone()).await.answered(), Creation::Taken);
    assert_eq!(store.create_api_key(same_digest).await.answered(), Creation::Taken);
    assert_eq!(found(store, &first).await, Some(first), "a refused key changes nothing");
    assert_eq!(found(store, &same_id).await, None, "a refused key is not kept");
}

pub(super) async fn a_revoked_key_keeps_the_time_of_its_first_revocation(store: &Candidate) {
    let key = api_key(1);
    assert_eq!(store.create_api_key(key.clone()).await.answered(), Creation::Created);
    assert_eq!(store.create_api_key(api_key(2)).await.answered(), Creation::Created);
    assert!(store.revoke_api_key(key.id, at(5)).await.answered(), "there is such a key");
    assert!(store.revoke_api_key(key.id, at(9)).await.answered(), "there still is such a key");
    assert_eq!(found(store, &key).await.and_then(|key| key.revoked_at), Some(at(5)), "the first revocation's time stays");
    assert_eq!(found(store, &api_key(2)).await, Some(api_key(2)), "no other key is revoked");
}

pub(super) async fn an_unknown_key_cannot_be_revoked(store: &Candidate) {
    assert!(!store.revoke_api_key(ApiKeyId::from_random([9; 16]), at(0)).await.answered());
}

pub(super) async fn of_many_keys_with_one_digest_one_is_kept(store: &Candidate) {
    let answers = store.race(async |store, racer| {
        let id = ApiKeyId::from_random([u8::try_from(racer).unwrap_or_default(); 16]);
        (id, store.create_api_key(ApiKey { id, ..api_key(200) }).await.answered())
    });
    assert_eq!(count(&answers, |(_, answer)| *answer == Creation::Created), 1, "of {RACERS} keys with one digest exactly one is created");
    let winner = answers.iter().find(|(_, answer)| *answer == Creation::Created).map(|(id, _)| *id);
    assert_eq!(found(store, &api_key(200)).await.map(|key| key.id), winner, "the kept key is the one that was created");
}

pub(super) async fn of_many_revocations_one_sets_the_time(store: &Candidate) {
    assert_eq!(store.create_api_key(api_key(1)).await.answered(), Creation::Created);
    let times = store.race(async |store, racer| {
        assert!(store.revoke_api_key(api_key(1).id, at(i64::try_from(racer).unwrap_or_default())).await.answered(), "there is such a key");
        store.api_key(&api_key(1).digest).await.answered().and_then(|key| key.revoked_at)
    });
    let kept = found(store, &api_key(1)).await.and_then(|key| key.revoked_at);
    assert!(kept.is_some() && times.iter().all(|time| *time == kept), "everyone sees the first revocation's time from their own on");
}

async fn found(store: &Candidate, key: &ApiKey) -> Option<ApiKey> {
    store.api_key(&key.digest).await.answered().map(|key| (*key).clone())
}
