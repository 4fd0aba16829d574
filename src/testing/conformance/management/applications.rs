//! Listing, renaming and deletion of applications.

use super::super::fixtures::{
    LIFETIMES, NOW, application, approval, approve, at, client, code, definition, grant, owner,
    scope, token,
};
use super::super::store_under_test::{ExpectOk, StoreUnderTest};
use super::{granted, other_user, page, pending, registered, with_scopes};
use crate::domain::{
    Application, ApplicationId, Client, ClientProof, Scope, ScopeDefinition, ScopeId, ScopeSet,
    ShortText, Translations,
};
use crate::store::{ApplicationPatch, Redemption, RegistryChange, ScopePatch};

cases! { Storage, management as __conformance_management_applications:
    applications_come_by_owner_in_the_order_of_their_registration
    a_renamed_application_is_told_by_its_scopes
    the_services_own_application_and_scopes_stay
    deleting_an_application_deletes_its_scopes
    an_application_with_many_scopes_is_deleted
}

async fn applications_come_by_owner_in_the_order_of_their_registration(store: &StoreUnderTest) {
    let later = Application {
        created_at: at(1),
        ..application(1)
    };
    let strangers = Application {
        owner: other_user(),
        ..application(2)
    };
    for kept in [&later, &strangers, &application(3), &application(4)] {
        store.fixtures().create_application(kept.clone()).await;
    }
    let owned = store
        .applications(Some(&owner()), page(0, 2))
        .await
        .expect_ok();
    assert_eq!(
        (owned.total, owned.items),
        (3, vec![application(3), application(4)]),
        "by time, then by id"
    );
    assert_eq!(
        store
            .applications(Some(&owner()), page(1, 2))
            .await
            .expect_ok()
            .items,
        [later],
        "each page continues the one before"
    );
    let past = store
        .applications(Some(&owner()), page(2, 2))
        .await
        .expect_ok();
    assert_eq!(
        (past.total, past.items),
        (3, vec![]),
        "a page past the end is empty and has the total"
    );
    let all = store.applications(None, page(0, 9)).await.expect_ok();
    assert_eq!(
        (all.total, all.items.first()),
        (5, Some(&Application::built_in()))
    );
}

async fn a_renamed_application_is_told_by_its_scopes(store: &StoreUnderTest) {
    with_scopes(store, &["read"]).await;
    let update = async |change: ApplicationPatch| {
        store
            .update_application(application(1).id, change)
            .await
            .expect_ok()
    };
    let expect = async |name: &ShortText, translations: &Translations, why: &str| {
        let found = store.application(application(1).id).await.expect_ok();
        let renamed = Application {
            name: name.clone(),
            name_translations: translations.clone(),
            ..application(1)
        };
        assert_eq!(found, Some(renamed), "{why}");
        let told = store
            .scope(definition(1, &application(1), "read").id)
            .await
            .expect_ok()
            .map(|scope| (scope.application_name, scope.application_name_translations));
        assert_eq!(
            told,
            Some((name.clone(), translations.clone())),
            "{why}: its scopes have the same names"
        );
    };
    let before = application(1);
    assert_eq!(
        update(ApplicationPatch::default()).await,
        RegistryChange::Done,
        "a change of nothing succeeds"
    );
    expect(&before.name, &before.name_translations, "nothing changes").await;
    let name = ShortText::from_static("동아리 알리미");
    let renamed = ApplicationPatch {
        name: Some(name.clone()),
        ..ApplicationPatch::default()
    };
    assert_eq!(update(renamed.clone()).await, RegistryChange::Done);
    expect(&name, &before.name_translations, "the other names stay").await;
    let english = Translations::from_pairs([("en", "Club \"news\"")]).expect("a text");
    let translated = ApplicationPatch {
        name_translations: Some(english.clone()),
        ..ApplicationPatch::default()
    };
    assert_eq!(update(translated).await, RegistryChange::Done);
    expect(&name, &english, "all other names are replaced").await;
    let bare = ApplicationPatch {
        name_translations: Some(Translations::default()),
        ..ApplicationPatch::default()
    };
    assert_eq!(update(bare).await, RegistryChange::Done);
    expect(&name, &Translations::default(), "none is left").await;
    assert_eq!(
        store
            .update_application(application(9).id, renamed)
            .await
            .expect_ok(),
        RegistryChange::NotFound
    );
}

async fn the_services_own_application_and_scopes_stay(store: &StoreUnderTest) {
    let [self_read, _] = ScopeDefinition::built_in();
    let change = ScopePatch {
        description: Some("Anything".parse().expect("a description")),
        description_translations: None,
        approval_required: Some(true),
    };
    let renamed = ApplicationPatch {
        name: Some(ShortText::from_static("Other")),
        name_translations: None,
    };
    let tried = [
        store
            .update_application(ApplicationId::Service, renamed)
            .await
            .expect_ok(),
        store
            .delete_application(ApplicationId::Service)
            .await
            .expect_ok(),
        store.update_scope(self_read.id, change).await.expect_ok(),
        store.delete_scope(self_read.id).await.expect_ok(),
    ];
    assert_eq!(tried, [RegistryChange::BuiltIn; 4]);
    assert_eq!(
        store.application(ApplicationId::Service).await.expect_ok(),
        Some(Application::built_in())
    );
    assert_eq!(
        store.scope(self_read.id).await.expect_ok(),
        Some(self_read),
        "built-in records are unchanged"
    );
}

// Proves: spec 3.17
async fn deleting_an_application_deletes_its_scopes(store: &StoreUnderTest) {
    with_scopes(store, &["read", "write"]).await;
    let other = application(2);
    store.fixtures().create_application(other.clone()).await;
    store
        .fixtures()
        .create_scope(definition(7, &other, "read"))
        .await;
    let scopes = [
        scope(application(1).id, "read"),
        scope(other.id, "read"),
        scope(application(1).id, "write"),
        Scope::self_read(),
    ];
    let scopes: ScopeSet = scopes.into_iter().collect();
    registered(
        store,
        Client {
            allowed_scopes: scopes.clone(),
            ..client(1)
        },
    )
    .await;
    granted(store, 1, scopes.clone()).await;
    pending(store, 2, scopes.clone()).await;
    pending(store, 3, scopes.clone()).await;
    approve(store, &token(3), approval(3), NOW).await;

    assert_eq!(
        store
            .delete_application(application(1).id)
            .await
            .expect_ok(),
        RegistryChange::Done
    );
    let left: ScopeSet = [scope(other.id, "read"), Scope::self_read()]
        .into_iter()
        .collect();
    assert_eq!(store.application(application(1).id).await.expect_ok(), None);
    assert_eq!(
        store
            .scopes(Some(application(1).id), page(0, 9))
            .await
            .expect_ok()
            .total,
        0,
        "its scopes are deleted with it"
    );
    assert_eq!(
        store
            .client(client(1).id)
            .await
            .expect_ok()
            .map(|client| client.allowed_scopes.clone()),
        Some(left.clone())
    );
    assert_eq!(
        store
            .refresh_binding(&grant(1))
            .await
            .expect_ok()
            .map(|binding| binding.scopes),
        Some(left.clone())
    );
    assert_eq!(
        store
            .session(&token(2), NOW)
            .await
            .expect_ok()
            .map(|session| session.scopes),
        Some(left.clone())
    );
    let redemption = store
        .redeem_authorization_code(&code(3), ClientProof::Pkce, LIFETIMES, NOW)
        .await
        .expect_ok();
    assert!(
        matches!(&redemption, Redemption::Redeemed(grant) if grant.scopes == left),
        "a code has the remaining scopes, not {redemption:?}"
    );
    assert_eq!(
        store
            .delete_application(application(1).id)
            .await
            .expect_ok(),
        RegistryChange::NotFound,
        "the application no longer exists"
    );
}

// Proves: spec 3.17
async fn an_application_with_many_scopes_is_deleted(store: &StoreUnderTest) {
    let big = application(1);
    store.fixtures().create_application(big.clone()).await;
    let names: Vec<_> = (0..1_100_u16)
        .map(|number| scope(big.id, &format!("scope-{number}")))
        .collect();
    for (number, scope) in (0_u16..).zip(&names) {
        let [high, low] = number.to_be_bytes();
        let id = ScopeId::from_random([high, low, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
        let definition = ScopeDefinition {
            id,
            scope: scope.clone(),
            ..definition(1, &big, "any")
        };
        store.fixtures().create_scope(definition).await;
    }
    let some = |some: &[Scope]| {
        [Scope::self_read()]
            .into_iter()
            .chain(some.iter().cloned())
            .collect::<ScopeSet>()
    };
    registered(
        store,
        Client {
            allowed_scopes: some(&names[500..600]),
            ..client(1)
        },
    )
    .await;
    granted(store, 1, some(&names[..50])).await;
    granted(store, 2, some(&names[1_000..])).await;
    pending(store, 3, some(&names[513..515])).await;

    assert_eq!(
        store.delete_application(big.id).await.expect_ok(),
        RegistryChange::Done
    );
    let left = some(&[]);
    assert_eq!(
        store
            .scopes(Some(big.id), page(0, 9))
            .await
            .expect_ok()
            .total,
        0,
        "all of its scopes are deleted with it"
    );
    assert_eq!(
        store
            .client(client(1).id)
            .await
            .expect_ok()
            .map(|client| client.allowed_scopes.clone()),
        Some(left.clone())
    );
    for number in [1, 2] {
        let binding = store.refresh_binding(&grant(number)).await.expect_ok();
        assert_eq!(
            binding.map(|binding| binding.scopes),
            Some(left.clone()),
            "a grant loses all of them"
        );
    }
    assert_eq!(
        store
            .session(&token(3), NOW)
            .await
            .expect_ok()
            .map(|session| session.scopes),
        Some(left)
    );
}
