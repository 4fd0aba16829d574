//! Listing and updates of scopes.

use super::super::fixtures::{application, count, definition};
use super::super::store_under_test::{CONCURRENT_CALLERS, ExpectOk, StoreUnderTest};
use super::{page, with_scopes};
use crate::domain::{ScopeDefinition, ScopeDescription, Translations};
use crate::store::{RegistryChange, ScopePatch};

cases! { Storage, management as __conformance_management_scopes:
    scopes_come_by_application_and_name
    the_parts_of_a_scope_change_one_by_one
    of_many_changes_to_the_parts_of_a_scope_none_undoes_another
}

async fn scopes_come_by_application_and_name(store: &StoreUnderTest) {
    let (one, other) = (application(1), application(2));
    for application in [&other, &one] {
        store
            .fixtures()
            .create_application(application.clone())
            .await;
    }
    let defined = [
        definition(1, &other, "b"),
        definition(2, &other, "a-b"),
        definition(3, &other, "a"),
        definition(4, &one, "z"),
    ];
    for definition in &defined {
        store.fixtures().create_scope(definition.clone()).await;
    }
    let [b, a_b, a, z] = defined;
    let of_one = store.scopes(Some(other.id), page(0, 2)).await.expect_ok();
    assert_eq!(
        (of_one.total, of_one.items),
        (3, vec![a.clone(), a_b.clone()]),
        "names sort by code point"
    );
    let all = store.scopes(None, page(0, 4)).await.expect_ok();
    assert_eq!(
        (all.total, all.items),
        (6, vec![z, a, a_b, b.clone()]),
        "ids sort as text, so the built-in one comes last"
    );
    assert_eq!(store.scope(b.id).await.expect_ok(), Some(b));
    assert_eq!(
        store
            .scope(definition(9, &one, "missing").id)
            .await
            .expect_ok(),
        None
    );
}

async fn the_parts_of_a_scope_change_one_by_one(store: &StoreUnderTest) {
    with_scopes(store, &["read"]).await;
    let before = definition(1, &application(1), "read");
    let new: ScopeDescription = "시간표를 읽습니다".parse().expect("a description");
    let nothing = store
        .update_scope(before.id, ScopePatch::default())
        .await
        .expect_ok();
    assert_eq!(
        (nothing, store.scope(before.id).await.expect_ok()),
        (RegistryChange::Done, Some(before.clone())),
        "a change of nothing succeeds"
    );
    let described = ScopePatch {
        description: Some(new.clone()),
        ..ScopePatch::default()
    };
    assert_eq!(
        store.update_scope(before.id, described).await.expect_ok(),
        RegistryChange::Done
    );
    let described = ScopeDefinition {
        description: new,
        ..before.clone()
    };
    assert_eq!(
        store.scope(before.id).await.expect_ok(),
        Some(described.clone()),
        "the other part stays"
    );
    let english = Translations::from_pairs([("en", "Read \"all\"")]).expect("a text");
    for translations in [english, Translations::default()] {
        let translated = ScopePatch {
            description_translations: Some(translations.clone()),
            ..ScopePatch::default()
        };
        assert_eq!(
            store.update_scope(before.id, translated).await.expect_ok(),
            RegistryChange::Done
        );
        assert_eq!(
            store.scope(before.id).await.expect_ok(),
            Some(ScopeDefinition {
                description_translations: translations,
                ..described.clone()
            }),
            "all descriptions in other languages are replaced, and nothing else"
        );
    }
    let kept = ScopePatch {
        description_translations: Some(before.description_translations.clone()),
        ..ScopePatch::default()
    };
    assert_eq!(
        store.update_scope(before.id, kept).await.expect_ok(),
        RegistryChange::Done
    );
    let guarded = ScopePatch {
        approval_required: Some(true),
        ..ScopePatch::default()
    };
    assert_eq!(
        store
            .update_scope(before.id, guarded.clone())
            .await
            .expect_ok(),
        RegistryChange::Done
    );
    assert_eq!(
        store.scope(before.id).await.expect_ok(),
        Some(ScopeDefinition {
            approval_required: true,
            ..described
        })
    );
    let described = ScopePatch {
        description: Some(before.description.clone()),
        ..ScopePatch::default()
    };
    assert_eq!(
        store.update_scope(before.id, described).await.expect_ok(),
        RegistryChange::Done
    );
    let both = store.scope(before.id).await.expect_ok();
    assert_eq!(
        both,
        Some(ScopeDefinition {
            approval_required: true,
            ..before
        }),
        "changing the description keeps the approval requirement"
    );
    assert_eq!(
        store
            .update_scope(definition(9, &application(1), "x").id, guarded)
            .await
            .expect_ok(),
        RegistryChange::NotFound
    );
}

async fn of_many_changes_to_the_parts_of_a_scope_none_undoes_another(store: &StoreUnderTest) {
    with_scopes(store, &["read"]).await;
    let id = definition(1, &application(1), "read").id;
    let new: ScopeDescription = "시간표를 읽습니다".parse().expect("a description");
    let answers = store.race(async |store, caller| {
        let described = ScopePatch {
            description: Some(new.clone()),
            ..ScopePatch::default()
        };
        let guarded = ScopePatch {
            approval_required: Some(true),
            ..ScopePatch::default()
        };
        store
            .update_scope(
                id,
                if caller.is_multiple_of(2) {
                    described
                } else {
                    guarded
                },
            )
            .await
            .expect_ok()
    });
    assert_eq!(
        count(&answers, |answer| *answer == RegistryChange::Done),
        CONCURRENT_CALLERS
    );
    let found = store
        .scope(id)
        .await
        .expect_ok()
        .map(|scope| (scope.description, scope.approval_required));
    assert_eq!(
        found,
        Some((new, true)),
        "both parts have their last values"
    );
}
