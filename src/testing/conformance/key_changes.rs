use std::time::Duration;

use super::candidate::{Answered, Candidate};
use super::given::{account, api_key, at, renewal};
use crate::domain::{ApiKey, SubjectId};
use crate::store::{AccountRemoval, Creation, OwnedApiKeys, PasswordChange, Renewal};

/// A store may tell of no changes at all.
pub(super) async fn whatever_may_stop_a_key_from_working_is_told_as_a_change(store: &Candidate) {
    let person = account(1, "owner@school.example");
    let subject: SubjectId = person.id.into();
    assert_eq!(store.create_account(person.clone()).await.answered(), Creation::Created);
    for number in 1..=9 {
        let key = ApiKey { owner: Some(subject.clone()), ..api_key(number) };
        assert_eq!(store.create_api_key(key).await.answered(), Creation::Created);
    }
    let mut before = store.api_key_changes();
    let mut is_told = |by: &str| {
        let after = store.api_key_changes();
        assert!(after.is_none() || after != before, "{by} changes the number of `api_key_changes`");
        before = after;
    };
    let renewal = store.renew_api_key(api_key(1).id, renewal(10, Duration::ZERO), at(1)).await.answered();
    assert!(matches!(renewal, Renewal::Renewed(_)));
    is_told("a renewal");
    assert!(store.revoke_api_key(api_key(1).id, at(2)).await.answered());
    is_told("a revocation");
    assert_eq!(store.revoke_api_keys_of(&subject, at(3)).await.answered(), 8);
    is_told("the revocation of all keys of an owner");
    for (number, way) in (11..).zip(["a sign-out everywhere", "a new password", "the end of the account"]) {
        let key = ApiKey { owner: Some(subject.clone()), ..api_key(number) };
        assert_eq!(store.create_api_key(key.clone()).await.answered(), Creation::Created);
        match number {
            11 => _ = store.revoke_grants_of(&subject, OwnedApiKeys::Revoke, at(4)).await.answered(),
            12 => {
                let (seen, new) = (&person.password_hash, account(2, "owner@school.example").password_hash);
                let change = store.set_password(person.id, seen, new, OwnedApiKeys::Revoke, at(5)).await.answered();
                assert_eq!(change, PasswordChange::Changed);
            }
            _ => assert!(matches!(store.remove_account(person.id, at(6)).await.answered(), AccountRemoval::Removed(_))),
        }
        let found = store.api_key(&key.digest).await.answered();
        assert!(found.is_some_and(|key| key.revoked_at.is_some()), "{way} revokes the key");
        is_told(way);
    }
}
