//! Changed settings of API keys.

use std::sync::Arc;
use std::time::Duration;

use super::super::fixtures::{NOW, api_key, at, renewal};
use super::super::store_under_test::{CONCURRENT_CALLERS, ExpectCreated, ExpectOk, StoreUnderTest};
use super::{found, owned, page, renewed};
use crate::domain::{
    ApiKey, ApiKeyId, ApiKeySettings, ApiScope, HiddenFields, PersonalField, Quota, ShortText,
};
use crate::store::ApiKeyUpdate;

cases! { Storage, api_keys as __conformance_api_keys_settings:
    a_changed_key_keeps_all_but_its_settings
    settings_that_changed_meanwhile_are_not_overwritten
    a_revoked_or_unknown_key_is_not_changed
    of_many_changes_from_the_same_settings_one_succeeds
    fields_are_hidden_in_every_key_of_an_owner_that_is_not_revoked
    keys_whose_owners_ask_for_fields_are_listed_in_the_order_of_their_creation
}

/// Settings that differ from those of [`api_key`] in every field.
fn other() -> ApiKeySettings {
    ApiKeySettings {
        description: ShortText::from_static("Changed"),
        scopes: [ApiScope::NEIS_READ].into_iter().collect(),
        hidden: [PersonalField::Email, PersonalField::Sex]
            .into_iter()
            .collect(),
        requested: [PersonalField::Email].into_iter().collect(),
        quota: Quota::new(7, Duration::from_secs(60), 3).ok(),
    }
}

async fn a_changed_key_keeps_all_but_its_settings(store: &StoreUnderTest) {
    for kept in [owned(1), owned(2)] {
        store.create_api_key(kept).await.expect_created();
    }
    let before = renewed(store, 1, renewal(9, Duration::from_secs(60)), NOW).await;
    let settings = before.settings();
    for (from, to) in [(settings.clone(), other()), (other(), settings)] {
        let outcome = store
            .update_api_key(before.id, &from, to.clone())
            .await
            .expect_ok();
        assert_eq!(outcome, ApiKeyUpdate::Updated);
        let expected = before.clone().with_settings(to);
        for value in [api_key(9), before.clone()] {
            assert_eq!(found(store, &value).await.as_ref(), Some(&expected));
        }
    }
    assert_eq!(
        found(store, &owned(2)).await,
        Some(owned(2)),
        "no other key is changed"
    );
}

// Proves: threats 52
async fn fields_are_hidden_in_every_key_of_an_owner_that_is_not_revoked(store: &StoreUnderTest) {
    let narrow = ApiKey {
        hidden: HiddenFields::all(),
        ..owned(2)
    };
    // The e-mail address was approved, and the room is waited for.
    let some = ApiKey {
        hidden: [PersonalField::Sex, PersonalField::Dormitory]
            .into_iter()
            .collect(),
        requested: [PersonalField::Email, PersonalField::Dormitory]
            .into_iter()
            .collect(),
        ..owned(3)
    };
    let kept = [owned(1), narrow.clone(), some.clone(), owned(4), api_key(5)];
    for key in kept {
        store.create_api_key(key).await.expect_created();
    }
    assert!(store.revoke_api_key(owned(4).id, NOW).await.expect_ok());
    let revoked = found(store, &owned(4)).await;
    let fields: HiddenFields = [PersonalField::Email, PersonalField::Sex]
        .into_iter()
        .collect();
    let owner = owned(1).owner.expect("the key has an owner");
    let mut changed = store.hide_fields_of(&owner, fields).await.expect_ok();
    changed.sort_unstable();
    let mut expected = [owned(1).id, some.id];
    expected.sort_unstable();
    assert_eq!(changed, expected);
    let room = [PersonalField::Dormitory].into_iter().collect();
    for (key, requested) in [(owned(1), HiddenFields::default()), (some, room)] {
        let expected = ApiKey {
            hidden: key.hidden.union(fields),
            requested,
            ..key.clone()
        };
        assert_eq!(found(store, &key).await, Some(expected));
    }
    for key in [narrow, api_key(5)] {
        assert_eq!(found(store, &key).await, Some(key), "it is as it was");
    }
    assert_eq!(found(store, &owned(4)).await, revoked);
    let again = store.hide_fields_of(&owner, fields).await.expect_ok();
    assert_eq!(again, [], "a repeated call changes nothing");
}

async fn keys_whose_owners_ask_for_fields_are_listed_in_the_order_of_their_creation(
    store: &StoreUnderTest,
) {
    let asking = |number, created_at| ApiKey {
        requested: other().requested,
        hidden: other().hidden,
        created_at,
        ..owned(number)
    };
    let (later, first) = (asking(1, at(1)), asking(2, NOW));
    let nobodys = ApiKey {
        owner: None,
        ..asking(3, at(2))
    };
    let expired = ApiKey {
        expires_at: at(-1),
        ..asking(4, at(3))
    };
    let silent = ApiKey {
        requested: HiddenFields::default(),
        ..asking(5, NOW)
    };
    let approved = ApiKey {
        hidden: [PersonalField::Sex].into_iter().collect(),
        ..asking(7, NOW)
    };
    let revoked = ApiKey {
        revoked_at: Some(NOW),
        ..asking(6, NOW)
    };
    for kept in [
        &later, &silent, &nobodys, &approved, &first, &revoked, &expired,
    ] {
        store.create_api_key(kept.clone()).await.expect_created();
    }
    let asked = store.api_keys_with_requests(page(0, 3)).await.expect_ok();
    let expected = [&first, &later, &nobodys].map(|key| Arc::new(key.clone()));
    assert_eq!((asked.total, &asked.items[..]), (4, &expected[..]));
    let rest = store.api_keys_with_requests(page(1, 3)).await.expect_ok();
    assert_eq!((rest.total, rest.items), (4, vec![Arc::new(expired)]));
    let waiting = later.settings();
    let decided = ApiKeySettings {
        requested: HiddenFields::default(),
        ..waiting.clone()
    };
    let update = store.update_api_key(later.id, &waiting, decided);
    assert_eq!(update.await.expect_ok(), ApiKeyUpdate::Updated);
    let left = store.api_keys_with_requests(page(0, 1)).await.expect_ok();
    assert_eq!((left.total, left.items), (3, vec![Arc::new(first)]));
}

async fn settings_that_changed_meanwhile_are_not_overwritten(store: &StoreUnderTest) {
    store.create_api_key(api_key(1)).await.expect_created();
    let current = api_key(1).settings();
    for expected in [
        ApiKeySettings {
            description: other().description,
            ..current.clone()
        },
        ApiKeySettings {
            scopes: other().scopes,
            ..current.clone()
        },
        ApiKeySettings {
            hidden: HiddenFields::all(),
            ..current.clone()
        },
        ApiKeySettings {
            requested: other().requested,
            ..current.clone()
        },
        ApiKeySettings {
            quota: other().quota,
            ..current
        },
    ] {
        assert_eq!(
            store
                .update_api_key(api_key(1).id, &expected, other())
                .await
                .expect_ok(),
            ApiKeyUpdate::Conflict
        );
    }
    assert_eq!(found(store, &api_key(1)).await, Some(api_key(1)));
}

async fn a_revoked_or_unknown_key_is_not_changed(store: &StoreUnderTest) {
    store.create_api_key(api_key(1)).await.expect_created();
    assert!(store.revoke_api_key(api_key(1).id, at(1)).await.expect_ok());
    let settings = api_key(1).settings();
    for (id, outcome) in [
        (api_key(1).id, ApiKeyUpdate::Revoked),
        (ApiKeyId::from_random([9; 16]), ApiKeyUpdate::NotFound),
    ] {
        assert_eq!(
            store
                .update_api_key(id, &settings, other())
                .await
                .expect_ok(),
            outcome
        );
    }
    let revoked = ApiKey {
        revoked_at: Some(at(1)),
        ..api_key(1)
    };
    assert_eq!(found(store, &revoked).await.as_ref(), Some(&revoked));
}

async fn of_many_changes_from_the_same_settings_one_succeeds(store: &StoreUnderTest) {
    let key = Arc::new(api_key(1));
    store.create_api_key(api_key(1)).await.expect_created();
    let outcomes = store.race(async |store, caller| {
        let new = ApiKeySettings {
            description: format!("Changed by {caller}")
                .parse()
                .expect("a description"),
            ..other()
        };
        let outcome = store
            .update_api_key(key.id, &key.settings(), new.clone())
            .await
            .expect_ok();
        (outcome, new)
    });
    let succeeded: Vec<_> = outcomes
        .iter()
        .filter(|(outcome, _)| *outcome == ApiKeyUpdate::Updated)
        .collect();
    let conflicts = outcomes
        .iter()
        .filter(|(outcome, _)| *outcome == ApiKeyUpdate::Conflict);
    assert_eq!(
        (succeeded.len(), conflicts.count()),
        (1, CONCURRENT_CALLERS - 1)
    );
    let kept = found(store, &key).await.expect("the key exists");
    assert_eq!(
        Some(&kept.settings()),
        succeeded.first().map(|(_, new)| new)
    );
}
