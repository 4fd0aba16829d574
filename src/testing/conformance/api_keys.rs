use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use super::candidate::{Answered, Candidate, RACERS};
use super::given::{NOW, account, api_key, at, count, owner, renewal};
use super::given_school::{day, days};
use crate::domain::{
    ApiKey, ApiKeyDigest, ApiKeyId, ApiKeyRenewal, ApiScope, ApiScopes, Date, KeyUse, PageRequest, PersonalField, Quota, Timestamp,
};
use crate::store::sweep::API_KEY_KEPT;
use crate::store::{Creation, Issuance, OwnedApiKeys, Renewal};

/// In seconds.
const DAY: i64 = 24 * 60 * 60;

pub(super) async fn a_key_is_found_by_its_digest_as_it_was_kept(store: &Candidate) {
    let owner = account(1, "owner@school.example");
    assert_eq!(store.create_account(owner.clone()).await.answered(), Creation::Created);
    let one = |scope| [scope].into_iter().collect();
    let hosts_own = ApiScopes::parse("NEIS_READ ROOM_READ").expect("names of scopes");
    let hidden = [PersonalField::Email, PersonalField::Dormitory].into_iter().collect();
    let quota = Quota::new(500, Duration::from_secs(3_600), 20).ok();
    let scopes = [ApiScopes::default(), ApiScopes::built_in(), one(ApiScope::STUDENT_READ), one(ApiScope::NEIS_READ), hosts_own];
    for (number, scopes) in (1..).zip(scopes) {
        let kept =
            ApiKey { scopes, owner: (number % 2 == 0).then(|| owner.id.into()), expires_at: at(-1), hidden, quota, ..api_key(number) };
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

pub(super) async fn a_key_is_found_by_its_id(store: &Candidate) {
    for number in [1, 2] {
        assert_eq!(store.create_api_key(api_key(number)).await.answered(), Creation::Created);
    }
    assert_eq!(store.api_key_by_id(api_key(2).id).await.answered().as_deref(), Some(&api_key(2)));
    assert_eq!(store.api_key_by_id(api_key(3).id).await.answered(), None);
}

pub(super) async fn keys_come_by_owner_in_the_order_of_their_creation(store: &Candidate) {
    let of = |number, owner: &str, created_at| ApiKey { owner: owner.parse().ok(), created_at, ..api_key(number) };
    let (later, first, second) = (of(1, "owner", at(1)), of(2, "owner", NOW), of(3, "owner", NOW));
    let expired = ApiKey { expires_at: at(-1), ..of(4, "owner", at(2)) };
    let (strangers, nobodys) = (of(5, "stranger", NOW), api_key(6));
    let revoked = ApiKey { revoked_at: Some(NOW), ..of(7, "owner", NOW) };
    for kept in [&later, &second, &first, &expired, &strangers, &nobodys, &revoked] {
        assert_eq!(store.create_api_key(kept.clone()).await.answered(), Creation::Created);
    }
    let owned = store.api_keys(Some(&owner()), page(0, 3)).await.answered();
    assert_eq!(owned.total, 4, "the owner's own, those that have expired too, without those that are revoked");
    assert_eq!(owned.items, [first, second, later].map(Arc::new));
    assert_eq!(store.api_keys(Some(&owner()), page(1, 3)).await.answered().items, [Arc::new(expired)]);
    let all = store.api_keys(None, page(1, 2)).await.answered();
    assert_eq!((all.total, all.items), (6, vec![Arc::new(strangers), Arc::new(nobodys)]));
    assert_eq!(store.api_keys(Some(&"nobody".parse().expect("an id")), page(0, 1)).await.answered().total, 0);
}

pub(super) async fn all_keys_of_an_owner_are_revoked_at_once(store: &Candidate) {
    let expired = ApiKey { expires_at: at(-1), ..owned(2) };
    let revoked = ApiKey { revoked_at: Some(NOW), ..owned(3) };
    let strangers = ApiKey { owner: "stranger".parse().ok(), ..api_key(4) };
    for kept in [&owned(1), &expired, &revoked, &strangers, &api_key(5)] {
        assert_eq!(store.create_api_key(kept.clone()).await.answered(), Creation::Created);
    }
    assert_eq!(store.revoke_api_keys_of(&owner(), at(1)).await.answered(), 2, "those that were not revoked before");
    for (key, revoked_at) in
        [(owned(1), Some(at(1))), (expired, Some(at(1))), (revoked.clone(), Some(NOW)), (strangers, None), (api_key(5), None)]
    {
        assert_eq!(found(store, &key).await, Some(ApiKey { revoked_at, ..key }), "the first revocation stays, and others' keys go on");
    }
    assert_eq!(store.revoke_api_keys_of(&owner(), at(2)).await.answered(), 0);
    assert_eq!(store.api_keys(Some(&owner()), page(0, 1)).await.answered().total, 0);
}

pub(super) async fn a_sign_out_everywhere_revokes_the_keys_unless_they_are_kept(store: &Candidate) {
    let strangers = ApiKey { owner: "stranger".parse().ok(), ..api_key(2) };
    for kept in [owned(1), strangers.clone()] {
        assert_eq!(store.create_api_key(kept).await.answered(), Creation::Created);
    }
    assert_eq!(store.revoke_grants_of(&owner(), OwnedApiKeys::Keep, at(1)).await.answered(), 0);
    assert_eq!(found(store, &owned(1)).await, Some(owned(1)), "a key that is to be kept goes on");
    assert_eq!(store.revoke_grants_of(&owner(), OwnedApiKeys::Revoke, at(2)).await.answered(), 0, "keys are not counted");
    assert_eq!(found(store, &owned(1)).await, Some(ApiKey { revoked_at: Some(at(2)), ..owned(1) }), "the user's keys are revoked");
    assert_eq!(found(store, &strangers).await, Some(strangers), "nobody else's are");
}

pub(super) async fn an_owner_gets_no_more_keys_than_one_may_have(store: &Candidate) {
    let expired = ApiKey { expires_at: at(-1), ..owned(1) };
    let strangers = ApiKey { owner: "stranger".parse().ok(), ..api_key(101) };
    for other in [strangers.clone(), api_key(102), ApiKey { revoked_at: Some(at(-DAY)), ..owned(103) }] {
        assert_eq!(store.create_api_key(other).await.answered(), Creation::Created);
    }
    assert_eq!(issue(store, expired, 2).await, Issuance::Issued, "neither others' keys count nor what was revoked a day ago");
    assert_eq!(issue(store, owned(2), 2).await, Issuance::Issued);
    assert_eq!(issue(store, owned(3), 2).await, Issuance::OwnerHasEnough, "a key that has expired counts, for it can be renewed");
    assert_eq!(found(store, &owned(3)).await, None, "a refused key is not kept");
    let _ = renewed(store, 1, renewal(4, Duration::ZERO), at(1)).await;
    assert_eq!(issue(store, owned(3), 2).await, Issuance::OwnerHasEnough, "a renewed key is one key");
    assert!(store.revoke_api_key(owned(1).id, at(1 - DAY)).await.answered());
    assert_eq!(issue(store, owned(3), 2).await, Issuance::OwnerHasEnough, "what was revoked less than a day ago counts");
    let later = ApiKey { created_at: at(1), ..owned(3) };
    assert_eq!(issue(store, ApiKey { created_at: at(1), ..owned(2) }, 2).await, Issuance::Taken);
    assert_eq!(issue(store, later.clone(), 2).await, Issuance::Issued, "what was revoked a day ago makes room");
    assert_eq!(found(store, &owned(3)).await, Some(later));
    assert_eq!(issue(store, ApiKey { id: api_key(5).id, ..strangers }, 2).await, Issuance::Taken, "a digest belongs to one key");
    for number in [6, 7] {
        assert_eq!(issue(store, api_key(number), 1).await, Issuance::Issued, "nobody's keys are not counted");
    }
    assert_eq!(issue(store, owned(8), 0).await, Issuance::OwnerHasEnough);
}

pub(super) async fn of_many_keys_issued_at_once_an_owner_gets_as_many_as_one_may_have(store: &Candidate) {
    let answers = store.race(async |store, racer| store.issue_api_key(owned(u8::try_from(racer).unwrap_or_default()), 5).await.answered());
    assert_eq!(count(&answers, |answer| *answer == Issuance::Issued), 5, "of {RACERS} keys exactly 5 are issued");
    assert_eq!(count(&answers, |answer| *answer == Issuance::OwnerHasEnough), RACERS - 5, "the others are told why not");
    assert_eq!(store.api_keys(Some(&owner()), page(0, 1)).await.answered().total, 5);
}

pub(super) async fn a_key_issued_beside_revocations_never_makes_one_too_many(store: &Candidate) {
    for number in [201, 202] {
        assert_eq!(issue(store, owned(number), 2).await, Issuance::Issued);
    }
    let answers = store.race(async |store, racer| {
        if racer == RACERS / 2 {
            assert!(store.revoke_api_key(owned(201).id, at(-DAY)).await.answered());
            return Issuance::Taken;
        }
        store.issue_api_key(owned(u8::try_from(racer).unwrap_or_default()), 2).await.answered()
    });
    let issued = count(&answers, |answer| *answer == Issuance::Issued);
    assert!(issued <= 1, "one revocation made room for {issued} keys");
    let left = store.api_keys(Some(&owner()), page(0, 1)).await.answered().total;
    assert_eq!(left, 1 + issued as u64, "what is listed is what was issued and not revoked");
}

pub(super) async fn decision_2_12_a_renewed_key_is_found_by_each_of_its_values(store: &Candidate) {
    let key = ApiKey { created_at: at(-9), expires_at: at(100), ..api_key(1) };
    assert_eq!(store.create_api_key(key.clone()).await.answered(), Creation::Created);
    assert_eq!(store.create_api_key(api_key(9)).await.answered(), Creation::Created);
    for (number, overlap, ends) in [(2, 50, at(60)), (3, 9_999, at(20 + 9_999))] {
        let before = store.api_key_by_id(key.id).await.answered().expect("the key is there");
        let now = at(10 * i64::from(number - 1));
        let renewed = renewed(store, 1, renewal(number, Duration::from_secs(overlap)), now).await;
        assert_eq!(renewed.expires_at, now.plus(ApiKey::VALIDITY), "it works for as long as a new one");
        assert_eq!(found(store, &api_key(number)).await.as_ref(), Some(&renewed));
        assert_eq!(found(store, &before).await.as_ref(), Some(&renewed), "the value until now is still known");
        assert_eq!(renewed.expiry_of(&before.digest), Some(ends));
    }
    assert_eq!(found(store, &key).await.and_then(|found| found.expiry_of(&key.digest)), Some(at(60)), "the first value keeps its end");
    let last = renewed(store, 1, renewal(4, Duration::ZERO), at(60)).await;
    assert_eq!(found(store, &api_key(3)).await, Some(last), "the value that was replaced is still known, though it has ended");
    assert_eq!(found(store, &key).await, None, "a renewal drops the values that have ended");
    assert_eq!(found(store, &api_key(9)).await, Some(api_key(9)), "no other key is renewed");
}

pub(super) async fn a_second_renewal_keeps_the_value_in_production_alive(store: &Candidate) {
    let owned = owned(1);
    assert_eq!(store.create_api_key(owned.clone()).await.answered(), Creation::Created);
    let first = renewed(store, 1, renewal(2, Duration::from_secs(100)), at(1)).await;
    let second = renewed(store, 1, renewal(3, Duration::from_secs(50)), at(2)).await;
    assert_eq!(second.hint, api_key(3).hint);
    let hints: Vec<_> = second.live_previous(at(2)).map(|value| value.hint.clone()).collect();
    assert_eq!(hints, [Some(owned.hint), Some(first.hint)], "in the order in which they were replaced");
    for (number, end) in [(1, at(101)), (2, at(52)), (3, at(2).plus(ApiKey::VALIDITY))] {
        let key = found(store, &api_key(number)).await;
        assert_eq!(key.as_ref(), Some(&second), "value {number} belongs to the key, under one limit");
        assert_eq!(second.expiry_of(&api_key(number).digest), Some(end), "value {number} has its own end");
    }
    assert_eq!(store.api_key_by_id(owned.id).await.answered().as_deref(), Some(&second));
    let listed = store.api_keys(Some(&owner()), page(0, 9)).await.answered();
    assert_eq!((listed.total, listed.items), (1, vec![Arc::new(second.clone())]), "it is one key");
    assert!(store.revoke_api_key(owned.id, at(3)).await.answered());
    for number in [1, 2, 3] {
        let key = found(store, &api_key(number)).await.expect("the key is there");
        assert!(!key.works(&api_key(number).digest, at(3)), "one revocation ends value {number}");
    }
}

pub(super) async fn no_more_values_of_a_key_work_at_once_than_one_key_may_have(store: &Candidate) {
    assert_eq!(store.create_api_key(api_key(1)).await.answered(), Creation::Created);
    let (most, long) = (u8::try_from(ApiKey::MAX_LIVE_VALUES).unwrap_or(u8::MAX), Duration::from_secs(100));
    for number in 2..=most {
        let _ = renewed(store, 1, renewal(number, long), at(1)).await;
    }
    let full = found(store, &api_key(most)).await;
    let answer = store.renew_api_key(api_key(1).id, renewal(most + 1, long), at(2)).await.answered();
    assert_eq!(answer, Renewal::TooManyValues);
    assert_eq!(found(store, &api_key(most)).await, full, "a refused renewal changes nothing");
    assert_eq!(found(store, &api_key(most + 1)).await, None, "and its value is not kept");
    let at_once = renewed(store, 1, renewal(most + 1, Duration::ZERO), at(3)).await;
    assert_eq!(at_once.live_previous(at(3)).count() + 1, ApiKey::MAX_LIVE_VALUES, "a renewal without overlap replaces one value");
    let later = renewed(store, 1, renewal(most + 2, long), at(101)).await;
    assert_eq!(later.live_previous(at(101)).count(), 1, "values that have ended make room");
    assert_eq!(found(store, &api_key(1)).await, None);
}

pub(super) async fn decision_2_12_a_renewed_key_keeps_all_but_its_value(store: &Candidate) {
    let kept = ApiKey {
        owner: Some(owner()),
        scopes: [ApiScope::NEIS_READ].into_iter().collect(),
        hidden: [PersonalField::Sex].into_iter().collect(),
        quota: Quota::new(5, Duration::from_secs(60), 1).ok(),
        last_used_at: Some(at(3)),
        ..api_key(1)
    };
    assert_eq!(store.create_api_key(kept.clone()).await.answered(), Creation::Created);
    let renewed = renewed(store, 1, renewal(2, Duration::ZERO), at(5)).await;
    assert_eq!(Some(&renewed), kept.renewed(renewal(2, Duration::ZERO), at(5)).as_ref());
    assert_eq!(found(store, &api_key(2)).await, Some(renewed));
}

pub(super) async fn a_value_that_is_taken_renews_nothing(store: &Candidate) {
    for number in [1, 2] {
        assert_eq!(store.create_api_key(api_key(number)).await.answered(), Creation::Created);
    }
    let _ = renewed(store, 1, renewal(3, Duration::from_secs(9)), at(1)).await;
    let before = renewed(store, 1, renewal(6, Duration::from_secs(9)), at(2)).await;
    // Its own three values, and that of another key.
    for number in [1, 2, 3, 6] {
        let answer = store.renew_api_key(api_key(1).id, renewal(number, Duration::ZERO), at(2)).await.answered();
        assert_eq!(answer, Renewal::Taken, "value {number}");
    }
    assert_eq!(found(store, &api_key(3)).await, Some(before), "a refused renewal changes nothing");
    for number in [1, 3, 6] {
        let taken = ApiKey { id: api_key(4).id, ..api_key(number) };
        assert_eq!(store.create_api_key(taken).await.answered(), Creation::Taken, "no other key gets value {number} of a renewed key");
    }
    let unknown = store.renew_api_key(api_key(9).id, renewal(5, Duration::ZERO), at(2)).await.answered();
    assert_eq!(unknown, Renewal::Unknown);
    assert_eq!(found(store, &api_key(5)).await, None);
}

pub(super) async fn a_revoked_key_is_not_renewed(store: &Candidate) {
    assert_eq!(store.create_api_key(api_key(1)).await.answered(), Creation::Created);
    assert!(store.revoke_api_key(api_key(1).id, at(1)).await.answered());
    let answer = store.renew_api_key(api_key(1).id, renewal(2, Duration::ZERO), at(2)).await.answered();
    assert_eq!(answer, Renewal::Revoked, "what is revoked stays revoked");
    assert_eq!(found(store, &api_key(2)).await, None);
}

pub(super) async fn an_expired_key_can_be_renewed(store: &Candidate) {
    assert_eq!(store.create_api_key(api_key(1)).await.answered(), Creation::Created);
    let later = api_key(1).expires_at.plus(Duration::from_secs(1));
    let renewed = renewed(store, 1, renewal(2, Duration::from_secs(60)), later).await;
    assert!(renewed.works(&api_key(2).digest, later) && !renewed.works(&api_key(1).digest, later), "only its new value works");
}

pub(super) async fn of_many_renewals_each_is_whole(store: &Candidate) {
    assert_eq!(store.create_api_key(api_key(200)).await.answered(), Creation::Created);
    let answers = store.race(async |store, racer| {
        let renewal = renewal(u8::try_from(racer).unwrap_or_default(), Duration::ZERO);
        store.renew_api_key(api_key(200).id, renewal, at(1)).await.answered()
    });
    let renewed = |answer: &Renewal| if let Renewal::Renewed(key) = answer { Some(key.clone()) } else { None };
    let keys: Vec<Arc<ApiKey>> = answers.iter().filter_map(renewed).collect();
    assert_eq!(keys.len(), RACERS, "every renewal is done");
    let replaced: BTreeSet<_> = keys.iter().filter_map(|key| key.previous.last()).map(|replaced| replaced.digest).collect();
    assert_eq!(replaced.len(), RACERS, "two renewals replaced one value");
    let last = keys.iter().find(|key| !replaced.contains(&key.digest)).expect("one value was not replaced");
    assert_eq!(found(store, last).await.as_ref(), Some(&**last), "the last renewal is the one that is kept");
}

pub(super) async fn of_many_renewals_with_an_overlap_no_live_value_is_lost(store: &Candidate) {
    assert_eq!(store.create_api_key(api_key(200)).await.answered(), Creation::Created);
    let answers = store.race(async |store, racer| {
        let number = u8::try_from(racer).unwrap_or_default();
        (number, store.renew_api_key(api_key(200).id, renewal(number, Duration::from_secs(60)), at(1)).await.answered())
    });
    let renewed: Vec<u8> = answers.iter().filter(|(_, answer)| matches!(answer, Renewal::Renewed(_))).map(|(number, _)| *number).collect();
    assert_eq!(renewed.len(), ApiKey::MAX_LIVE_VALUES - 1, "of {RACERS} renewals as many are done as values may work");
    let refused = count(&answers, |(_, answer)| *answer == Renewal::TooManyValues);
    assert_eq!(refused, RACERS - renewed.len(), "the others are refused");
    for number in renewed.into_iter().chain([200]) {
        let key = found(store, &api_key(number)).await;
        assert!(key.is_some_and(|key| key.works(&api_key(number).digest, at(1))), "every value that was given out works");
    }
}

pub(super) async fn of_many_keys_renewed_to_one_value_one_has_it(store: &Candidate) {
    let id = |racer: usize| u8::try_from(racer).unwrap_or_default();
    for racer in 0..RACERS {
        assert_eq!(store.create_api_key(api_key(id(racer))).await.answered(), Creation::Created);
    }
    let answers = store.race(async |store, racer| {
        let answer = store.renew_api_key(api_key(id(racer)).id, renewal(200, Duration::ZERO), at(1)).await.answered();
        let new = ApiKey { id: api_key(100 + id(racer)).id, ..api_key(200) };
        (answer, store.create_api_key(new).await.answered())
    });
    let won = count(&answers, |(answer, _)| matches!(answer, Renewal::Renewed(_))) + count(&answers, |(_, new)| *new == Creation::Created);
    assert_eq!(won, 1, "a value belongs to one key");
}

pub(super) async fn a_renewal_beside_a_revocation_brings_nothing_back(store: &Candidate) {
    assert_eq!(store.create_api_key(api_key(200)).await.answered(), Creation::Created);
    store.race(async |store, racer| {
        let renewal = renewal(u8::try_from(racer).unwrap_or_default(), Duration::ZERO);
        if racer == RACERS / 2 {
            assert!(store.revoke_api_key(api_key(200).id, at(1)).await.answered());
        } else {
            let answer = store.renew_api_key(api_key(200).id, renewal, at(1)).await.answered();
            assert!(matches!(answer, Renewal::Renewed(_) | Renewal::Revoked), "{answer:?}");
        }
    });
    let key = store.api_key_by_id(api_key(200).id).await.answered().expect("the key is there");
    assert_eq!(key.revoked_at, Some(at(1)), "a revoked key stays revoked");
}

pub(super) async fn decision_2_12_a_last_use_never_moves_backwards(store: &Candidate) {
    for number in [1, 2, 3] {
        assert_eq!(store.create_api_key(api_key(number)).await.answered(), Creation::Created);
    }
    let used = |number: u8, seconds| used(number, "2026-09-21", 1, seconds);
    for uses in [vec![used(1, 5), used(2, 9), used(9, 9)], vec![used(2, 3), used(1, 8), used(1, 7)], vec![]] {
        store.touch_api_keys(uses).await.answered();
    }
    for (number, last) in [(1, Some(at(8))), (2, Some(at(9))), (3, None)] {
        let key = store.api_key_by_id(api_key(number).id).await.answered().expect("the key is there");
        assert_eq!(key.last_used_at, last, "of key {number} the latest use stays");
        assert_eq!(*key, ApiKey { last_used_at: last, ..api_key(number) }, "nothing else changes");
    }
    store.race(async |store, racer| store.touch_api_keys(vec![used(3, racer as i64), used(2, 0), used(1, racer as i64)]).await.answered());
    let key = store.api_key_by_id(api_key(3).id).await.answered().expect("the key is there");
    assert_eq!(key.last_used_at, Some(at(RACERS as i64 - 1)), "of many batches the latest use stays");
}

pub(super) async fn the_calls_of_a_day_add_up(store: &Candidate) {
    for number in [1, 2] {
        assert_eq!(store.create_api_key(api_key(number)).await.answered(), Creation::Created);
    }
    for uses in [
        vec![used(1, "2026-09-21", 5, 1), used(2, "2026-09-21", 100, 1), used(9, "2026-09-21", 1, 1)],
        vec![used(1, "2026-09-22", 3, 3), used(1, "2026-09-21", 2, 2)],
        vec![used(1, "2026-09-30", 1, 9), used(1, "2026-09-22", u32::MAX, 1), used(1, "2026-09-22", u32::MAX, 1)],
        vec![],
    ] {
        store.touch_api_keys(uses).await.answered();
    }
    let many = 3 + 2 * u64::from(u32::MAX);
    let all = [(day("2026-09-21"), 7), (day("2026-09-22"), many), (day("2026-09-30"), 1)];
    assert_eq!(usage(store, 1, "2026-09-01", "2026-09-30").await, all, "the days on which it was used, in order");
    assert_eq!(usage(store, 1, "2026-09-21", "2026-09-22").await, all[..2], "both ends are included");
    assert_eq!(usage(store, 1, "2026-09-23", "2026-09-29").await, []);
    assert_eq!(usage(store, 2, "2026-09-01", "2026-09-30").await, [(day("2026-09-21"), 100)], "each key has its own");
    assert_eq!(usage(store, 9, "2026-09-01", "2026-09-30").await, [], "a key that is not there was not used");
    let renewing = store.renew_api_key(api_key(1).id, renewal(3, Duration::ZERO), at(10)).await.answered();
    assert!(matches!(renewing, Renewal::Renewed(_)));
    assert_eq!(usage(store, 1, "2026-09-01", "2026-09-30").await, all, "a renewed key is the same");
}

pub(super) async fn of_many_batches_every_call_counts(store: &Candidate) {
    for number in [1, 2] {
        assert_eq!(store.create_api_key(api_key(number)).await.answered(), Creation::Created);
    }
    store.race(async |store, racer| {
        let mut uses = vec![used(1, "2026-09-21", 1, 1), used(2, "2026-09-21", 2, 1), used(2, "2026-09-22", 3, 1)];
        uses.rotate_left(racer % 3);
        store.touch_api_keys(uses).await.answered();
    });
    let racers = RACERS as u64;
    assert_eq!(usage(store, 1, "2026-09-21", "2026-09-22").await, [(day("2026-09-21"), racers)], "no call is lost");
    let both = [(day("2026-09-21"), 2 * racers), (day("2026-09-22"), 3 * racers)];
    assert_eq!(usage(store, 2, "2026-09-21", "2026-09-22").await, both, "of any key on any day");
}

pub(super) async fn s42_calls_are_forgotten_after_five_weeks_and_with_their_key(store: &Candidate) {
    for number in [1, 2] {
        assert_eq!(store.create_api_key(api_key(number)).await.answered(), Creation::Created);
        store.touch_api_keys(vec![used(number, "2026-09-01", 1, 1), used(number, "2026-09-02", 1, 2)]).await.answered();
    }
    store.touch_api_keys(vec![used(1, "2026-10-05", 1, 3)]).await.answered();
    assert_eq!(usage(store, 1, "2026-01-01", "2026-12-31").await.len(), 3, "34 days later all is there");
    store.touch_api_keys(vec![used(1, "2026-10-06", 1, 4)]).await.answered();
    let left = usage(store, 1, "2026-01-01", "2026-12-31").await;
    assert_eq!(left.first(), Some(&(day("2026-09-02"), 1)), "35 days later the first is gone");
    store.touch_api_keys(vec![used(1, "2026-12-01", 1, 5)]).await.answered();
    assert_eq!(usage(store, 1, "2026-01-01", "2026-12-31").await, [(day("2026-12-01"), 1)]);
    assert_eq!(usage(store, 2, "2026-01-01", "2026-12-31").await.len(), 2, "no other key's goes");
    let later = api_key(3).expires_at.plus(API_KEY_KEPT);
    assert_eq!(store.create_api_key(ApiKey { created_at: later, ..api_key(3) }).await.answered(), Creation::Created);
    assert!(store.api_key_by_id(api_key(2).id).await.answered().is_none(), "the dead keys are swept");
    assert_eq!(store.create_api_key(api_key(2)).await.answered(), Creation::Created);
    assert_eq!(usage(store, 2, "2026-01-01", "2026-12-31").await, [], "and what they did with them");
}

pub(super) async fn an_expiry_is_told_of_once_and_again_after_a_renewal(store: &Candidate) {
    for number in [1, 2] {
        assert_eq!(store.create_api_key(api_key(number)).await.answered(), Creation::Created);
    }
    let claim = async |number: u8, end: Timestamp| store.claim_expiry_notice(api_key(number).id, end).await.answered();
    let end = api_key(1).expires_at;
    assert!(!claim(1, end.plus(Duration::from_secs(1))).await, "it does not end then");
    assert!(claim(1, end).await, "nobody has told of it");
    assert!(!claim(1, end).await, "it is told of once");
    assert!(claim(2, end).await, "of each key");
    assert!(!claim(9, end).await, "there is no such key");
    let renewed = renewed(store, 1, renewal(3, Duration::ZERO), at(1)).await;
    assert!(!claim(1, end).await, "it does not end then any more");
    assert!(claim(1, renewed.expires_at).await && !claim(1, renewed.expires_at).await, "its new end is told of once more");
    assert_eq!(found(store, &api_key(3)).await, Some(renewed.clone()), "nothing else changes");
    assert_eq!(store.create_api_key(api_key(4)).await.answered(), Creation::Created);
    assert!(store.revoke_api_key(api_key(4).id, at(2)).await.answered());
    assert!(!claim(4, end).await, "what is revoked ends no more");
}

pub(super) async fn of_many_claims_of_a_notice_one_tells(store: &Candidate) {
    assert_eq!(store.create_api_key(api_key(1)).await.answered(), Creation::Created);
    let end = api_key(1).expires_at;
    let answers = store.race(async |store, _| store.claim_expiry_notice(api_key(1).id, end).await.answered());
    assert_eq!(count(&answers, |tells| *tells), 1, "of {RACERS} claims exactly one tells");
}

fn used(number: u8, on: &str, calls: u32, seconds: i64) -> KeyUse {
    KeyUse { key: api_key(number).id, day: day(on), calls, last_used_at: at(seconds) }
}

async fn usage(store: &Candidate, number: u8, from: &str, to: &str) -> Vec<(Date, u64)> {
    store.api_key_usage(api_key(number).id, days(from, to)).await.answered()
}

fn owned(number: u8) -> ApiKey {
    ApiKey { owner: Some(owner()), ..api_key(number) }
}

async fn issue(store: &Candidate, key: ApiKey, at_most: u32) -> Issuance {
    store.issue_api_key(key, at_most).await.answered()
}

async fn renewed(store: &Candidate, number: u8, renewal: ApiKeyRenewal, now: Timestamp) -> ApiKey {
    match store.renew_api_key(api_key(number).id, renewal, now).await.answered() {
        Renewal::Renewed(key) => ApiKey::clone(&key),
        other => panic!("a key that is not revoked can be renewed, not {other:?}"),
    }
}

fn page(page: u32, size: u32) -> PageRequest {
    PageRequest::new(page, size).expect("a page")
}

async fn found(store: &Candidate, key: &ApiKey) -> Option<ApiKey> {
    store.api_key(&key.digest).await.answered().map(|key| (*key).clone())
}
