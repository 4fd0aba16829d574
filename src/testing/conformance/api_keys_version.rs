use std::time::Duration;

use super::fixtures::{account, api_key, at, renewal};
use super::store_under_test::{ExpectCreated, ExpectOk, StoreUnderTest};
use crate::domain::{ApiKey, ApiKeySettings, HiddenFields, SubjectId};
use crate::store::{AccountRemoval, ApiKeyAction, ApiKeyUpdate, PasswordChange, Renewal};

cases! { Storage, api_keys_version as __conformance_api_keys_version:
    whatever_may_stop_a_key_from_working_is_told_as_a_change
}

/// A store may report no version at all.
async fn whatever_may_stop_a_key_from_working_is_told_as_a_change(store: &StoreUnderTest) {
    let person = account(1, "owner@school.example");
    let subject: SubjectId = person.id.into();
    store.create_account(person.clone()).await.expect_created();
    for number in 1..=9 {
        let key = ApiKey {
            owner: Some(subject.clone()),
            ..api_key(number)
        };
        store.create_api_key(key).await.expect_created();
    }
    let mut before = store.api_keys_version();
    let mut is_told = |by: &str| {
        let after = store.api_keys_version();
        assert!(
            after.is_none() || after != before,
            "{by} changes the number of `api_keys_version`"
        );
        before = after;
    };
    let renewal = store
        .renew_api_key(api_key(1).id, renewal(10, Duration::ZERO), at(1))
        .await
        .expect_ok();
    assert!(matches!(renewal, Renewal::Renewed(_)));
    is_told("a renewal");
    let settings = renewed_settings(store).await;
    let narrower = ApiKeySettings {
        hidden: HiddenFields::all(),
        ..settings.clone()
    };
    let update = store
        .update_api_key(api_key(1).id, &settings, narrower)
        .await
        .expect_ok();
    assert_eq!(update, ApiKeyUpdate::Updated);
    is_told("new settings");
    assert!(store.revoke_api_key(api_key(1).id, at(2)).await.expect_ok());
    is_told("a revocation");
    assert_eq!(
        store.revoke_api_keys_of(&subject, at(3)).await.expect_ok(),
        8
    );
    is_told("the revocation of all keys of an owner");
    for (number, way) in (11..).zip([
        "a sign-out everywhere",
        "a new password",
        "the removal of the account",
    ]) {
        let key = ApiKey {
            owner: Some(subject.clone()),
            ..api_key(number)
        };
        store.create_api_key(key.clone()).await.expect_created();
        match number {
            11 => {
                _ = store
                    .sign_out_everywhere(&subject, ApiKeyAction::Revoke, at(4))
                    .await
                    .expect_ok()
            }
            12 => {
                let (seen, new) = (
                    &person.password_hash,
                    account(2, "owner@school.example").password_hash,
                );
                let change = store
                    .set_password(person.id, seen, new, ApiKeyAction::Revoke, at(5))
                    .await
                    .expect_ok();
                assert_eq!(change, PasswordChange::Changed);
            }
            _ => assert!(matches!(
                store.remove_account(person.id, at(6)).await.expect_ok(),
                AccountRemoval::Removed(_)
            )),
        }
        let found = store.api_key(&key.digest).await.expect_ok();
        assert!(
            found.is_some_and(|key| key.revoked_at.is_some()),
            "{way} revokes the key"
        );
        is_told(way);
    }
}

/// The settings of the first key.
async fn renewed_settings(store: &StoreUnderTest) -> ApiKeySettings {
    let key = store.api_key_by_id(api_key(1).id).await.expect_ok();
    key.expect("the key exists").settings()
}
